import { startLocalApi } from '../../playground/api/server.ts';
import type { LocalApi } from '../../playground/api/server.ts';
import type { ResetUnit } from '../../playground/api/settings.ts';
import { ACCOUNT, runNode, SEND } from '../support/runNode.ts';

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
