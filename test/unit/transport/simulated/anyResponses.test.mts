import fc from 'fast-check';

import { connectionFailure } from '../../../../nodes/BusinessMessaging/errors/connectionErrors';
import { isUnknown, messageOf, type Result } from '../../../../nodes/BusinessMessaging/outcome';
import { Pacer } from '../../../../nodes/BusinessMessaging/transport/pacer';
import { RateLimiter } from '../../../../nodes/BusinessMessaging/transport/rateLimiter';
import { sample } from '../../../support/sample.mts';
import type { SimulatedApi } from '../../../support/simulation/api.mts';
import { seededRandom } from '../../../support/simulation/random.mts';
import { simulateRun } from '../../../support/simulation/run.mts';
import { createVirtualClock } from '../../../support/virtualClock.mts';

const DAY_MS = 24 * 3_600_000;

const header = fc.oneof(
	fc.constantFrom(undefined, '0', '1', '59', '60', '3600', '999999', '-1', 'abc', '1e99'),
	fc.nat(70).map(String),
);
const reply = fc.record({
	kind: fc.constantFrom(
		...([200, 200, 200, 400, 401, 429, 429, 500] as const),
		...(['timeout', 'connectionRefused', 'connectionFailed'] as const),
	),
	latencyMs: fc.constantFrom(0, 1, 100, 1000, 30_000),
	remaining: header,
	reset: header,
	retryAfter: fc.constantFrom(undefined, undefined, '0', '1', '30', '299', '400', '-3', 'x'),
});
type Reply = typeof reply extends fc.Arbitrary<infer Value> ? Value : never;
const run = fc.record({
	items: fc.integer({ min: 1, max: 20 }),
	requestsPerMinute: fc.constantFrom(0, 1, 2, 3, 10, 60, 6000),
	concurrency: fc.constantFrom(1, 2, 10),
	startsAfterMs: fc.constantFrom(0, 500, 60_000, 3_600_000),
	waitTimeoutMs: fc.constantFrom(undefined, undefined, 1000, 60_000, 120_000),
});

/** An API that gives any responses; `gone`: whom it sent a message, `maybeGone`: whom it may have sent one. */
function apiOf(replies: Reply[], sleep: (ms: number) => Promise<void>) {
	const gone: string[] = [];
	const maybeGone: string[] = [];
	let made = 0;
	const httpRequest: SimulatedApi['httpRequest'] = async ({ method, body }) => {
		const { kind, latencyMs, remaining, reset, retryAfter } = replies[made++ % replies.length];
		await sleep(latencyMs);
		const to = method === 'POST' ? [String((body as { to: string }).to)] : [];
		if (kind === 200) gone.push(...to);
		if (kind === 500 || kind === 'timeout' || kind === 'connectionFailed') maybeGone.push(...to);
		if (typeof kind === 'string') {
			return connectionFailure(kind, kind === 'connectionRefused' ? 'notSent' : 'unknown');
		}
		const data = { message_id: `m${made}`, status: 'sent' };
		const headers = { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset };
		return {
			status: kind,
			headers: { ...headers, 'retry-after': retryAfter },
			body: kind === 200 ? { success: true, data } : {},
		};
	};
	return { httpRequest, gone, maybeGone };
}

it('whatever the API responds, runs end, each item has one true result, and nothing stays behind', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(reply, { minLength: 1, maxLength: 20 }),
			fc.array(run, { minLength: 1, maxLength: 3 }),
			fc.nat(),
			async (replies, runs, seed) => {
				const clock = createVirtualClock();
				const random = seededRandom(seed);
				const rateLimiter = new RateLimiter(new Pacer(random), clock);
				const api = apiOf(replies, clock.sleep);
				const all = runs.map(async (each, index) => {
					const named = { ...each, name: `run ${index}` };
					return await simulateRun(clock, rateLimiter, api, named, random);
				});
				const results = await clock.run(Promise.all(all));
				const whose = (isMeant: (result: Result) => unknown) =>
					results.flatMap((list, index) =>
						list.flatMap((result, item) => (isMeant(result) ? [`run ${index} ${item}`] : [])),
					);
				const sent = whose(messageOf);
				const unknown = whose(isUnknown);
				expect(results.map(({ length }) => length)).toEqual(runs.map(({ items }) => items));
				expect(sent.sort()).toEqual(api.gone.sort());
				expect(unknown.sort()).toEqual(api.maybeGone.sort());
				expect(clock.ticks()).toBeLessThan(DAY_MS);
				await clock.run(clock.sleep(11 * 60_000));
				expect(rateLimiter.isIdle()).toBe(true);
			},
		),
		sample(10),
	);
});
