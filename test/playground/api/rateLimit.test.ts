import { resetValue } from '../../../playground/api/rateLimit.ts';
import type { ResetUnit } from '../../../playground/api/settings.ts';
import { OTHER_ACCOUNT_KEY, PRODUCTION_KEY } from '../../../playground/api/wellKnown.ts';
import { localApis, lookUp, send } from './client.ts';

const start = localApis();
const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 400);

afterEach(() => jest.restoreAllMocks());

function clock() {
	return jest.spyOn(Date, 'now').mockReturnValue(NOW);
}

describe('rate limit', () => {
	test('60 requests a minute pass, the next is 429, a new minute has room again', async () => {
		const now = clock();
		const api = await start();
		const answers = [];
		for (let request = 1; request <= 61; request += 1) answers.push(await lookUp(api, 'none'));

		expect(answers.map(({ status }) => status)).toEqual([...Array(60).fill(404), 429]);
		expect(answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))).toEqual([
			...Array.from({ length: 60 }, (_value, index) => 59 - index),
			0,
		]);
		expect(answers[60].headers['x-ratelimit-reset']).toBe(String(NOW + 60_000));
		expect(answers[60].json.error.code).toBe('TOO_MANY_REQUESTS');

		now.mockReturnValue(NOW + 59_999);
		expect((await lookUp(api, 'none')).status).toBe(429);
		now.mockReturnValue(NOW + 60_000);
		expect((await lookUp(api, 'none')).headers['x-ratelimit-remaining']).toBe('59');
	});

	test('a sliding window has room again for each request as it gets older than the window', async () => {
		const now = clock();
		const api = await start({ requestsPerWindow: 2, rateLimitWindow: 'sliding' });
		const statusAt = async (ms: number) => {
			now.mockReturnValue(NOW + ms);
			const { status, headers } = await lookUp(api, 'none');
			return [status, headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']];
		};
		expect(await statusAt(0)).toEqual([404, '1', String(NOW + 60_000)]);
		expect(await statusAt(40_000)).toEqual([404, '0', String(NOW + 60_000)]);
		// Refused, and not counted.
		expect(await statusAt(59_999)).toEqual([429, '0', String(NOW + 60_000)]);
		expect(await statusAt(60_000)).toEqual([404, '0', String(NOW + 100_000)]);
		expect(await statusAt(99_999)).toEqual([429, '0', String(NOW + 100_000)]);
		expect(await statusAt(100_000)).toEqual([404, '0', String(NOW + 120_000)]);
	});

	test('sending and looking up share the limit, and a refused message is not sent', async () => {
		const api = await start({ requestsPerWindow: 2 });
		expect((await lookUp(api, 'none')).status).toBe(404);
		expect((await send(api)).status).toBe(200);
		expect((await send(api)).status).toBe(429);
		expect(api.messages.size).toBe(1);
	});

	test.each([
		['account', 429],
		['key', 200],
	] as const)('per %s, a second key of an account gets %i', async (rateLimitPer, status) => {
		const api = await start({ requestsPerWindow: 1, rateLimitPer });
		await send(api);
		expect((await send(api, {}, PRODUCTION_KEY)).status).toBe(status);
		expect((await send(api, {}, OTHER_ACCOUNT_KEY)).status).toBe(200);
	});

	test.each<[ResetUnit, string]>([
		['epochMs', '1767268860400'],
		['epochSeconds', '1767268861'],
		['deltaSeconds', '60'],
		['isoDate', '2026-01-01T12:01:00.400Z'],
		['httpDate', 'Thu, 01 Jan 2026 12:01:01 GMT'],
	])('the reset as %s is not before the window ends', async (resetUnit, value) => {
		clock();
		const api = await start({ resetUnit });
		expect((await send(api)).headers['x-ratelimit-reset']).toBe(value);
	});

	test('a part of a second is a whole one', () => {
		expect(resetValue('deltaSeconds', NOW + 1, NOW)).toBe('1');
	});

	test.each([
		['none', undefined],
		['seconds', '60'],
		['httpDate', 'Thu, 01 Jan 2026 12:01:01 GMT'],
	] as const)('Retry-After as %s comes with 429 only', async (retryAfter, value) => {
		clock();
		const api = await start({ retryAfter, requestsPerWindow: 1 });
		expect((await send(api)).headers['retry-after']).toBeUndefined();
		expect((await send(api)).headers['retry-after']).toBe(value);
	});

	test('a 429 asked for by a template name shows no requests left', async () => {
		const api = await start();
		const answer = await send(api, { templateName: 'always_429' });
		expect(answer.status).toBe(429);
		expect(answer.headers['x-ratelimit-remaining']).toBe('0');
	});

	test('without headers, or without a limit, there are no headers', async () => {
		const api = await start({ rateLimitHeaders: false });
		expect(Object.keys((await send(api)).headers).join()).not.toContain('ratelimit');
		Object.assign(api.settings, { rateLimitHeaders: true, requestsPerWindow: 0 });
		for (let request = 1; request <= 70; request += 1) {
			const { status, headers } = await send(api);
			expect([status, headers['x-ratelimit-remaining']]).toEqual([200, undefined]);
		}
	});
});
