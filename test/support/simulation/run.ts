import type { Result } from '../../../nodes/BusinessMessaging/actions/result';
import type { SendJob } from '../../../nodes/BusinessMessaging/actions/sendTemplate/job';
import { sendTemplate } from '../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import { createClient } from '../../../nodes/BusinessMessaging/transport/client';
import { createPacer } from '../../../nodes/BusinessMessaging/transport/pacing/pacer';
import { createTurns } from '../../../nodes/BusinessMessaging/transport/pacing/turns';
import type { Turns } from '../../../nodes/BusinessMessaging/transport/pacing/turns';
import { noMemory } from '../noneSentBefore.ts';
import type { VirtualClock } from '../virtualClock.ts';
import type { SimulatedApi } from './api.ts';

/** What an n8n process has: everything that uses one account in it shares the turns. */
export function simulateProcess(clock: VirtualClock, random: () => number): Turns {
	return createTurns(createPacer(random), clock);
}

export interface SimulatedRun {
	name: string;
	items: number;
	startsAfterMs?: number;
	requestsPerMinute?: number;
	concurrency?: number;
	/** Wait for delivery for so long. */
	waitTimeoutMs?: number;
}

/** Send Template with so many items, with the product's own operation, client and pacing. */
export async function simulateRun(
	clock: VirtualClock,
	turns: Turns,
	api: SimulatedApi,
	{
		name,
		items,
		startsAfterMs = 0,
		requestsPerMinute = 60,
		concurrency = 10,
		waitTimeoutMs,
	}: SimulatedRun,
	random: () => number,
): Promise<Result[]> {
	if (startsAfterMs > 0) await clock.sleep(startsAfterMs);
	const { signal } = new AbortController();
	const client = createClient({
		connection: { baseUrl: 'https://api.example.com', apiKey: 'key' },
		exchange: api.exchange,
		turns,
		clock,
		random,
		concurrency,
		calls: items,
		signal,
	});
	const session = { client, clock, signal, ...noMemory };
	const queue = Array.from({ length: items }, (_, index) => index).values();
	const results: Array<Result | Promise<Result>> = [];
	const worker = async () => {
		for (const index of queue) {
			const result = await sendTemplate.perform(jobOf(`${name} ${index}`), index, session);
			results[index] = result.later ?? result;
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	const settled = await Promise.all(results);
	client.close();
	return settled;

	function jobOf(to: string): SendJob {
		return {
			message: { to, type: 'template', templateName: 'order_update' },
			categoryChoice: { category: 'utility' },
			dryRun: false,
			rawResponse: false,
			wait:
				waitTimeoutMs === undefined
					? undefined
					: { awaited: 'delivered', timeoutMs: waitTimeoutMs },
			limits: { timeoutMs: 30_000, requestsPerMinute, retryUnknownOutcome: false },
		};
	}
}
