import { systemClock } from '../../support/fastClock.ts';
import { incoming, post } from '../../support/triggerPost.ts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.ts'),
);

// README, Top: repeated events are dropped
// SECURITY, The trigger: a delivery that comes again
describe('a repeated delivery', () => {
	it('is answered "duplicate" and does not start the workflow', async () => {
		const body = incoming();
		expect((await post(body)).body).toEqual({ status: 'accepted' });
		const { body: answer, items } = await post(body);
		expect([answer, items]).toEqual([{ status: 'duplicate' }, undefined]);
	});

	it('starts the workflow of a node that does not deduplicate', async () => {
		const setting = { parameters: { options: { deduplicate: false } } };
		const body = incoming();
		await post(body);
		expect((await post(body, {}, setting)).body).toEqual({ status: 'accepted' });
	});

	// SECURITY, The trigger: a copy waits, and gets 503 after 4 seconds at most
	it('is answered 503, so that it is sent again, when n8n stores the first for 4 s', async () => {
		const body = incoming();
		const first = await post(body, {}, { isUnderWay: true });
		const start = systemClock.ticks();
		const { status, body: answer, items, log } = await post(body);
		expect(systemClock.ticks() - start).toBe(4000);
		expect([status, items]).toEqual([503, undefined]);
		expect(answer).toEqual({ status: 'error', message: 'The same event is being stored' });
		expect(log).toEqual(['Webhook request answered 503: The same event is being stored']);
		first.end(200);
		expect((await post(body)).body).toEqual({ status: 'duplicate' });
	});
});

it('remembers nothing of requests that may not come in', async () => {
	const known = incoming();
	expect((await post(known)).body).toEqual({ status: 'accepted' });
	const flood = { parameters: { options: { ipAllowlist: '203.0.113.7' } } };
	for (let request = 0; request < 60_000; request++) {
		const setting = request % 2 ? flood : {};
		const answer = await post(incoming(), { query: { token: 'guessed' }, ip: '::1' }, setting);
		if (![401, 403].includes(answer.status)) throw new Error(`answered ${answer.status}`);
	}
	// The memory holds 50,000 events, the oldest go first.
	expect((await post(known)).body).toEqual({ status: 'duplicate' });
});
