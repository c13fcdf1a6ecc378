import type { ResetUnit } from '../../../playground/api/settings.mts';
import { OTHER_ACCOUNT_KEY, PRODUCTION_KEY } from '../../../playground/api/wellKnown.mts';
import { lookUp, send, start } from './client.mts';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 400);
let now: jest.SpyInstance;

beforeEach(() => {
	now = jest.spyOn(Date, 'now').mockReturnValue(NOW);
});
afterEach(() => jest.restoreAllMocks());

test('a sliding window has room again for each request as it gets older than the window', async () => {
	const api = await start({ requestsPerWindow: 2, rateLimitWindow: 'sliding' });
	for (const [ms, expected, remaining, resetMs] of [
		[0, 404, '1', 60_000],
		[40_000, 404, '0', 60_000],
		// Refused, and not counted.
		[59_999, 429, '0', 60_000],
		[60_000, 404, '0', 100_000],
		[99_999, 429, '0', 100_000],
		[100_000, 404, '0', 120_000],
	] as const) {
		now.mockReturnValue(NOW + ms);
		const { status, headers } = await lookUp(api, 'none');
		const reset = String(NOW + resetMs);
		expect(status).toBe(expected);
		expect(headers).toMatchObject({
			'x-ratelimit-remaining': remaining,
			'x-ratelimit-reset': reset,
		});
	}
});

test.each<[ResetUnit, string]>([
	['epochSeconds', '1767268861'],
	['deltaSeconds', '60'],
	['isoDate', '2026-01-01T12:01:00.400Z'],
	['httpDate', 'Thu, 01 Jan 2026 12:01:01 GMT'],
])('the reset as %s is not before the window ends', async (resetUnit, value) => {
	const api = await start({ resetUnit });
	expect((await send(api)).headers['x-ratelimit-reset']).toBe(value);
});

test('Retry-After comes with 429 only', async () => {
	const api = await start({ retryAfter: 'seconds', requestsPerWindow: 1 });
	expect((await send(api)).headers['retry-after']).toBeUndefined();
	expect((await send(api)).headers['retry-after']).toBe('60');
});

test('each account has its own limit, and a 401 of no account has the headers', async () => {
	const api = await start({ requestsPerWindow: 1 });
	const { status, headers } = await send(api, {}, 'no-such-key');
	expect([status, headers['x-ratelimit-remaining']]).toEqual([401, '0']);
	expect((await send(api)).status).toBe(200);
	expect((await send(api, {}, PRODUCTION_KEY)).status).toBe(429);
	expect((await send(api, {}, OTHER_ACCOUNT_KEY)).status).toBe(200);
});
