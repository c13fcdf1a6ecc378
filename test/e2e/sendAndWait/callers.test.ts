import { randomUUID } from 'node:crypto';
import { eventually } from '../../../playground/eventually.ts';
import { chain } from '../../../playground/n8n/chain.ts';
import { outputOf } from '../../../playground/n8n/rest/executions.ts';
import { startAgent } from '../../support/agentUnderTest.ts';
import { startAsking, type Asking } from '../../support/askedWorkflow.ts';
import { askNode } from '../../support/askingWorkflow.ts';
import { n8nUnderTest, type N8nUnderTest } from '../../support/n8nUnderTest.ts';
import { CALLED, callNode, webhookNode } from '../../support/nativeNodes.ts';
import { answer, linksIn, look, nextLink } from '../../support/questionPage.ts';

let n8n: N8nUnderTest;
let asking: Asking;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	asking = await startAsking(n8n);
});

afterAll(async () => {
	await asking?.api.close();
});

beforeEach(() => {
	asking.api.messages.clear();
	asking.api.calls.length = 0;
});

/** A workflow that asks when it is called. */
async function saveChild() {
	const child = await n8n.client.workflows.save(
		chain(`Asks ${randomUUID()}`, {
			Called: CALLED,
			Ask: askNode(asking.credential),
		}),
	);
	await n8n.client.workflows.publish(child);
	return child.id;
}

async function linkThatWaits() {
	const link = await nextLink(asking.api);
	await eventually('the page', async () => (await look(link)).status === 200);
	return link;
}

test('a sub-workflow asks, and the workflow that calls it goes on with the answer', async () => {
	const call = callNode(await saveChild());
	const after = { type: 'n8n-nodes-base.noOp' };
	const { run } = await asking.start(
		chain(`Calls ${randomUUID()}`, { Webhook: webhookNode(), Call: call, After: after }),
	);
	await answer(await linkThatWaits(), { choice: '1' });
	expect(outputOf(await run('success'), 'After')).toMatchObject([{ approved: false }]);
	expect(linksIn(asking.api)).toHaveLength(1);
});

test("an agent's sub-workflow tool asks, and its model reads the answer", async () => {
	const agent = await startAgent(n8n);
	const workflowId = { __rl: true, mode: 'id', value: await saveChild() };
	const tool = {
		type: '@n8n/n8n-nodes-langchain.toolWorkflow',
		typeVersion: 2.2,
		credentials: {},
		parameters: { description: 'Asks the customer', workflowId },
	};
	const running = agent.run({}, {}, tool);
	await answer(await linkThatWaits(), { choice: '1' });
	await running;
	expect(agent.toolAnswer()).toMatchObject([{ approved: false }]);
	expect(linksIn(asking.api)).toHaveLength(1);
	await agent.close();
});
