import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;

/** Asks again until there is an answer. @throws when there is none in time, naming what was awaited */
export async function eventually<T>(
	awaited: string,
	probe: () => T | undefined | Promise<T | undefined>,
	timeoutMs = 30_000,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const answer = await probe();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(`${awaited}: not within ${timeoutMs / 1000} s.`);
		await sleep(POLL_MS);
	}
}
