import { startCluster, type Cluster } from '../../playground/cluster/cluster.mts';
import { runSql } from '../../playground/cluster/postgres.mts';
import { eventually } from '../../playground/eventually.mts';
import { packPackage } from '../../playground/n8n/tarball.mts';
import { beginCampaign, type Campaign } from '../support/interruptedCampaign.mts';
import { expectOldRowsToGo } from '../support/oldRows.mts';
import { LONGEST_PROOF_MS } from './patience.mts';

/** Each kills a worker. */
const ROUNDS = Number(process.env.INTERRUPTED_ROUNDS ?? 1);
const ROWS = Number(process.env.INTERRUPTED_ROWS ?? 200);

let cluster: Cluster;
const campaigns: Campaign[] = [];

beforeAll(async () => {
	cluster = await startCluster({
		tarball: await packPackage(),
		webhookProcesses: 1,
		workers: 2,
		concurrency: 2,
		// Once n8n gives up the job of a dead worker, its Retry calls no node. By default that is a minute or two later.
		env: { QUEUE_WORKER_LOCK_DURATION: '600000' },
	});
});

afterAll(async () => {
	await cluster?.stop();
	await Promise.all(campaigns.map(async ({ close }) => await close()));
});

// docs/after-a-crash.md: a worker that was killed
test('a run whose worker is killed is retried on another: each customer has one message, or is told as unknown', async () => {
	for (let round = 0; round < ROUNDS; round++) {
		const begun = [false, true].map(
			async (saveExecutionProgress) =>
				await beginCampaign(cluster, ROWS, { saveExecutionProgress }),
		);
		const ofRound = await Promise.all(begun);
		campaigns.push(...ofRound);
		const messages = Math.ceil((Math.random() * ROWS) / 2);
		const isReached = () => ofRound.every(({ api }) => api.messages.size >= messages);
		await eventually(`${messages} messages`, isReached, LONGEST_PROOF_MS);
		await Promise.all(cluster.workers.map(async (worker) => await worker.kill()));
		await Promise.all(cluster.workers.map(async (worker) => await worker.restart()));
		for (const campaign of ofRound) {
			await cluster.client.executions.allEnded(campaign.workflowId, LONGEST_PROOF_MS);
			const retry = async () => await campaign.retry(cluster, campaign.first);
			// On both workers, and once more.
			const told = [...(await Promise.all([retry(), retry()])), await retry()];
			for (const each of told) campaign.assertTold(each, 1);
		}
	}
});

// docs/update.md: what stays in the database
test('the statement for administrators removes old rows from PostgreSQL, and nothing else', async () => {
	await expectOldRowsToGo(async (statement) => await runSql(cluster.postgres.url, statement));
});
