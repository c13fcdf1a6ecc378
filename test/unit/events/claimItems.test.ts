import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { claimItems } from '../../../nodes/BusinessMessaging/events/claimItems';
import { processMemory } from '../../../nodes/BusinessMessaging/events/duplicates/processMemory';
import { systemClock } from '../../support/fastClock.ts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.ts'),
);

let start: number;
beforeEach(() => (start = systemClock.ticks()));
const sleptMs = () => systemClock.ticks() - start;

type Write = (entries: string[]) => string[];
interface Execution {
	write?: Write;
	mode?: string;
	node?: string;
	id?: string;
}

/** n8n's memory: tells which entries were there before. */
function createStore(): Write {
	const stored = new Set<string>();
	return (entries) => {
		const before = entries.filter((entry) => stored.has(entry));
		entries.forEach((entry) => stored.add(entry));
		return before;
	};
}

/** An execution of the trigger, what it wrote to n8n's memory, and the log. */
function executionOf({ write = createStore(), mode = 'webhook', node, id }: Execution = {}) {
	const log: string[] = [];
	const hints: unknown[] = [];
	const writes: unknown[][] = [];
	const nodeId = node ?? randomUUID();
	const context = {
		getMode: () => mode,
		getExecutionId: () => id ?? 'execution',
		getWorkflow: () => ({ id: 'workflow' }),
		getNode: () => ({ id: nodeId }),
		getResponseObject: () => ({ once: () => undefined }),
		addExecutionHints: (hint: unknown) => hints.push(hint),
		logger: { warn: (message: string) => log.push(message) },
		helpers: {
			checkProcessedAndRecord: async (entries: string[], ...how: unknown[]) => {
				writes.push([entries, ...how]);
				return { new: [], processed: write(entries) };
			},
		},
	} as unknown as IExecuteFunctions & IWebhookFunctions;
	const claim = async (...keys: unknown[]) => {
		const items = keys.map((deliveryKey) => ({ json: { deliveryKey } as never }));
		return (await claimItems(context, items)).map(({ json }) => json.deliveryKey);
	};
	return { context, claim, log, hints, writes, node: nodeId };
}

// README, Scaling: the last 5,000 events, of two entries each
const OPTIONS = ['node', { mode: 'entries', maxEntries: 10_000 }];

it('hands on an event once, and leaves out what this process has already', async () => {
	const { claim } = executionOf();
	expect(await claim('a', 'b')).toEqual(['a', 'b']);
	expect(await claim('b', 'c')).toEqual(['c']);
});

// README, Scaling: leaves an execution without items, which says why
it('says why an execution has no items, and nothing to one that has all', async () => {
	const { claim, hints } = executionOf();
	await claim('a');
	expect(hints).toEqual([]);
	await claim('a');
	expect(hints).toEqual([
		{
			message: expect.stringMatching(/^This event was delivered before and ran in another/),
			type: 'info',
			location: 'outputPane',
		},
	]);
});

it('drops repeated events in an n8n that has no hints', async () => {
	const { context } = executionOf();
	const old = { ...context, addExecutionHints: undefined } as unknown as IExecuteFunctions;
	const items = [{ json: { deliveryKey: 'a' } }];
	expect(await claimItems(old, items)).toEqual(items);
	expect(await claimItems(old, items)).toEqual([]);
});

it('hands on items without a delivery key as they are', async () => {
	const { claim, writes } = executionOf();
	expect(await claim(undefined, 7)).toEqual([undefined, 7]);
	expect(await claim(undefined, 7)).toEqual([undefined, 7]);
	expect(writes).toEqual([]);
});

it.each(['manual', 'trigger', 'evaluation'])('repeats events of the mode %s', async (mode) => {
	const { claim, writes } = executionOf({ mode });
	expect(await claim('a')).toEqual(['a']);
	expect(await claim('a')).toEqual(['a']);
	expect(writes).toEqual([]);
});

// README, Scaling: repeated events are dropped once more by the workers
it('leaves out an event that another process has', async () => {
	const { claim, log } = executionOf({ write: () => ['a'] });
	expect(await claim('a', 'b')).toEqual(['b']);
	expect(log).toEqual([]);
});

it('writes an event once that this process accepted itself', async () => {
	const { context, claim, writes } = executionOf();
	await processMemory.arrive(context, 'a', 24);
	expect(await claim('a')).toEqual(['a']);
	expect(writes).toEqual([[['a', 'a#execution'], ...OPTIONS]]);
	expect(sleptMs()).toBe(0);
	await processMemory.arrive(context, 'b', 24);
	expect(await claim('b')).toEqual(['b']);
	expect(writes[1]).toEqual([['b', 'b#execution'], ...OPTIONS]);
});

it('writes an event twice that another process accepted, and keeps it for the next', async () => {
	const { claim, writes } = executionOf();
	expect(await claim('a')).toEqual(['a']);
	expect(await claim('b')).toEqual(['b']);
	expect(writes.map(([entries]) => entries)).toEqual([
		['a', 'a#execution'],
		['a', 'a#execution'],
		['a', 'a#execution', 'b', 'b#execution'],
		['a', 'a#execution', 'b', 'b#execution'],
	]);
	expect(sleptMs()).toBeGreaterThanOrEqual(250);
});

it('keeps the memories of two nodes apart', async () => {
	const [one, other] = [executionOf(), executionOf()];
	expect(await one.claim('a')).toEqual(['a']);
	expect(await other.claim('a')).toEqual(['a']);
	expect(other.writes[0]).toEqual([['a', 'a#execution'], ...OPTIONS]);
});

describe('a memory that fails', () => {
	const failing = (times: number, problem: unknown): Write => {
		const store = createStore();
		let failures = 0;
		return (entries) => {
			if (failures++ < times) throw problem;
			return store(entries);
		};
	};

	it('is written again twice, after a pause each', async () => {
		const execution = executionOf({ write: failing(2, new Error('collision')) });
		await processMemory.arrive(execution.context, 'a', 24);
		expect(await execution.claim('a')).toEqual(['a']);
		expect(execution.writes).toHaveLength(3);
		expect(execution.log).toEqual([]);
		expect(sleptMs()).toBe(600);
	});

	it.each<[string, unknown]>([
		['an error', new Error('no database')],
		['a text', 'no database'],
		['two lines', 'no database\nnone'],
	])('for good, with %s, lets the event through and says so in the log', async (_, problem) => {
		const execution = executionOf({ write: failing(Infinity, problem) });
		await processMemory.arrive(execution.context, 'a', 24);
		expect(await execution.claim('a')).toEqual(['a']);
		expect(execution.writes).toHaveLength(3);
		expect(execution.log).toEqual([
			expect.stringMatching(
				/^The memory for repeated events could not be used: no database[^\n]*$/,
			),
		]);
	});
});
