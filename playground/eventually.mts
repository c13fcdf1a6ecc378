import { setTimeout as sleep } from 'node:timers/promises';

const USUAL_PAUSE_MS = 100;
/** Of the time waited so far: who waits for a minute need not ask n8n ten times a second. */
const LONGEST_PAUSE = 1 / 20;

type Nothing = undefined | false;

/** Asks again until there is an answer, or something holds. @throws when that takes too long, naming what was awaited */
export async function eventually<T>(
	awaited: string,
	probe: () => T | Nothing | Promise<T | Nothing>,
	// On a busy machine.
	timeoutMs = 120_000,
): Promise<T> {
	const start = Date.now();
	for (let pauseMs = 2; ; pauseMs *= 2) {
		const answer = await probe();
		if (answer !== undefined && answer !== false) return answer;
		const waitedMs = Date.now() - start;
		if (waitedMs > timeoutMs) throw new Error(`${awaited}: not within ${timeoutMs / 1000} s.`);
		pauseMs = Math.min(pauseMs, Math.max(USUAL_PAUSE_MS, waitedMs * LONGEST_PAUSE));
		await sleep(pauseMs);
	}
}
