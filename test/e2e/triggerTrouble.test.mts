import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalApi, type EmitOptions, type LocalApi } from '../../playground/api/server.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { startOwnN8n } from '../support/ownN8n.mts';
import { countingWorkflow, startRunCounter, type RunCounter } from '../support/runCounter.mts';

const AT_ONCE = 20;
const SECRET = 'secret-of-the-trouble';
/** When the copies of an event come to a database in trouble. */
const COPIES_MS = [0, 200, 500, 1000, 2000, 3500, 5000, 7500];
const SLOW_MS = 5000;
const REFUSING_MS = 1000;

jest.setTimeout(600_000);

let own: Awaited<ReturnType<typeof startOwnN8n>>;
let api: LocalApi;
let counter: RunCounter;
let workflowId: string;
let address: string;

beforeAll(async () => {
	own = await startOwnN8n('trouble');
	counter = await startRunCounter();
	api = await startLocalApi({
		webhookConcurrency: AT_ONCE,
		webhookHeaders: { 'x-webhook-token': SECRET },
	});
	const credential = await saveAccount(own.n8n, 'Trouble', { webhookSecret: SECRET });
	const published = await publish(own.n8n, countingWorkflow(counter.url, credential));
	workflowId = published.saved.id;
	address = published.address;
	api.webhookUrls = [address];
});

afterAll(async () => {
	await own?.n8n.stop();
	await api?.close();
	await counter?.close();
});

const named = (kind: string, count: number) =>
	Array.from({ length: count }, (_, index) => `${kind}-${index}`);
const eachOnce = (ids: string[]) => ids.map(() => 1);

async function runsOf(ids: string[]) {
	await own.n8n.client.executions.allEnded(workflowId, 120_000);
	return ids.map((id) => counter.runs.get(id) ?? 0);
}

async function emit(ids: string[], options: EmitOptions) {
	const emitted = ids.map(
		async (message_id) => await api.emit('message.read', { message_id, status: 'read' }, options),
	);
	expect((await Promise.all(emitted)).map(({ accepted }) => accepted)).not.toContain(false);
}

/** One delivery, by a sender that does not repeat it. */
async function deliver(message_id: string) {
	const timestamp = '2026-01-31T14:05:00Z';
	const response = await fetch(address, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-webhook-token': SECRET },
		body: JSON.stringify({ event: 'message.read', timestamp, data: { message_id } }),
	});
	await response.text();
	return response.status;
}

/**
 * n8n's database is slow to take anything new, then refuses it, and then is well again.
 * @param wasRefused whether it has refused something, on a machine that is slow itself
 */
async function withDatabaseInTrouble<T>(
	work: () => Promise<T>,
	wasRefused = () => true,
): Promise<T> {
	const database = new DatabaseSync(join(own.userFolder, '.n8n', 'database.sqlite'));
	database.exec(`PRAGMA busy_timeout = 10000; BEGIN EXCLUSIVE;
		CREATE TRIGGER full BEFORE INSERT ON execution_entity
		BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
	const trouble = async () => {
		await sleep(SLOW_MS);
		database.exec('COMMIT');
		await sleep(REFUSING_MS);
		await eventually('a refusal', () => wasRefused());
		database.exec('DROP TRIGGER full');
		database.close();
	};
	const [result] = await Promise.all([work(), trouble()]);
	return result;
}

// docs/trigger.md: 200 only when stored
// SECURITY, The trigger: answered when stored
test('no event is acknowledged before it is stored, and none runs twice, when the database is slow or full', async () => {
	const ids = named('event', 20);
	const answers = ids.map((): number[] => []);
	const send = async (id: string, index: number) => {
		const copies = COPIES_MS.map(async (ms) => {
			await sleep(ms);
			// A sender that was told 200 is content.
			if (!answers[index].includes(200)) answers[index].push(await deliver(id));
		});
		await Promise.all(copies);
	};
	await withDatabaseInTrouble(
		async () => await Promise.all(ids.map(send)),
		() => answers.flat().includes(500),
	);
	// The sender repeats what none of its copies was acknowledged for.
	const others = ids.filter((_, index) => !answers[index].includes(200));
	for (const id of others) expect(await deliver(id)).toBe(200);
	expect(await runsOf(ids)).toEqual(eachOnce(ids));
	// What n8n refused, and what it stored in the end.
	expect(new Set(answers.flat())).toEqual(new Set([500, 200]));
});

test('after n8n was killed, an event that it had accepted runs no more, and one that it was storing runs once', async () => {
	const ids = named('restart', 50);
	await emit(ids, {});
	expect(await runsOf(ids)).toEqual(eachOnce(ids));
	await withDatabaseInTrouble(async () => {
		const first = deliver('killed').catch(() => 'no answer');
		await sleep(1000);
		process.kill(-own.n8n.pid, 'SIGKILL');
		expect(await first).toBe('no answer');
	});
	const { client } = await own.restart();
	await client.workflows.waitForWebhook(address);
	expect(await deliver('killed')).toBe(200);
	expect(await deliver('killed')).toBe(200);
	await emit(ids, { copies: 3, overlapping: true });
	expect(await runsOf([...ids, 'killed'])).toEqual(eachOnce([...ids, 'killed']));
	// docs/scaling.md: an execution without items, which says why
	const hints = (await client.executions.list(workflowId)).flatMap(({ data }) => {
		const [run] = data.resultData.runData.Receiver;
		return run.data?.main[0]?.length ? [] : [run.hints?.[0].message];
	});
	expect(hints.length).toBeGreaterThan(0);
	expect(new Set(hints)).toEqual(
		new Set([expect.stringMatching(/^This event was delivered before/)]),
	);
});
