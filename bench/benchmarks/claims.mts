import { fork, type ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { runSql, startPostgres } from '../../playground/cluster/postgres.mts';
import { n8nFolder } from '../../playground/folders.mts';
import { seededRandom } from '../../test/support/simulation/random.mts';
import type { Benchmark, Fact } from '../benchmark.mts';
import { bundled } from '../bundled.mts';
import type { Claimed, ClaimingPlan, Execution } from '../claimingWorker.mts';
import { median } from '../figures.mts';

const WORKERS = [1, 2, 4, 8, 16, 32];
/** Of a worker; what n8n itself does for an execution is left out. */
const EVENTS = 60;
const EVERY_MS = 200;
const COPIED = 0.3;
/** When a copy comes, and how much later than that by its own account. */
const COPIES: Array<Pick<Execution, 'atMs' | 'laterMs'>> = [
	{ atMs: 30 },
	{ atMs: 1000 },
	{ atMs: 1000, laterMs: 3_600_000 },
];
const WORKFLOW = 'workflow-bench';

/** What `eventMemory.ts` has when it is full: each row has 16 to 19 events of three entries. */
const ROWS = 16_384;
const FILL = `
	INSERT INTO processed_data ("workflowId", context, value)
		SELECT '${WORKFLOW}', 'n:event:trigger:' || number, '{"mode":"entries","data":[' || entries || ']}'
		FROM generate_series(0, ${ROWS - 1}) AS number, LATERAL (
			SELECT string_agg('"' || encode(decode(md5(number || '/' || entry), 'hex'), 'base64') || '"', ',')
				FROM generate_series(1, 48 + 3 * (number % 4)) AS entry
		) AS filled (entries)`;
const COUNT_ROWS = "SELECT count(*) FROM processed_data WHERE context LIKE 'n:event:%'";
const START_AFTER_MS = 1000;

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

/** As a table that is long in use: its pages have room for the next version of a row. */
const SETTLE = `
	UPDATE processed_data SET value = value WHERE random() < 0.5;
	VACUUM processed_data;
	UPDATE processed_data SET value = value WHERE random() < 0.5;
	VACUUM processed_data;`;

export const claims: Benchmark = {
	title: `events claimed in a real PostgreSQL whose memory is full, ${1000 / EVERY_MS} a second and worker, ${COPIED * 100} % copied within 30 ms, after a second, and as if after an hour`,
	async run({ say }) {
		const worker = await bundled('bench/claimingWorker.mts', 'claimingWorker.cjs');
		const postgres = await startPostgres();
		try {
			await runSql(postgres.url, TABLES);
			await runSql(postgres.url, FILL);
			for (const statement of SETTLE.split(';').filter((each) => each.trim())) {
				await runSql(postgres.url, statement);
			}
			const facts: Fact[] = [];
			for (const count of WORKERS) {
				say(`  workers: ${count}`);
				const { plans, copied } = planOf(count);
				// From here on PostgreSQL writes a page as a whole when it changes for the first time: as every 5 minutes.
				await runSql(postgres.url, 'CHECKPOINT');
				const walBefore = await walBytes(postgres.url);
				const { claimed, seconds } = await claimIn(worker, postgres.url, plans);
				const wal = (await walBytes(postgres.url)) - walBefore;
				facts.push(
					...factsOf(claimed, copied, seconds, wal).map((fact) => ({
						...fact,
						what: `workers: ${count}, ${fact.what}`,
					})),
				);
			}
			const [rows] = await runSql(postgres.url, COUNT_ROWS);
			if (Number(rows) !== ROWS) throw new Error('The memory has rows of other names.');
			return { figures: [], facts };
		} finally {
			await postgres.stop();
		}
	},
};

/** @returns the executions of each worker, and how many events have a copy */
function planOf(workers: number): { plans: Execution[][]; copied: number } {
	const random = seededRandom(workers);
	const plans = Array.from({ length: workers }, (): Execution[] => []);
	let copied = 0;
	for (const [worker, plan] of plans.entries()) {
		for (let event = 0; event < EVENTS; event++) {
			const key = `workers ${workers}, event ${worker}/${event}`;
			const atMs = (event + random()) * EVERY_MS;
			plan.push({ id: `${key}, first`, key, atMs });
			if (random() >= COPIED) continue;
			copied++;
			for (const [copy, later] of COPIES.entries()) {
				const other = plans[Math.floor(random() * workers)];
				const id = `${key}, copy ${copy}`;
				other.push({ ...later, id, key, atMs: atMs + random() * later.atMs });
			}
		}
	}
	return { plans, copied };
}

async function claimIn(worker: string, databaseUrl: string, plans: Execution[][]) {
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
		{ what: 'ran', value: counts.filter((count) => count > 1).length, unit: 'twice', most: 0 },
		{ what: 'ran', value: counts.filter((count) => count === 0).length, unit: 'never', most: 0 },
		{
			what: 'in doubt',
			value: claimed.filter(({ isInDoubt }) => isInDoubt).length,
			unit: 'claims',
			most: 0,
		},
		{ what: 'a claim takes', value: median(claimed.map(({ tookMs }) => tookMs)), unit: 'ms' },
		{ what: 'claims', value: claimed.length / seconds, unit: 'a second' },
		{ what: 'WAL of a claim', value: wal / claimed.length / 1000, unit: 'kB' },
	];
}

async function walBytes(url: string): Promise<number> {
	const [bytes] = await runSql(url, "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn");
	return Number(bytes);
}
