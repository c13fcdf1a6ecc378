import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startLocalApi, type LocalApi, type Settings } from '../../playground/api/server.ts';
import type { ResetUnit } from '../../playground/api/settings.ts';
import { useDeduplicator } from '../support/deduplicator.ts';
import { ACCOUNT, SEND, runNode } from '../support/runNode.ts';

const WINDOW_MS = 1000;
let api: LocalApi;

afterEach(async () => await api.close());

function recipients(count: number, from = 0): Array<{ to: string }> {
	return Array.from({ length: count }, (_, index) => ({ to: `+1415555${2000 + from + index}` }));
}

async function send(items: Array<{ to: string }>) {
	// More than the API allows: its headers have to slow the node down.
	const options = { requestsPerMinute: 6000, concurrency: 10 };
	return await runNode({ baseUrl: api.url, parameters: { ...SEND, options }, items });
}

function accepted(): number[] {
	return api.calls
		.filter(({ answeredStatus }) => answeredStatus === 200)
		.map((call) => call.receivedAt);
}

describe('a limit of 30 requests per window', () => {
	it.each<ResetUnit>(['epochMs', 'epochSeconds'])(
		'is kept by what the headers say, with the reset as %s',
		async (resetUnit) => {
			api = await startLocalApi({
				apiKeys: [ACCOUNT],
				requestsPerWindow: 30,
				// So long that a busy machine does not take it for the requests themselves.
				windowMs: 3 * WINDOW_MS,
				resetUnit,
			});
			const { json, error, hints } = await send(recipients(70));
			expect(error).toBeUndefined();
			expect(json).toHaveLength(70);
			expect(accepted()).toHaveLength(70);
			expect(hints[0]).toMatch(/Waited \d+ s for the rate limit/);
		},
	);

	// README, Top: the rate limit is kept, by all workflows together
	it('is kept by two executions at once that share a key, without a single 429', async () => {
		api = await startLocalApi({
			apiKeys: [ACCOUNT],
			requestsPerWindow: 30,
			windowMs: WINDOW_MS,
		});
		const runs = await Promise.all([send(recipients(40)), send(recipients(40, 40))]);
		expect(runs.map(({ json }) => json.length)).toEqual([40, 40]);
		expect(api.calls.filter(({ answeredStatus }) => answeredStatus === 429)).toEqual([]);
		expect(new Set(api.calls.map(({ body }) => (body as { to: string }).to)).size).toBe(80);
	});
});

describe('accounts', () => {
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
			settings: { onError: 'continueRegularOutput' },
		});
	}

	// README, Good to know: the rate limit of each account
	it('an account that waits for its rate limit does not hold up another', async () => {
		const [busy, free] = [
			await account('busy', { requestsPerWindow: 4, windowMs: 3000 }),
			await account('free'),
		];
		const items = [...Array<IDataObject>(5).fill(busy), ...Array<IDataObject>(5).fill(free)];
		const { json, hints } = await send(items, { options: { concurrency: 1 } });
		expect(json.map(({ status }) => status)).toEqual(Array(10).fill('sent'));
		const [[, , , , afterWaiting], others] = apis.map(({ calls }) =>
			calls.map((call) => call.receivedAt),
		);
		expect(Math.max(...others)).toBeLessThan(afterWaiting);
		expect(hints[0]).toMatch(
			/^10 messages sent from 2 accounts, .* Waited \d s for the rate limit\.$/,
		);
	});

	it('a dry run of one window each takes no longer, and no number appears twice in one of them', async () => {
		const [first, second] = [await account('first'), await account('second')];
		const rows = [first, second].flatMap((tenant) =>
			recipients(60).map((recipient) => ({ ...tenant, ...recipient })),
		);
		const { hints } = await send(rows, { options: { dryRun: true } });
		expect(hints).toEqual(['Dry run: nothing was sent. 120 messages would cost about INR 13.80.']);
	});

	it('a message that is sent again in the fallback category goes to the account of its item', async () => {
		const items = [await account('first'), await account('second')];
		// The API knows of no customer who wrote.
		const { json } = await send(items, {
			category: 'auto',
			customerLastMessageAt: '={{ $now.toISO() }}',
			fallbackCategory: 'marketing',
		});
		expect(json.map(({ fallbackUsed }) => fallbackUsed)).toEqual([true, true]);
		for (const { calls } of apis) {
			const categories = calls.map(({ body }) => (body as IDataObject).category);
			expect(categories).toEqual(['service', 'marketing']);
		}
	});

	// README, Send once: the key says of which account
	it('a Send Once Key of two accounts is wrong for the second, and for no other item', async () => {
		const [first, second] = [await account('first'), await account('second')];
		const items = [first, first, second].map((item, index) => ({
			...item,
			order: [7, 8, 7][index],
		}));
		const options = { sendOnceKey: '=order-{{ $json.order }}' };
		const { json } = await send(items, { options });
		expect(json.map(({ status }) => status)).toEqual(['sent', 'sent', undefined]);
		expect(json[2].error).toMatchObject({
			message: 'An item of another account has the same Send Once Key "order-7"',
			outcome: 'notSent',
		});
		expect(apis.map(({ calls }) => calls.length)).toEqual([2, 0]);
	});
});
