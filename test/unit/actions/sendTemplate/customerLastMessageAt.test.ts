import fc from 'fast-check';
import { DateTime } from 'luxon';

import { readCustomerLastMessageAt } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/customerLastMessageAt';

const NOW = Date.UTC(2026, 0, 31, 14, 5);
const AT_TWO = Date.UTC(2026, 0, 31, 14);
const MINUTE_MS = 60_000;

describe("the time of the customer's last message", () => {
	function read(value: unknown, timezone = 'Asia/Kolkata'): number {
		return readCustomerLastMessageAt(value, timezone, NOW);
	}

	it.each<[string, unknown]>([
		['an ISO date in UTC', '2026-01-31T14:00:00Z'],
		['an ISO date with milliseconds', '2026-01-31T14:00:00.000Z'],
		['an ISO date with an offset', '2026-01-31T19:30:00+05:30'],
		['an ISO date with a short offset', '2026-01-31T19:30:00+0530'],
		['an ISO date with a zone', '2026-01-31T14:00:00Z[UTC]'],
		['an ISO date in UTC with the zone of the customer', '2026-01-31T14:00:00Z[Asia/Kolkata]'],
		['an ISO date with an offset and its zone', '2026-01-31T19:30:00+05:30[Asia/Kolkata]'],
		['an ISO date whose offset is not that of its zone', '2026-01-31T14:00:00+00:00[Asia/Kolkata]'],
		['an ISO date with a zone and a calendar', '2026-01-31T14:00:00Z[Asia/Kolkata][u-ca=hebrew]'],
		['an ISO date without an offset, in the zone of the workflow', '2026-01-31T19:30:00'],
		['a date and time without seconds', '2026-01-31T19:30'],
		['a date and time as databases write it', '2026-01-31 19:30:00'],
		['a date and time with milliseconds', '2026-01-31T19:30:00.000'],
		['a database date with an offset', '2026-01-31 14:00:00+00'],
		['a database date in UTC', '2026-01-31 14:00:00 UTC'],
		['the date of an HTTP header', 'Sat, 31 Jan 2026 14:00:00 GMT'],
		['the date of an email', 'Sat, 31 Jan 2026 19:30:00 +0530'],
		['what a Date object is as text', 'Sat Jan 31 2026 19:30:00 GMT+0530 (India Standard Time)'],
		['a date with another day in its remark', 'Sat, 31 Jan 2026 14:00:00 GMT (2026-02-30)'],
		['a date with spaces around it', ' 2026-01-31T14:00:00Z\n'],
		['epoch seconds', AT_TWO / 1000],
		['epoch seconds as text', `${AT_TWO / 1000}`],
		['epoch seconds with a fraction', `${AT_TWO / 1000}.000`],
		['epoch milliseconds', AT_TWO],
		['epoch milliseconds as text', ` ${AT_TWO} `],
		['a Date object', new Date(AT_TWO)],
		['a DateTime object', DateTime.fromMillis(AT_TWO)],
		['a DateTime object of another zone', DateTime.fromMillis(AT_TWO, { zone: 'Asia/Tokyo' })],
	])('can be %s', (_, value) => {
		expect(read(value)).toBe(AT_TWO);
	});

	it.each([
		['Asia/Kolkata', '2026-01-30T18:30:00Z'],
		['America/New_York', '2026-01-31T05:00:00Z'],
		['UTC', '2026-01-31T00:00:00Z'],
	])('a date alone is midnight in %s', (timezone, expected) => {
		expect(read('2026-01-31', timezone)).toBe(Date.parse(expected));
	});

	it.each<[unknown, number]>([
		[1e9, 1e12],
		[1e12, 1e12],
		['1000000000', 1e12],
		[new Date(1e12), 1e12],
	])('%j is the earliest count', (value, expected) => {
		expect(read(value)).toBe(expected);
	});

	it.each<[unknown]>([[1e9 - 1], [1e11], [1e12 - 1], [1e14], [new Date(1e12 - 1)]])(
		'%j is outside of what a count can be',
		(value) => {
			expect(() => read(value)).toThrow("Customer's Last Message At is not a date: ");
		},
	);

	it.each<[unknown, string]>([
		[['yesterday'], 'a list'],
		[{ at: 'noon' }, 'an object'],
		[true, '"true"'],
		['yesterday', '"yesterday"'],
		[new Date('x'), '"Invalid Date"'],
	])('%j is named as %s when it is no date', (value, shown) => {
		expect(() => read(value)).toThrow(
			new RegExp(`^Customer's Last Message At is not a date: ${shown}$`),
		);
	});

	it.each<[unknown]>([[undefined], [null], [''], [' \n']])('%j is empty', (value) => {
		expect(() => read(value)).toThrow("Category is Auto, but Customer's Last Message At is empty");
	});

	it.each<[string, unknown]>([
		['a word', 'yesterday'],
		['a word with a number', 'order 12'],
		['a time without a date', '14:05'],
		['a year', '2026'],
		['a day that could be a month', '01/02/2026'],
		['a date in words, whose zone is unknown', 'Jan 31, 2026 2:00 PM'],
		['a date and time of a 12-hour clock', '2026-01-31 2:00 PM'],
		['a date behind a word', 'on 2026-01-31'],
		['a date and time behind a word', '- 2026-01-31T14:00:00Z'],
		['a weekday behind a word', 'on Sat, 31 Jan 2026 14:00:00 GMT'],
		['a date with a remark that does not end', 'Sat, 31 Jan 2026 14:00:00 GMT (unclosed'],
		['a text that goes on behind the offset', '2026-01-31T14:00:00Z2'],
		['a count with a sign', `+${AT_TWO}`],
		['a count with an exponent', `${AT_TWO / 1000}e0`],
		['the digits of a date as a large integer', 20260131n],
		['a day that does not exist', '2026-02-30'],
		['a moment on a day that does not exist', '2026-02-30T10:00:00Z'],
		['a moment on a day of an HTTP header that does not exist', 'Sat, 30 Feb 2025 14:00:00 GMT'],
		['a moment on a day of an email that does not exist', 'Mon, 31 Nov 2025 19:30:00 +0530'],
		['what no Date object is as text', 'Sat Feb 30 2025 19:30:00 GMT+0530 (India Standard Time)'],
		['a moment on a day of an old header', 'Sunday, 30-Feb-25 14:00:00 GMT'],
		['a moment on a day behind its month', 'Feb 30, 2025 14:00:00 GMT'],
		['an hour that does not exist', '2026-01-31T25:00:00Z'],
		['the day count of a spreadsheet', 46053.58],
		['the day count of a spreadsheet as text', '46053.58'],
		['digits without separators', '202601311400'],
		['microseconds', AT_TWO * 1000],
		['microseconds as text', `${AT_TWO * 1000}`],
		['zero', 0],
		['a negative number', -AT_TWO],
		['NaN', NaN],
		['Infinity', Infinity],
		['a day before there were such messages', '1971-06-01T00:00:00Z'],
		['an invalid Date object', new Date('x')],
		['an invalid DateTime object', DateTime.invalid('x')],
		['an invalid DateTime object as text', 'Invalid DateTime'],
		['a boolean', true],
		['a list', ['2026-01-31T14:00:00Z']],
		['an object', { timestamp: '2026-01-31T14:00:00Z' }],
	])('can not be %s', (_, value) => {
		expect(() => read(value)).toThrow("Customer's Last Message At is not a date: ");
	});

	it('can be a text of 100 characters, and no more', () => {
		const remark = (length: number) => `Sat, 31 Jan 2026 14:00:00 GMT (${'x'.repeat(length - 32)})`;
		expect(read(remark(100))).toBe(AT_TWO);
		expect(() => read(remark(101))).toThrow('is not a date');
	});

	it('may be ahead by the 5 minutes that clocks differ, and no more', () => {
		const limit = NOW + 5 * MINUTE_MS;
		expect(read(limit)).toBe(limit);
		expect(() => read(limit + 1)).toThrow(
			'Customer\'s Last Message At is in the future: "2026-01-31T14:10:00.001Z"',
		);
	});

	it('is the same from every notation of one moment', () => {
		const moments = fc.date({
			min: new Date('2001-10-01'),
			max: new Date(NOW),
			noInvalidDate: true,
		});
		const zones = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Chatham');
		fc.assert(
			fc.property(moments, zones, (date, zone) => {
				const dateTime = DateTime.fromJSDate(date, { zone });
				expect(read(date)).toBe(date.getTime());
				expect(read(dateTime)).toBe(date.getTime());
				expect(read(date.toISOString(), zone)).toBe(date.getTime());
				expect(read(dateTime.toISO(), 'UTC')).toBe(date.getTime());
				expect(read(date.getTime() / 1000)).toBeCloseTo(date.getTime(), 2);
			}),
		);
	});

	it('is a moment up to now, or an error that says what to do, whatever comes', () => {
		const cyclic: Record<string, unknown> = {};
		cyclic.self = cyclic;
		const anything = fc.oneof(
			fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }),
			fc.stringMatching(/^[\d:/.TZ+ -]{0,30}$/),
			fc.constant(cyclic),
		);
		fc.assert(
			fc.property(anything, (value) => {
				try {
					expect(read(value)).toBeLessThanOrEqual(NOW + 5 * MINUTE_MS);
				} catch (error) {
					expect(error).toMatchObject({ name: 'InputError', remedy: expect.stringMatching(/\.$/) });
				}
			}),
			{ numRuns: 500 },
		);
	});
});
