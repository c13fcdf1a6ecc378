import { backoff } from './backoff';
import { createOwnRequests } from './ownRequests';
import type { OwnRequest } from './ownRequests';
import { PATIENCE_MS } from './rateLimit';
import type { RateLimit } from './rateLimit';
import { createReports } from './reports';

/** 8.1: the limit counts requests per minute. */
export const WINDOW_MS = 60_000;

/**
 * Without headers, the places of a window are taken over this long: few are too many when it is full,
 * and other processes find it open.
 */
const BURST_MS = 6000;
/** So shortly before a window ends, nothing needs to be left in it. */
const RELEASE_MS = 3000;
/** One of so many places is left for runs that need few. */
const PLACES_PER_RESERVED = 20;
/** Those that came too early and look once more, at their last moment, may go over the half by so much. */
const LAST_LOOK_UPS = 1.1;
/** Clocks of two machines may go differently by this in a window. */
const DRIFT_MS = 100;
/** What a count that slides along can't have forgotten by chance. */
const FORGOTTEN_FOR_CERTAIN = 5;
/** Without headers, only refusals tell that a window is full: one more under way after so many answers. */
const ANSWERS_PER_MORE = 4;
/** After so short a rest others may have taken what the last answer still told of. */
const STALE_MS = 30;
const PAUSE_BEFORE_PROBE_MS = 1000;

/**
 * What a request is for. Look-ups for those who wait stand back, but for the last one in time: that one
 * goes first within the look-ups' half of the limit, and else takes what nobody wants.
 */
export type Kind = 'main' | 'lookUp' | 'lastLookUp' | 'spareLookUp';

export interface Place {
	kind: Kind;
	/** Requests per window that its run allows itself; Infinity for no limit. */
	limit: number;
	/** How many main requests its run has still to make. */
	left: number;
	/** How many it makes in all. */
	calls: number;
}

/** `refused`: because of the limit (429). `unanswered`: nobody knows whether the API counted it. */
export type HowItEnded = 'answered' | 'refused' | 'unanswered';

/** Keeps the requests of one account below its limit. All times are ticks in ms. */
export interface Pacer {
	/**
	 * Forgets what no longer counts.
	 * @returns ms until a request may begin: 0 at once, Infinity when one under way has to end first
	 */
	wait: (place: Place, now: number) => number;
	begin: (place: Place, now: number) => OwnRequest;
	end: (request: OwnRequest, now: number, how: HowItEnded, rateLimit: RateLimit) => void;
	/** It was not made after all. */
	release: (request: OwnRequest, now: number) => void;
	/** A message needs a look-up within the window, for which sends leave a place. @returns its end */
	owe: () => () => void;
	owes: () => boolean;
	/** How often in a row the API refused, bursts counting once, and for how long it has done so. */
	refused: (now: number) => { times: number; forMs: number };
	isIdle: (now: number) => boolean;
}

/**
 * Keeps three counts. Our own of the last minute, because the API may have no headers, and an answer
 * may fail to come. The API's, where its headers tell it: it includes what other processes send. And
 * the part of the limit that others leave to us: n8n's workers know nothing of each other.
 */
