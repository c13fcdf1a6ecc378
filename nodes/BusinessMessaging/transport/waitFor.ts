import type { MessageStatus, StatusRecord } from '../api';
import { pause } from '../clock';
import type { Clock } from '../clock';
import type { Client, Reply } from './client';
import { WINDOW_MS } from './pacing/pacer';
import type { Wish } from './pacing/turns';

export type AwaitedStatus = 'delivered' | 'read';

/** The `delivery` of an output item. */
export interface DeliveryResult {
	status: string;
	delivered_at: unknown;
	read_at: unknown;
	waitedSeconds: number;
	/** The awaited status had not come when the wait ended. */
	timedOut: boolean;
	/** Why the last look-up told nothing, so that the status may have come after all. */
	problem?: string;
}

/** When a look-up may be made, and with which right of way. */
export interface LookLimits {
	kind: Wish['kind'];
	/** Ticks in ms. */
	giveUpAt: number;
}

export interface Wait {
	awaited: AwaitedStatus;
	/** What is known at the start. */
	first: StatusRecord;
	look: (limits: LookLimits) => Promise<Reply<StatusRecord>>;
	timeoutMs: number;
}

export interface Waiter {
	client: Pick<Client, 'owe' | 'hasEnded'>;
	clock: Clock;
	signal?: AbortSignal;
}

const FIRST_INTERVAL_MS = 2000;
const INTERVAL_GROWTH = 1.5;
const MAX_INTERVAL_MS = 30_000;
/** The last look-up is made at the deadline: it may take its place that much later. */
const GRACE_MS = 1000;

/** 2.5: `read` implies `delivered`; `failed` is final whatever is awaited. */
const REACHED: Record<AwaitedStatus, MessageStatus[]> = {
	delivered: ['delivered', 'read', 'failed'],
	read: ['read', 'failed'],
};

/**
 * Looks at a message in growing intervals, and once more at the deadline, until it has the awaited
 * status, has failed, or the execution is canceled or ended.
 */
export async function waitForDelivery(
	{ awaited, first, look, timeoutMs }: Wait,
	{ client, clock, signal }: Waiter,
): Promise<{ seen: StatusRecord; delivery: DeliveryResult }> {
	const startedAt = clock.ticks();
	const deadline = startedAt + timeoutMs;
	let seen = first;
	let problem: string | undefined;
	let interval = FIRST_INTERVAL_MS;
	let settle: (() => void) | undefined;
	let isLast = false;
	try {
		while (!isLast && !isReached(awaited, seen.status)) {
			if (deadline - clock.ticks() <= WINDOW_MS) settle ??= client.owe();
			await pause(clock, Math.min(interval, deadline - clock.ticks()), signal);
			if (signal?.aborted) break;
			isLast = clock.ticks() >= deadline;
			const reply = await look(
				isLast
					? { kind: 'lastLookUp', giveUpAt: deadline + GRACE_MS }
					: { kind: 'lookUp', giveUpAt: deadline },
			);
			if ('data' in reply) seen = reply.data;
			problem = 'failure' in reply ? reply.failure.message : undefined;
			if (client.hasEnded()) break;
			interval = Math.min(interval * INTERVAL_GROWTH, MAX_INTERVAL_MS);
		}
	} finally {
		settle?.();
	}
	const timedOut = !isReached(awaited, seen.status);
	return {
		seen,
		delivery: {
			status: seen.status,
			delivered_at: seen.delivered_at ?? null,
			read_at: seen.read_at ?? null,
			waitedSeconds: Math.round((clock.ticks() - startedAt) / 100) / 10,
			timedOut,
			...(timedOut && problem ? { problem } : {}),
		},
	};
}

function isReached(awaited: AwaitedStatus, status: string): boolean {
	return REACHED[awaited].some((reached) => reached === status);
}
