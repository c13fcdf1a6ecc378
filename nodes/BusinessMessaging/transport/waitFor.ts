import type { MessageStatus, StatusRecord } from '../api';
import type { Reply } from './client';
import { pause } from './clock';
import type { Clock } from './clock';

export type Awaited = 'delivered' | 'read';

/** The `delivery` of an output item. */
export interface DeliveryResult {
	status: string;
	delivered_at: unknown;
	read_at: unknown;
	waitedSeconds: number;
	/** The awaited status had not come by the deadline. */
	timedOut: boolean;
	/** Why the last look-up before the deadline told nothing. */
	problem?: string;
}

const FIRST_INTERVAL_MS = 2000;
const INTERVAL_GROWTH = 1.5;
const MAX_INTERVAL_MS = 30_000;

/** 2.5: `read` implies `delivered`; `failed` is final whatever is awaited. */
const REACHED: Record<Awaited, MessageStatus[]> = {
	delivered: ['delivered', 'read', 'failed'],
	read: ['read', 'failed'],
};

/**
 * Looks at a message in growing intervals until it has the awaited status, has failed, the deadline
 * is reached or the execution is canceled.
 * @param first what is known at the start
 * @param look one look-up, which must not begin after `deadline` (epoch ms)
 */
export async function waitForDelivery(
	awaited: Awaited,
	first: StatusRecord,
	look: (deadline: number) => Promise<Reply<StatusRecord>>,
	timeoutMs: number,
	clock: Clock,
	signal?: AbortSignal,
): Promise<{ seen: StatusRecord; delivery: DeliveryResult }> {
	const startedAt = clock.now();
	const deadline = startedAt + timeoutMs;
	let seen = first;
	let problem: string | undefined;
	let interval = FIRST_INTERVAL_MS;
	const isOver = () => isReached(awaited, seen.status) || clock.now() >= deadline;
	while (!isOver()) {
		await pause(clock, Math.min(interval, deadline - clock.now()), signal);
		if (signal?.aborted) break;
		const reply = await look(deadline);
		if ('data' in reply) seen = reply.data;
		problem = 'failure' in reply ? reply.failure.message : undefined;
		interval = Math.min(interval * INTERVAL_GROWTH, MAX_INTERVAL_MS);
	}
	const timedOut = !isReached(awaited, seen.status);
	return {
		seen,
		delivery: {
			status: seen.status,
			delivered_at: seen.delivered_at ?? null,
			read_at: seen.read_at ?? null,
			waitedSeconds: Math.round((clock.now() - startedAt) / 100) / 10,
			timedOut,
			...(timedOut && problem ? { problem } : {}),
		},
	};
}

function isReached(awaited: Awaited, status: string): boolean {
	return REACHED[awaited].some((reached) => reached === status);
}
