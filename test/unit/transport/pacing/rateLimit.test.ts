import fc from 'fast-check';

import { readRateLimit } from '../../../../nodes/BusinessMessaging/transport/pacing/rateLimit';

const NOW = Date.UTC(2026, 0, 31, 12);
const MAX_RESET_MS = 65_000;

function readReset(value: unknown) {
	return readRateLimit({ 'x-ratelimit-reset': value }, NOW).resetInMs;
}

describe('X-RateLimit-Reset', () => {
	it.each([
		['epoch milliseconds', String(NOW + 30_000), 30_000],
		['epoch seconds', String(NOW / 1000 + 30), 30_000],
		['seconds from now', '30', 30_000],
		['fractions of a second', '0.25', 250],
		['a fraction of a millisecond more', '0.2501', 251],
		['the earliest count of epoch seconds', '1000000000', 0],
		['the earliest count of epoch milliseconds', '1000000000000', 0],
		['an ISO date', new Date(NOW + 30_000).toISOString(), 30_000],
		['an HTTP date', new Date(NOW + 30_000).toUTCString(), 30_000],
		['a number instead of a text', 30, 30_000],
		['a header that was sent twice', ['30', '40'], 30_000],
		['a time that is over', String(NOW - 5000), 0],
		['a time that is too far away', '86400', MAX_RESET_MS],
		['a negative number', '-5', 0],
	])('is read as %s', (_, header, expected) => {
		expect(readReset(header)).toBe(expected);
	});

	it.each([[undefined], [''], [' '], ['soon'], [[['30']]], [null], [{}], [[]], [true]])(
		'is unknown when it is %p',
		(header) => {
			expect(readReset(header)).toBeUndefined();
		},
	);

	it('is total and bounded on any header', () => {
		const header = fc.oneof(
			fc.anything(),
			fc.string(),
			fc.double().map(String),
			fc.bigInt().map(String),
			fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
		);
		fc.assert(
			fc.property(header, (value) => {
				const delay = readReset(value);
				return delay === undefined || (delay >= 0 && delay <= MAX_RESET_MS);
			}),
			{ numRuns: 2000 },
		);
	});
});

it('reads Retry-After as seconds and as a date, without an upper bound', () => {
	const read = (value: string) => readRateLimit({ 'retry-after': value }, NOW).retryAfterMs;
	expect(read('3600')).toBe(3_600_000);
	expect(read(new Date(NOW + 90_000).toUTCString())).toBe(90_000);
});

it.each([
	['12', 12],
	['12.7', 12],
	['0', 0],
	[0, 0],
	['-1', undefined],
	['', undefined],
	['many', undefined],
	['Infinity', undefined],
])('reads the remaining requests %j as %p', (header, expected) => {
	expect(readRateLimit({ 'x-ratelimit-remaining': header }, NOW).remaining).toBe(expected);
});

it('reads all three headers of an answer', () => {
	const headers = {
		'x-ratelimit-remaining': '12',
		'x-ratelimit-reset': '20',
		'retry-after': '5',
	};
	expect(readRateLimit(headers, NOW)).toEqual({
		remaining: 12,
		resetInMs: 20_000,
		retryAfterMs: 5000,
	});
	expect(readRateLimit({ 'x-ratelimit-remaining': 'many' }, NOW)).toEqual({});
});

describe('with a server whose clock is another', () => {
	const AHEAD_MS = 3_600_000;
	const date = new Date(NOW + AHEAD_MS).toUTCString();
	const reset = String(NOW + AHEAD_MS + 30_000);

	it.each([
		['an hour ahead', NOW],
		['that is right, while ours is an hour ahead', NOW + 2 * AHEAD_MS],
	])('%s, its dates are read by its own Date', (_, now) => {
		const headers = { date, 'x-ratelimit-reset': reset, 'retry-after': date };
		expect(readRateLimit(headers, now)).toMatchObject({ resetInMs: 30_000, retryAfterMs: 0 });
	});

	it('seconds from now need no date', () => {
		const headers = { date, 'x-ratelimit-reset': '30', 'retry-after': '5' };
		expect(readRateLimit(headers, NOW)).toMatchObject({ resetInMs: 30_000, retryAfterMs: 5000 });
	});

	it.each([new Date(NOW - 3000).toUTCString(), 'yesterday', undefined])(
		'Date %p counts for nothing when it is ours but for the seconds, or no date',
		(header) => {
			const headers = { date: header, 'x-ratelimit-reset': String(NOW + 30_000) };
			expect(readRateLimit(headers, NOW).resetInMs).toBe(30_000);
		},
	);
});
