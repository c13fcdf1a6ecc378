import fc from 'fast-check';
import { DateTime } from 'luxon';

import { getCountries } from '../../../nodes/BusinessMessaging/bundled/libphonenumber';
import areaCodes from '../../../nodes/BusinessMessaging/template/northAmericanZones.json';
import {
	isTimeZone,
	opensAt,
	type SendingHours,
	formatMoment,
	zonesOfCountry,
	zonesOfNumber,
} from '../../../nodes/BusinessMessaging/template/sendingHours';
import { sample } from '../../support/sample.mts';

function minutes(time: string): number {
	const [hour, minute] = time.split(':');
	return Number(hour) * 60 + Number(minute);
}

function hours(from: string, until: string, ...zones: string[]): SendingHours {
	return { from: minutes(from), until: minutes(until), zones };
}

const DAY = hours('09:00', '20:00', 'UTC');
const NIGHT = hours('22:00', '02:00', 'UTC');

// docs/sending.md: judged by the clock on the wall
it.each<[string, SendingHours, string, string]>([
	['in the hours', DAY, '2026-02-01T12:34:56.789Z', 'now'],
	['at their first moment', DAY, '2026-02-01T09:00:00Z', 'now'],
	['a moment before', DAY, '2026-02-01T08:59:59.999Z', '2026-02-01T09:00Z'],
	['a moment before their end', DAY, '2026-02-01T19:59:59.999Z', 'now'],
	['at their end', DAY, '2026-02-01T20:00:00Z', '2026-02-02T09:00Z'],
	['over midnight, before', NIGHT, '2026-02-01T23:59:00Z', 'now'],
	['over midnight, after', NIGHT, '2026-02-02T01:59:59Z', 'now'],
	['over midnight, at the end', NIGHT, '2026-02-02T02:00:00Z', '2026-02-02T22:00Z'],
])('a message may go out %s', (_, open, at, expected) => {
	const opens = new Date(expected === 'now' ? at : expected);
	expect(new Date(opensAt(open, Date.parse(at)))).toEqual(opens);
});

it.each([
	// Clocks go from 02:00 to 03:00, and later from 03:00 to 02:00.
	['02:30', '20:00', 'Europe/Berlin', '2026-03-29T00:00Z', '2026-03-29T01:00Z'],
	['02:15', '02:45', 'Europe/Berlin', '2026-10-25T00:50Z', '2026-10-25T01:15Z'],
	// By half an hour.
	['09:00', '20:00', 'Australia/Lord_Howe', '2026-10-03T12:00Z', '2026-10-03T22:00Z'],
])(
	'when clocks change, %s to %s in %s, asked at %s, begins at %s',
	(from, until, zone, ...moments) => {
		const [now, expected] = moments.map((each) => Date.parse(each));
		expect(opensAt(hours(from, until, zone), now)).toBe(expected);
	},
);

