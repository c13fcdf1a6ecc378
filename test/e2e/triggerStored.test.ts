import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../playground/eventually.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { publish, webhookUrl } from '../../playground/n8n/publish.ts';
import { countingWorkflow } from '../support/countingWorkflow.ts';
import { startOwnN8n } from '../support/ownN8n.ts';
import { startRunCounter, type RunCounter } from '../support/runCounter.ts';

const EVENTS = 20;
/** When the copies of an event come. */
const COPIES_MS = [0, 200, 500, 1000, 2000, 3500, 5000];
const SLOW_MS = 5000;
const REFUSING_MS = 1000;
const SECRET = 'stored-secret';

jest.setTimeout(180_000);

let own: Awaited<ReturnType<typeof startOwnN8n>>;
let counter: RunCounter;
let workflow: ReturnType<typeof countingWorkflow>;
let address: string;
let workflowId: string;

/** Nobody else can work while its database is locked. */
beforeAll(async () => {
	own = await startOwnN8n('stored');
	counter = await startRunCounter();
	const credential = await saveAccount(own.n8n, 'Stored', { webhookSecret: SECRET });
	workflow = countingWorkflow(counter.url, credential);
	const published = await publish(own.n8n, workflow);
	workflowId = published.saved.id;
	address = published.address;
});

afterAll(async () => {
	await own?.n8n.stop();
	await counter?.close();
});

async function deliver(message_id: string) {
	const response = await fetch(address, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-webhook-token': SECRET },
		body: JSON.stringify({
			event: 'message.read',
			timestamp: '2026-01-31T14:05:00Z',
			data: { message_id },
		}),
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

// README, React to customers: 200 only when stored
// SECURITY, The trigger: answered when stored
test('no event is acknowledged before it is stored, and none runs twice, when the database is slow or full', async () => {
	const ids = Array.from({ length: EVENTS }, (_, index) => `event-${index}`);
	const answers = ids.map((): number[] => []);
	await withDatabaseInTrouble(
		async () =>
			await Promise.all(
				ids.map(async (id, index) => {
					const statuses = answers[index];
					const copies = COPIES_MS.map(async (ms) => {
						await sleep(ms);
						// A sender that was told 200 is content.
						if (!statuses.includes(200)) statuses.push(await deliver(id));
					});
					await Promise.all(copies);
				}),
			),
		() => answers.flat().includes(500),
	);
	// The sender repeats what none of its copies was acknowledged for.
	const acknowledged = ids.filter((_, index) => answers[index].includes(200));
	const others = ids.filter((id) => !acknowledged.includes(id));
	for (const id of others) expect(await deliver(id)).toBe(200);
	await own.n8n.client.executions.allEnded(workflowId);
	expect(ids.map((id) => counter.runs.get(id) ?? 0)).toEqual(ids.map(() => 1));
	// What n8n refused, what waited too long, and what it stored in the end.
	expect(new Set(answers.flat())).toEqual(new Set([500, 503, 200]));
});

test('an event that n8n was storing when it was killed is accepted from the next try on, and runs once', async () => {
	await withDatabaseInTrouble(async () => {
		const first = deliver('killed').catch(() => 'no answer');
		await sleep(1000);
		process.kill(-own.n8n.pid, 'SIGKILL');
		expect(await first).toBe('no answer');
	});
	const { url, client } = await own.restart();
	address = webhookUrl(url, workflow);
	await client.workflows.waitForWebhook(address);
	expect(await deliver('killed')).toBe(200);
	expect(await deliver('killed')).toBe(200);
	await own.n8n.client.executions.allEnded(workflowId);
	expect(counter.runs.get('killed')).toBe(1);
});
