import type { Fault } from '../../../nodes/BusinessMessaging/transport/faults';
import type { Answer } from '../../../nodes/BusinessMessaging/transport/request';
import { answer, call, clientFor, REFUSED, SENT, TIMED_OUT } from '../../support/scriptedClient.ts';

it('is made below the base URL, with a body of its own for each try', async () => {
	const { client, clock, requests } = clientFor([REFUSED, SENT]);
	let tries = 0;
	const body = () => ({ try: ++tries });
	const reply = await clock.run(client.call({ ...call('send'), path: '/send', body }));
	expect(reply).toMatchObject({ data: 'm1', answer: SENT });
	const request = { method: 'POST', url: 'https://api.example.com/send', timeoutMs: 1000 };
	expect(requests).toEqual([
		{ ...request, body: { try: 1 } },
		{ ...request, body: { try: 2 } },
	]);
});

it('waits twice as long after each try that got no answer', async () => {
	const { client, clock, startedAt } = clientFor([REFUSED]);
	await clock.run(client.call(call('send')));
	expect(startedAt).toEqual([0, 1000, 3000, 7000]);
	expect(client.waitedMs()).toBe(0);
});

it('gives up after three more tries, however many were answered 429 between them', async () => {
	const limited = answer(429, { 'retry-after': '5' });
	const { client, clock, startedAt } = clientFor([REFUSED, limited, REFUSED]);
	await clock.run(client.call(call('send')));
	expect(startedAt).toEqual([0, 1000, 6000, 8000, 12_000]);
});

describe('how often a request is made', () => {
	it.each<[string, 'send' | 'status', Answer | Fault, boolean, number]>([
		['a send that was refused a connection', 'send', REFUSED, false, 4],
		['a send that timed out', 'send', TIMED_OUT, false, 1],
		['a send that timed out, with leave to send twice', 'send', TIMED_OUT, true, 4],
		['a send answered 500', 'send', answer(500), false, 1],
		['a send answered 503', 'send', answer(503), false, 1],
		['a send answered 200 without an ID', 'send', answer(200), false, 1],
		['a send answered 400', 'send', answer(400), false, 1],
		['a send answered 401', 'send', answer(401), false, 1],
		['a send answered 302', 'send', answer(302), false, 1],
		[
			'a send with a bad certificate',
			'send',
			{ kind: 'certificate', beforeSending: true },
			false,
			1,
		],
		['a look-up that timed out', 'status', TIMED_OUT, false, 4],
		['a look-up answered 500', 'status', answer(500), false, 4],
		['a look-up answered 404', 'status', answer(404), false, 1],
	])('%s', async (_, purpose, result, retryUnknownOutcome, expected) => {
		const { client, clock, startedAt } = clientFor([result]);
		const reply = await clock.run(client.call(call(purpose, retryUnknownOutcome)));
		expect(reply).toHaveProperty('failure');
		expect(startedAt).toHaveLength(expected);
	});
});

describe('429', () => {
	it('is waited out as Retry-After says, before the reset of the window', async () => {
		const limited = answer(429, { 'retry-after': '7', 'x-ratelimit-reset': '20' });
		const { client, clock, startedAt } = clientFor([limited, SENT]);
		expect(await clock.run(client.call(call('send')))).toMatchObject({ data: 'm1' });
		expect(startedAt).toEqual([0, 7000]);
		expect(client.waitedMs()).toBe(7000);
	});

	it('is waited out until the reset when there is no Retry-After', async () => {
		const limited = answer(429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '20' });
		const { client, clock, startedAt } = clientFor([limited, SENT]);
		await clock.run(client.call(call('send')));
		expect(startedAt).toEqual([0, 20_000]);
	});

	it('holds back the other items too', async () => {
		const { client, clock, startedAt } = clientFor([answer(429, { 'retry-after': '5' }), SENT]);
		await clock.run(client.call(call('send')));
		const first = startedAt.length;
		await clock.run(client.call(call('send')));
		expect([first, startedAt[1]]).toEqual([2, 5000]);
	});

	it('is waited out in growing steps, of 30 seconds at most, when the API does not say how long', async () => {
		const { client, clock, startedAt } = clientFor([answer(429)]);
		await clock.run(client.call(call('send')));
		expect(startedAt.slice(0, 8).map((ms) => ms / 1000)).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
		expect(startedAt.at(-1)).toBe(271_000);
	});

	it('that several items wait for is waiting time once', async () => {
		const { client, clock } = clientFor([answer(429, { 'retry-after': '5' }), SENT]);
		const later = clock.sleep(2000).then(() => client.call(call('send')));
		await clock.run(Promise.all([client.call(call('send')), later]));
		expect(client.waitedMs()).toBe(5000);
	});

	it('is given up after five minutes, with the sentence for 429', async () => {
		const { client, clock, startedAt } = clientFor([answer(429, { 'retry-after': '60' })]);
		const reply = await clock.run(client.call(call('send')));
		expect(reply).toMatchObject({
			failure: { httpStatus: 429, outcome: 'rejected', retryable: true },
		});
		expect(startedAt).toHaveLength(6);
	});

	it('is given up at once when it would take longer than that', async () => {
		const { client, clock, startedAt } = clientFor([answer(429, { 'retry-after': '86400' })]);
		await clock.run(client.call(call('send')));
		expect(startedAt).toHaveLength(1);
	});
});

it('stops within a second when the execution is canceled, and sends nothing more', async () => {
	const canceling = new AbortController();
	const { client, clock, startedAt } = clientFor(
		[answer(429, { 'retry-after': '60' })],
		canceling.signal,
	);
	const start = clock.now();
	void clock.sleep(10_500).then(() => canceling.abort());
	const reply = await clock.run(client.call(call('send')));
	expect(reply).toMatchObject({ failure: { outcome: 'notSent' } });
	expect(startedAt).toHaveLength(1);
	expect(clock.now() - start).toBeLessThanOrEqual(11_500);
});

it.each<[string, Answer | Fault]>([
	['is refused a connection', REFUSED],
	['is answered 400', answer(400)],
	['is answered 429 for too long', answer(429, { 'retry-after': '86400' })],
])('keeps the outcome unknown when the next try %s', async (_, next) => {
	const { client, clock, startedAt } = clientFor([TIMED_OUT, next]);
	const reply = await clock.run(client.call(call('send', true)));
	expect(reply).toMatchObject({ failure: { outcome: 'unknown' } });
	expect(startedAt.length).toBeGreaterThan(1);
});

it('keeps the outcome unknown when it is canceled while the next try waits for its place', async () => {
	const canceling = new AbortController();
	const limited = answer(429, { 'retry-after': '60' });
	const { client, clock, startedAt } = clientFor([TIMED_OUT, limited], canceling.signal);
	void clock.sleep(10_000).then(() => canceling.abort());
	const reply = await clock.run(client.call(call('send', true)));
	expect(reply).toMatchObject({ failure: { outcome: 'unknown' } });
	expect(startedAt).toHaveLength(2);
});

it('keeps the outcome unknown when it is canceled before the next try', async () => {
	const canceling = new AbortController();
	const { client, clock, startedAt } = clientFor([TIMED_OUT], canceling.signal);
	void clock.sleep(500).then(() => canceling.abort());
	const reply = await clock.run(client.call(call('send', true)));
	expect(reply).toMatchObject({ failure: { outcome: 'unknown' } });
	expect(startedAt).toHaveLength(1);
});
