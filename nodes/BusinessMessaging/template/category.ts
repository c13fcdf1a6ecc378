import { tryToParseDateTime } from 'n8n-workflow';

import type { Category } from '../api';
import { InputError, quote } from '../inputError';
import { isWindowOpen } from '../serviceWindow';

/** Clocks of two machines differ; more than this ahead is a wrong date. */
const CLOCK_SKEW_MS = 5 * 60 * 1000;

const EPOCH_SECONDS_BELOW = 1e11;

export interface CategoryChoice {
	category: Category | 'auto';
	/** Epoch milliseconds; set for `auto`. */
	customerLastMessageAt?: number;
	fallbackCategory?: Category;
}

/** The category to send with. `auto` is decided here, so call it at the moment of sending. */
export function categoryAt(choice: CategoryChoice, now: number): Category {
	if (choice.category !== 'auto') return choice.category;
	const open = isWindowOpen(choice.customerLastMessageAt ?? -Infinity, now);
	return open ? 'service' : (choice.fallbackCategory ?? 'utility');
}

/**
 * The time of the customer's last message as epoch ms. Takes what expressions give: ISO and other
 * common dates, DateTime and Date objects, epoch seconds and milliseconds.
 * @param timezone for dates without an offset
 * @throws InputError when there is none, it can't be read, or it lies in the future
 */
export function readCustomerLastMessageAt(value: unknown, timezone: string, now: number): number {
	const isText = typeof value === 'string';
	if (value === undefined || value === null || (isText && value.trim() === '')) {
		throw new InputError(
			"Category is Auto, but Customer's Last Message At is empty",
			'Map the time of the customer\'s last message, for example "timestamp" of the incoming message, or choose a fixed category.',
		);
	}
	const time = parseTime(value, timezone);
	if (time === undefined) {
		throw new InputError(
			`Customer's Last Message At is not a date: ${quote(value)}`,
			'Use a date and time such as 2026-01-31T14:05:00Z, or choose a fixed category.',
		);
	}
	if (time > now + CLOCK_SKEW_MS) {
		throw new InputError(
			`Customer's Last Message At is in the future: ${quote(new Date(time).toISOString())}`,
			'Check the date and its time zone.',
		);
	}
	return time;
}

function parseTime(value: unknown, timezone: string): number | undefined {
	if (typeof value === 'boolean' || Array.isArray(value)) return undefined;
	const number =
		typeof value === 'number' || (typeof value === 'string' && /^\s*\d{9,13}\s*$/.test(value))
			? Number(value)
			: undefined;
	if (number !== undefined) return epochMs(number);
	try {
		const time = tryToParseDateTime(value, timezone).toMillis();
		return Number.isFinite(time) && time > 0 ? time : undefined;
	} catch {
		return undefined;
	}
}

function epochMs(number: number): number | undefined {
	if (!Number.isFinite(number) || number < 1e8) return undefined;
	const time = number < EPOCH_SECONDS_BELOW ? number * 1000 : number;
	return time < 8.64e15 ? time : undefined;
}
