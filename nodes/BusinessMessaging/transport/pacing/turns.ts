import type { Clock } from '../../clock';
import type { OwnRequest } from './ownRequests';
import type { HowItEnded, Kind, Pacer, Place } from './pacer';
import type { RateLimit } from './rateLimit';

/** A request that waits for its turn. */
export interface Wish {
	kind: QueueName;
	/** Requests per window; Infinity for no limit. */
	limit: number;
	/** Ticks in ms; its turn must not come later. */
	giveUpAt?: number;
}

export interface Turn {
	/** The request has ended, with what its answer says. */
	end: (how: HowItEnded, rateLimit: RateLimit) => void;
	/** Lets the next one begin. Without an end the request was not made. */
	leave: () => void;
}

/** One run of a node, among all that share an account. */
export interface Run {
	/** @returns the turn, or why there will be none */
	turn: (wish: Wish) => Promise<Turn | 'tooLate' | 'closed'>;
	/** Gives no more turns, or none of these kinds; those who wait learn it at once. */
	close: (kinds?: Array<Wish['kind']>) => void;
	/** Time during which main requests waited for the rate limit, in ms. */
	waitedMs: () => number;
}

export interface RunSize {
	/** How many requests may be under way at the same time. */
	concurrency: number;
	/** How many calls there will be but for look-ups of messages that are waited for. */
	calls: number;
	/** Given when a run has several accounts: they share its concurrency. */
	slots?: Slots;
}

/** The requests that one run may have in flight, whatever their accounts. */
export class Slots {
	private readonly waiting = new Set<() => void>();

	constructor(private free: number) {}

	/** @param pump is called once when a slot becomes free */
	isFull(pump: () => void): boolean {
		if (this.free === 0) this.waiting.add(pump);
		return this.free === 0;
	}

	take(): void {
		this.free--;
	}

	/** Whoever waited longest is asked first, and waits behind the others from then on. */
	leave(): void {
		this.free++;
		for (const pump of [...this.waiting]) {
			this.waiting.delete(pump);
			pump();
			if (this.free === 0) return;
		}
	}
}

export interface Turns {
	join: (size: RunSize) => Run;
	readonly pacer: Pacer;
	isIdle: () => boolean;
}

interface QueuedWish extends Wish {
	answer: (turn: Turn | 'tooLate' | 'closed') => void;
}

interface Queue {
	slots: Slots;
	calls: number;
	left: number;
	waiting: Record<QueueName, QueuedWish[]>;
	limitedSince?: number;
	waitedMs: number;
}

type QueueName = Exclude<Kind, 'spareLookUp'>;

/** Last look-ups can't wait; the others would only hold up sending. */
const ORDER: Array<[QueueName, Kind]> = [
	['lastLookUp', 'lastLookUp'],
	['main', 'main'],
	['lookUp', 'lookUp'],
	['lastLookUp', 'spareLookUp'],
];
const QUEUES: QueueName[] = ['lastLookUp', 'main', 'lookUp'];
const LONGEST_SLEEP_MS = 1000;

