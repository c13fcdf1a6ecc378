import { useDeduplicator } from '../support/deduplicator.mts';
import { localAccount } from '../support/localAccount.mts';
import { CONTINUE } from '../support/runNode.mts';
import { customersOf } from '../support/sendOnceSheet.mts';

// So long that a busy machine does not take it for the requests themselves.
const { api, send } = localAccount({ requestsPerWindow: 30, windowMs: 3000 });

beforeAll(useDeduplicator);

// README, Top: the rate limit is kept, by all workflows together
it('two executions at once that share a key keep its limit by its headers, without a single 429', async () => {
	// More than the API allows: its headers have to slow the node down.
	const options = { requestsPerMinute: 6000, concurrency: 10 };
	const items = customersOf(40).map((to) => ({ to }));
	const run = async () => await send({ options }, items, CONTINUE);
	for (const { json, hints } of await Promise.all([run(), run()])) {
		expect(json.map(({ status }) => status)).toEqual(Array(40).fill('sent'));
		expect(hints[0]).toMatch(/Waited \d+ s for the rate limit/);
	}
	expect(api().calls.map(({ answeredStatus }) => answeredStatus)).toEqual(Array(80).fill(200));
});
