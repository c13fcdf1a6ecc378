import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../playground/eventually.mts';
import { beginCampaign, type Campaign } from '../support/interruptedCampaign.mts';
import { expectOldRowsToGo } from '../support/oldRows.mts';
import { startOwnN8n } from '../support/ownN8n.mts';

jest.setTimeout(3_600_000);

/** Each kills n8n once, or twice if there are several. */
const ROUNDS = Number(process.env.INTERRUPTED_ROUNDS ?? 1);
const ROWS = Number(process.env.INTERRUPTED_ROWS ?? 200);
const LONGEST_RUN_MS = 600_000;

let own: Awaited<ReturnType<typeof startOwnN8n>>;

beforeAll(async () => {
	own = await startOwnN8n('interrupted');
});

const started: Campaign[] = [];

afterAll(async () => {
	await own?.n8n.stop();
	await Promise.all(started.map(async ({ close }) => await close()));
});

async function killAt(campaigns: Campaign[], messages: number): Promise<void> {
	const isReached = () => campaigns.every(({ api }) => api.messages.size >= messages);
	await eventually(`${messages} messages`, isReached, LONGEST_RUN_MS);
	process.kill(-own.n8n.pid, 'SIGKILL');
	await sleep(1000);
	await own.restart();
}

const someOf = (rows: number) => Math.ceil(Math.random() * rows);

async function begin(settings: object, isCalled = false): Promise<Campaign> {
	const campaign = await beginCampaign(own.n8n, ROWS, settings, { isCalled });
	started.push(campaign);
	return campaign;
}

/** Two Retries of a campaign, clicked 0.4 s after each other, share the rest. */
async function clickTwice(campaign: Campaign) {
	const clicks = [0, 400].map(async (afterMs) => {
		await sleep(afterMs);
		return await campaign.retry(own.n8n, campaign.first);
	});
	const results = await Promise.all(clicks);
	expect(results.map(({ refused }) => refused.length)).toEqual([0, 0]);
	return results;
}

// README: retries never resend a message
test('a run that is killed is retried: each customer has one message, or is told as unknown', async () => {
	for (let round = 0; round < ROUNDS; round++) {
		const [campaign, other] = [
			await begin({ saveExecutionProgress: round % 2 === 1 }),
			await begin({ saveExecutionProgress: round % 2 === 0 }),
		];
		await killAt([campaign, other], someOf(ROWS / 2));
		for (const told of await clickTwice(campaign)) campaign.assertTold(told, 1);
		const { first } = other;
		if (ROUNDS > 1) {
			const sent = other.api.messages.size;
			const retry = own.n8n.client.executions.retry(first).catch(() => undefined);
			await killAt([other], Math.min(ROWS, sent + someOf(ROWS / 4)));
			await retry;
		}
		const last = await other.retry(own.n8n);
		other.assertTold(last, ROUNDS > 1 ? 2 : 1);
		other.assertTold(await other.retry(own.n8n, first), ROUNDS > 1 ? 2 : 1);
	}
});

// docs/after-a-crash.md: in a sub-workflow
test("the Retry of a sub-workflow's own execution goes on if n8n has saved its progress, and else is refused", async () => {
	const saved = await begin({ saveExecutionProgress: true }, true);
	const unsaved = await begin({ saveExecutionProgress: false }, true);
	await killAt([saved, unsaved], someOf(ROWS / 2));
	saved.assertTold(await saved.retry(own.n8n, saved.first), 1);
	const sent = unsaved.api.messages.size;
	expect((await unsaved.retry(own.n8n, unsaved.first)).refused).toHaveLength(ROWS);
	expect(unsaved.api.messages.size).toBe(sent);
});

// docs/update.md: what stays in the database
test('the statement for administrators removes old rows from SQLite, and nothing else', async () => {
	const database = new DatabaseSync(join(own.userFolder, '.n8n', 'database.sqlite'));
	database.exec('PRAGMA busy_timeout = 10000');
	await expectOldRowsToGo(async (statement) => {
		const rows = await Promise.resolve(database.prepare(statement).all());
		return rows.flatMap((row) => Object.values(row).slice(0, 1).map(String));
	});
	database.close();
});
