import type { IExecuteFunctions } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { claimItems } from '../../../nodes/BusinessMessaging/events/claimItems';
import { openRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { contextOn, ProcessedData } from '../../support/processedData.ts';
import { createVirtualClock } from '../../support/virtualClock.ts';

interface Execution {
	table?: ProcessedData;
	mode?: string;
	node?: string;
	id?: string;
}

const clock = createVirtualClock();

beforeAll(async () => {
	await clock.run(openRows(contextOn(new ProcessedData()).context, clock));
});

/** An execution of the trigger, what it wrote to n8n's memory, and the log. */
function executionOf({ table = new ProcessedData(), mode = 'webhook', node, id }: Execution = {}) {
	const hints: unknown[] = [];
	const { context, log } = contextOn(table, node ?? randomUUID());
	Object.assign(context, {
		getMode: () => mode,
		getExecutionId: () => id ?? 'execution',
		addExecutionHints: (hint: unknown) => hints.push(hint),
	});
	const claim = async (...keys: unknown[]) => {
		const items = keys.map((deliveryKey) => ({ json: { deliveryKey } as never }));
		const claimed = await clock.run(claimItems(context, items, clock));
		return claimed.map(({ json }) => json.deliveryKey);
	};
	return { context, claim, log, hints, table };
}

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
			message: expect.stringMatching(
				/^This event was delivered before, and another execution has it, .* where you can retry it\. /,
			),
			type: 'info',
			location: 'outputPane',
		},
	]);
});

it('drops repeated events in an n8n that has no hints', async () => {
	const { context } = executionOf();
	const old = { ...context, addExecutionHints: undefined } as unknown as IExecuteFunctions;
	const items = [{ json: { deliveryKey: 'a' } }];
	expect(await clock.run(claimItems(old, items, clock))).toEqual(items);
	expect(await clock.run(claimItems(old, items, clock))).toEqual([]);
});

it('hands on items without a delivery key as they are', async () => {
	const { claim, table } = executionOf();
	expect(await claim(undefined, 7)).toEqual([undefined, 7]);
	expect(await claim(undefined, 7)).toEqual([undefined, 7]);
	expect(table.statements).toEqual([]);
});

it.each(['manual', 'trigger', 'evaluation', 'retry'])(
	'repeats events of the mode %s',
	async (mode) => {
		const { claim, table } = executionOf({ mode });
		expect(await claim('a')).toEqual(['a']);
		expect(await claim('a')).toEqual(['a']);
		expect(table.statements).toEqual([]);
	},
);

// README, Scaling: repeated events are dropped once more by the workers
it('leaves out an event that an execution in another process has', async () => {
	const { claim, log, table } = executionOf({ node: 'trigger', id: '1' });
	expect(await claim('a')).toEqual(['a']);
	await jest.isolateModulesAsync(async () => {
		const other = jest.requireActual<{ claimItems: typeof claimItems }>(
			'../../../nodes/BusinessMessaging/events/claimItems',
		);
		const { context } = executionOf({ table, node: 'trigger', id: '2' });
		const items = ['a', 'b'].map((deliveryKey) => ({ json: { deliveryKey } }));
		expect(await clock.run(other.claimItems(context, items, clock))).toEqual([items[1]]);
	});
	expect(log).toEqual([]);
});

it('keeps the memories of two triggers apart', async () => {
	const table = new ProcessedData();
	const [one, other] = [executionOf({ table }), executionOf({ table })];
	expect(await one.claim('a')).toEqual(['a']);
	expect(await other.claim('a')).toEqual(['a']);
});

it.each<[string, unknown]>([
	['an error', new Error('no database')],
	['a text', 'no database'],
	['two lines', 'no database\nnone'],
])(
	'a memory that fails, with %s, lets the event through and says so in the log',
	async (_, problem) => {
		const table = new ProcessedData(async () => await Promise.reject(problem));
		const { claim, log } = executionOf({ table });
		expect(await claim('a')).toEqual(['a']);
		expect(log).toEqual([
			expect.stringMatching(
				/^The memory for repeated events could not be used: no database[^\n]*$/,
			),
		]);
	},
);
