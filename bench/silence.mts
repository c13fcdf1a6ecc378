import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 100;

/** Asks n8n for its health again and again while work is done, and gives the longest time that it took to answer, in ms. */
export async function longestSilence(n8nUrl: string, work: () => Promise<void>): Promise<number> {
	let longest = 0;
	let isDone = false;
	const watch = async () => {
		while (!isDone) {
			const askedAt = performance.now();
			while (!(await answers(`${n8nUrl}/healthz`))) await sleep(PAUSE_MS);
			longest = Math.max(longest, performance.now() - askedAt);
			await sleep(PAUSE_MS);
		}
	};
	const watching = watch();
	try {
		await work();
	} finally {
		isDone = true;
	}
	await watching;
	return longest;
}

/** On a connection of its own: a server that was busy for seconds cuts those that it kept open. */
async function answers(url: string): Promise<boolean> {
	return await new Promise((resolve) => {
		const request = get(url, { agent: false }, (response) => {
			response.resume();
			response.on('error', () => resolve(false));
			response.on('end', () => resolve(true));
		});
		request.on('error', () => resolve(false));
	});
}
