import type { Category } from '../../../nodes/BusinessMessaging/api';
import { Pacer } from '../../../nodes/BusinessMessaging/transport/pacer';
import {
	openRateLimiter,
	ParallelLimit,
	type QueuedRequest,
	RateLimiter,
	type Run,
	type Slot,
} from '../../../nodes/BusinessMessaging/transport/rateLimiter';
import { createVirtualClock } from '../../support/virtualClock.mts';

const SEND: QueuedRequest = { kind: 'main', limit: Infinity, deadline: Infinity };
const inParallel = (most: number) => ({
	parallelLimit: new ParallelLimit(most),
	calls: 100,
	round: 0,
});

function scene() {
	const clock = createVirtualClock();
	const pacer = new Pacer(() => 0);
	const rateLimiter = new RateLimiter(pacer, clock);
	const order: string[] = [];
	/** Acquires a slot, and releases it after so many ms. */
	async function use(run: Run, name: string, request: Partial<QueuedRequest> = {}, forMs = 10) {
		const slot = await run.acquire({ ...SEND, ...request });
		if (typeof slot === 'string') return slot;
		order.push(name);
		await clock.sleep(forMs);
		finish(slot);
		return 'ended';
	}
	return { clock, pacer, rateLimiter, run: rateLimiter.join(inParallel(1)), order, use };
}

function finish(slot: Slot | 'tooLate' | 'closed') {
	(slot as Slot).end('responded', {});
	(slot as Slot).release();
}

// docs/good-to-know.md: the shorter run goes first
it.each<[string, Array<[name: string, calls: number, round: number, category?: Category]>, string]>(
	[
		[
			'fewer messages left',
			[
				['2', 2, 0, 'authentication'],
				['1', 1, 0, 'marketing'],
			],
			'1 2 2',
		],
		[
			'fewer rounds of a loop before it',
			[
				['2', 1, 1],
				['1', 1, 0],
			],
			'1 2',
		],
		[
			'a login code, then a service message, then the others, if they have as many',
			[
				['utility', 1, 0, 'utility'],
				['look-up', 1, 0],
				['service', 1, 0, 'service'],
				['code', 1, 0, 'authentication'],
			],
			'code service utility look-up',
		],
	],
)('of several runs, the first has %s', async (_, runs, expected) => {
	const { clock, rateLimiter, order, use } = scene();
	const first = rateLimiter.join({ ...inParallel(1), calls: 1 });
	const requests = [use(first, 'first', { limit: 1 })];
	for (const [name, calls, round, category] of runs) {
		const run = rateLimiter.join({ parallelLimit: new ParallelLimit(9), calls, round });
		for (let call = 0; call < calls; call++) {
			requests.push(use(run, name, { limit: 1, category }));
		}
	}
	await clock.run(Promise.all(requests));
	expect(order.slice(1).join(' ')).toBe(expected);
});

it('a run stays what it was when it first wanted a slot', async () => {
	const { clock, pacer, rateLimiter, use } = scene();
	const wait = jest.spyOn(pacer, 'wait');
	const run = rateLimiter.join({ ...inParallel(1), calls: 61 });
	for (let call = 0; call < 61; call++) await clock.run(use(run, 'send', { limit: 60 }));
	expect(wait.mock.lastCall).toMatchObject([{ left: 1, length: 'long' }, expect.any(Number)]);
});

it.each([
	[2, 'abcabc', 'abcabc'],
	[1, 'aaabbc', 'aabcab'],
])(
	'a run with three accounts has %d requests in flight: the account that waited longest is next',
	async (concurrency, asked, given) => {
		const clock = createVirtualClock();
		const size = inParallel(concurrency);
		const [a, b, c] = ['a', 'b', 'c'].map(() =>
			new RateLimiter(new Pacer(() => 0), clock).join(size),
		);
		const runs: Record<string, Run> = { a, b, c };
		let order = '';
		const requests = [...asked].map(async (account) => {
			const slot = await runs[account].acquire(SEND);
			order += account;
			await clock.sleep(1000);
			finish(slot);
		});
		await clock.run(Promise.all(requests));
		expect(order).toBe(given);
		expect(clock.ticks()).toBe((asked.length / concurrency) * 1000);
	},
);

// docs/good-to-know.md: look-ups come after sends
it('last look-ups come before sends, and sends before other look-ups', async () => {
	const { clock, run, order, use } = scene();
	const kinds = ['main', 'lookUp', 'main', 'lastLookUp'] as const;
	await clock.run(Promise.all(kinds.map(async (kind) => await use(run, kind, { kind }))));
	expect(order).toEqual(['main', 'lastLookUp', 'main', 'lookUp']);
});

it('runs look up in turn, however many messages they have left', async () => {
	const { clock, rateLimiter, order, use } = scene();
	const looksUp = [1, 100].map((calls) => rateLimiter.join({ ...inParallel(1), calls }));
	const requests = [0, 0, 1, 1].map(
		async (run) => await use(looksUp[run], `run ${run}`, { kind: 'lookUp', limit: 600 }),
	);
	await clock.run(Promise.all(requests));
	expect(order).toEqual(['run 0', 'run 1', 'run 0', 'run 1']);
});

it('look-ups wait while a send of another run waits', async () => {
	const { clock, rateLimiter, run, order, use } = scene();
	const sends = [1, 2].map(async () => await use(run, 'main', { limit: 1 }));
	const lookUp = use(rateLimiter.join(inParallel(1)), 'lookUp', { kind: 'lookUp' });
	await clock.run(Promise.all([...sends, lookUp]));
	expect(order).toEqual(['main', 'main', 'lookUp']);
});

