import { createHash } from 'crypto';

import type { Connection } from './connection';
import type { RateLimit } from './rateLimit';

/** 8.1: the limit counts requests per minute. */
const WINDOW_MS = 60_000;

/** Keeps the requests of one account below its limit. All times are epoch ms. */
export interface Pacer {
	/**
	 * Takes a place for a request, if there is one.
	 * @param limit requests per window; 0 to follow the server's pauses only
	 * @returns 0 when the place is taken, else the ms after which to ask again
	 */
	take: (limit: number, now: number) => number;
	/** Reports that a request that took a place has ended, with what its answer says. */
	ended: (now: number, rateLimit?: RateLimit) => void;
	/** No request before then: the API said 429. */
	blockUntil: (time: number) => void;
	isIdle: (now: number) => boolean;
}

/**
 * A sliding log. A request counts from its end on, because the API counts it at some moment before;
 * while it is under way it occupies a place. What the API reports can only tighten this.
 */
export function createPacer(windowMs = WINDOW_MS): Pacer {
	const endedAt: number[] = [];
	let underWay = 0;
	let blockedUntil = 0;
	/** The API's own count: the lowest number of places it reported for the window until then. */
	let reported = Infinity;
	let reportedUntil = 0;

	function forgetOld(now: number): void {
		while (endedAt.length > 0 && endedAt[0] <= now - windowMs) endedAt.shift();
		if (now >= reportedUntil) reported = Infinity;
	}

	return {
		take(limit, now) {
			forgetOld(now);
			if (now < blockedUntil) return blockedUntil - now;
			if (limit > 0) {
				// What is under way may or may not be in the API's count yet.
				if (reported <= 0) return reportedUntil - now;
				if (reported <= underWay) return Math.min(reportedUntil - now, POLL_MS);
				if (underWay + endedAt.length >= limit) return untilFree(limit, now);
			}
			underWay++;
			return 0;
		},
		ended(now, rateLimit) {
			underWay = Math.max(0, underWay - 1);
			endedAt.push(now);
			if (endedAt.length > MAX_LOG) endedAt.shift();
			const { remaining, resetInMs } = rateLimit ?? {};
			if (remaining === undefined || resetInMs === undefined) return;
			const isSameWindow = now + resetInMs <= reportedUntil + RESET_JITTER_MS;
			reported = isSameWindow ? Math.min(reported, remaining) : remaining;
			if (!isSameWindow) reportedUntil = now + resetInMs;
		},
		blockUntil(time) {
			blockedUntil = Math.max(blockedUntil, time);
		},
		isIdle(now) {
			forgetOld(now);
			return underWay === 0 && endedAt.length === 0 && now >= blockedUntil && now >= reportedUntil;
		},
	};

	function untilFree(limit: number, now: number): number {
		const blocking = endedAt[endedAt.length + underWay - limit];
		return blocking === undefined ? POLL_MS : blocking + windowMs - now;
	}
}

/** Resets in whole seconds differ by this much within one window. */
const RESET_JITTER_MS = 1000;

/** How often to look whether a request under way has ended. */
const POLL_MS = 20;

/** Bounds the memory of accounts without a limit. */
const MAX_LOG = 10_000;

const pacers = new Map<string, Pacer>();

/** The pacer that everything in this process shares which uses the same base URL and key. */
export function sharedPacer({ baseUrl, apiKey }: Connection, now: number): Pacer {
	const account = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
	const known = pacers.get(account);
	if (known) return known;
	for (const [other, pacer] of pacers) if (pacer.isIdle(now)) pacers.delete(other);
	const pacer = createPacer();
	pacers.set(account, pacer);
	return pacer;
}
