import type { FunctionsBase } from 'n8n-workflow';

import { isOurs, ProcessMemory } from '../../../nodes/BusinessMessaging/events/duplicates';
import { openRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { contextOn, ProcessedData } from '../../support/processedData.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const HOUR_MS = 3_600_000;

const clock = createVirtualClock();
const memory = new ProcessMemory(clock);

function claim(key: string, node = 'n', hours = 2): boolean {
	const context = { getWorkflow: () => ({ id: 'w' }), getNode: () => ({ id: node }) };
	return memory.claim(context as FunctionsBase, key, hours);
}

it('lets one execution of this process have an event, for the hours that are set', () => {
	expect([claim('a'), claim('a'), claim('a', 'other node')]).toEqual([true, false, true]);
	clock.pass(2 * HOUR_MS - 1);
	expect(claim('a')).toBe(false);
	clock.pass(1);
	expect(claim('a')).toBe(true);
});

it('remembers the last 50,000 events; one that came back after its time is not the oldest', () => {
	const claimOthers = (from: number, to: number) => {
		for (let index = from; index < to; index++) claim(`event ${index}`);
	};
	claim('a');
	claim('b');
	clock.pass(2 * HOUR_MS);
	claim('a');
	claimOthers(0, 49_999);
	expect(claim('a')).toBe(false);
	claimOthers(49_999, 50_000);
	expect(claim('a')).toBe(true);
	expect(claim('event 1')).toBe(false);
});

describe('an execution', () => {
	beforeAll(async () => {
		await clock.run(openRows(contextOn(new ProcessedData()).context, clock));
	});

	let nodes = 0;

	/** Of a trigger of its own, unless one is given. */
	function executionOf({
		table = new ProcessedData(),
		mode = 'webhook',
		node = '',
		id = '1',
	} = {}) {
		const hints: unknown[] = [];
		const { context, log } = contextOn(table, node || `node ${nodes++}`);
		Object.assign(context, {
			getMode: () => mode,
			getExecutionId: () => id,
			addExecutionHints: (hint: unknown) => hints.push(hint),
		});
		const receivedAt = '2026-01-31T12:00:00.000Z';
		/** @returns those of the keys whose events are this execution's */
		const claimKeys = async (keys: unknown[], isTheirs = isOurs) => {
			const claims = keys.map(async (deliveryKey) => {
				const item = { json: { deliveryKey, receivedAt } as never };
				return (await isTheirs(context, item, 24, clock)) ? [deliveryKey] : [];
			});
			return (await clock.run(Promise.all(claims))).flat();
		};
		return { context, claimKeys, log, hints, table };
	}

	// docs/scaling.md: leaves an execution without items, which says why
	const PLACE = '(workflow "Answers", node "Trigger")';
	const DROPPED = `Webhook event dropped: another execution has this event already ${PLACE}`;

	it('has no event that this process had already, and says why', async () => {
		const { claimKeys, hints, log } = executionOf();
		expect(await claimKeys(['a', 'b'])).toEqual(['a', 'b']);
		expect(hints).toEqual([]);
		expect(await claimKeys(['b', 'c'])).toEqual(['c']);
		const message = expect.stringMatching(
			/^This event was delivered before, and another execution has it, .* where you can retry it\. /,
		);
		expect(hints).toEqual([{ message, type: 'info', location: 'outputPane' }]);
		expect(log).toEqual([DROPPED]);
	});

	it.each([
		['webhook', 7],
		['manual', 'a'],
		['retry', 'a'],
	])(
		'in the mode %s has an item with the delivery key %p as often as it comes',
		async (mode, key) => {
			const { claimKeys, table } = executionOf({ mode });
			expect([await claimKeys([key]), await claimKeys([key])]).toEqual([[key], [key]]);
			expect(table.statements).toEqual([]);
		},
	);

	// docs/scaling.md: repeated events are dropped once more by the workers
	it('has no event that an execution in another process has, unless of another trigger', async () => {
		const { claimKeys, log, table } = executionOf({ node: 'trigger' });
		expect(await claimKeys(['a'])).toEqual(['a']);
		expect(await executionOf({ table }).claimKeys(['a'])).toEqual(['a']);
		let others: string[] = [];
		await jest.isolateModulesAsync(async () => {
			const other = jest.requireActual<{ isOurs: typeof isOurs }>(
				'../../../nodes/BusinessMessaging/events/duplicates',
			);
			const second = executionOf({ table, node: 'trigger', id: '2' });
			expect(await second.claimKeys(['a', 'b'], other.isOurs)).toEqual(['b']);
			others = second.log;
		});
		expect(log).toEqual([]);
		expect(others).toEqual([DROPPED]);
	});

	// docs/scaling.md: where a trigger gets no rows
	it('has its event at once where n8n gives no rows, and the log says so', async () => {
		const { context, claimKeys, log } = executionOf();
		Object.assign(context, { node: undefined });
		const before = clock.ticks();
		expect([await claimKeys(['a']), await claimKeys(['a'])]).toEqual([['a'], []]);
		expect(clock.ticks()).toBe(before);
		expect(log[0]).toContain('n8n gives this node no rows of its own in its database');
	});

	it('has its event when the memory fails for minutes, and the log says so', async () => {
		const problem = new Error('no database\nnone');
		const table = new ProcessedData(async () => await Promise.reject(problem));
		const { claimKeys, log } = executionOf({ table });
		expect(await claimKeys(['a'])).toEqual(['a']);
		const why = 'The memory for repeated events could not be used: no database\\u{a}none';
		expect(log).toEqual([`${why} ${PLACE}`]);
	});
});
