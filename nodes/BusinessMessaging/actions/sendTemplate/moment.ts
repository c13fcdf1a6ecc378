import { tryToParseDateTime } from 'n8n-workflow';
import { containerName, InputError, quote } from '../../inputError';
import { isCalendarDay } from '../../values';

/**
 * A moment as epoch ms.
 * @param timezone for dates without an offset
 * @param name what the moment is in an error, at the beginning of a sentence
 * @throws InputError when it can't be read
 */
export function readMoment(value: unknown, timezone: string, name: string, remedy: string): number {
	const time = parseMoment(value, timezone);
	if (time !== undefined) return time;
	const shown = value instanceof Date ? undefined : containerName(value);
	throw new InputError(`${name} is not a date: ${shown ?? quote(String(value))}`, remedy);
}

/** From 2001 on. Other numbers, such as a spreadsheet's days or microseconds, lie outside. */
const IN_SECONDS = { from: 1e9, to: 1e11 };
const IN_MS = { from: 1e12, to: 1e14 };
const EPOCH_TEXT = /^\d{10,13}(?:\.\d+)?$/;

/**
 * A moment as epoch ms, from DateTime and Date objects, epoch seconds and milliseconds, and dates in
 * notations that have one meaning: not 01/02/2026, nor a time for which n8n would assume the
 * time zone of its server.
 */
function parseMoment(value: unknown, timezone: string): number | undefined {
	if (typeof value === 'number') return epochMs(value);
	const text = typeof value === 'string' ? value.trim() : value;
	if (typeof text === 'string') {
		if (EPOCH_TEXT.test(text)) return epochMs(Number(text));
		if (!hasOneMeaning(text)) return undefined;
	} else if (typeof text !== 'object' || Array.isArray(text)) {
		return undefined;
	}
	try {
		const time = tryToParseDateTime(text, timezone).toMillis();
		return time >= IN_MS.from ? time : undefined;
	} catch {
		return undefined;
	}
}

function epochMs(count: number): number | undefined {
	if (count >= IN_SECONDS.from && count < IN_SECONDS.to) return count * 1000;
	return count >= IN_MS.from && count < IN_MS.to ? count : undefined;
}

/** ISO and SQL dates, with or without an offset. */
const DATE =
	/^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|[+-]\d{2}(?::?\d{2})?))?)?$/i;

function hasOneMeaning(text: string): boolean {
	const found = DATE.exec(text);
	return found !== null && isCalendarDay(found[1]);
}
