import { readFileSync } from 'node:fs';
import { deliveredOnce } from '../../playground/api/messages.mts';
import { startLocalApi, type LocalApi, type Settings } from '../../playground/api/server.mts';
import { startCluster, type Cluster } from '../../playground/cluster/cluster.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { packPackage } from '../../playground/n8n/tarball.mts';
import { postJson } from '../support/postJson.mts';
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
	await send(senders, WORKERS * EXECUTIONS_OF_A_WORKER);
	const figures = senders.map(({ api }) => figuresOf(api));
	const failed = await Promise.all(senders.map(failedExecutions));
	senders.forEach(({ kind }, index) => {
		process.stdout.write(`${kind}: ${JSON.stringify(figures[index])}\n`);
	});
	await Promise.all(senders.map(async ({ api }) => await api.close()));

	expect(failed.flat()).toEqual([]);
	for (const { messages, recipients } of figures)
		expect([messages, recipients]).toEqual([SENDS, SENDS]);
	for (const [index, { refused }] of figures.entries())
		expect(refused).toBeLessThanOrEqual(KINDS[index][2]);
	expect(Math.min(...cluster.workers.map(executionsOf))).toBeGreaterThan(0);
});

/** A new account, whose minute has not begun. */
async function startSender([kind, settings]: (typeof KINDS)[number]) {
	const api = await startLocalApi(settings);
	const account = await saveAccount(cluster, `${kind}, ${api.url}`, { baseUrl: api.url });
	const { saved, address } = await publish(cluster, sendingWorkflow(account));
	return { kind, api, address, workflowId: saved.id };
}

type Sender = Awaited<ReturnType<typeof startSender>>;

/** Starts executions of each sender in turn, so that every worker gets some of each, and waits for their end. */
async function send(senders: Sender[], executions: number) {
	for (let execution = 0; execution < executions; execution++) {
		for (const { address } of senders) {
			const rows = Array.from({ length: SENDS / executions }, (_, index) => ({
				to: `+1555${String(execution * 1000 + index).padStart(7, '0')}`,
			}));
			await postJson(address, { rows });
		}
	}
	for (const { workflowId } of senders) {
		await cluster.client.executions.allEnded(workflowId, LONGEST_PROOF_MS);
	}
}

/** Why they failed. */
async function failedExecutions({ workflowId }: Sender) {
	const all = await cluster.client.executions.list(workflowId);
	return all
		.filter(({ status }) => status !== 'success')
		.map(({ data }) => data.resultData.error?.message);
}

function figuresOf(api: LocalApi) {
	const answered = (status: number) =>
		api.calls.filter(({ answeredStatus }) => answeredStatus === status);
	const times = answered(200).map(({ receivedAt }) => receivedAt);
	return {
		messages: api.messages.size,
		recipients: deliveredOnce(api.messages),
		refused: answered(429).length,
		seconds: (Math.max(...times) - Math.min(...times)) / 1000,
	};
}

/** How many executions a worker has begun. */
function executionsOf({ logFile }: { logFile: string }) {
	return readFileSync(logFile, 'utf8').match(/Worker started execution/g)?.length ?? 0;
}
