import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { startCluster, type Cluster } from '../../playground/cluster/cluster.ts';
import { eventually } from '../../playground/eventually.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { installN8n } from '../../playground/n8n/install.ts';
import { publish } from '../../playground/n8n/publish.ts';
import { packPackage } from '../../playground/n8n/tarball.ts';
import {
	customersOf,
	hasToldOfStopped,
	messagesByCustomer,
	rowsOf,
	sendsOnce,
} from '../support/sendOnceSheet.ts';
import { sendingWorkflow } from '../support/sendingWorkflow.ts';
import { LONGEST_PROOF_MS } from './measure.ts';

/** Of the sheet that both workers are given. */
const ROWS = Number(process.env.SEND_ONCE_ROWS ?? 120);
const WORKERS = 2;
const CUSTOMERS = customersOf(ROWS);

jest.setTimeout(LONGEST_PROOF_MS);

let cluster: Cluster;
let api: LocalApi;

beforeAll(async () => {
	await installN8n();
	cluster = await startCluster({
		tarball: await packPackage(),
		webhookProcesses: 1,
		workers: WORKERS,
		concurrency: 1,
	});
});

beforeEach(async () => {
	api = await startLocalApi({ requestsPerWindow: 0, latencyMs: 1000 });
});

afterEach(async () => {
	await api?.close();
});

afterAll(async () => {
	await cluster?.stop();
});

/**
 * Publishes a workflow that sends each of the customers it gets once.
 * @param url of the process that begins its runs
 */
async function sheet(name: string, url = cluster.url) {
	const account = await saveAccount(cluster, name, { baseUrl: api.url });
	const workflow = sendingWorkflow(account);
	const sender = workflow.nodes[2];
	sender.parameters = { ...sender.parameters, ...sendsOnce(name) };
	sender.onError = 'continueRegularOutput';
	const { saved, address } = await publish({ url, client: cluster.client }, workflow);
	return {
		id: saved.id,
		/** Begins a run. */
		async send(customers: string[]): Promise<void> {
			const headers = { 'content-type': 'application/json' };
			const body = JSON.stringify({ rows: customers.map((to) => ({ to })) });
			await fetch(address, { method: 'POST', headers, body });
		},
		/** What became of the rows of each run, the newest first, when all have ended. */
		async runs() {
			await cluster.client.executions.allEnded(saved.id, LONGEST_PROOF_MS);
			const all = await cluster.client.executions.list(saved.id);
			return all.map((run) => rowsOf(run, sender.name));
		},
	};
}

// README, Send once: in whatever run or n8n process
test('a sheet that two workers get at the same moment, in two orders: each customer gets one message', async () => {
	const { send, runs: ended } = await sheet('queue');
	await Promise.all([CUSTOMERS, [...CUSTOMERS].reverse()].map(send));
	const runs = await ended();
	expect(runs).toHaveLength(WORKERS);
	for (const { sent, sentBefore } of runs) {
		expect(sent.length).toBeGreaterThan(0);
		expect(sent.length + sentBefore.length).toBe(ROWS);
	}
	expect(messagesByCustomer(api)).toEqual(new Map(CUSTOMERS.map((to) => [to, 1])));
});

// README, Good to know: a run that is stopped
test('a sheet whose run is stopped on its worker, run again: each customer gets one message, and none is in doubt', async () => {
	// n8n 2.41 does not stop what a webhook process began: the worker goes on to the end.
	const { id, send, runs } = await sheet('stopped', cluster.main.url);
	await send(CUSTOMERS);
	await eventually('over half of the messages', () => api.messages.size > ROWS / 2);
	const stopped = String(await cluster.client.executions.running(id));
	await cluster.client.executions.stop(stopped);
	await eventually('the end of what was under way, with its keys', () =>
		cluster.workers.some(({ logFile }) => hasToldOfStopped(stopped, logFile)),
	);
	const sentByThen = api.messages.size;
	expect(sentByThen).toBeLessThan(ROWS);

	await send(CUSTOMERS);
	const [second] = await runs();
	expect(second.inDoubt).toEqual([]);
	expect(second.sentBefore).toHaveLength(sentByThen);
	expect(second.sent).toHaveLength(ROWS - sentByThen);
	expect(messagesByCustomer(api)).toEqual(new Map(CUSTOMERS.map((to) => [to, 1])));
});
