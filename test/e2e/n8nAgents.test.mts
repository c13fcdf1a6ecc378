import { randomUUID } from 'node:crypto';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { chain } from '../../playground/n8n/chain.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { startN8nAgents, type N8nAgents } from '../support/n8nAgent.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { CALLED } from '../support/nativeNodes.mts';

const SEND = {
	operation: 'sendTemplate',
	to: "={{ $fromAI('to', 'Phone number of the customer', 'string') }}",
	templateName: 'order_update',
	category: 'utility',
	variablesInput: 'none',
};
const TEST_RECIPIENT = '+12025550199';

let n8n: N8nUnderTest;
let agents: N8nAgents;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	agents = await startN8nAgents(n8n);
});

afterAll(async () => {
	await agents?.close();
});

/** What the model reads after it called the node for a customer. */
async function call(options: object) {
	return await agents.chat(agents.nodeTool(ACTION, { ...SEND, options }), { to: CUSTOMER });
}

function recipients() {
	return agents.api.calls.flatMap(({ body }) => (body as { to: string } | undefined)?.to ?? []);
}

// docs/ai-agents.md: n8n's own Agents
describe("with the node as the tool of n8n's own Agents", () => {
	test('the model sends, and reads what became of it', async () => {
		expect(await call({ waitFor: 'delivered' })).toContain('"delivery":{"status":');
		expect(recipients()).toEqual([CUSTOMER]);
	});

	test.each([
		['Budget', { budget: { budget: { amount: 1, period: 'day' } } }],
		['Test Recipient', { testRecipient: TEST_RECIPIENT }],
	])('%s is refused by name, and nothing is sent', async (name, options) => {
		const read = await call(options);
		expect(read).toContain(`${name} can't be used in n8n's own Agents`);
		expect(read).toContain('Only the builder of the workflow can correct this');
		expect(recipients()).toEqual([]);
	});
});

// docs/ai-agents.md: the way that works
describe("with a workflow as the tool of n8n's own Agents", () => {
	async function workflowTool(options: object) {
		const parameters = { resource: 'message', ...SEND, to: '={{ $json.to }}', options };
		const credentials = { [CREDENTIAL]: agents.credential };
		const workflow = chain(`Called by an agent ${randomUUID()}`, {
			Called: {
				...CALLED,
				parameters: { workflowInputs: { values: [{ name: 'to', type: 'string' }] } },
			},
			Send: { type: ACTION, parameters, credentials },
		});
		const { id, name } = await n8n.client.workflows.save(workflow);
		return { type: 'workflow', workflowId: id, workflow: name, name: 'inform_customer' };
	}

	test('a Send Once Key holds from chat to chat', async () => {
		const tool = await workflowTool({ sendOnceKey: 'order-17' });
		expect(await agents.chat(tool, { to: CUSTOMER })).toContain('"status":"sent"');
		expect(await agents.chat(tool, { to: CUSTOMER })).toContain('"sentBefore":true');
		expect(recipients()).toEqual([]);
	});

	test('a preview sends to the Test Recipient', async () => {
		const tool = await workflowTool({ testRecipient: TEST_RECIPIENT });
		expect(await agents.chat(tool, { to: CUSTOMER })).toContain(`"intendedTo":"${CUSTOMER}"`);
		expect(recipients()).toEqual([TEST_RECIPIENT]);
	});
});
