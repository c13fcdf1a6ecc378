import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_PAUSE_MS = 100;

type Nothing = undefined | false;

/** Asks again until there is an answer, or something holds. @throws when that takes too long, naming what was awaited */
export async function eventually<T>(
	awaited: string,
	probe: () => T | Nothing | Promise<T | Nothing>,
	timeoutMs = 30_000,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
		const answer = await probe();
		if (answer !== undefined && answer !== false) return answer;
		if (Date.now() > deadline) throw new Error(`${awaited}: not within ${timeoutMs / 1000} s.`);
		await sleep(pauseMs);
	}
}
