import fc from 'fast-check';

import type { RunContext } from '../../../../nodes/BusinessMessaging/actions/job';
import { jobOf } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import type { SendJob } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sending';
import type { Result } from '../../../../nodes/BusinessMessaging/outcome';
import { noMemory } from '../../../support/emptyRetryMemory.mts';
import { sample } from '../../../support/sample.mts';
import { clientWith, response, SENT } from '../../../support/scriptedClient.mts';
import { createVirtualClock } from '../../../support/virtualClock.mts';

const HOUR_MS = 3_600_000;

interface Campaign {
	items: number;
	concurrency: number;
	requestsPerMinute: number;
	startsAtMinute: number;
	untilMinute: number;
	latencyMs: number;
	/** Each so many requests the API answers 429. */
	refusesEach: number;
}

const anyCampaign = fc.record<Campaign>({
	items: fc.integer({ min: 1, max: 60 }),
	concurrency: fc.constantFrom(1, 10),
	requestsPerMinute: fc.constantFrom(0, 10, 60),
	startsAtMinute: fc.integer({ min: 0, max: 1439 }),
	untilMinute: fc.integer({ min: 1, max: 1439 }),
	latencyMs: fc.constantFrom(0, 50, 20_000),
	refusesEach: fc.constantFrom(2, 7, Infinity),
});

/** Hours from midnight (UTC) until that minute. */
async function send(campaign: Campaign) {
	const clock = createVirtualClock(
		Date.UTC(2026, 0, 31) + campaign.startsAtMinute * 60_000 + 59_000,
	);
	const requestedAt: number[] = [];
	const client = clientWith(
		async () => {
			requestedAt.push(clock.now());
			const isRefused = requestedAt.length % campaign.refusesEach === 0;
			await clock.sleep(campaign.latencyMs);
			return isRefused ? response(429) : SENT;
		},
		clock,
		{ calls: campaign.items, places: { free: campaign.concurrency } },
	);
	const run = { client, clock, signal: new AbortController().signal, ...noMemory } as RunContext;
	const { requestsPerMinute } = campaign;
	const job: SendJob = {
		message: { to: '+14155552671', type: 'template', templateName: 'order_update' },
		categoryChoice: { category: 'marketing' },
		sendBetween: {
			from: 0,
			until: campaign.untilMinute,
			zones: ['UTC'],
		},
		dryRun: false,
		incomplete: [],
		rawResponse: false,
		limits: { timeoutMs: 30_000, requestsPerMinute },
	};
	const results: Result[] = [];
	const queue = Array.from({ length: campaign.items }, (_, index) => index).values();
	const worker = async () => {
		for (const index of queue) {
			results[index] = await jobOf(job, index).perform(run, () => undefined);
		}
	};
	await clock.run(Promise.all(Array.from({ length: campaign.concurrency }, worker)));
	client.close();
	return { results, requestedAt, spent: run.spending.spent };
}

// docs/sending.md: judged when a message is sent
it('whatever the pace, the pauses and the hours, no request begins outside them, and the rest says when they begin', async () => {
	await fc.assert(
		fc.asyncProperty(anyCampaign, async (campaign) => {
			noMemory.spending.spent = 0;
			const { results, requestedAt, spent } = await send(campaign);
			for (const at of requestedAt) {
				expect((at % (24 * HOUR_MS)) / 60_000).toBeLessThan(campaign.untilMinute);
			}
			const sent = results.filter(({ kind }) => kind === 'sent');
			const skipped = results.filter((result) => result.kind === 'skipped');
			const failed = results.filter(({ kind }) => kind === 'failed');
			expect(sent.length + skipped.length + failed.length).toBe(campaign.items);
			for (const { reason, json } of skipped) {
				expect(reason).toBe('quietHours');
				expect(json.sendAfter).toMatch(/^2026-02-0\dT00:00:00.000Z$/);
			}
			expect(spent).toBeCloseTo(sent.length * 0.8631, 4);
		}),
		sample(100),
	);
});
