import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startLocalApi, type LocalApi, type Settings } from '../../playground/api/server.mts';
import { useDeduplicator } from '../support/deduplicator.mts';
import { CONTINUE, SEND, runNode } from '../support/runNode.mts';

const apis: LocalApi[] = [];

beforeAll(useDeduplicator);

afterEach(async () => {
	await Promise.all(apis.splice(0).map(async (api) => await api.close()));
});

/** The account of a tenant on an API of its own. @returns what an item of the tenant has */
async function account(tenant: string, settings: Partial<Settings> = {}) {
	const key = `key-of-${tenant}`;
	const apiKeys = [{ key, account: tenant, plan: 'Scale' as const }];
	const api = await startLocalApi({ apiKeys, requestsPerWindow: 0, ...settings });
	apis.push(api);
	return { tenant, url: api.url, key };
}

async function send(items: IDataObject[], parameters: INodeParameters = {}) {
	return await runNode({
		baseUrl: '={{ $json.url }}',
		apiKey: '={{ $json.key }}',
		parameters: { ...SEND, ...parameters },
		items: items.map((item, index) => ({ to: `+1415555${2000 + index}`, ...item })),
		settings: CONTINUE,
	});
}

// README, Top: the rate limit is kept, by all workflows together
it('two executions at once that share a key keep its limit by its headers, without a single 429', async () => {
	// So long that a busy machine does not take it for the requests themselves.
	const tenant = await account('shared', { requestsPerWindow: 30, windowMs: 3000 });
	// More than the API allows: its headers have to slow the node down.
	const options = { requestsPerMinute: 6000, concurrency: 10 };
	const items = Array<IDataObject>(40).fill(tenant);
	const runs = await Promise.all([send(items, { options }), send(items, { options })]);
	for (const { json, hints } of runs) {
		expect(json.map(({ status }) => status)).toEqual(Array(40).fill('sent'));
		expect(hints[0]).toMatch(/Waited \d+ s for the rate limit/);
	}
	expect(apis[0].calls.map(({ answeredStatus }) => answeredStatus)).toEqual(Array(80).fill(200));
});

// docs/credentials.md: each account has its own rate limit
it('an account that waits for its rate limit does not hold up another', async () => {
	const busy = await account('busy', { requestsPerWindow: 4, windowMs: 3000 });
	const free = await account('free');
	const items = [...Array<IDataObject>(5).fill(busy), ...Array<IDataObject>(5).fill(free)];
	const { json, hints } = await send(items, { options: { concurrency: 1 } });
	expect(json.map(({ status }) => status)).toEqual(Array(10).fill('sent'));
	const [[, , , , afterWaiting], others] = apis.map(({ calls }) =>
		calls.map((call) => call.receivedAt),
	);
	expect(Math.max(...others)).toBeLessThan(afterWaiting);
	expect(hints[0]).toMatch(/^10 messages sent, .* Waited \d s for the rate limit\.$/);
});
