import { createHash } from 'crypto';
import type { Category } from '../api';
import type { Clock } from '../clock';
import type { Connection } from './credential';
import { type HowItEnded, type OwnRequest, Pacer, type RequestKind, type RunLength } from './pacer';
import type { RateLimit } from './rateLimitHeaders';

const accounts = new Map<string, RateLimiter>();

/** The rate limiter that all runs in this process with the same base URL and key share. */
export function openRateLimiter({ baseUrl, apiKey }: Connection, clock: Clock): RateLimiter {
	const account = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
	const known = accounts.get(account);
	if (known) return known;
	for (const [other, rateLimiter] of accounts) {
		if (rateLimiter.isIdle()) accounts.delete(other);
	}
	const rateLimiter = new RateLimiter(new Pacer(Math.random), clock);
	accounts.set(account, rateLimiter);
	return rateLimiter;
}

/** The order in which requests get slots: last look-ups can't wait; early ones would hold up sends. */
const KINDS: RequestKind[] = ['lastLookUp', 'main', 'lookUp'];
const LONGEST_SLEEP_MS = 1000;

/** Gives the slots of one account to the runs that wait for them: the shortest first, and for look-ups in turn. */
export class RateLimiter {
	/** The run that got the last slot stands at the end. */
	private runs: Run[] = [];
	private wakesAt = Infinity;
	private nextDeadline = Infinity;

	constructor(
		readonly pacer: Pacer,
		readonly clock: Clock,
	) {}

	join(size: RunSize): Run {
		const run = new Run(this, size);
		this.runs.push(run);
		return run;
	}

	leave(run: Run): void {
		this.runs = this.runs.filter((other) => other !== run);
	}

	isIdle(): boolean {
		return this.runs.length === 0 && this.pacer.isIdle(this.clock.ticks());
	}

	/** A run has a new request. */
	queued({ deadline }: QueuedRequest): void {
		this.nextDeadline = Math.min(this.nextDeadline, deadline);
		this.pump();
	}

	/** Gives out the slots there are, and comes back when there may be more. */
	readonly pump = (): void => {
		const now = this.clock.ticks();
		// Looks through all queues only when a deadline has passed.
		if (now > this.nextDeadline) {
			this.nextDeadline = Math.min(...this.runs.map((run) => run.expire(now)));
		}
		let wait = 0;
		while (wait === 0) wait = this.giveOne(now);
		if (!KINDS.some((kind) => this.isWaiting(kind))) return;
		this.wakeIn(Math.min(Math.max(wait, 1), this.nextDeadline - now + 1, LONGEST_SLEEP_MS), now);
	};

	/** @returns 0 when a slot was given, else after how many ms there may be one */
	private giveOne(now: number): number {
		const sendWaits = this.isWaiting('main');
		let shortest = Infinity;
		for (const kind of KINDS) {
			for (const run of kind === 'main' ? shortestFirst(this.runs) : this.runs) {
				const first = this.firstOf(run, kind, now);
				if (!first || run.size.parallelLimit.isFull(this.pump)) continue;
				const { limit } = first;
				const { left } = run;
				const wanted = { kind, limit, length: run.lengthAt(limit, now), left, sendWaits };
				const wait = this.pacer.wait(wanted, now);
				if (kind === 'main') run.noteLimit(wait > 0 && wait < Infinity, now);
				if (wait === 0) {
					this.leave(run);
					this.runs.push(run);
					run.give(kind, this.pacer.begin(wanted, now));
					return 0;
				}
				shortest = Math.min(shortest, wait);
			}
		}
		return shortest;
	}

	/** What certainly gets no slot before its deadline does not wait for it. */
	private firstOf(run: Run, kind: RequestKind, now: number): WaitingRequest | undefined {
		const queue = run.waiting[kind];
		const isLate = ({ deadline, limit }: QueuedRequest) =>
			deadline < Infinity && deadline < now + this.pacer.earliest(limit, now);
		while (queue.length > 0 && isLate(queue[0])) queue.shift()?.resolve('tooLate');
		return queue.at(0);
	}

	private isWaiting(kind: RequestKind): boolean {
		return this.runs.some(({ waiting }) => waiting[kind].length > 0);
	}

	private wakeIn(ms: number, now: number): void {
		const wakesAt = now + ms;
		if (wakesAt >= this.wakesAt) return;
		this.wakesAt = wakesAt;
		void this.clock.sleep(ms).then(() => {
			if (this.wakesAt !== wakesAt) return;
			this.wakesAt = Infinity;
			this.pump();
		});
	}
}

/** The most urgent last: for a login code somebody waits, and for a service message most likely. */
const URGENT: Array<Category | undefined> = ['service', 'authentication'];

/** Of runs with as many messages left, the one whose next message is more urgent, and then the one that came first. */
function shortestFirst(runs: Run[]): Run[] {
	const urgency = ({ waiting }: Run) => URGENT.indexOf(waiting.main.at(0)?.category);
	return [...runs].sort((a, b) => a.rank - b.rank || urgency(b) - urgency(a));
}

