import { createHash } from 'crypto';
import type { Category } from '../api';
import type { Clock } from '../clock';
import type { Connection } from './credential';
import {
	type HowItEnded,
	keptOf,
	type OwnRequest,
	Pacer,
	type RequestKind,
	type WantedSlot,
} from './pacer';
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
/** How often requests that wait are looked at again. */
const POLL_MS = 500;

/** Gives the slots of one account to the runs that wait for them: the shortest first, and for look-ups in turn. */
export class RateLimiter {
	/** The run that got the last slot stands at the end. */
	private runs: Run[] = [];
	private isPolling = false;

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

	/** Gives out the slots there are, and comes back while requests wait. */
	pump(): void {
		const now = this.clock.ticks();
		for (const run of this.runs) run.expire(now);
		while (this.giveOne(now));
		if (!this.isPolling) void this.poll();
	}

	private async poll(): Promise<void> {
		this.isPolling = true;
		while (this.runs.some((run) => KINDS.some((kind) => run.waiting[kind].length > 0))) {
			const now = this.clock.ticks();
			const limited = this.runs.filter((run) => {
				const wanted = run.wants('main');
				return wanted && this.pacer.isLimited(wanted, now);
			});
			await this.clock.sleep(POLL_MS);
			for (const run of limited) run.waitedMs += POLL_MS;
			this.pump();
		}
		this.isPolling = false;
	}

	/** @returns whether a slot was given */
	private giveOne(now: number): boolean {
		for (const kind of KINDS) {
			for (const run of kind === 'main' ? shortestFirst(this.runs) : this.runs) {
				const wanted = run.wants(kind);
				if (!wanted || run.size.places.free === 0) continue;
				if (this.pacer.isLimited(wanted, now)) continue;
				if (this.pacer.hasEnoughInFlight(wanted.limit)) continue;
				this.leave(run);
				this.runs.push(run);
				run.give(kind, this.pacer.begin(wanted, now));
				return true;
			}
		}
		return false;
	}
}

/** The most urgent last: for a login code somebody waits, and for a service message most likely. */
const URGENT: Array<Category | undefined> = ['service', 'authentication'];

/** Of runs that are as long, the one whose next message is more urgent, and then the one that came first. */
function shortestFirst(runs: Run[]): Run[] {
	const urgency = ({ waiting }: Run) => URGENT.indexOf(waiting.main.at(0)?.category);
	return [...runs].sort((a, b) => a.length - b.length || urgency(b) - urgency(a));
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
	/** How many more requests it may have in flight. The accounts of a run share it. */
	places: { free: number };
}

/** One run of a node, among all runs that share an account. */
export class Run {
	readonly waiting: Record<RequestKind, WaitingRequest[]> = {
		lastLookUp: [],
		main: [],
		lookUp: [],
	};
	private readonly closed = new Set<RequestKind>();
	/** Time during which main requests waited for the rate limit, in ms. */
	waitedMs = 0;

	constructor(
		readonly rateLimiter: RateLimiter,
		readonly size: RunSize,
	) {}

	/** In requests. Each round of a loop before it has made one at least. */
	get length(): number {
		return this.size.calls + this.size.round;
	}

	/** @returns the slot, or why there will be none */
	async acquire(request: QueuedRequest): Promise<Slot | 'tooLate' | 'closed'> {
		if (this.closed.has(request.kind)) return 'closed';
		return await new Promise((resolve) => {
			this.waiting[request.kind].push({ ...request, resolve });
			this.rateLimiter.pump();
		});
	}

	/** Gives no more slots, or none of these kinds; requests that wait learn it at once. */
	close(kinds = KINDS): void {
		for (const kind of kinds) {
			this.closed.add(kind);
			for (const { resolve } of this.waiting[kind].splice(0)) resolve('closed');
		}
		if (this.closed.size === KINDS.length) this.rateLimiter.leave(this);
	}

	/** The slot that its first request of a kind waits for. */
	wants(kind: RequestKind): WantedSlot | undefined {
		const [first] = this.waiting[kind];
		return first && { kind, limit: first.limit, isShort: this.length <= keptOf(first.limit) };
	}

	/** Drops the requests whose deadline has passed. */
	expire(now: number): void {
		for (const kind of KINDS) {
			this.waiting[kind] = this.waiting[kind].filter(({ deadline, resolve }) => {
				if (deadline < now) resolve('tooLate');
				return deadline >= now;
			});
		}
	}

	/** Gives a slot to the first request of a kind. */
	give(kind: RequestKind, request: OwnRequest): void {
		this.size.places.free--;
		this.waiting[kind].shift()!.resolve(new Slot(this, request));
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
		const { pacer, clock } = this.run.rateLimiter;
		pacer.end(this.request, clock.ticks(), how, rateLimit);
	}

	/** Lets the next request begin. Without an end the request was not made. */
	release(): void {
		if (!this.hasEnded) this.end('notMade', {});
		this.run.size.places.free++;
		this.run.rateLimiter.pump();
	}
}
