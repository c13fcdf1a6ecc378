import type { IDataObject } from 'n8n-workflow';

// Reads values whose type nobody guarantees: from expressions, the API and events.

/** Whether the value is missing, or a text of white space only. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

/** Whether the value is a text with more than white space. */
export function isText(value: unknown): value is string {
	return typeof value === 'string' && !isBlank(value);
}

/** Whether the value is an object, neither null nor a list. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text or number as a trimmed text; '' for anything else. */
export function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** An ID as a text; undefined for numbers beyond 2^53, because rounding may have made two IDs equal. */
export function idOf(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
	return isText(value) ? value : undefined;
}

/**
 * Whether the day exists. Date itself reads 30 February as 2 March.
 * @param day as `2026-02-28`
 */
export function isCalendarDay(day: string): boolean {
	// The JSON of a date that can't be read is null.
	return JSON.stringify(new Date(day)).startsWith(`"${day}`);
}

/** In the order of their first ones. */
export function grouped<Item, Key>(items: Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
	const groups = new Map<Key, Item[]>();
	for (const item of items) {
		const group = groups.get(keyOf(item)) ?? [];
		groups.set(keyOf(item), group);
		group.push(item);
	}
	return groups;
}

export function linesOf(text: string): string[] {
	return text.split(/\r\n?|\n/);
}

/** The beginning of a text, in which no emoji is cut in two. */
export function truncate(text: string, length: number): string {
	return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** Whether a parameter, as it was entered, is an expression. */
export function isExpression(entered: unknown): entered is string {
	return typeof entered === 'string' && entered.startsWith('=');
}

const MAX_QUOTED_LENGTH = 100;

/** A foreign text in quotes, for a line of the log. */
export function quoteForLog(text: unknown): string {
	return JSON.stringify(String(text).slice(0, MAX_QUOTED_LENGTH));
}

const MAX_LINE_LENGTH = 300;

/** One line of the log, in which no foreign text can end the line or control a terminal. */
export function lineForLog(text: string): string {
	return text
		.slice(0, MAX_LINE_LENGTH)
		.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
}
