import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { startCluster, type Cluster } from '../../playground/cluster/cluster.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { installN8n } from '../../playground/n8n/install.ts';
import { publish } from '../../playground/n8n/publish.ts';
import { packPackage } from '../../playground/n8n/tarball.ts';
import { customersOf, messagesByCustomer, rowsOf, sendsOnce } from '../support/sendOnceSheet.ts';
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
	api = await startLocalApi({ requestsPerWindow: 0, latencyMs: 100 });
});

afterAll(async () => {
	await api?.close();
	await cluster?.stop();
});

// README, Send once: in whatever run or n8n process
test('a sheet that two workers get at the same moment, in two orders: each customer gets one message', async () => {
	const account = await saveAccount(cluster, 'Send once', { baseUrl: api.url });
	const workflow = sendingWorkflow(account);
	const sender = workflow.nodes[2];
	sender.parameters = { ...sender.parameters, ...sendsOnce('queue') };
	const { saved, address } = await publish(cluster, workflow);
	const orders = [CUSTOMERS, [...CUSTOMERS].reverse()];
	await Promise.all(
		orders.map(async (customers) => {
			const headers = { 'content-type': 'application/json' };
			const body = JSON.stringify({ rows: customers.map((to) => ({ to })) });
			await fetch(address, { method: 'POST', headers, body });
		}),
	);
	await cluster.client.executions.allEnded(saved.id, LONGEST_PROOF_MS);

	const runs = (await cluster.client.executions.list(saved.id)).map((run) =>
		rowsOf(run, sender.name),
	);
	expect(runs).toHaveLength(WORKERS);
	for (const { sent, sentBefore, outcomeUnknown } of runs) {
		expect(sent.length).toBeGreaterThan(0);
		expect(sent.length + sentBefore.length + outcomeUnknown.length).toBe(ROWS);
	}
	expect(messagesByCustomer(api)).toEqual(new Map(CUSTOMERS.map((to) => [to, 1])));
});
