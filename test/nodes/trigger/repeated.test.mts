import { execute } from '../../support/executedTrigger.mts';
import { systemClock } from '../../support/fastClock.mts';
import { incoming, post, type WebhookSetting } from '../../support/webhookDouble.mts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.mts'),
);

const HOUR_MS = 3_600_000;

/** What the sender is told about a delivery, after whose acceptance n8n runs the workflow. */
async function deliver(body: object, setting: WebhookSetting = {}): Promise<unknown> {
	const { status, body: answer, items } = await post(body, {}, setting);
	expect(items?.length).toBe(status === 200 && isAccepted(answer) ? 1 : undefined);
	if (items && (await execute(items, setting)).length === 0) return 'accepted, but dropped';
	return status === 200 ? (answer as { status: string }).status : status;
}

function isAccepted(answer: unknown): boolean {
	return (answer as { status: string }).status === 'accepted';
}

// README, Top: repeated events are dropped
// SECURITY, The trigger: a delivery that comes again
describe('a repeated delivery', () => {
	it('does not start the workflow, for each node of each workflow by itself, and the log has a line', async () => {
		const body = incoming();
		const alike = { workflowId: '1', nodeId: '12' };
		const others = [{ nodeId: 'b' }, { workflowId: 'b' }, alike, { workflowId: '11', nodeId: '2' }];
		for (const answer of ['accepted', 'duplicate']) {
			for (const trigger of [{}, ...others]) expect(await deliver(body, trigger)).toBe(answer);
		}
		const reason = 'an execution of this process has this "message.incoming" already';
		const line = `Webhook event dropped: ${reason} (workflow "Answers", node "Trigger")`;
		expect((await post(body)).log).toEqual([line]);
	});

	it('starts the workflow of a node that does not deduplicate, or while the editor listens', async () => {
		const body = incoming();
		await deliver(body);
		const repeating = { parameters: { options: { deduplicate: false } } };
		expect(await deliver(body, repeating)).toBe('accepted');
		const tested = incoming();
		for (const mode of ['manual', 'manual', 'webhook', 'manual'] as const) {
			expect(await deliver(tested, { mode })).toBe('accepted');
		}
	});

	it('is remembered for the hours that are set, and by the database for up to a day longer', async () => {
		const body = incoming();
		const twoHours = { parameters: { options: { deduplicationHours: 2 } } };
		await deliver(body, twoHours);
		systemClock.pass(2 * HOUR_MS - 1);
		expect(await deliver(body, twoHours)).toBe('duplicate');
		systemClock.pass(1);
		expect(await deliver(body, twoHours)).not.toBe('duplicate');
		systemClock.pass(26 * HOUR_MS);
		expect(await deliver(body, twoHours)).toBe('accepted');
	});

	// docs/scaling.md: n8n answers 200 and then loses the execution
	it('replaces a delivery that n8n has answered with 200 and lost', async () => {
		const body = incoming();
		expect((await post(body)).body).toEqual({ status: 'accepted' });
		expect(await deliver(body)).toBe('accepted');
		expect(await deliver(body)).toBe('duplicate');
	});

	it('does not start the workflow in engine v2, which runs no execute(), once n8n has stored it', async () => {
		const body = incoming();
		const answers = [await post(body, {}, { engineType: 'v2' })];
		answers.push(await post(body, {}, { engineType: 'v2' }));
		const said = answers.map(({ body: answer }) => (answer as { status: string }).status);
		expect(said).toEqual(['accepted', 'duplicate']);
		// n8n 2.38 runs it in engine v1, whatever the workflow's settings say.
		expect(await execute(answers[0].items)).toHaveLength(1);
	});

	it.each([
		[200, 2 * HOUR_MS - 1, 'duplicate'],
		[200, 2 * HOUR_MS, 'accepted'],
		[400, 0, 'accepted'],
	])('in engine v2, after an answer %d, is %d ms later a %s', async (status, ms, expected) => {
		const body = incoming();
		const setting = {
			engineType: 'v2',
			parameters: { options: { deduplicationHours: 2 } },
		} as const;
		(await post(body, {}, { ...setting, isUnderWay: true })).end(status);
		await new Promise(setImmediate);
		systemClock.pass(ms);
		expect((await post(body, {}, setting)).body).toEqual({ status: expected });
	});

	it.each([200, 400, 500])(
		'of an event in flight waits until n8n has answered %d',
		async (status) => {
			const body = incoming();
			const first = await post(body, {}, { isUnderWay: true });
			let isAnswered = false;
			const copy = deliver(body).finally(() => (isAnswered = true));
			await systemClock.sleep(100);
			expect(isAnswered).toBe(false);
			first.end(status);
			expect(await copy).toBe('accepted');
		},
	);

	it('of an event in flight is dropped once an execution has the event', async () => {
		const body = incoming();
		const first = await post(body, {}, { isUnderWay: true });
		const copy = deliver(body);
		expect(await execute(first.items)).toHaveLength(1);
		first.end(200);
		expect(await copy).toBe('duplicate');
	});

	it('counts when the sender of the first was gone before n8n got to it', async () => {
		const body = incoming();
		await post(body, {}, { isUnderWay: true, isGone: true });
		expect(await deliver(body)).toBe('accepted');
	});
});

