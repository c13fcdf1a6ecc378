import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain, type NodeSettings } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { outputOf, type Execution } from '../../playground/n8n/rest/executions.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { retry } from '../support/executionRetry.mts';
import {
	MISBEHAVIORS,
	sentAs,
	startFaultServer,
	type FaultServer,
	type Misbehavior,
} from '../support/faultServer.mts';
import { newestThatIs, runOnce } from '../support/manualRun.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { CALLED, callNode, ROWS, webhookNode } from '../support/nativeNodes.mts';
import { postJson } from '../support/postJson.mts';

const NODE = 'Business Messaging';
const { refused400, closedWithoutAnswer, neverAnswers } = MISBEHAVIORS;

let n8n: N8nUnderTest;
let server: FaultServer;
/** What befalls the item of this number when it is sent for the n-th time, from 1. */
let fate: (item: number, time: number) => Misbehavior | undefined;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	server = await startFaultServer((number, body) => {
		const item = itemOf(body);
		const time = server.received.filter((earlier) => itemOf(earlier) === item).length;
		return fate(item, time) ?? sentAs(`m${number}`);
	});
});

beforeEach(() => {
	server.received.length = 0;
});

afterAll(async () => {
	await server?.close();
});

function recipient(item: number) {
	return `+120255501${String(item).padStart(2, '0')}`;
}

function itemOf(body: string) {
	return Number((JSON.parse(body) as { to: string }).to.slice(-2));
}

/** How often each of so many items was sent. */
function timesSent(items: number) {
	return Array.from(
		{ length: items },
		(_, item) => server.received.filter((body) => itemOf(body) === item).length,
	);
}

/** Sends one message per item, one after the other, and fails if one of them did. */
async function sending(items: number): Promise<Workflow> {
	const credential = await saveAccount(n8n, 'Retry', { baseUrl: server.url });
	const rows = Array.from({ length: items }, (_, item) => ({ to: recipient(item) }));
	return sendingEach(credential, rows);
}

function descriptionOf(execution: Execution) {
	return execution.data.resultData.runData[NODE].at(-1)?.error?.description;
}

/** The same in batches of three, by n8n's Loop node. */
async function sendingInBatches(items: number): Promise<Workflow> {
	const workflow = await sending(items);
	const [start, action] = workflow.nodes;
	const type = 'n8n-nodes-base.splitInBatches';
	const loop = { type, typeVersion: 3, parameters: { batchSize: 3 } };
	const looping = chain(workflow.name, { Start: start, Loop: loop, [NODE]: action });
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	const rounds = { Loop: { main: [[], to(NODE)] }, [NODE]: { main: [to('Loop')] } };
	const connections = { ...looping.connections, ...rounds };
	return { ...looping, connections, pinData: workflow.pinData };
}

const OF_ALL = /11 of 12 messages were sent: items 0-6, 8-11\./;
const OF_ROUND =
	/Later rounds of the loop, if there are any, were not reached\. 2 of 3 messages were sent: items 0, 2\./;

// docs/good-to-know.md: Retry sends only the rest
test.each([
	['the original workflow', sending, false, OF_ALL, [12, 8, 9, 10, 11]],
	['the currently saved workflow', sending, true, OF_ALL, [12, 8, 9, 10, 11]],
	// The rounds after the one that failed come later.
	['a loop', sendingInBatches, false, OF_ROUND, [9, 8, 10, 11, 12]],
] as const)(
	'Retry of %s sends what failed and was not begun, and nothing else',
	async (_, workflowOf, saved, told, last) => {
		fate = (item, time) => (item === 7 && time === 1 ? refused400 : undefined);
		const first = await runOnce(n8n, await workflowOf(12));
		expect(first.status).toBe('error');
		expect(descriptionOf(first)).toMatch(told);

		const second = await retry(n8n, first, saved);
		expect(second.status).toBe('success');
		expect(timesSent(12)).toEqual([1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1]);
		const outputs = second.data.resultData.runData[NODE].map(({ data }) => data?.main[0] ?? []);
		const ids = outputs.flat().map(({ json }) => json.message_id);
		expect(ids).toEqual([0, 1, 2, 3, 4, 5, 6, ...last].map((request) => `m${request}`));
	},
);

// docs/good-to-know.md: to get past an item that may have gone
test('with "continue on error" saved meanwhile, Retry gets past a message that may have gone', async () => {
	fate = (item) => (item === 1 ? closedWithoutAnswer : undefined);
	const workflow = await sending(3);
	const first = await runOnce(n8n, workflow);
	const [start, action] = workflow.nodes;
	action.onError = 'continueRegularOutput';
	await n8n.client.workflows.save({ ...workflow, nodes: [start, action] });

	const second = await retry(n8n, first, true);
	expect(second.status).toBe('success');
	expect(timesSent(3)).toEqual([1, 1, 1]);
	const error = expect.objectContaining({ outcome: 'unknown' });
	expect(outputOf(second, NODE)[1]).toEqual({ error });
});

/** Begins it by n8n's Webhook node, with a row for each of these numbers. @returns the workflow's ID */
async function beginInProduction(workflow: Workflow, items: number[]) {
	const { saved, address } = await publish(n8n, workflow);
	await postJson(address, { rows: items.map((item) => ({ to: recipient(item) })) });
	return saved.id;
}

