import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { eventually } from '../../playground/eventually.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { actionWorkflow } from '../support/actionWorkflow.ts';
import { startOwnN8n } from '../support/ownN8n.ts';
import {
	customersOf,
	hasToldOfStopped,
	IN_PARALLEL,
	messagesByCustomer,
	rowsOf,
	sendsOnce,
} from '../support/sendOnceSheet.ts';

/** Of the sheet that is run again and again. */
const ROWS = Number(process.env.SEND_ONCE_ROWS ?? 120);
const LONGEST_RUN_MS = 600_000;
const CUSTOMERS = customersOf(ROWS);
const NODE = 'Business Messaging';

jest.setTimeout(2 * LONGEST_RUN_MS);

let own: Awaited<ReturnType<typeof startOwnN8n>>;
let api: LocalApi;

beforeAll(async () => {
	own = await startOwnN8n('send-once');
});

beforeEach(async () => {
	api = await startLocalApi({ requestsPerWindow: 0, latencyMs: 1000 });
});

afterEach(async () => {
	await api?.close();
});

afterAll(async () => {
	await own?.n8n.stop();
});

async function saveSheet(name: string): Promise<string> {
	const account = await saveAccount(own.n8n, name, { baseUrl: api.url });
	const workflow = actionWorkflow(account, sendsOnce(name));
	Object.assign(workflow.nodes[1], { onError: 'continueRegularOutput' });
	const saved = await own.n8n.client.workflows.save({
		...workflow,
		pinData: { Start: CUSTOMERS.map((to) => ({ json: { to } })) },
	});
	return saved.id;
}

async function begin(workflowId: string): Promise<string> {
	return (await own.n8n.client.workflows.run(workflowId, 'Start')).executionId;
}

async function runAll(workflowId: string) {
	const executionId = await begin(workflowId);
	const ended = await eventually(
		'the end of the run',
		async () => {
			const [newest] = await own.n8n.client.executions.list(workflowId, 1);
			return newest?.id === executionId && newest.status === 'success' ? newest : undefined;
		},
		LONGEST_RUN_MS,
	);
	return rowsOf(ended, NODE);
}

// README, Send once: each customer gets one message
test('a sheet whose run is stopped in the middle, run again and once more: each customer gets one message', async () => {
	const workflowId = await saveSheet('stopped');
	const stopped = await begin(workflowId);
	// Their answers take a second: the newest of them are under way.
	await eventually('over half of the messages', () => api.messages.size > ROWS / 2, LONGEST_RUN_MS);
	await own.n8n.client.executions.stop(stopped);
	await eventually(
		'the end of what was under way, with its keys',
		() => hasToldOfStopped(stopped, own.n8n.logFile),
		LONGEST_RUN_MS,
	);
	const sentByThen = api.messages.size;
	expect(sentByThen).toBeLessThan(ROWS);

	const second = await runAll(workflowId);
	expect(second.inDoubt).toEqual([]);
	expect(second.sentBefore).toHaveLength(sentByThen);
	expect(second.sent).toHaveLength(ROWS - sentByThen);
	const skipped = second.sentBefore.length.toLocaleString('en-US');
	expect(second.hint).toContain(`${skipped} skipped: sent before`);
	expect(messagesByCustomer(api)).toEqual(new Map(CUSTOMERS.map((to) => [to, 1])));

	const third = await runAll(workflowId);
	expect(third.sentBefore).toHaveLength(ROWS);
	expect(third.sentBefore[0]).toEqual({
		skipped: 'sentBefore',
		key: `stopped-${CUSTOMERS[0]}`,
	});
	expect(api.messages.size).toBe(ROWS);
});

// README, Send once: killed
test('a sheet whose run is killed with its n8n, run again: at most one message for each, and who may have got none is named', async () => {
	const workflowId = await saveSheet('killed');
	await begin(workflowId);
	await eventually('half of the messages', () => api.messages.size >= ROWS / 2, LONGEST_RUN_MS);
	process.kill(-own.n8n.pid, 'SIGKILL');
	await own.restart();

	const second = await runAll(workflowId);
	expect(second.sent.length + second.sentBefore.length + second.inDoubt.length).toBe(ROWS);
	expect(second.inDoubt.length).toBeLessThanOrEqual(IN_PARALLEL);
	const counts = messagesByCustomer(api);
	expect(Math.max(...counts.values())).toBe(1);
	const named = second.inDoubt.map((index) => CUSTOMERS[index]);
	const without = CUSTOMERS.filter((to) => !counts.has(to));
	expect(named).toEqual(expect.arrayContaining(without));
});
