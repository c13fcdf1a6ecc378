import { Pacer } from '../../../nodes/BusinessMessaging/transport/pacer';
import {
	openRateLimiter,
	ParallelLimit,
	type QueuedRequest,
	RateLimiter,
	type Run,
	type Slot,
} from '../../../nodes/BusinessMessaging/transport/rateLimiter';
import { createVirtualClock } from '../../support/virtualClock.ts';

function scene() {
	const clock = createVirtualClock();
	const rateLimiter = new RateLimiter(new Pacer(() => 0), clock);
	const order: string[] = [];
	/** Acquires a slot, and releases it after so many ms. */
	async function use(run: Run, name: string, request: Partial<QueuedRequest> = {}, forMs = 10) {
		const slot = await run.acquire({ kind: 'main', limit: Infinity, ...request });
		if (typeof slot === 'string') return slot;
		order.push(name);
		await clock.sleep(forMs);
		slot.end('responded', {});
		slot.release();
		return 'ended';
	}
	return { clock, rateLimiter, order, use };
}

function finish(slot: Slot | 'tooLate' | 'closed') {
	(slot as Slot).end('responded', {});
	(slot as Slot).release();
}

const one = { concurrency: 1, calls: 100 };

// README, Good to know: the limit is shared in turn
it('runs take turns, so that one message need not wait for hundreds', async () => {
	const { clock, rateLimiter, order, use } = scene();
	const [login, campaign] = [rateLimiter.join(one), rateLimiter.join({ ...one, concurrency: 10 })];
	const limit = 2;
	const requests = Array.from(
		{ length: 6 },
		async () => await use(campaign, 'campaign', { limit }),
	);
	for (let sent = 0; sent < 2; sent++) requests.push(use(login, 'login', { limit }));
	await clock.run(Promise.all(requests));
	expect(order.slice(0, 4)).toEqual(['campaign', 'login', 'campaign', 'login']);
});

it('no run has more requests in flight than its concurrency', async () => {
	const { clock, rateLimiter, use } = scene();
	const run = rateLimiter.join({ ...one, concurrency: 2 });
	const all = Promise.all([1, 2, 3, 4, 5].map(async () => await use(run, 'a', {}, 1000)));
	await clock.run(all);
	expect(clock.ticks()).toBe(3000);
});

describe('a run with several accounts', () => {
	/** The same clock for as many accounts as there are names. */
	function accounts(names: string[], concurrency: number) {
		const { clock } = scene();
		const parallelLimit = new ParallelLimit(concurrency);
		let inFlight = 0;
		let most = 0;
		const runs = names.map(() =>
			new RateLimiter(new Pacer(() => 0), clock).join({ concurrency, calls: 100, parallelLimit }),
		);
		const order: string[] = [];
		const once = async (index: number) => {
			const slot = (await runs[index].acquire({ kind: 'main', limit: Infinity })) as Slot;
			order.push(names[index]);
			most = Math.max(most, ++inFlight);
			await clock.sleep(1000);
			inFlight--;
			finish(slot);
		};
		return { clock, once, order, most: () => most };
	}

	it('has no more requests in flight than its concurrency', async () => {
		const { clock, once, most } = accounts(['a', 'b', 'c'], 2);
		await clock.run(Promise.all([0, 1, 2, 0, 1, 2, 0, 1, 2].map(once)));
		expect(most()).toBe(2);
	});

	it('gives the next slot to the account that has waited longest', async () => {
		const { clock, once, order } = accounts(['a', 'b', 'c'], 1);
		await clock.run(Promise.all([0, 0, 0, 1, 1, 2].map(once)));
		expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
	});
});

it('an account is idle only when its runs are closed, also those that ask nothing', () => {
	const { rateLimiter } = scene();
	const run = rateLimiter.join(one);
	expect(rateLimiter.isIdle()).toBe(false);
	run.close();
	expect(rateLimiter.isIdle()).toBe(true);
});

// README, Good to know: look-ups come after sends
it('last look-ups come before sends, and sends before other look-ups', async () => {
	const { clock, rateLimiter, order, use } = scene();
	const run = rateLimiter.join(one);
	const kinds = ['main', 'lookUp', 'main', 'lastLookUp'] as const;
	await clock.run(Promise.all(kinds.map(async (kind) => await use(run, kind, { kind }))));
	expect(order).toEqual(['main', 'lastLookUp', 'main', 'lookUp']);
});

it('look-ups wait while a send of another run waits', async () => {
	const { clock, rateLimiter, order, use } = scene();
	const [campaign, other] = [rateLimiter.join(one), rateLimiter.join(one)];
	const sends = [1, 2].map(async () => await use(campaign, 'main', { limit: 1 }));
	const lookUp = use(other, 'lookUp', { kind: 'lookUp' });
	await clock.run(Promise.all([...sends, lookUp]));
	expect(order).toEqual(['main', 'main', 'lookUp']);
});

it('what waits too long learns it at that moment, and takes no slot', async () => {
	const { clock, rateLimiter, use } = scene();
	const run = rateLimiter.join(one);
	void use(run, 'long', {}, 10_000);
	const late = use(run, 'late', { deadline: 2500 });
	expect(await clock.run(late)).toBe('tooLate');
	expect(clock.ticks()).toBe(2501);
});

it('a closed run gives no slots, and those who wait learn it at once', async () => {
	const { clock, rateLimiter, use } = scene();
	const run = rateLimiter.join(one);
	void use(run, 'long', {}, 10_000);
	const waiting = use(run, 'waiting');
	run.close();
	expect(await clock.run(waiting)).toBe('closed');
	expect(await use(run, 'later')).toBe('closed');
	expect(clock.ticks()).toBe(0);
});

