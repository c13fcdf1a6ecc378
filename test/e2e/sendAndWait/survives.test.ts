import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../playground/eventually.ts';
import { outputOf } from '../../../playground/n8n/rest/executions.ts';
import { startAsking, type Asking } from '../../support/askedWorkflow.ts';
import { startOwnN8n } from '../../support/ownN8n.ts';
import { answer } from '../../support/questionPage.ts';

jest.setTimeout(240_000);

const LIMIT_S = 15;

let own: Awaited<ReturnType<typeof startOwnN8n>>;
let asking: Asking;

beforeAll(async () => {
	own = await startOwnN8n('asking');
	asking = await startAsking(own.n8n);
});

afterAll(async () => {
	await own?.n8n.stop();
	await asking?.api.close();
});

/** The newest execution, from the n8n that runs now. */
async function ended(id: string) {
	const run = async () => {
		const [execution] = await own.n8n.client.executions.list(id, 1);
		return execution?.status === 'success' ? execution : undefined;
	};
	return await eventually('the end', run, 90_000);
}

// README, Ask and wait: over a restart
test('questions outlive an n8n that is killed: one is answered after it, the time of another is over', async () => {
	const answered = await asking.ask();
	const late = await asking.ask({ limitWaitTime: LIMIT_S, limitWaitTimeUnit: 'seconds' });
	process.kill(-own.n8n.pid, 'SIGKILL');
	await sleep(LIMIT_S * 1000);
	const n8n = await own.restart();
	const { pathname, search } = new URL(answered.link);
	const page = await answer(new URL(pathname + search, n8n.url).href, { choice: '0' });
	expect(page).toMatchObject({ status: 200, heading: 'Thank you' });

	const message = expect.objectContaining({ status: 'sent' });
	expect(outputOf(await ended(answered.id), 'After')).toMatchObject([{ approved: true, message }]);
	expect(outputOf(await ended(late.id), 'After')).toEqual([{ timedOut: true, message }]);
	expect(asking.api.calls).toHaveLength(2);
});
