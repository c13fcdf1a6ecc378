import fc from 'fast-check';

import { readRateLimit } from '../../../nodes/BusinessMessaging/transport/rateLimitHeaders';
import { sample } from '../../support/sample.mts';

const NOW = Date.UTC(2026, 0, 31, 12);
const MAX_RESET_MS = 65_000;
const HOUR_MS = 3_600_000;

function readReset(value: unknown) {
	return readRateLimit({ 'x-ratelimit-reset': value }, NOW).resetInMs;
}

describe('X-RateLimit-Reset', () => {
	it.each<[string, unknown, number | undefined]>([
		['epoch milliseconds', String(NOW + 30_000), 30_000],
		['epoch seconds', String(NOW / 1000 + 30), 30_000],
		['seconds from now', '30', 30_000],
		['a fraction of a millisecond more', '0.2501', 251],
		['the earliest count of epoch seconds', '1000000000', 0],
		['the earliest count of epoch milliseconds', '1000000000000', 0],
		['an HTTP date', new Date(NOW + 30_000).toUTCString(), 30_000],
		['a time that is over', String(NOW - 5000), 0],
		['a time that is too far away', '86400', MAX_RESET_MS],
		['unknown without a header', undefined, undefined],
		['unknown when it is no time', 'soon', undefined],
	])('is read as %s', (_, header, expected) => {
		expect(readReset(header)).toBe(expected);
	});

	it('is total and bounded on any header', () => {
		const header = fc.oneof(fc.anything(), fc.string(), fc.double().map(String));
		fc.assert(
			fc.property(header, (value) => {
				const delay = readReset(value);
				return delay === undefined || (delay >= 0 && delay <= MAX_RESET_MS);
			}),
			sample(200),
		);
	});
});

it.each([
	['3600', 3_600_000],
	[new Date(NOW + 90_000).toUTCString(), 90_000],
	['9e99', 365 * 24 * HOUR_MS],
])('reads Retry-After %p, up to a year', (header, expected) => {
	expect(readRateLimit({ 'retry-after': header }, NOW).retryAfterMs).toBe(expected);
});

it.each([
	['12.7', 12],
	['0', 0],
	['-1', undefined],
	['Infinity', undefined],
])('reads the remaining requests %j as %p', (header, expected) => {
	expect(readRateLimit({ 'x-ratelimit-remaining': header }, NOW).remaining).toBe(expected);
});