// docs/after-a-crash.md: or somebody stopped the run
test('an execution that was stopped sends the rest when it is retried', async () => {
	fate = (item) => (item === 2 ? neverAnswers : undefined);
	const { name, nodes } = await sending(0);
	const workflow = chain(name, { Hook: webhookNode(), Rows: ROWS, [NODE]: nodes[1] });
	const id = await beginInProduction(workflow, [0, 1, 2, 3]);
	await eventually('the third request', () => server.received.length === 3);
	await n8n.client.executions.stop(String(await n8n.client.executions.running(id)));
	const retried = await retry(n8n, await newestThatIs('canceled', n8n, id));
	expect(retried.status).toBe('error');
	const told =
		'1 of 4 messages were sent: item 3. 2 were sent before: items 0-1. May have been sent: item 2.';
	expect(descriptionOf(retried)).toContain(told);
	expect(descriptionOf(await retry(n8n, retried))).toContain(told);
	expect(timesSent(4)).toEqual([1, 1, 1, 1]);
});

// docs/good-to-know.md: Execute step
test('Execute step goes on where the failed run before it stopped, and then sends to all again', async () => {
	fate = (item, time) => (item === 2 && time === 1 ? refused400 : undefined);
	const workflow = await sending(4);
	const { workflowId: id, data } = await runOnce(n8n, workflow);
	const start = { Start: data.resultData.runData.Start };
	await n8n.client.workflows.executeStep(id, NODE, start);
	const second = await newestThatIs('success', n8n, id);
	expect(outputOf(second, NODE)).toMatchObject([
		{ sentBefore: true },
		{ sentBefore: true },
		// Its first message was refused, which kept the next one from nothing.
		{ message_id: expect.any(String) },
		{ sentBefore: true },
	]);
	const [{ hints }] = second.data.resultData.runData[NODE];
	expect(hints?.[0]?.message).toContain('the manual run before did not end well');
	expect(timesSent(4)).toEqual([1, 1, 2, 1]);
	await n8n.client.workflows.executeStep(id, NODE, start);
	await eventually('the next step', () => server.received.length === 9);
	await n8n.client.executions.allEnded(id);
	expect(timesSent(4)).toEqual([2, 2, 3, 2]);
});

describe('a workflow that is called and fails', () => {
	/** One has two rows, and number 3 is refused at first. */
	const CUSTOMERS = [0, 1, 1, 3, 4];

	beforeEach(() => {
		fate = (item, time) => (item === 3 && time === 1 ? refused400 : undefined);
	});

	const failed = async (workflowId: string) => await newestThatIs('error', n8n, workflowId);

	/** Begins one that calls it. @param jsonOutput of a node before the call */
	async function begin(mode: 'once' | 'each', settings = {}, jsonOutput = '{}') {
		const { workflows } = n8n.client;
		const [, action] = (await sending(0)).nodes;
		const named = (name: string, nodes: Record<string, NodeSettings>) => {
			const made = chain(`${name} ${Date.now()}`, nodes);
			return { ...made, settings: { ...made.settings, ...settings } };
		};
		const called = await workflows.save(named('Called', { Start: CALLED, [NODE]: action }));
		await workflows.publish(called);
		const call = callNode(called.id);
		const workflow = named('Caller', {
			Hook: webhookNode(),
			Rows: ROWS,
			Check: {
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput, includeOtherFields: true },
			},
			Call: { ...call, parameters: { ...call.parameters, mode } },
		});
		const caller = await failed(await beginInProduction(workflow, CUSTOMERS));
		return { workflow, calledId: called.id, caller };
	}

	// docs/after-a-crash.md: in a sub-workflow
	// The refused message stops no other of its call, but the call behind it is not made.
	test.each([
		['once', true, [1, 2, 0, 1, 1], [1, 2, 0, 2, 1]],
		['once', false, [1, 2, 0, 1, 1], [1, 2, 0, 2, 1]],
		['each', false, [1, 2, 0, 1, 0], [1, 2, 0, 2, 0]],
	] as const)(
		'(%s) sends the rest in its own Retry, and nothing in one of its caller, with saved progress: %s',
		async (mode, saveExecutionProgress, atFirst, all) => {
			const { calledId, caller } = await begin(mode, { saveExecutionProgress });
			const first = await failed(calledId);
			expect(timesSent(5)).toEqual(atFirst);
			const refused = await retry(n8n, caller);
			expect(refused.status).toBe('error');
			expect(refused.data.resultData.error?.message).toContain('is being retried');
			// So does the execution of the call that was refused.
			expect((await retry(n8n, await failed(calledId))).status).toBe('error');
			expect(timesSent(5)).toEqual(atFirst);
			expect((await retry(n8n, first)).status).toBe('success');
			expect(timesSent(5)).toEqual(all);
			expect((await retry(n8n, caller)).status).toBe('error');
			expect(timesSent(5)).toEqual(all);
		},
	);

	test('is called by one Retry of a caller that failed before it called', async () => {
		const { workflow, caller } = await begin('once', {}, '={{ missing.field }}');
		expect(server.received).toEqual([]);
		workflow.nodes[2].parameters.jsonOutput = '{}';
		await n8n.client.workflows.save(workflow);
		// The message that is refused ends it.
		expect((await retry(n8n, caller, true)).status).toBe('error');
		const sent = timesSent(5);
		expect(sent).toEqual([1, 2, 0, 1, 1]);
		const again = await retry(n8n, caller, true);
		expect(again.data.resultData.error?.message).toContain('is being retried');
		expect((await retry(n8n, await failed(caller.workflowId))).status).toBe('error');
		expect(timesSent(5)).toEqual(sent);
	});
});
