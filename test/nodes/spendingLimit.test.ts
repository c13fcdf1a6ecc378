import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Category } from '../../nodes/BusinessMessaging/api';
import { PRICES, sumOf } from '../../nodes/BusinessMessaging/template/price';
import { useDeduplicator } from '../support/deduplicator.ts';
import { answer, MISBEHAVIORS, startFaultServer } from '../support/faultServer.ts';
import type { Misbehavior } from '../support/faultServer.ts';
import { runNode, SEND } from '../support/runNode.ts';

jest.mock('../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../support/fastClock.ts'),
);

beforeAll(async () => void (await useDeduplicator()));

/** What the API does with a request, and whether the message then costs, or may cost. */
const ANSWERS: Record<string, { costs: boolean; behave: (category: string) => Misbehavior }> = {
	sent: { costs: true, behave: (category) => sentIn(category) },
	sentWithoutCategory: { costs: true, behave: () => MISBEHAVIORS.sent },
	refused: { costs: false, behave: () => MISBEHAVIORS.refused400 },
	windowClosed: {
		costs: false,
		behave: () => answer('400 Bad Request', '{"error":{"code":131047}}'),
	},
	unclear: { costs: true, behave: () => MISBEHAVIORS.error500Empty },
	limited: { costs: false, behave: () => answer('429 Too Many Requests', '{}') },
};

function sentIn(category: string): Misbehavior {
	const cost = { amount: PRICES[category as Category], currency: 'INR' };
	const data = { message_id: 'm1', status: 'sent', category, cost };
	return answer('200 OK', JSON.stringify({ success: true, data }));
}

interface Row {
	category: string;
	key: string;
	dryRun: boolean;
	answers: string[];
}

/** Each key has one customer, and each customer the answers of one row. */
const row = fc.record<Row>({
	category: fc.constantFrom('utility', 'marketing', 'service', 'auto'),
	key: fc.constantFrom('a', 'b', ''),
	dryRun: fc.boolean(),
	answers: fc.array(fc.constantFrom(...Object.keys(ANSWERS)), { minLength: 1, maxLength: 3 }),
});

interface Run {
	rows: Row[];
	spendingLimit: number;
	concurrency: number;
	retryUnknownOutcome: boolean;
	onError: 'stopWorkflow' | 'continueRegularOutput';
	/** What the expression of the category gives in the second try. */
	categoryOfRetry: string;
}

const anyRun = fc.record<Run>({
	rows: fc.array(row, { minLength: 1, maxLength: 5 }),
	spendingLimit: fc.constantFrom(0, 0.115, 0.23, 0.5, 0.8631, 1, 2),
	concurrency: fc.constantFrom(1, 5),
	retryUnknownOutcome: fc.boolean(),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput'),
	categoryOfRetry: fc.constantFrom('utility', 'marketing'),
});

function numberOf({ key }: Row, index: number): string {
	return `+1415555267${key === '' ? index : key === 'a' ? 8 : 9}`;
}

let runs = 0;

/** @returns what the messages cost, or may have cost, by the API's own table (8.2) */
async function costOf({ rows, categoryOfRetry, onError, ...options }: Run): Promise<number> {
	const run = (runs += 1);
	const costs: number[] = [];
	const requests = new Map<string, number>();
	const answersOf = new Map(rows.map((each, index) => [numberOf(each, index), each.answers]));
	const server = await startFaultServer((_, body) => {
		const { to, category } = JSON.parse(body) as { to: string; category: Category };
		const number = requests.get(to) ?? 0;
		requests.set(to, number + 1);
		const answers = answersOf.get(to) ?? [];
		const { costs: isPaid, behave } = ANSWERS[answers[number] ?? 'sent'];
		if (isPaid) costs.push(PRICES[category]);
		return behave(category);
	});
	const category = `={{ $node["Node"].context.sentMessages && $json.category !== "auto" ? "${categoryOfRetry}" : $json.category }}`;
	await runNode({
		baseUrl: server.url,
		parameters: {
			...SEND,
			category,
			customerLastMessageAt: '={{ $now.minus(1, "minute").toISO() }}',
			fallbackCategory: 'marketing',
			options: {
				dryRun: '={{ $json.dryRun }}',
				sendOnceKey: `={{ "${run}-" + $json.key }}`,
				requestsPerMinute: 0,
				...options,
			},
		},
		items: rows.map((each, index): IDataObject => ({
			...each,
			to: numberOf(each, index),
			key: each.key || String(index),
		})),
		settings: { onError, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
	await server.close();
	return sumOf(costs);
}

// README, Top: spending limit; SECURITY, Known limits: Spending Limit holds for one run of one node
it('no run costs more than its limit, with all its tries, fallbacks, keys and refusals', async () => {
	await fc.assert(
		fc.asyncProperty(anyRun, async (run) => {
			expect(await costOf(run)).toBeLessThanOrEqual(run.spendingLimit);
		}),
		{ numRuns: 60 },
	);
});

it.each([
	['a dry run', true, ['sent']],
	['a refused message', false, ['refused', 'sent']],
])('after %s, a message with its key is within the limit as well', async (_, dryRun, answers) => {
	const first = { category: 'utility', key: 'a', dryRun, answers };
	const cost = await costOf({
		rows: [first, { ...first, category: 'marketing', dryRun: false }],
		spendingLimit: 0.5,
		concurrency: 1,
		retryUnknownOutcome: false,
		onError: 'continueRegularOutput',
		categoryOfRetry: 'marketing',
	});
	expect(cost).toBeLessThanOrEqual(0.5);
});
