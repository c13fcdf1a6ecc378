import { randomUUID } from 'node:crypto';
import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { eventually } from '../../playground/eventually.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { publish } from '../../playground/n8n/publish.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { actionWorkflow, sendingEach } from '../support/actionWorkflow.ts';
import { runOnce } from '../support/manualRun.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { webhookNode } from '../support/nativeNodes.ts';

const NODE = 'Business Messaging';
const TESTER = '+12025550199';
/** Whatever number it goes to. */
const REFUSED = { to: '+12025550111', template: 'always_400' };

let n8n: N8nUnderTest;
let api: LocalApi;
let credential: { id: string; name: string };

beforeAll(async () => {
	n8n = await n8nUnderTest();
});

beforeEach(async () => {
	api = await startLocalApi();
	credential = await saveAccount(n8n, 'Test recipient', { baseUrl: api.url });
});

afterEach(async () => {
	await api?.close();
});

function recipients() {
	return api.calls.map(({ body }) => (body as { to: string }).to);
}

/** @param items that a run by hand starts with */
function sending(items: Array<Record<string, string>>, options: Record<string, unknown>): Workflow {
	return sendingEach(credential, items, {
		templateName: '={{ $json.template ?? "order_update" }}',
		options: { concurrency: 1, ...options },
	});
}

/** The same workflow behind another start. */
function startedBy(workflow: Workflow, start: Partial<WorkflowNode>): Workflow {
	const [first, action] = workflow.nodes;
	return { ...workflow, pinData: {}, nodes: [{ ...first, ...start }, action] };
}

const CALLED = {
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

/** Calls a workflow with a customer's number, instead of sending by itself. */
async function calling(called: Workflow): Promise<Workflow> {
	const saved = await n8n.client.workflows.save(called);
	await n8n.client.workflows.publish(saved);
	const [start] = actionWorkflow(credential, {}).nodes;
	return {
		name: `Calling ${randomUUID()}`,
		nodes: [
			start,
			{
				id: randomUUID(),
				name: NODE,
				type: 'n8n-nodes-base.executeWorkflow',
				typeVersion: 1.2,
				position: [220, 0],
				parameters: { workflowId: { __rl: true, mode: 'id', value: saved.id } },
			},
		],
		connections: { Start: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
		pinData: { Start: [{ json: { to: CUSTOMER } }] },
	};
}

async function post(workflow: Workflow) {
	const { address } = await publish(n8n, startedBy(workflow, webhookNode()));
	await fetch(address, { method: 'POST' });
	await eventually('a request', () => api.calls.length > 0 || undefined);
}

const options = { testRecipient: TESTER };

// README, Send to a spreadsheet: Test Recipient
describe('with a test recipient', () => {
	test('a run by hand sends nothing to the customer, and says so', async () => {
		const execution = await runOnce(n8n, sending([{ to: CUSTOMER }], options));
		expect(recipients()).toEqual([TESTER]);
		expect(outputOf(execution, NODE)).toEqual([
			expect.objectContaining({ to: TESTER, intendedTo: CUSTOMER }),
		]);
		expect(execution.data.resultData.runData[NODE][0].hints?.[0].message).toContain(TESTER);
	});

	test.each([
		['the original workflow', false],
		['the currently saved workflow', true],
	])('Retry of it with %s does not either', async (_, saved) => {
		const failed = await runOnce(n8n, sending([REFUSED], options));
		expect(failed.status).toBe('error');
		await n8n.client.executions.retry(failed.id, saved);
		expect(recipients()).toEqual([TESTER, TESTER]);
	});

	test('Retry without it sends to the customer what went to the test recipient', async () => {
		const tested = sending([{ to: CUSTOMER }, REFUSED], options);
		const failed = await runOnce(n8n, tested);
		const [, action] = tested.nodes;
		action.parameters = { ...action.parameters, options: {}, templateName: 'order_update' };
		await n8n.client.workflows.save(tested);
		await n8n.client.executions.retry(failed.id, true);
		expect(recipients()).toEqual([TESTER, TESTER, CUSTOMER, REFUSED.to]);
	});

	test('a sub-workflow that a run by hand calls does not either', async () => {
		const parent = await calling(startedBy(sending([], options), CALLED));
		await runOnce(n8n, parent);
		expect(recipients()).toEqual([TESTER]);
	});

	test('a production run sends to the customer', async () => {
		const workflow = sending([], options);
		workflow.nodes[1].parameters.to = CUSTOMER;
		await post(workflow);
		expect(recipients()).toEqual([CUSTOMER]);
	});

	test('a sub-workflow that a production run calls sends to the customer', async () => {
		const child = startedBy(sending([], options), CALLED);
		child.nodes[1].parameters.to = CUSTOMER;
		await post(await calling(child));
		expect(recipients()).toEqual([CUSTOMER]);
	});
});
