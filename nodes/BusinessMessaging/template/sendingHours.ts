import {
	getCountries,
	getCountryCallingCode,
	parsePhoneNumberFromString,
} from '../bundled/libphonenumber';
import areaCodes from './northAmericanZones.json';

/** Between two times of day, in all of these time zones. */
export interface SendingHours {
	/** Minutes after midnight. */
	from: number;
	/** Minutes after midnight, up to 24:00; less than `from` if midnight lies between them. */
	until: number;
	zones: string[];
}

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
export const DAY_MINUTES = 24 * 60;
const MAX_SEARCH_MS = 3 * DAY_MINUTES * MINUTE_MS;

/**
 * The first moment from `now` on that is within the hours, in epoch ms; `now` itself if it is. If there is none for
 * three days, a later moment, at which to ask again.
 */
export function opensAt(hours: SendingHours, now: number): number {
	let at = now;
	while (at - now < MAX_SEARCH_MS) {
		const closed = hours.zones.find((zone) => !isOpen(hours, minuteOf(at, zone)));
		if (closed === undefined) return at;
		at = nextLook(hours, closed, at);
	}
	return at;
}

const WIDENED_MINUTES = 30;

/** The hours, widened at both ends as often as it takes for a time of day to be within them in all zones. */
export function suitingAllZones(hours: SendingHours, now: number): SendingHours {
	if (opensAt(hours, now) - now < MAX_SEARCH_MS) return hours;
	const from = (hours.from + DAY_MINUTES - WIDENED_MINUTES) % DAY_MINUTES;
	const until = (hours.until + WIDENED_MINUTES) % DAY_MINUTES;
	return suitingAllZones({ ...hours, from, until }, now);
}

function isOpen({ from, until }: SendingHours, minute: number): boolean {
	return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

function nextLook({ from }: SendingHours, zone: string, at: number): number {
	const minutes = (from - minuteOf(at, zone) + DAY_MINUTES) % DAY_MINUTES;
	const next = startOf(at, MINUTE_MS) + minutes * MINUTE_MS;
	// Unless the clocks change before that. They do so at a full quarter of an hour.
	return minuteOf(next, zone) === from ? next : startOf(at, QUARTER_MS) + QUARTER_MS;
}

function startOf(at: number, lengthMs: number): number {
	return Math.floor(at / lengthMs) * lengthMs;
}

/** By zone. To make one takes fifty times as long as to use it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The minutes after midnight that a clock in the zone shows. */
function minuteOf(at: number, timeZone: string): number {
	const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
	const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', time);
	formats.set(timeZone, format);
	const [hour, minute] = format.format(at).split(':');
	return Number(hour) * 60 + Number(minute);
}

/** Node.js takes the abbreviation BST for Bangladesh's time, and EST for one without summer time. */
const FULL_NAME = /\/|UTC|GMT/i;

/** Whether it is the full name of a time zone. An abbreviation may mean several. */
export function isTimeZone(timeZone: string): boolean {
	return FULL_NAME.test(timeZone) && hasClock(timeZone);
}

/** n8n takes time zones, such as UTC+5:30, whose clocks JavaScript can't tell. */
export function hasClock(timeZone: string): boolean {
	try {
		minuteOf(0, timeZone);
		return true;
	} catch {
		return false;
	}
}

/** A moment as clocks in the zone show it, or else in UTC: Mon 2 Feb 2026, 09:00 Europe/Berlin. */
export function formatMoment(at: number, timeZone: string): string {
	const zone = hasClock(timeZone) ? timeZone : 'UTC';
	const format = new Intl.DateTimeFormat('en-GB', {
		weekday: 'short',
		day: 'numeric',
		month: 'short',
		year: 'numeric',
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
		timeZone: zone,
	});
	// Rounded up: not a moment too early.
	const shown = format.format(Math.ceil(at / MINUTE_MS) * MINUTE_MS);
	return `${shown.replace(/^(\w+),/, '$1')} ${zone}`;
}

/** By +1 and area code. Made by `scripts/northAmericanZones.mjs`. */
const northAmericanZones = new Map(
	Object.entries(areaCodes).flatMap(([zones, codes]) =>
		codes.map((code): [string, string[]] => [`+1${code}`, zones.split('&')]),
	),
);

/** By country. Node.js knows the zones of all others, but takes a quarter of a millisecond to find them. */
const zonesByCountry = new Map([['XK', ['Europe/Belgrade']]]);

/**
 * The zones of the number's country. In North America, of its area: elsewhere mobile numbers have none.
 * @param number E.164
 * @returns none if the number belongs to no country
 */
export function zonesOfNumber(number: string): string[] {
	const ofArea = northAmericanZones.get(number.slice(0, '+1201'.length));
	if (ofArea) return ofArea;
	const { country, countryCallingCode: code } = parsePhoneNumberFromString(number) ?? {};
	const countries = country
		? [country]
		: getCountries().filter((each) => getCountryCallingCode(each) === code);
	return countries.flatMap(zonesOfCountry);
}

/** Newer versions of Node.js have a function in place of the property. */
interface WithTimeZones {
	timeZones: string[];
	getTimeZones?: () => string[];
}

export function zonesOfCountry(region: string): string[] {
	const known = zonesByCountry.get(region);
	if (known) return known;
	const locale = new Intl.Locale('und', { region }) as Intl.Locale & WithTimeZones;
	const zones = locale.getTimeZones?.() ?? locale.timeZones;
	zonesByCountry.set(region, zones);
	return zones;
}
