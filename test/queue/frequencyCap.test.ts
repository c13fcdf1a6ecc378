import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { startCluster, type Cluster } from '../../playground/cluster/cluster.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { installN8n } from '../../playground/n8n/install.ts';
import { publish } from '../../playground/n8n/publish.ts';
import { packPackage } from '../../playground/n8n/tarball.ts';
import { customersOf, IN_PARALLEL, messagesByCustomer } from '../support/sendOnceSheet.ts';
import { sendingWorkflow } from '../support/sendingWorkflow.ts';
import { LONGEST_PROOF_MS } from './measure.ts';

/** That both workers are given. */
const CUSTOMERS = customersOf(Number(process.env.CAPPED_NUMBERS ?? 400));
const WORKERS = 2;

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

// docs/sending.md: exact for all runs and n8n processes
test('numbers that two workers get at the same moment, in two orders: each gets one message', async () => {
	const account = await saveAccount(cluster, 'Capped', { baseUrl: api.url });
	const workflow = sendingWorkflow(account);
	const sender = workflow.nodes[2];
	const atMostOnce = { cap: { hours: 24 } };
	const options = { atMostOnce, concurrency: IN_PARALLEL, requestsPerMinute: 0 };
	sender.parameters = { ...sender.parameters, options };
	const { saved, address } = await publish({ url: cluster.url, client: cluster.client }, workflow);
	const startedAt = Date.now();
	await Promise.all(
		[CUSTOMERS, [...CUSTOMERS].reverse()].map(async (customers) => {
			const body = JSON.stringify({ rows: customers.map((to) => ({ to })) });
			await fetch(address, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body,
			});
		}),
	);
	await cluster.client.executions.allEnded(saved.id, LONGEST_PROOF_MS);
	const seconds = Math.round((Date.now() - startedAt) / 1000);

	const executions = await cluster.client.executions.list(saved.id);
	expect(executions).toHaveLength(WORKERS);
	const sentBy = executions.map(({ data }) => {
		const items = data.resultData.runData[sender.name][0].data?.main[0] ?? [];
		const sent = items.filter(({ json }) => json.message_id).length;
		const skipped = items.filter(({ json }) => json.skipped === 'sentRecently').length;
		expect(sent).toBeGreaterThan(0);
		expect(sent + skipped).toBe(CUSTOMERS.length);
		return sent;
	});
	expect(messagesByCustomer(api)).toEqual(new Map(CUSTOMERS.map((to) => [to, 1])));
	process.stdout.write(
		`${CUSTOMERS.length} numbers, given to ${WORKERS} workers: ${sentBy.join(' and ')} messages, ${seconds} s\n`,
	);
});