const ZONES = ['UTC', 'Asia/Kathmandu', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe'];
const someHours = fc
	.record({
		from: fc.integer({ min: 0, max: 1439 }),
		until: fc.integer({ min: 0, max: 1439 }),
		zones: fc.uniqueArray(fc.constantFrom(...ZONES), { minLength: 1, maxLength: 2 }),
	})
	.filter(({ from, until }) => from !== until);

/** Days on which clocks change in one of the zones, and one on which they do not. */
const someMoment = fc
	.tuple(
		fc.constantFrom(
			'2026-03-08',
			'2026-03-29',
			'2026-10-04',
			'2026-10-25',
			'2026-11-01',
			'2026-06-01',
		),
		fc.integer({ min: -1440, max: 1440 }),
	)
	.map(([day, minute]) => Date.parse(day) + minute * 60_000);

it('the moment is the first at which the clocks of all zones show a time within the hours', () => {
	const isOpen = ({ from, until, zones }: SendingHours, at: number) =>
		zones.every((zone) => {
			const { hour, minute } = DateTime.fromMillis(at, { zone });
			// Counted from `from`, around the clock.
			return (hour * 60 + minute - from + 1440) % 1440 < (until - from + 1440) % 1440;
		});
	fc.assert(
		fc.property(someHours, someMoment, (open, now) => {
			const opens = opensAt(open, now);
			const limit = Math.min(opens, now + 2 * 1440 * 60_000);
			for (let at = now; at < limit; at += 60_000) expect(isOpen(open, at)).toBe(false);
			if (opens - now < 3 * 1440 * 60_000) expect(isOpen(open, opens)).toBe(true);
		}),
		sample(10),
	);
});

// docs/sending.md: a country with several time zones
describe('the zones of a number', () => {
	it.each([
		['+919876543210', ['Asia/Calcutta']],
		['+38344123456', ['Europe/Belgrade']],
		['+882161234567', []],
		['+12025550110', ['America/New_York']],
		['+18085550110', ['Pacific/Honolulu']],
		// Orlando, as 407; Saskatchewan, as 306. Upstream has Chicago and Winnipeg.
		['+16895550110', ['America/New_York']],
		['+14745550110', ['America/Regina']],
		// Several in one area code; also in that of an overlay.
		['+18505550110', ['America/Chicago', 'America/New_York']],
		['+14485550110', ['America/Chicago', 'America/New_York']],
		// Not by an area code: the table has Moscow for all phones of Russia.
		['+79161234567', zonesOfCountry('RU')],
	])('%s', (number, zones) => {
		expect(zonesOfNumber(number)).toEqual(zones);
	});

	it('are those of all countries with its code if the country is not certain', () => {
		const zones = zonesOfNumber('+15550000001');
		expect(zones).toEqual(expect.arrayContaining(['Pacific/Honolulu', 'America/St_Johns']));
		expect(zones.length).toBeGreaterThan(zonesOfCountry('US').length);
	});

	// 09:00 in New York; for a toll-free number in Honolulu, when it is 14:00 in New York; in Perth, when it is 12:00 in Sydney.
	it.each([
		['+12025550110', '2026-01-31T14:00:00.000Z'],
		['+18005550110', '2026-01-31T19:00:00.000Z'],
		['+61412345678', '2026-02-01T01:00:00.000Z'],
	])('let nobody be woken in a wide country: %s from %s on', (number, opens) => {
		const now = Date.UTC(2026, 0, 31, 13);
		const open = { ...hours('09:00', '20:00'), zones: zonesOfNumber(number) };
		expect(new Date(opensAt(open, now)).toISOString()).toBe(opens);
	});

	it('are known of every country but two islands', () => {
		const countries = getCountries();
		expect(countries.filter((country) => !zonesOfCountry(country).every(isTimeZone))).toEqual([]);
		const unknown = countries.filter((country) => zonesOfCountry(country).length === 0);
		expect(unknown).toEqual(['AC', 'TA']);
	});

	it('are known to Node.js, also those of the table', () => {
		const zones = Object.keys(areaCodes).flatMap((each) => each.split('&'));
		expect(zones.filter((zone) => !isTimeZone(zone))).toEqual([]);
	});
});

it.each([
	['2026-02-02T14:00:00.000Z', 'America/New_York', 'Mon 2 Feb 2026, 09:00 America/New_York'],
	// Rounded up: not a moment too early.
	['2026-02-01T18:30:00.001Z', 'Asia/Kolkata', 'Mon 2 Feb 2026, 00:01 Asia/Kolkata'],
	// A time zone of n8n that JavaScript does not know.
	['2026-02-01T18:30:00.000Z', 'UTC+5:30', 'Sun 1 Feb 2026, 18:30 UTC'],
])('%s is shown as the clocks of %s show it', (at, zone, shown) => {
	expect(formatMoment(Date.parse(at), zone)).toBe(shown);
});

it.each([
	['asia/kolkata', true],
	['Utc', true],
	['Etc/GMT+1', true],
	['/', false],
	// Node.js takes it for Bangladesh's.
	['BST', false],
	// Node.js takes it for one without summer time.
	['EST', false],
])('"%s" is a time zone: %p', (zone, expected) => {
	expect(isTimeZone(zone)).toBe(expected);
});
