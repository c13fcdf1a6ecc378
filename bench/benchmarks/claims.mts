import { fork, type ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { runSql, startPostgres } from '../../playground/cluster/postgres.mts';
import { n8nFolder } from '../../playground/folders.mts';
import { seededRandom } from '../../test/support/simulation/random.mts';
import type { Benchmark, Fact } from '../benchmark.mts';
import { bundled } from '../bundled.mts';
import type { Claimed, ClaimingPlan } from '../claimingWorker.mts';
import { median } from '../figures.mts';

const WORKERS = [1, 2, 4, 8, 16, 32];
/** Of a worker; what n8n itself does for an execution is left out. */
const EVENTS = 60;
const EVERY_MS = 200;
const COPIED = 0.3;
const COPY_WITHIN_MS = 30;
const REMEMBERED = 10_000;
const START_AFTER_MS = 1000;
const WORKFLOW = 'workflow-bench';

/** As n8n's migrations leave it. */
const TABLES = `
	CREATE TABLE workflow_entity (id varchar(36) PRIMARY KEY);
	INSERT INTO workflow_entity VALUES ('${WORKFLOW}');
	CREATE TABLE processed_data (
		"workflowId" varchar(36) NOT NULL REFERENCES workflow_entity (id) ON DELETE CASCADE,
		"context" varchar(255) NOT NULL,
		"createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
		"updatedAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
		"value" text NOT NULL,
		PRIMARY KEY ("workflowId", "context"));`;

type Executions = ClaimingPlan['executions'];

export const claims: Benchmark = {
	title: `events claimed in a real PostgreSQL, ${REMEMBERED} remembered, ${1000 / EVERY_MS} a second and worker, ${COPIED * 100} % copied within ${COPY_WITHIN_MS} ms`,
	async run({ say }) {
		const worker = await bundled('bench/claimingWorker.mts', 'claimingWorker.cjs');
		const postgres = await startPostgres();
		try {
			await runSql(postgres.url, TABLES);
			const work = async (plans: Executions[]) => await claimIn(worker, postgres.url, plans);
			await work([earlier()]);
			const facts: Fact[] = [];
			for (const count of WORKERS) {
				say(`  workers: ${count}`);
				const { plans, copied } = planOf(count);
				const walBefore = await walBytes(postgres.url);
				const { claimed, seconds } = await work(plans);
				const wal = (await walBytes(postgres.url)) - walBefore;
				facts.push(
					...factsOf(claimed, copied, seconds, wal).map((fact) => ({
						...fact,
						what: `workers: ${count}, ${fact.what}`,
					})),
				);
			}
			return { figures: [], facts };
		} finally {
			await postgres.stop();
		}
	},
};

/** What the trigger knows when the measurement begins. */
function earlier(): Executions {
	return Array.from({ length: REMEMBERED }, (_, event) => ({
		id: `earlier ${event}`,
		key: `earlier ${event}`,
		atMs: event * 4,
	}));
}

/** @returns the executions of each worker, and how many events have a copy */
function planOf(workers: number): { plans: Executions[]; copied: number } {
	const random = seededRandom(workers);
	const plans = Array.from({ length: workers }, (): Executions => []);
	let copied = 0;
	for (const [worker, plan] of plans.entries()) {
		for (let event = 0; event < EVENTS; event++) {
			const key = `workers ${workers}, event ${worker}/${event}`;
			const atMs = (event + random()) * EVERY_MS;
			plan.push({ id: `${key}, first`, key, atMs });
			if (random() >= COPIED) continue;
			copied++;
			const other = plans[Math.floor(random() * workers)];
			other.push({ id: `${key}, copy`, key, atMs: atMs + random() * COPY_WITHIN_MS });
		}
	}
	return { plans, copied };
}

async function claimIn(worker: string, databaseUrl: string, plans: Executions[]) {
	const n8n = realpathSync(join(n8nFolder, 'node_modules/n8n/package.json'));
	// n8n's entities are made for the database of its settings.
	const env = { ...process.env, DB_TYPE: 'postgresdb' };
	const children = plans.map(() => fork(worker, { env }));
	try {
		const ready = plans.map(async (executions, index) => {
			const plan: ClaimingPlan = { n8n, databaseUrl, workflowId: WORKFLOW, executions };
			return await ask(children[index], plan);
		});
		await Promise.all(ready);
		const startAt = Date.now() + START_AFTER_MS;
		const claimed = children.map(async (child) => (await ask(child, { startAt })) as Claimed);
		const all = (await Promise.all(claimed)).flat();
		return { claimed: all, seconds: (Date.now() - startAt) / 1000 };
	} finally {
		for (const child of children) child.kill();
	}
}

async function ask(child: ChildProcess, message: object): Promise<unknown> {
	child.send(message);
	const answer = new Promise((resolve, reject) => {
		child.once('message', resolve);
		child.once('exit', () => reject(new Error('A worker has ended.')));
	});
	return await answer;
}

function factsOf(claimed: Claimed, copied: number, seconds: number, wal: number): Fact[] {
	const runs = new Map<string, number>();
	for (const { key, isOurs } of claimed) runs.set(key, (runs.get(key) ?? 0) + Number(isOurs));
	const counts = [...runs.values()];
	return [
		{ what: 'events', value: counts.length, unit: `of which ${copied} copied` },
		{ what: 'ran', value: counts.filter((count) => count > 1).length, unit: 'twice' },
		{ what: 'ran', value: counts.filter((count) => count === 0).length, unit: 'never' },
		{ what: 'a claim takes', value: median(claimed.map(({ tookMs }) => tookMs)), unit: 'ms' },
		{ what: 'claims', value: claimed.length / seconds, unit: 'a second' },
		{ what: 'WAL of an event', value: wal / counts.length / 1000, unit: 'kB' },
	];
}

async function walBytes(url: string): Promise<number> {
	const [bytes] = await runSql(url, "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn");
	return Number(bytes);
}