it('a closed run gives no slots, and those who wait learn it at once', async () => {
	const { clock, run, use } = scene();
	void use(run, 'long', {}, 10_000);
	const waiting = use(run, 'waiting');
	run.close();
	expect(await clock.run(waiting)).toBe('closed');
	expect(await use(run, 'later')).toBe('closed');
	expect(clock.ticks()).toBe(0);
});

it('what was rate limited or not made is still to be made; a look-up is none of the main requests', async () => {
	const { clock, pacer, rateLimiter } = scene();
	const wait = jest.spyOn(pacer, 'wait');
	const run = rateLimiter.join({ ...inParallel(1), calls: 3 });
	const next = async (kind: QueuedRequest['kind'] = 'main') =>
		(await clock.run(run.acquire({ ...SEND, kind }))) as Slot;
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

it.each<[string, number, Partial<QueuedRequest>, number]>([
	['is told, once for all that wait', 120, { limit: 1 }, 10],
	['is none while look-ups wait', 0, { kind: 'lookUp', limit: 1 }, 10],
	['is none while requests wait for others to end', 0, { limit: 60 }, 10_000],
])('the time that a run waits for the limit %s: %d s', async (_, seconds, request, forMs) => {
	const { clock, rateLimiter, use } = scene();
	const run = rateLimiter.join(inParallel(3));
	const requests = [1, 2, 3].map(async () => await use(run, 'a', request, forMs));
	await clock.run(Promise.all(requests));
	expect(Math.round(run.waitedMs / 1000)).toBe(seconds);
});

it('a run that is closed has waited until then', async () => {
	const { clock, run, use } = scene();
	void use(run, 'first', { limit: 1 });
	void use(run, 'second', { limit: 1 });
	await clock.run(clock.sleep(5000));
	run.close();
	expect(run.waitedMs).toBe(4990);
});

it('what waits too long learns it at that moment; one timer is enough, and a later one wakes nobody', async () => {
	const { clock, run } = scene();
	const sleep = jest.spyOn(clock, 'sleep');
	await run.acquire(SEND);
	expect(sleep).not.toHaveBeenCalled();
	const later = run.acquire({ ...SEND, deadline: 2500 });
	const sooner = run.acquire({ ...SEND, deadline: 500 });
	expect(await clock.run(Promise.all([sooner, later]))).toEqual(['tooLate', 'tooLate']);
	expect(sleep.mock.calls).toEqual([[1000], [501], [1000], [1000]]);
	expect(clock.ticks()).toBe(2501);
});

it('what waits too long in one run learns it, whatever time others have', async () => {
	const { clock, rateLimiter, run } = scene();
	await run.acquire(SEND);
	const [first, second] = [500, 1200].map(async (deadline) => {
		const slot = await run.acquire({ ...SEND, deadline });
		return [slot, clock.ticks()];
	});
	const other = rateLimiter.join(inParallel(1));
	await other.acquire(SEND);
	void other.acquire({ ...SEND, deadline: 60_000 });
	expect(await clock.run(Promise.all([first, second]))).toEqual([
		['tooLate', 501],
		['tooLate', 1201],
	]);
});

it('an account that needs no more slot leaves it to those behind it', () => {
	const parallelLimit = new ParallelLimit(1);
	const pumps = [jest.fn(), jest.fn(() => parallelLimit.take()), jest.fn()];
	parallelLimit.take();
	for (const pump of pumps) parallelLimit.isFull(pump);
	parallelLimit.release();
	expect(pumps.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
});

it('what certainly gets no slot in time learns it at once', async () => {
	const { clock, run } = scene();
	const request: QueuedRequest = { kind: 'main', limit: 1, deadline: Infinity };
	const first = await run.acquire(request);
	// The first one may turn out not to be made.
	const waiting = run.acquire({ ...request, deadline: 30_000 });
	await clock.run(clock.sleep(100));
	finish(first);
	const inTime = run.acquire({ ...request, deadline: 60_100 });
	const late = run.acquire({ ...request, deadline: 60_099 });
	expect(await waiting).toBe('tooLate');
	expect(clock.ticks()).toBe(100);
	finish(await clock.run(inTime));
	expect(clock.ticks()).toBe(60_100);
	expect(await late).toBe('tooLate');
});

it('ten thousand who wait cost one timer, and none when they are gone', async () => {
	const { clock, rateLimiter, run } = scene();
	const sleep = jest.spyOn(clock, 'sleep');
	const request: QueuedRequest = { kind: 'lookUp', limit: 1, deadline: Infinity };
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
	const clock = createVirtualClock();
	const open = (apiKey: string, baseUrl = 'https://api.example.com') =>
		openRateLimiter({ baseUrl, apiKey }, clock);

	it('is one for the same base URL and key, and another one otherwise', () => {
		expect(open('key-1')).toBe(open('key-1'));
		expect(open('key-2')).not.toBe(open('key-1'));
		expect(open('key-1', 'https://eu.example.com')).not.toBe(open('key-1'));
	});

	it('is kept while a request counts, and forgotten when another account comes later', async () => {
		const rateLimiter = open('key-3');
		const run = rateLimiter.join(inParallel(1));
		expect(rateLimiter.isIdle()).toBe(false);
		finish(await run.acquire({ ...SEND, limit: 60 }));
		run.close();
		open('key-4');
		expect(open('key-3')).toBe(rateLimiter);
		await clock.run(clock.sleep(60_000));
		open('key-5');
		expect(open('key-3')).not.toBe(rateLimiter);
	});
});