describe('a copy of an event in flight', () => {
	/** How copies that come at these ms are answered, if n8n answers the accepted ones so at those ms. */
	async function answersTo(comingAt: number[], answeredAt: Array<[number, number]>) {
		const start = systemClock.ticks();
		const body = incoming();
		const ends: Array<(status: number) => void> = [];
		const answers = comingAt.map(async (ms) => {
			if (ms > 0) await systemClock.sleep(ms);
			const { status, body: answer, end } = await post(body, {}, { isUnderWay: true });
			if (isAccepted(answer)) ends.push(end);
			const said = status === 200 ? (answer as { status: string }).status : status;
			return `${said} after ${systemClock.ticks() - start}`;
		});
		for (const [ms, status] of answeredAt) {
			void systemClock.sleep(ms).then(() => ends.shift()?.(status));
		}
		return await Promise.all(answers);
	}

	const STORED: [number, number] = [2000, 200];
	const FAILED: [number, number] = [2000, 500];

	// SECURITY, The trigger: a copy waits, and gets 503 after 4 seconds at most
	it.each<[string, Array<[number, number]>, string[]]>([
		['goes on when the first is stored', [STORED], ['accepted 2000', 'accepted 2000']],
		['replaces a first that failed', [FAILED, [3000, 200]], ['accepted 2000', 'accepted 3000']],
		['is sent away after 4 s', [FAILED, [60_000, 200]], ['accepted 2000', '503 5000']],
	])('%s', async (_, answeredAt, expected) => {
		const answers = ['accepted 0', ...expected].map((answer) => answer.replace(' ', ' after '));
		expect(await answersTo([0, 500, 1000], answeredAt)).toEqual(answers);
	});

	// SECURITY, The trigger: a copy waits, and gets 503 after 4 seconds at most
	it('is sent away at once while a hundred others wait, which then leave room', async () => {
		for (let time = 0; time < 2; time++) {
			const answers = await answersTo(Array(102).fill(0), [[1000, 200]]);
			expect(answers[0]).toBe('accepted after 0');
			expect(answers.slice(1, 101)).toEqual(Array(100).fill('accepted after 1000'));
			expect(answers[101]).toBe('503 after 0');
		}
	});

	it('does not keep other events waiting, and the log says why it is sent away', async () => {
		const body = incoming();
		await post(body, {}, { isUnderWay: true });
		const start = systemClock.ticks();
		expect(await deliver(incoming())).toBe('accepted');
		expect(systemClock.ticks()).toBe(start);
		const { body: answer, log } = await post(body);
		expect(answer).toEqual({ status: 'error', message: 'The same event is being stored' });
		expect(log).toEqual([
			expect.stringContaining('Webhook request answered 503: The same event is being stored'),
		]);
	});
});

it('remembers nothing of requests that may not come in', async () => {
	const known = incoming();
	await deliver(known);
	const flood = { parameters: { options: { ipAllowlist: '203.0.113.7' } } };
	for (let request = 0; request < 60_000; request++) {
		const setting = request % 2 ? flood : {};
		const answer = await post(incoming(), { query: { token: 'guessed' }, ip: '::1' }, setting);
		if (![401, 403].includes(answer.status)) throw new Error(`answered ${answer.status}`);
	}
	// The memory holds 50,000 events, the oldest go first.
	expect(await deliver(known)).toBe('duplicate');
});
