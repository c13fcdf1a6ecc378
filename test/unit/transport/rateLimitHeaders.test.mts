import { readRateLimit } from '../../../nodes/BusinessMessaging/transport/rateLimitHeaders';

const NOW = Date.UTC(2026, 0, 31, 12);
const MAX_RESET_MS = 65_000;
const HOUR_MS = 3_600_000;

it.each<[string, unknown, number | undefined]>([
	['epoch milliseconds', String(NOW + 30_000), 30_000],
	['epoch seconds', String(NOW / 1000 + 30), 30_000],
	['seconds from now', '30', 30_000],
	['a fraction of a millisecond more', '0.2501', 251],
	['an HTTP date', new Date(NOW + 30_000).toUTCString(), 30_000],
	['a time that is over', String(NOW - 5000), 0],
	['a time that is too far away', '86400', MAX_RESET_MS],
	['unknown without a header', undefined, undefined],
	['unknown when it is no time', 'soon', undefined],
])('X-RateLimit-Reset is read as %s', (_, header, expected) => {
	const { resetInMs } = readRateLimit({ 'x-ratelimit-reset': header }, NOW);
	expect(resetInMs).toBe(expected);
});

it.each([
	['3600', 3_600_000],
	[new Date(NOW + 90_000).toUTCString(), 90_000],
	['9e99', 365 * 24 * HOUR_MS],
])('reads Retry-After %p, up to a year', (header, expected) => {
	expect(readRateLimit({ 'retry-after': header }, NOW).retryAfterMs).toBe(expected);
});

it.each([
	['12', 12],
	['-1', undefined],
])('reads the remaining requests %j as %p', (header, expected) => {
	expect(readRateLimit({ 'x-ratelimit-remaining': header }, NOW).remaining).toBe(expected);
});
