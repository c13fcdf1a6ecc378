import { tryToParseDateTime } from 'n8n-workflow';

import { isCalendarDay } from '../../isCalendarDay';

/** From 2001 on. Other counts, such as a spreadsheet's days or microseconds, lie outside. */
const EPOCH_SECONDS = { from: 1e9, to: 1e11 };
const EPOCH_MS = { from: 1e12, to: 1e14 };
const EPOCH_TEXT = /^\d{10,13}(?:\.\d+)?$/;

const MAX_TEXT_LENGTH = 100;
const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/i;
/** RFC 9557: with an offset before it, the zone in brackets is a remark. Luxon would go by it alone. */
const ZONE_REMARK = / ?\[.*\]/;
/** ISO and SQL dates, and those that begin with a weekday or a month, with an offset at the end. */
const WITH_OFFSET =
	/^(?:\d{4}-\d{2}-\d{2}[T ]|[a-z]{3,9},? ).*:\d{2}(?:\.\d+)? ?(?:Z|UTC|GMT|(?:UTC|GMT)?[+-]\d{2}(?::?\d{2})?)(?: ?[[(].*[\])])?$/i;

/**
 * A moment as epoch ms: of DateTime and Date objects, epoch seconds and milliseconds, and dates in
 * notations that have one meaning. Not of 01/02/2026, nor of a time that n8n would take to be in
 * the time zone of its server.
 * @param timezone for dates without an offset
 */
export function parseMoment(value: unknown, timezone: string): number | undefined {
	if (typeof value === 'number') return epochMs(value);
	const text = typeof value === 'string' ? value.trim() : value;
	if (typeof text === 'string') {
		if (EPOCH_TEXT.test(text)) return epochMs(Number(text));
		if (!isReadable(text)) return undefined;
	} else if (typeof text !== 'object' || Array.isArray(text)) {
		return undefined;
	}
	try {
		const time = tryToParseDateTime(withoutRemark(text), timezone).toMillis();
		return time >= EPOCH_MS.from ? time : undefined;
	} catch {
		return undefined;
	}
}

function withoutRemark(value: unknown): unknown {
	return typeof value === 'string' ? value.replace(ZONE_REMARK, '') : value;
}

function isReadable(text: string): boolean {
	if (text.length > MAX_TEXT_LENGTH) return false;
	if (!WITHOUT_OFFSET.test(text) && !WITH_OFFSET.test(text)) return false;
	const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
	return day === undefined ? isDayInWords(text) : isCalendarDay(day);
}

/** As in "Sat, 30 Feb 2026 14:05:00 GMT", where the first number is the day of the month. */
function isDayInWords(text: string): boolean {
	const [date] = text.split(/ (?=\d{2}:)/, 1);
	return new Date(`${date} UTC`).getUTCDate() === parseInt(date.replace(/^\D+/, ''), 10);
}

function epochMs(count: number): number | undefined {
	if (count >= EPOCH_SECONDS.from && count < EPOCH_SECONDS.to) return count * 1000;
	return count >= EPOCH_MS.from && count < EPOCH_MS.to ? count : undefined;
}
