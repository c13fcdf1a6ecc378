import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../playground/eventually.mts';
import { startOwnN8n } from '../support/ownN8n.mts';
import { beginCampaign, type Campaign } from '../support/interruptedCampaign.mts';

jest.setTimeout(3_600_000);

/** Each kills n8n once or twice. */
const ROUNDS = Number(process.env.INTERRUPTED_ROUNDS ?? 1);
const ROWS = Number(process.env.INTERRUPTED_ROWS ?? 200);
const LONGEST_RUN_MS = 600_000;

let own: Awaited<ReturnType<typeof startOwnN8n>>;

beforeAll(async () => {
	own = await startOwnN8n('interrupted');
});

afterAll(async () => {
	await own?.n8n.stop();
});

async function killAt(campaigns: Campaign[], messages: number): Promise<void> {
	const isReached = () => campaigns.every(({ api }) => api.messages.size >= messages);
	await eventually(`${messages} messages`, isReached, LONGEST_RUN_MS);
	process.kill(-own.n8n.pid, 'SIGKILL');
	await sleep(1000);
	await own.restart();
}

const someOf = (rows: number) => Math.ceil(Math.random() * rows);

// README: retries never resend a message
test('a run that is killed is retried: each customer has one message, or is told as unknown', async () => {
	for (let round = 0; round < ROUNDS; round++) {
		const begun = [
			await beginCampaign(own.n8n, ROWS, { saveExecutionProgress: false }),
			await beginCampaign(own.n8n, ROWS, { saveExecutionProgress: true }),
		];
		await killAt(begun, someOf(ROWS / 2));
		const [clickedTwice, killedTwice] = begun;

		const { first } = killedTwice;
		const second = own.n8n.client.executions.retry(first).catch(() => undefined);
		const sent = killedTwice.api.messages.size;
		const clicks = [0, 400].map(async (afterMs) => {
			await sleep(afterMs);
			return await clickedTwice.retry(own.n8n, clickedTwice.first);
		});
		const results = await Promise.all(clicks);
		const refused = results.filter((result) => result.notSent.length === ROWS);
		const [retried] = results.filter((result) => result.notSent.length === 0);
		expect([refused.length, results.length]).toEqual([1, 2]);
		clickedTwice.assertTold(retried, 1);

		await killAt([killedTwice], Math.min(ROWS, sent + someOf(ROWS / 4)));
		await second;
		const last = await killedTwice.retry(own.n8n);
		killedTwice.assertTold(last, 2);
		// The older one.
		const older = await killedTwice.retry(own.n8n, first);
		expect(older.notSent).toHaveLength(ROWS);
		killedTwice.assertTold(last, 2);
	}
});
