import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain, type NodeSettings } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { retry } from '../support/executionRetry.mts';
import {
	MISBEHAVIORS,
	sentAs,
	startFaultServer,
	type FaultServer,
} from '../support/faultServer.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { CALLED, callNode, ROWS, webhookNode } from '../support/nativeNodes.mts';
import { postJson } from '../support/postJson.mts';

const NODE = 'Business Messaging';
/** A customer who has two rows, and one whose message is refused at first. */
const TWICE = 1;
const REFUSED = 3;
const CUSTOMERS = [0, TWICE, TWICE, REFUSED, 4];

let n8n: N8nUnderTest;
let server: FaultServer;

const recipient = (customer: number) => `+1202555010${customer}`;

/** How many messages each row's customer has got: of the API, refused ones too. */
function timesSent() {
	const to = server.received.map((body) => (JSON.parse(body) as { to: string }).to);
	return [0, TWICE, REFUSED, 4].map(
		(customer) => to.filter((each) => each === recipient(customer)).length,
	);
}

beforeAll(async () => {
	n8n = await n8nUnderTest();
	server = await startFaultServer((number, body) => {
		const { to } = JSON.parse(body) as { to: string };
		const isFirst = server.received.filter((each) => each.includes(to)).length === 1;
		return to === recipient(REFUSED) && isFirst ? MISBEHAVIORS.refused400 : sentAs(`m${number}`);
	});
});

beforeEach(() => {
	server.received.length = 0;
});

afterAll(async () => {
	await server?.close();
});

/** Begins a published workflow that calls one that sends. @param before a node before the call */
async function begin(
	mode: 'once' | 'each',
	settings = {},
	before: Record<string, NodeSettings> = {},
) {
	const credential = await saveAccount(n8n, 'Called', { baseUrl: server.url });
	const [, action] = sendingEach(credential, [], { to: '={{ $json.to }}' }).nodes;
	const named = (name: string, nodes: Record<string, NodeSettings>) => {
		const made = chain(`${name} ${Date.now()}`, nodes);
		return { ...made, settings: { ...made.settings, ...settings } };
	};
	const called = await n8n.client.workflows.save(
		named('Called', { Start: CALLED, [NODE]: action }),
	);
	await n8n.client.workflows.publish(called);
	const call = callNode(called.id);
	const calls = { ...call, parameters: { ...call.parameters, mode } };
	const nodes = { Hook: webhookNode(), Rows: ROWS, ...before, Call: calls };
	const workflow = named('Caller', nodes);
	const { saved, address } = await publish(n8n, workflow);
	await postJson(address, { rows: CUSTOMERS.map((customer) => ({ to: recipient(customer) })) });
	const failed = async (id: string) =>
		await eventually('the failure', async () => {
			const [newest] = await n8n.client.executions.list(id, 1);
			return newest?.status === 'error' ? newest : undefined;
		});
	const caller = await failed(saved.id);
	return { workflow, calledId: called.id, callerId: saved.id, caller, failed };
}

// docs/after-a-crash.md: in a sub-workflow
// The refused message stops no other of its call, but the call behind it is not made.
test.each([
	['once', true, [1, 2, 1, 1], [1, 2, 2, 1]],
	['once', false, [1, 2, 1, 1], [1, 2, 2, 1]],
	['each', false, [1, 2, 1, 0], [1, 2, 2, 0]],
] as const)(
	'a workflow that is called (%s) and fails sends the rest in its own Retry, and nothing in one of its caller, with saved progress: %s',
	async (mode, saveExecutionProgress, atFirst, all) => {
		const { calledId, caller, failed } = await begin(mode, { saveExecutionProgress });
		const first = await failed(calledId);
		expect(timesSent()).toEqual(atFirst);
		const refused = await retry(n8n, caller);
		expect(refused.status).toBe('error');
		expect(refused.data.resultData.error?.message).toContain('is being retried');
		// So does the execution of the call that was refused.
		expect((await retry(n8n, await failed(calledId))).status).toBe('error');
		expect(timesSent()).toEqual(atFirst);
		expect((await retry(n8n, first)).status).toBe('success');
		expect(timesSent()).toEqual(all);
		expect((await retry(n8n, caller)).status).toBe('error');
		expect(timesSent()).toEqual(all);
	},
);

test('one Retry of a caller that failed before it called makes the call', async () => {
	const check = (jsonOutput: string) => ({
		Check: {
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput, includeOtherFields: true },
		},
	});
	const { workflow, callerId, caller } = await begin('once', {}, check('={{ missing.field }}'));
	expect(server.received).toEqual([]);
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Check' ? { ...node, ...check('{}').Check } : node,
	);
	await n8n.client.workflows.save({ ...workflow, nodes });
	// The message that is refused ends it.
	expect((await retry(n8n, caller, true)).status).toBe('error');
	const sent = timesSent();
	expect(sent).toEqual([1, 2, 1, 1]);
	expect((await retry(n8n, caller, true)).data.resultData.error?.message).toContain(
		'is being retried',
	);
	const [newest] = await n8n.client.executions.list(callerId, 1);
	expect((await retry(n8n, newest)).status).toBe('error');
	expect(timesSent()).toEqual(sent);
});
