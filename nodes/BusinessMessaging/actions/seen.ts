import type { Awaited, DeliveryResult } from '../transport/waitFor';
import type { Seen } from './operation';
import type { WaitOptions } from './options';

/** What is told of a wait in the line above the output. */
export function seenAfter(
	awaited: Awaited,
	{ status, timedOut }: DeliveryResult,
	{ waitTimeoutMs }: WaitOptions,
): Seen {
	return { status, wait: { awaited, timedOut, timeoutMs: waitTimeoutMs } };
}