/** Gives the places of an account to the runs that wait for them, in turn. */
export function createTurns(pacer: Pacer, clock: Clock): Turns {
	const joined = new Set<Queue>();
	/** Those that have asked for a turn. The run whose turn came last stands at the end. */
	let runs: Queue[] = [];
	let wakesAt = Infinity;
	let nextLateAt = Infinity;

	/** Gives out what there is, and comes back when there is more. */
	function pump(): void {
		const now = clock.ticks();
		expire(now);
		let wait = 0;
		while (wait === 0) wait = giveOne(now);
		if (!runs.some(hasWaiting)) return;
		wakeIn(Math.min(Math.max(wait, 1), nextLateAt - now + 1, LONGEST_SLEEP_MS), now);
	}

	/** @returns 0 when a turn was given, else after how many ms there may be one */
	function giveOne(now: number): number {
		const mainWaits = runs.some(({ waiting }) => waiting.main.length > 0);
		let shortest = Infinity;
		for (const [name, kind] of ORDER) {
			// What sends leave to look-ups, these may have at any time; the rest only when nobody sends.
			if (mainWaits && (kind === 'spareLookUp' || (kind === 'lookUp' && !pacer.owes()))) continue;
			for (const run of runs) {
				const [first] = run.waiting[name];
				if (!first || run.slots.isFull(pump)) continue;
				const place = { kind, limit: first.limit, left: run.left, calls: run.calls };
				const wait = pacer.wait(place, now);
				if (kind === 'main') note(run, wait > 0 && wait < Infinity, now);
				if (wait === 0) {
					give(run, run.waiting[name].shift() as QueuedWish, place, now);
					return 0;
				}
				shortest = Math.min(shortest, wait);
			}
		}
		return shortest;
	}

	function give(run: Queue, { answer }: QueuedWish, place: Place, now: number): void {
		const request = pacer.begin(place, now);
		run.slots.take();
		if (place.kind === 'main') run.left--;
		runs = [...runs.filter((other) => other !== run), run];
		// What was refused, or not made after all, is still to be made.
		const comesAgain = () => {
			if (place.kind === 'main') run.left++;
		};
		answer(turnOf(run, request, comesAgain));
	}

	function turnOf(run: Queue, request: OwnRequest, comesAgain: () => void): Turn {
		let hasEnded = false;
		return {
			end(how, rateLimit) {
				hasEnded = true;
				if (how === 'refused') comesAgain();
				pacer.end(request, clock.ticks(), how, rateLimit);
			},
			leave() {
				if (!hasEnded) {
					comesAgain();
					pacer.release(request, clock.ticks());
				}
				run.slots.leave();
				pump();
			},
		};
	}

	/** Looks through all who wait only when the time of one of them is over. */
	function expire(now: number): void {
		if (now <= nextLateAt) return;
		nextLateAt = Infinity;
		for (const { waiting } of runs) {
			for (const name of QUEUES) {
				waiting[name] = waiting[name].filter(({ giveUpAt = Infinity, answer }) => {
					if (giveUpAt < now) answer('tooLate');
					else nextLateAt = Math.min(nextLateAt, giveUpAt);
					return giveUpAt >= now;
				});
			}
		}
	}

	function wakeIn(ms: number, now: number): void {
		if (now + ms >= wakesAt) return;
		const own = now + ms;
		wakesAt = own;
		void clock.sleep(ms).then(() => {
			if (wakesAt !== own) return;
			wakesAt = Infinity;
			pump();
		});
	}

	function note(run: Queue, isLimited: boolean, now: number): void {
		if (isLimited) run.limitedSince ??= now;
		else if (run.limitedSince !== undefined) {
			run.waitedMs += now - run.limitedSince;
			run.limitedSince = undefined;
		}
	}

	return {
		pacer,
		isIdle: () => joined.size === 0 && pacer.isIdle(clock.ticks()),
		join({ concurrency, calls, slots = new Slots(concurrency) }) {
			const run: Queue = {
				slots,
				calls,
				left: calls,
				waiting: { main: [], lookUp: [], lastLookUp: [] },
				waitedMs: 0,
			};
			joined.add(run);
			const closed = new Set<QueueName>();
			return {
				async turn(wish) {
					if (closed.has(wish.kind)) return 'closed';
					if (!runs.includes(run)) runs.unshift(run);
					return await new Promise((answer) => {
						run.waiting[wish.kind].push({ ...wish, answer });
						nextLateAt = Math.min(nextLateAt, wish.giveUpAt ?? Infinity);
						pump();
					});
				},
				close(kinds = QUEUES) {
					for (const name of kinds) {
						closed.add(name);
						for (const { answer } of run.waiting[name].splice(0)) answer('closed');
					}
					if (closed.size < QUEUES.length) return;
					joined.delete(run);
					runs = runs.filter((other) => other !== run);
					note(run, false, clock.ticks());
				},
				waitedMs: () => run.waitedMs,
			};
		},
	};
}

function hasWaiting({ waiting }: Queue): boolean {
	return QUEUES.some((name) => waiting[name].length > 0);
}