/** A request that waits for a slot. */
export interface QueuedRequest {
	kind: RequestKind;
	/** Of the message that it sends. */
	category?: Category;
	/** Requests per window; Infinity for no limit. */
	limit: number;
	/** Ticks in ms; the request must not begin later. */
	deadline: number;
}

interface WaitingRequest extends QueuedRequest {
	resolve: (slot: Slot | 'tooLate' | 'closed') => void;
}

export interface RunSize {
	/** How many requests the run will make, but for look-ups of messages that are waited for. */
	calls: number;
	/** How many rounds of a loop were before it. */
	round: number;
	/** The accounts of a run share it. */
	parallelLimit: ParallelLimit;
}

/** One run of a node, among all runs that share an account. */
export class Run {
	/** How many of the calls are still to be made. */
	left: number;
	readonly waiting: Record<RequestKind, WaitingRequest[]> = {
		lastLookUp: [],
		main: [],
		lookUp: [],
	};
	private readonly closed = new Set<RequestKind>();
	private length?: RunLength;
	private limitedSince?: number;
	/** Time during which main requests waited for the rate limit, in ms. */
	waitedMs = 0;

	constructor(
		readonly rateLimiter: RateLimiter,
		readonly size: RunSize,
	) {
		this.left = size.calls;
	}

	/** @returns the slot, or why there will be none */
	async acquire(request: QueuedRequest): Promise<Slot | 'tooLate' | 'closed'> {
		if (this.closed.has(request.kind)) return 'closed';
		return await new Promise((resolve) => {
			this.waiting[request.kind].push({ ...request, resolve });
			this.rateLimiter.queued(request);
		});
	}

	/** Gives no more slots, or none of these kinds; requests that wait learn it at once. */
	close(kinds = KINDS): void {
		for (const kind of kinds) {
			this.closed.add(kind);
			for (const { resolve } of this.waiting[kind].splice(0)) resolve('closed');
		}
		if (this.closed.size < KINDS.length) return;
		this.rateLimiter.leave(this);
		this.noteLimit(false, this.rateLimiter.clock.ticks());
	}

	/** The lower, the sooner it is its turn. Each round of a loop before it has made a request at least. */
	get rank(): number {
		return this.left + this.size.round;
	}

	/** It stays what it is when it first wants a slot: the last messages of a long run must not take what is kept. */
	lengthAt(limit: number, now: number): RunLength {
		this.length ??= this.rateLimiter.pacer.lengthOf(limit, this.size, now);
		return this.length;
	}

	noteLimit(isLimited: boolean, now: number): void {
		if (isLimited) this.limitedSince ??= now;
		else if (this.limitedSince !== undefined) {
			this.waitedMs += now - this.limitedSince;
			this.limitedSince = undefined;
		}
	}

	/** Drops the requests whose deadline has passed. @returns the next deadline */
	expire(now: number): number {
		let next = Infinity;
		for (const kind of KINDS) {
			this.waiting[kind] = this.waiting[kind].filter(({ deadline, resolve }) => {
				if (deadline < now) resolve('tooLate');
				else next = Math.min(next, deadline);
				return deadline >= now;
			});
		}
		return next;
	}

	/** Gives a slot to the first request of a kind. */
	give(kind: RequestKind, request: OwnRequest): void {
		this.size.parallelLimit.take();
		if (kind === 'main') this.left--;
		this.waiting[kind].shift()?.resolve(new Slot(this, request));
	}
}

/** The right to make one request. */
export class Slot {
	private hasEnded = false;

	constructor(
		private readonly run: Run,
		private readonly request: OwnRequest,
	) {}

	/** The request has ended, with what its response says of the rate limit. */
	end(how: HowItEnded, rateLimit: RateLimit): void {
		this.hasEnded = true;
		const isStillToBeMade = how === 'rateLimited' || how === 'notMade';
		if (isStillToBeMade && !this.request.isLookUp) this.run.left++;
		const { pacer, clock } = this.run.rateLimiter;
		pacer.end(this.request, clock.ticks(), how, rateLimit);
	}

	/** Lets the next request begin. Without an end the request was not made. */
	release(): void {
		if (!this.hasEnded) this.end('notMade', {});
		this.run.size.parallelLimit.release();
		this.run.rateLimiter.pump();
	}
}

/** The requests that one run may have in flight, whatever their accounts. */
export class ParallelLimit {
	private readonly waiting = new Set<() => void>();

	constructor(private free: number) {}

	/** @param pump is called once when a request may begin */
	isFull(pump: () => void): boolean {
		if (this.free === 0) this.waiting.add(pump);
		return this.free === 0;
	}

	take(): void {
		this.free--;
	}

	/** The account that has waited longest is asked first; from then on it waits behind the others. */
	release(): void {
		this.free++;
		for (const pump of [...this.waiting]) {
			this.waiting.delete(pump);
			pump();
			if (this.free === 0) return;
		}
	}
}
