import { REMAINING_HEADER, RESET_HEADER } from '../api';
import { UNITS_MS } from '../clock';
import { textOf } from '../values';

export interface RateLimit {
	/** Requests left in the window. */
	remaining?: number;
	/** Milliseconds until the window ends, 0 to 65,000. */
	resetInMs?: number;
	/** Milliseconds that `Retry-After` asks to wait. */
	retryAfterMs?: number;
}

/** A longer `Retry-After` is no pause within a run. */
export const PATIENCE_MS = 5 * 60_000;

/** No window is longer than a minute (8.1). */
const MAX_RESET_MS = 65_000;
/** A year, so that the end of any delay is a date. */
const MAX_DELAY_MS = 365 * UNITS_MS.days;

/**
 * Reads the rate-limit headers (8.1) and `Retry-After` of a response.
 * @param now epoch ms
 */
export function readRateLimit(headers: Record<string, unknown>, now: number): RateLimit {
	const resetInMs = readDelay(headers[RESET_HEADER], now);
	return {
		remaining: readCount(headers[REMAINING_HEADER]),
		resetInMs: resetInMs === undefined ? undefined : Math.min(resetInMs, MAX_RESET_MS),
		retryAfterMs: readDelay(headers['retry-after'], now),
	};
}

/** 8.1 does not give the unit: takes epoch milliseconds, epoch seconds, seconds from now, and dates. */
function readDelay(value: unknown, now: number): number | undefined {
	const text = textOf(value);
	if (!text) return undefined;
	const number = Number(text);
	const delay = Number.isNaN(number) ? Date.parse(text) - now : delayOf(number, now);
	return Number.isNaN(delay) ? undefined : Math.min(Math.max(0, Math.ceil(delay)), MAX_DELAY_MS);
}

const EPOCH_SECONDS_FROM = 1e9;
const EPOCH_MS_FROM = 1e12;

function delayOf(number: number, now: number): number {
	if (number >= EPOCH_MS_FROM) return number - now;
	if (number >= EPOCH_SECONDS_FROM) return number * 1000 - now;
	return number * 1000;
}

function readCount(value: unknown): number | undefined {
	const text = textOf(value);
	const count = text ? Number(text) : NaN;
	return Number.isFinite(count) && count >= 0 ? count : undefined;
}
