import { REMAINING_HEADER, RESET_HEADER } from '../../api';
import { textOf } from '../../textOf';

/** 8.1 does not say in which unit the reset is given. No window is longer than a minute. */
const MAX_RESET_MS = 65_000;

/** A longer `Retry-After` is no pause within a run. */
export const PATIENCE_MS = 5 * 60_000;

const EPOCH_SECONDS_FROM = 1e9;
const EPOCH_MS_FROM = 1e12;

/** `Date` has whole seconds, and an answer is under way for a while: less is no difference of clocks. */
const CLOCK_TOLERANCE_MS = 3000;

export interface RateLimit {
	/** Requests left in the window. */
	remaining?: number;
	/** Milliseconds until the window is over, 0 to 65,000. */
	resetInMs?: number;
	/** Milliseconds that `Retry-After` asks to wait; not bounded above. */
	retryAfterMs?: number;
}

/**
 * Reads the rate-limit headers (8.1) and `Retry-After` of an answer.
 * @param now epoch ms here; the server's own clock, in `Date`, counts when it is another one
 */
export function readRateLimit(headers: Record<string, unknown>, now: number): RateLimit {
	const serverNow = timeAtServer(headers.date, now);
	return {
		remaining: readCount(headers[REMAINING_HEADER]),
		resetInMs: readReset(headers[RESET_HEADER], serverNow),
		retryAfterMs: readDelay(headers['retry-after'], serverNow),
	};
}

function readReset(value: unknown, now: number): number | undefined {
	const delay = readDelay(value, now);
	return delay === undefined ? undefined : Math.min(delay, MAX_RESET_MS);
}

function timeAtServer(date: unknown, now: number): number {
	const time = Date.parse(headerText(date));
	return Math.abs(time - now) > CLOCK_TOLERANCE_MS ? time : now;
}

/** Takes epoch milliseconds, epoch seconds, seconds from now (RFC 9110 has these), and dates. Never throws. */
function readDelay(value: unknown, now: number): number | undefined {
	const text = headerText(value);
	if (!text) return undefined;
	const number = Number(text);
	const delay = Number.isNaN(number) ? Date.parse(text) - now : delayOf(number, now);
	return Number.isNaN(delay) ? undefined : Math.max(0, Math.ceil(delay));
}

function delayOf(number: number, now: number): number {
	if (number >= EPOCH_MS_FROM) return number - now;
	if (number >= EPOCH_SECONDS_FROM) return number * 1000 - now;
	return number * 1000;
}

function readCount(value: unknown): number | undefined {
	const text = headerText(value);
	const count = text ? Number(text) : NaN;
	return Number.isFinite(count) && count >= 0 ? Math.floor(count) : undefined;
}

/** A header that was sent twice arrives as a list. */
function headerText(value: unknown): string {
	return textOf(Array.isArray(value) ? value[0] : value);
}