export function createPacer(random: () => number, windowMs = WINDOW_MS): Pacer {
	const own = createOwnRequests(windowMs);
	const reports = createReports(windowMs);
	/** The part of the limit that others left to us, in a count that slides along. */
	let allowance = Infinity;
	let nextTryForMoreAt = -Infinity;
	/** The API's count begins anew at its reset, and does not slide along. */
	let beginsAnew = false;
	let owed = 0;
	let blockedUntil = -Infinity;
	let refusals = 0;
	let firstRefusalAt = 0;
	let lastRefusalAt = -Infinity;
	/** Answers since a window began, a refusal or a rest: one more request may be under way after each. */
	let answers = 0;
	let lastEndAt = 0;

	const used = () => own.upTo(Infinity);
	const lookUpsPerWindow = (limit: number) => Math.max(1, Math.floor(limit / 2));
	const withLast = (limit: number) => Math.ceil(LAST_LOOK_UPS * lookUpsPerWindow(limit));

	/** The API counts a request at some moment before its end: a window later it is out of its count. */
	function countedSince(now: number): number {
		return Math.max(now - windowMs, beginsAnew ? reports.beganAt(now) : -Infinity);
	}

	function forgetOld(now: number): void {
		own.forgetEndedBy(countedSince(now));
		if (used() === 0) allowance = Infinity;
	}

	/** Places that sends leave for look-ups. */
	function kept({ kind, limit }: Place): number {
		if (kind !== 'main') return 0;
		return Math.min(owed, Math.max(0, withLast(limit) - own.lookUps()), limit - 1);
	}

	/** Places that are left for runs that need few. */
	function reserved({ kind, limit, left }: Place): number {
		const places = Math.floor(limit / PLACES_PER_RESERVED);
		const isFew = kind === 'main' && left <= places;
		const isInHalf = kind === 'lookUp' || kind === 'lastLookUp';
		return isFew || isInHalf ? 0 : places;
	}

	/**
	 * In a count that slides along, a place that is taken late is free again late. So that a run takes no longer, it
	 * leaves no more places than its last window has to spare.
	 */
	function spare({ limit, calls }: Place): number {
		return beginsAnew ? 0 : (limit - (calls % limit)) % limit;
	}

	function untilOwnLimit(place: Place, now: number): number {
		const waits = [place.limit, Math.max(place.limit, own.highestLimit())].map((limit) => {
			const leftAt = (number: number) => own.leftAt(number, (other) => other.limit <= limit);
			const tooMany = own.upTo(limit) + kept(place) + 1 - limit;
			const wait = tooMany > 0 ? leftAt(tooMany) - now : 0;
			const few = Math.min(reserved(place), spare(place));
			if (tooMany + few <= 0) return wait;
			const released = Math.min(leftAt(tooMany + few), leftAt(few) - RELEASE_MS);
			return Math.max(wait, released - now);
		});
		return Math.max(...waits);
	}

	/** Look-ups take at most half of the limit, one after the other when there is but one for each message. */
	function untilLookUp({ kind, limit }: Place, now: number): number {
		if (kind === 'main' || kind === 'spareLookUp') return 0;
		const most = lookUpsPerWindow(limit);
		const isLast = kind === 'lastLookUp';
		const tooMany = own.lookUps() + 1 - (isLast ? withLast(limit) : most);
		if (tooMany > 0) return own.leftAt(tooMany, ({ isLookUp }) => isLookUp) - now;
		if (isLast || own.lookUps() + owed < most) return 0;
		return Math.max(0, own.lastLookUpAt() + windowMs / most - now);
	}

	/** Beyond what others left to us the last time, one request at a time tries for more. */
	function untilAllowance(now: number): number {
		if (beginsAnew || used() < allowance || reports.remaining(now) !== undefined) return 0;
		const leavesAt = own.leftAt(used() - allowance + 1);
		return own.underWay() > 0 ? Infinity : Math.max(0, Math.min(leavesAt, nextTryForMoreAt) - now);
	}

	function untilSpread({ limit }: Place, now: number): number {
		if (reports.remaining(now) !== undefined) return 0;
		const gap = BURST_MS / Math.max(limit, own.highestLimit());
		return Math.max(0, own.lastStartAt() + gap - now);
	}

	function untilReported(place: Place, now: number): number {
		const remaining = reports.remaining(now);
		if (remaining === undefined) return 0;
		const untilReset = reports.endsAt() - now;
		// What is under way may or may not be in the API's count yet.
		const free = remaining - own.underWay() - Math.min(kept(place), Math.floor(remaining / 2));
		if (free <= 0) return own.underWay() > 0 ? Infinity : untilReset;
		if (!beginsAnew || free > reserved(place)) return 0;
		return Math.max(0, untilReset - RELEASE_MS);
	}

	function mostUnderWay(now: number): number {
		const remaining = reports.remaining(now);
		if (remaining === undefined) return Math.max(1, Math.ceil(answers / ANSWERS_PER_MORE));
		return Math.max(1, Math.min(answers, Math.floor(remaining * reports.share())));
	}

	/** A count that slides along would still have what we sent less than a window ago. */
	function learnKind({ limit, startedAt }: OwnRequest, remaining: number, now: number): void {
		const counted = Math.max(reports.highest(), limit) - remaining;
		const sent = own.within(now - windowMs + DRIFT_MS, startedAt);
		if (Number.isFinite(limit) && sent - counted >= FORGOTTEN_FOR_CERTAIN) beginsAnew = true;
	}

	function answered(request: OwnRequest, { remaining }: RateLimit, now: number): void {
		answers++;
		refusals = 0;
		if (remaining !== undefined) learnKind(request, remaining, now);
		if (used() > allowance || remaining === 0) allowance = used();
	}

	function refused({ startedAt }: OwnRequest, rateLimit: RateLimit, now: number): void {
		const { remaining, retryAfterMs, resetInMs } = rateLimit;
		// Nobody asked for so long: what was refused before says nothing of now.
		if (startedAt - Math.max(lastRefusalAt, blockedUntil) > 2 * windowMs) refusals = 0;
		const asked = retryAfterMs ?? (remaining ? undefined : resetInMs);
		if (asked !== undefined && asked <= PATIENCE_MS)
			blockedUntil = Math.max(blockedUntil, now + asked);
		answers = 0;
		// Sent before the refusal that is known already: the same one.
		if (startedAt < lastRefusalAt) return;
		if (refusals++ === 0) firstRefusalAt = now;
		lastRefusalAt = now;
		const isTryForMore = used() >= allowance;
		if (isTryForMore) nextTryForMoreAt = now + windowMs / 2;
		if (asked === undefined && refusals === 1 && !isTryForMore) {
			// Perhaps it is about this one recipient: another request finds out.
			blockedUntil = Math.max(blockedUntil, now + PAUSE_BEFORE_PROBE_MS);
			return;
		}
		allowance = Math.min(allowance, used());
		const leavesAt = asked === undefined && own.ended() > 0 ? own.leftAt(1) : -Infinity;
		// At first without chance: a minute after others have filled a window it opens again.
		const chance = refusals > 6 ? random() : 0;
		blockedUntil = Math.max(blockedUntil, leavesAt, now + backoff(refusals, chance));
	}

	return {
		wait(place, now) {
			forgetOld(now);
			if (now < blockedUntil) return blockedUntil - now;
			if (place.limit === Infinity) return refusals > 0 && own.underWay() > 0 ? Infinity : 0;
			return Math.max(
				untilOwnLimit(place, now),
				untilLookUp(place, now),
				untilAllowance(now),
				untilReported(place, now),
				untilSpread(place, now),
				own.underWay() < mostUnderWay(now) ? 0 : Infinity,
			);
		},
		begin({ limit, kind }, now) {
			if (own.underWay() === 0 && now - lastEndAt > STALE_MS) answers = 0;
			const request = { limit, isLookUp: kind !== 'main', startedAt: now };
			own.start(request);
			return request;
		},
		end(request, now, how, rateLimit) {
			own.end(request, now, how !== 'refused');
			lastEndAt = now;
			if (reports.add(rateLimit, now)) answers = 0;
			if (how === 'refused') refused(request, rateLimit, now);
			if (how === 'answered') answered(request, rateLimit, now);
		},
		release: (request, now) => own.end(request, now, false),
		owe() {
			owed++;
			let isOwed = true;
			return () => {
				if (isOwed) owed--;
				isOwed = false;
			};
		},
		owes: () => owed > 0,
		refused: (now) => ({ times: refusals, forMs: refusals > 0 ? now - firstRefusalAt : 0 }),
		isIdle: (now) =>
			own.haveEndedBy(countedSince(now)) && now >= blockedUntil && now >= reports.endsAt(),
	};
}
