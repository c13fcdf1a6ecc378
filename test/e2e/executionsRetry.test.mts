import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain } from '../../playground/n8n/chain.mts';
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
import { runOnce } from '../support/manualRun.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { ROWS, webhookNode } from '../support/nativeNodes.mts';
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

function times(...counts: Array<[items: number, times: number]>) {
	return counts.flatMap(([items, count]) => Array<number>(items).fill(count));
}

/** Sends one message per item, one after the other, and fails if one of them did. */
async function sending(items: number, parameters: object = {}): Promise<Workflow> {
	const credential = await saveAccount(n8n, 'Retry', { baseUrl: server.url });
	const rows = Array.from({ length: items }, (_, item) => ({ to: recipient(item) }));
	return sendingEach(credential, rows, { ...parameters });
}

function descriptionOf(execution: Execution) {
	return execution.data.resultData.runData[NODE].at(-1)?.error?.description;
}

// docs/good-to-know.md: Retry sends only the rest
test.each([
	['the original workflow', false],
	['the currently saved workflow', true],
])('Retry with %s sends what failed, and nothing else', async (_, saved) => {
	fate = (item, time) => (item === 5 && time === 1 ? refused400 : undefined);
	const first = await runOnce(n8n, await sending(12));
	expect(first.status).toBe('error');
	expect(descriptionOf(first)).toContain('11 of 12 messages were sent: items 0-4, 6-11.');

	const second = await retry(n8n, first, saved);
	expect(second.status).toBe('success');
	expect(timesSent(12)).toEqual(times([5, 1], [1, 2], [6, 1]));
	const ids = outputOf(second, NODE).map(({ message_id: id }) => id);
	expect(ids).toEqual([0, 1, 2, 3, 4, 12, 6, 7, 8, 9, 10, 11].map((number) => `m${number}`));
});

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

// docs/after-a-crash.md: any Retry
test('two Retries at once, and later ones of any execution, send the rest once', async () => {
	fate = (item, time) => (item >= 3 && time === 1 ? refused400 : undefined);
	const first = await runOnce(n8n, await sending(12));
	const both = [retry(n8n, first), sleep(400).then(async () => await retry(n8n, first))];
	const retried = await Promise.all(both);
	expect(timesSent(12)).toEqual(times([3, 1], [9, 2]));
	expect(retried.map(({ status }) => status)).toEqual(['success', 'success']);
	expect((await retry(n8n, first)).status).toBe('success');
	expect(timesSent(12)).toEqual(times([3, 1], [9, 2]));
});

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

test('Retry goes on in the round of a loop that failed, and sends nothing of it twice', async () => {
	fate = (item, time) => (item === 7 && time === 1 ? refused400 : undefined);
	const first = await runOnce(n8n, await sendingInBatches(12));
	expect(descriptionOf(first)).toContain('2 of 3 messages were sent: items 0, 2.');
	expect(descriptionOf(first)).toContain('Later rounds of the loop, if there are any, were not');
	const second = await retry(n8n, first);
	expect(second.status).toBe('success');
	expect(timesSent(12)).toEqual(times([7, 1], [1, 2], [4, 1]));
	expect(outputOf(second, 'Loop')).toHaveLength(12);
});

/** The same, begun by n8n's Webhook node. */
async function beginInProduction(items: number) {
	const workflow = await sending(items);
	const [, action] = workflow.nodes;
	const nodes = { Hook: webhookNode(), Rows: ROWS, [NODE]: action };
	const { saved, address } = await publish(n8n, chain(workflow.name, nodes));
	const rows = Array.from({ length: items }, (_, item) => ({ to: recipient(item) }));
	await postJson(address, { rows });
	return saved.id;
}

// docs/after-a-crash.md: or somebody stopped the run
test('an execution that was stopped sends the rest when it is retried', async () => {
	fate = (item) => (item === 2 ? neverAnswers : undefined);
	const id = await beginInProduction(4);
	await eventually('the third request', () => server.received.length === 3);
	await n8n.client.executions.stop(String(await n8n.client.executions.running(id)));
	const stopped = await eventually('the end', async () => {
		const [newest] = await n8n.client.executions.list(id, 1);
		return newest.status === 'canceled' ? newest : undefined;
	});
	const retried = await retry(n8n, stopped);
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
	const failed = await runOnce(n8n, workflow);
	const { runData } = failed.data.resultData;
	const { id } = await n8n.client.workflows.save(workflow);
	const start = { Start: runData.Start };
	await n8n.client.workflows.executeStep(id, NODE, start);
	const endOfStepAfter = async (before: Execution) =>
		await eventually('the step', async () => {
			const [newest] = await n8n.client.executions.list(id, 1);
			return newest.id !== before.id && newest.status === 'success' ? newest : undefined;
		});
	const second = await endOfStepAfter(failed);
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
	await endOfStepAfter(second);
	expect(timesSent(4)).toEqual([2, 2, 3, 2]);
});
