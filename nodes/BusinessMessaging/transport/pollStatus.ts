import { type AwaitedStatus, readStatus, type StatusRecord } from '../api';
import { type Clock, pause } from '../clock';
import type { Client, Reply } from './client';
import type { QueuedRequest } from './rateLimiter';

/** When a look-up may be made, and with which priority. */
export type LookLimits = Pick<QueuedRequest, 'kind' | 'deadline'>;

export interface Wait {
	awaited: AwaitedStatus;
	/** The message as it was when the wait began. */
	first: StatusRecord;
	look: (limits: LookLimits) => Promise<Reply<StatusRecord>>;
	timeoutMs: number;
}

interface Waiter {
	client: Pick<Client, 'reserveLookUp' | 'hasEnded'>;
	clock: Clock;
	signal: AbortSignal;
}

const FIRST_INTERVAL_MS = 2000;
const INTERVAL_GROWTH = 1.5;
const MAX_INTERVAL_MS = 30_000;
/** The last look-up is due at the deadline, and may wait that long for a slot. */
const GRACE_MS = 1000;

/**
 * Looks a message up in growing intervals, and once more at the deadline, until it has the awaited status, has failed,
 * or the execution is canceled or ended.
 */
export async function waitForDelivery(
	{ awaited, first, look, timeoutMs }: Wait,
	{ client, clock, signal }: Waiter,
) {
	const startedAt = clock.ticks();
	const deadline = startedAt + timeoutMs;
	let seen = first;
	let problem: string | undefined;
	let interval = FIRST_INTERVAL_MS;
	let isLast = false;
	const endReservation = client.reserveLookUp();
	try {
		while (!isLast && !isReached(awaited, seen.status)) {
			await pause(clock, Math.min(interval, deadline - clock.ticks()), signal);
			if (signal.aborted) break;
			isLast = clock.ticks() >= deadline;
			const reply = await look(
				isLast
					? { kind: 'lastLookUp', deadline: deadline + GRACE_MS }
					: { kind: 'lookUp', deadline },
			);
			if ('data' in reply) seen = reply.data;
			problem = 'failure' in reply ? reply.failure.message : undefined;
			if (client.hasEnded()) {
				if (!isReached(awaited, seen.status)) problem ??= 'The run ended early';
				break;
			}
			interval = Math.min(interval * INTERVAL_GROWTH, MAX_INTERVAL_MS);
		}
	} finally {
		endReservation();
	}
	/** Of the output item. */
	const delivery = {
		status: seen.status,
		delivered_at: seen.delivered_at ?? null,
		read_at: seen.read_at ?? null,
		waitedSeconds: Math.round((clock.ticks() - startedAt) / 100) / 10,
		/** The wait ended before the awaited status came. */
		timedOut: !isReached(awaited, seen.status),
		/** Why the last look-up failed. The message may have the awaited status all the same. */
		...(problem ? { problem } : {}),
	};
	return { seen, delivery };
}

/** 2.5: a message that was read was also delivered; `failed` is final whatever is awaited. */
function isReached(awaited: AwaitedStatus, status: string): boolean {
	return [awaited, 'read', 'failed'].some((reached) => reached === readStatus(status));
}
