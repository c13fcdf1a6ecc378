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

	// docs/scaling.md: while n8n is storing the first
	it('of an event that n8n is storing starts another execution, which drops it', async () => {
		const body = incoming();
		const first = await post(body, {}, { isUnderWay: true });
		const copy = await post(body);
		expect(await execute(first.items)).toHaveLength(1);
		expect(await execute(copy.items)).toEqual([]);
		first.end(200);
		expect(await deliver(body)).toBe('duplicate');
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
