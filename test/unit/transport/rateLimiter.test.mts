import type { Category } from '../../../nodes/BusinessMessaging/api';
import { Pacer } from '../../../nodes/BusinessMessaging/transport/pacer';
import {
	openRateLimiter,
	type QueuedRequest,
	RateLimiter,
	type Run,
	type Slot,
} from '../../../nodes/BusinessMessaging/transport/rateLimiter';
import { createVirtualClock } from '../../support/virtualClock.mts';

const SEND: QueuedRequest = { kind: 'main', limit: Infinity, deadline: Infinity };
const inParallel = (free: number) => ({ places: { free }, calls: 100, round: 0 });

function scene() {
	const clock = createVirtualClock();
	const rateLimiter = new RateLimiter(new Pacer(() => 0), clock);
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
	return { clock, rateLimiter, run: rateLimiter.join(inParallel(1)), order, use };
}

function finish(slot: Slot | 'tooLate' | 'closed') {
	(slot as Slot).end('responded', {});
	(slot as Slot).release();
}

// docs/good-to-know.md: the shorter run goes first
it('the run with fewer messages and rounds goes first; of equal ones a login code, then a service message', async () => {
	const { clock, run: first, rateLimiter, order, use } = scene();
	const runs: Array<[calls: number, round: number, category?: Category]> = [
		[2, 0, 'authentication'],
		[1, 1, 'marketing'],
		[1, 0, 'utility'],
		[1, 0],
		[1, 0, 'service'],
		[1, 0, 'authentication'],
	];
	const requests = [use(first, 'the only place is taken', { limit: 1 })];
	for (const [calls, round, category] of runs) {
		const run = rateLimiter.join({ places: { free: 9 }, calls, round });
		for (let call = 0; call < calls; call++) {
			requests.push(use(run, `${category} ${calls + round}`, { limit: 1, category }));
		}
	}
	await clock.run(Promise.all(requests));
	const ofOne = ['authentication 1', 'service 1', 'utility 1', 'undefined 1'];
	const ofTwo = ['authentication 2', 'authentication 2', 'marketing 2'];
	expect(order.slice(1)).toEqual([...ofOne, ...ofTwo]);
});

// docs/good-to-know.md: a longer run, also in rounds of a loop, keeps three slots a minute free
it.each([
	[1, 2, true],
	[1, 3, false],
])('a run of %d messages after %d rounds takes what is kept: %p', async (calls, round, takes) => {
	const { clock, rateLimiter, order, use } = scene();
	const filling = rateLimiter.join(inParallel(60));
	const filled = Array.from({ length: 57 }, () => use(filling, 'filling', { limit: 60 }));
	await clock.run(Promise.all(filled));
	void use(rateLimiter.join({ ...inParallel(1), calls, round }), 'run', { limit: 60 });
	await clock.run(clock.sleep(5000));
	expect(order.includes('run')).toBe(takes);
});

it('the accounts of a run share the requests that it may have in flight', async () => {
	const { clock, order, use } = scene();
	const size = inParallel(3);
	const runs = [1, 2].map(() => new RateLimiter(new Pacer(() => 0), clock).join(size));
	const requests = [0, 0, 0, 1, 1, 1].map(async (of) => await use(runs[of], 'sent', {}, 1000));
	await clock.run(clock.sleep(500));
	expect(order).toHaveLength(3);
	await clock.run(Promise.all(requests));
	expect(clock.ticks()).toBeLessThan(3000);
});

// docs/good-to-know.md: sends have priority over status checks
it('last look-ups come before sends, and sends before other look-ups', async () => {
	const { clock, run, order, use } = scene();
	const kinds = ['main', 'lookUp', 'main', 'lastLookUp'] as const;
	await clock.run(Promise.all(kinds.map(async (kind) => await use(run, kind, { kind }))));
	expect(order).toEqual(['main', 'lastLookUp', 'main', 'lookUp']);
});

it('runs look up in turn, however many messages they have', async () => {
	const { clock, rateLimiter, order, use } = scene();
	const runs = [1, 100].map((calls) => rateLimiter.join({ ...inParallel(1), calls }));
	const lookUp = { kind: 'lookUp', limit: 600 } as const;
	const requests = [0, 0, 1, 1].map(async (run) => await use(runs[run], `run ${run}`, lookUp));
	await clock.run(Promise.all(requests));
	expect(order).toEqual(['run 0', 'run 1', 'run 0', 'run 1']);
});

it.each<[string, number, Partial<QueuedRequest>, number]>([
	['is told, once for all that wait', 121, { limit: 1 }, 10],
	['is none while look-ups wait', 0, { kind: 'lookUp', limit: 1 }, 10],
	['is none while requests wait for others to end', 0, { limit: 60 }, 10_000],
])('the time that a run waits for the limit %s: %d s', async (_, seconds, request, forMs) => {
	const { clock, rateLimiter, use } = scene();
	const run = rateLimiter.join(inParallel(3));
	const requests = [1, 2, 3].map(async () => await use(run, 'a', request, forMs));
	await clock.run(Promise.all(requests));
	expect(Math.round(run.waitedMs / 1000)).toBe(seconds);
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
		await clock.run(clock.sleep(5 * 60_000));
		open('key-5');
		expect(open('key-3')).not.toBe(rateLimiter);
	});
});
