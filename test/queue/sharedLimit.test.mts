import { readFileSync } from 'node:fs';
import { deliveredOnce } from '../../playground/api/messages.mts';
import { startLocalApi, type Settings } from '../../playground/api/server.mts';
import { startCluster, type Cluster } from '../../playground/cluster/cluster.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { packPackage } from '../../playground/n8n/tarball.mts';
import { postJson } from '../support/postJson.mts';
import { customersOf } from '../support/sendOnceSheet.mts';
import { sendingWorkflow } from '../support/sendingWorkflow.mts';
import { LONGEST_PROOF_MS } from './patience.mts';

/** To each API; a multiple of 8. */
const SENDS = Number(process.env.QUEUE_SENDS ?? 96);
const WORKERS = Number(process.env.QUEUE_WORKERS ?? 4);
const EXECUTIONS_OF_A_WORKER = 2;
const FEW = SENDS / 10;
/** Without headers, two refusals tell a worker that the window is full, and one more may be on its way. */
const THREE_EACH = 3 * WORKERS;

/** 60 a minute (8.1), as servers may count them. */
const KINDS: Array<[kind: string, settings: Partial<Settings>, mostRefused: number]> = [
	['fixed minutes', {}, FEW],
	['fixed minutes without headers', { rateLimitHeaders: false }, THREE_EACH],
	['a sliding minute', { rateLimitWindow: 'sliding' }, FEW],
];

let cluster: Cluster;

beforeAll(async () => {
	cluster = await startCluster({
		tarball: await packPackage(),
		webhookProcesses: 1,
		workers: WORKERS,
		// A worker runs all its executions at once.
		concurrency: KINDS.length * EXECUTIONS_OF_A_WORKER,
	});
});

afterAll(async () => {
	await cluster?.stop();
});

// docs/scaling.md: several workers keep one limit
it(`${WORKERS} workers with nothing set send within one limit`, async () => {
	const senders = await Promise.all(KINDS.map(startSender));
	const executions = WORKERS * EXECUTIONS_OF_A_WORKER;
	// Of each sender in turn, so that every worker gets some of each.
	for (let execution = 0; execution < executions; execution++) {
		const customers = customersOf(SENDS).slice((execution * SENDS) / executions);
		const rows = customers.slice(0, SENDS / executions).map((to) => ({ to }));
		for (const { address } of senders) await postJson(address, { rows });
	}
	for (const { workflowId } of senders) {
		await cluster.client.executions.allEnded(workflowId, LONGEST_PROOF_MS);
	}
	await Promise.all(senders.map(async ({ api }) => await api.close()));
	for (const { kind, mostRefused, api, workflowId } of senders) {
		const all = await cluster.client.executions.list(workflowId);
		const failed = all.filter(({ status }) => status !== 'success');
		expect(failed.map(({ data }) => data.resultData.error?.message)).toEqual([]);
		expect([kind, api.messages.size, deliveredOnce(api.messages)]).toEqual([kind, SENDS, SENDS]);
		const refused = api.calls.filter(({ answeredStatus }) => answeredStatus === 429).length;
		process.stdout.write(`${kind}: ${refused} requests refused\n`);
		expect(refused).toBeLessThanOrEqual(mostRefused);
	}
	expect(Math.min(...cluster.workers.map(executionsOf))).toBeGreaterThan(0);
});

/** A new account, whose minute has not begun. */
async function startSender([kind, settings, mostRefused]: (typeof KINDS)[number]) {
	const api = await startLocalApi(settings);
	const account = await saveAccount(cluster, `${kind}, ${api.url}`, { baseUrl: api.url });
	const { saved, address } = await publish(cluster, sendingWorkflow(account));
	return { kind, mostRefused, api, address, workflowId: saved.id };
}

/** How many executions a worker has begun. */
function executionsOf({ logFile }: { logFile: string }) {
	return readFileSync(logFile, 'utf8').match(/Worker started execution/g)?.length ?? 0;
}