it('a slot that is released unused leaves no trace in the limit', async () => {
	const { clock, rateLimiter } = scene();
	const run = rateLimiter.join(one);
	const request: QueuedRequest = { kind: 'main', limit: 1 };
	((await clock.run(run.acquire(request))) as Slot).release();
	finish(await clock.run(run.acquire(request)));
	expect(clock.ticks()).toBeLessThan(10_000);
	await clock.run(run.acquire(request));
	expect(clock.ticks()).toBeGreaterThanOrEqual(60_000);
});

it('what was rate limited or not made is still to be made; a look-up is none of the main requests', async () => {
	const pacer = new Pacer(() => 0);
	const wait = jest.spyOn(pacer, 'wait');
	const clock = createVirtualClock();
	const run = new RateLimiter(pacer, clock).join({ concurrency: 1, calls: 3 });
	const next = async (kind: QueuedRequest['kind'] = 'main') =>
		(await clock.run(run.acquire({ kind, limit: Infinity }))) as Slot;
	const limited = await next();
	limited.end('rateLimited', {});
	limited.release();
	(await next()).release();
	(await next('lookUp')).release();
	finish(await next('lookUp'));
	finish(await next());
	finish(await next());
	const asked = wait.mock.calls.map(([{ left }]) => left);
	expect([asked[0], ...asked.slice(-3)]).toEqual([3, 3, 3, 2]);
});

it('the time that a run waits for the limit is told, once for all that wait', async () => {
	const { clock, rateLimiter, use } = scene();
	const run = rateLimiter.join({ ...one, concurrency: 3 });
	const requests = [1, 2, 3].map(async () => await use(run, 'a', { limit: 1 }));
	await clock.run(Promise.all(requests));
	expect(Math.round(run.waitedMs() / 1000)).toBe(120);
});

it.each<[string, QueuedRequest['kind'], number, number]>([
	['a look-up waits for the limit', 'lookUp', 1, 10],
	['a request waits for the end of another', 'main', 60, 10_000],
])('while %s, no time is told', async (_, kind, limit, forMs) => {
	const { clock, rateLimiter, use } = scene();
	const run = rateLimiter.join({ ...one, concurrency: 2 });
	const requests = [1, 2].map(async () => await use(run, 'a', { kind, limit }, forMs));
	await clock.run(Promise.all(requests));
	expect(run.waitedMs()).toBe(0);
});

it('a run that is closed has waited until then', async () => {
	const { clock, rateLimiter, use } = scene();
	const run = rateLimiter.join(one);
	void use(run, 'first', { limit: 1 });
	void use(run, 'second', { limit: 1 });
	await clock.run(clock.sleep(5000));
	run.close();
	expect(run.waitedMs()).toBe(4990);
});

it('one timer is enough: the next to be late sets it, and a later one wakes nobody', async () => {
	const { clock, rateLimiter } = scene();
	const sleep = jest.spyOn(clock, 'sleep');
	const run = rateLimiter.join(one);
	const request: QueuedRequest = { kind: 'main', limit: Infinity };
	await run.acquire(request);
	const later = run.acquire({ ...request, deadline: 2500 });
	const sooner = run.acquire({ ...request, deadline: 500 });
	expect(await clock.run(Promise.all([sooner, later]))).toEqual(['tooLate', 'tooLate']);
	expect(sleep.mock.calls).toEqual([[1000], [501], [1000], [1000]]);
});

it('nobody is woken when nobody waits', async () => {
	const { clock, rateLimiter } = scene();
	const sleep = jest.spyOn(clock, 'sleep');
	finish(await rateLimiter.join(one).acquire({ kind: 'main', limit: Infinity }));
	expect(sleep).not.toHaveBeenCalled();
});

it('ten thousand who wait cost one timer, and none when they are gone', async () => {
	const { clock, rateLimiter } = scene();
	const sleep = jest.spyOn(clock, 'sleep');
	const run = rateLimiter.join(one);
	const request: QueuedRequest = { kind: 'lookUp', limit: 1 };
	finish(await run.acquire(request));
	for (let waiting = 0; waiting < 10_000; waiting++) void run.acquire(request);
	expect(sleep).toHaveBeenCalledTimes(1);
	run.close();
	await clock.run(clock.sleep(5000));
	expect(sleep).toHaveBeenCalledTimes(2);
	expect(rateLimiter.isIdle()).toBe(false);
	await clock.run(clock.sleep(60_000));
	expect(rateLimiter.isIdle()).toBe(true);
});

describe('the rate limiter of an account', () => {
	const ACCOUNT = { baseUrl: 'https://api.example.com', apiKey: 'key-1' };
	const clock = createVirtualClock();
	const open = (apiKey = 'key-1') => openRateLimiter({ ...ACCOUNT, apiKey }, clock);

	it('is one for the same base URL and key, and another one otherwise', () => {
		expect(open()).toBe(open());
		expect(open('key-2')).not.toBe(open());
		expect(openRateLimiter({ ...ACCOUNT, baseUrl: 'https://eu.example.com' }, clock)).not.toBe(
			open(),
		);
	});

	it('is kept while a request counts, and forgotten when another account comes later', async () => {
		const rateLimiter = open('key-3');
		const run = rateLimiter.join(one);
		finish(await run.acquire({ kind: 'main', limit: 60 }));
		run.close();
		open('key-4');
		expect(open('key-3')).toBe(rateLimiter);
		await clock.run(clock.sleep(60_000));
		open('key-5');
		expect(open('key-3')).not.toBe(rateLimiter);
	});
});
