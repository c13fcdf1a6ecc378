import { isText } from './isBlank';

/** A text, or a number as one, without white space around it; '' for anything else. */
export function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** An ID as a text. Numbers beyond 2^53 have been rounded, so that two may look like one. */
export function idOf(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
	return isText(value) ? value : undefined;
}
