import { jobOf } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import { noMemory } from '../../../support/emptyRetryMemory.mts';
import { clientFor, response, SENT } from '../../../support/scriptedClient.mts';

// docs/good-to-know.md: a stopped run says what was sent
it('an item is in flight while a request for it is, not while it waits for the rate limit', async () => {
	const { client, clock } = clientFor(
		[response(429, { 'retry-after': '20' }), SENT],
		undefined,
		2000,
	);
	const { signal } = new AbortController();
	const inFlight = new Set<number>();
	const job = {
		message: { to: '+14155552671', type: 'template', templateName: 'order_update' },
		categoryChoice: { category: 'utility' },
		dryRun: false,
		incomplete: [],
		rawResponse: false,
		limits: { timeoutMs: 5000, requestsPerMinute: 0 },
	} as const;
	const run = { client, clock, signal, ...noMemory, inFlight };
	const result = jobOf({ ...job, incomplete: [] }, 7).perform(run, () => undefined);
	const seen = [];
	for (const at of [1000, 3000, 21_000, 23_000]) {
		await clock.run(clock.sleep(at - clock.ticks()));
		seen.push([...inFlight]);
	}
	expect(seen).toEqual([[7], [], [], [7]]);
	expect(await clock.run(result)).toHaveProperty('kind', 'sent');
});
