import { Spending } from '../../../nodes/BusinessMessaging/actions/options/spendingLimit';
import { jobOf } from '../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import type { SendJob } from '../../../nodes/BusinessMessaging/actions/sendTemplate/sending';
import type { Category } from '../../../nodes/BusinessMessaging/api';
import type { Result } from '../../../nodes/BusinessMessaging/outcome';
import { Client } from '../../../nodes/BusinessMessaging/transport/client';
import type { RateLimiter } from '../../../nodes/BusinessMessaging/transport/rateLimiter';
import { noMemory } from '../emptyRetryMemory.mts';
import type { VirtualClock } from '../virtualClock.mts';
import type { SimulatedApi } from './api.mts';

export interface SimulatedRun {
	name: string;
	items: number;
	/** Of a loop: in each round the node gets so many items. */
	batchSize?: number;
	category?: Category;
	startsAfterMs?: number;
	requestsPerMinute?: number;
	concurrency?: number;
	/** Wait for delivery for so long. */
	waitTimeoutMs?: number;
}

/** Its prices take longer than all the rest, because it reads each number, and no pace depends on them. */
class NoSpending extends Spending {
	override reserve() {
		return { cancel: () => undefined, settle: () => undefined };
	}
}

/**
 * Send Template with so many items, with the product's own operation, client and pacing.
 * @param rateLimiter which all runs of an n8n process that use one account share
 */
export async function simulateRun(
	clock: VirtualClock,
	rateLimiter: RateLimiter,
	{ httpRequest }: Pick<SimulatedApi, 'httpRequest'>,
	run: SimulatedRun,
	random: () => number,
): Promise<Result[]> {
	const { name, startsAfterMs = 0, items, batchSize = items, waitTimeoutMs } = run;
	const { requestsPerMinute = 60, concurrency = 10, category = 'utility' } = run;
	if (startsAfterMs > 0) await clock.sleep(startsAfterMs);
	const { signal } = new AbortController();
	const common = { httpRequest, rateLimiter, clock, random, signal };
	const connection = { baseUrl: 'https://api.example.com', apiKey: 'key' };
	const job: Omit<SendJob, 'message'> = {
		categoryChoice: { category },
		dryRun: false,
		incomplete: [],
		rawResponse: false,
		wait:
			waitTimeoutMs === undefined ? undefined : { awaited: 'delivered', timeoutMs: waitTimeoutMs },
		limits: { timeoutMs: 30_000, requestsPerMinute },
	};
	const results: Array<Promise<Result>> = [];
	for (let round = 0; results.length < items; round++) {
		const calls = Math.min(batchSize, items - results.length);
		const places = { free: concurrency };
		const client = new Client({ ...common, places, connection, calls, round });
		const context = { client, clock, signal, ...noMemory, spending: new NoSpending(Infinity) };
		const queue = Array.from({ length: calls }, (_, call) => results.length + call).values();
		const worker = async () => {
			for (const index of queue) {
				const to = `${name} ${index}`;
				const message = { to, type: 'template', templateName: 'order_update' } as const;
				await new Promise<void>((goOn) => {
					results[index] = jobOf({ ...job, message }, index).perform(context, () => goOn());
					void results[index].finally(goOn);
				});
			}
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
		await Promise.all(results);
		client.close();
	}
	return await Promise.all(results);
}
