import type { IDataDeduplicator } from 'n8n-workflow';
import assert from 'node:assert/strict';

import { contextOn, ProcessedData, type Statement } from '../../support/processedData.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

type Module = typeof import('../../../nodes/BusinessMessaging/memory/rows');

/** Each is a process of its own, which has not tried out n8n's rows yet. */
function newProcess(table: IDataDeduplicator = new ProcessedData()) {
	let openRows: Module['openRows'] = async () => await Promise.reject(new Error('not loaded'));
	jest.isolateModules(() => {
		({ openRows } = jest.requireActual<Module>('../../../nodes/BusinessMessaging/memory/rows'));
	});
	const clock = createVirtualClock();
	const { context, node, log } = contextOn(table);
	return { context, node, log, clock, open: async () => await clock.run(openRows(context, clock)) };
}

it('gives each name a row of its own, and leaves that of the node and its ID alone', async () => {
	const table = new ProcessedData();
	const { context, node, log, open } = newProcess(table);
	// Of a tool, it is the node of the agent that calls it.
	const agent = { id: 'agent' };
	Object.assign(context, { getExecuteData: () => ({ node: agent }) });
	await context.helpers.checkProcessedAndRecord(['a', 'b'], 'node', { mode: 'entries' });
	const before = [...table.rows];
	const rows = await open();
	expect([...table.rows]).toEqual(before);
	expect(await rows.create('other row', 'you')).toBe(true);
	expect(await rows.count('row')).toBe(0);
	expect(await rows.create('row', 'me')).toBe(true);
	expect(await rows.create('row', 'you')).toBe(false);
	expect(await rows.count('row')).toBe(1);
	expect(await rows.create('row', 'me', 2)).toBe(true);
	expect(await rows.count('row')).toBe(2);
	await rows.remove('row');
	expect([await rows.count('row'), await rows.count('other row')]).toEqual([0, 1]);
	expect([node.id, agent.id]).toEqual(['node', 'agent']);
	expect([...table.rows].slice(0, 1)).toEqual(before);
	expect(log).toEqual([]);
});

it('two processes can try it out at the same moment', async () => {
	const table = new ProcessedData();
	const both = [newProcess(table), newProcess(table)].map(async ({ open }) => await open());
	await expect(Promise.all(both)).resolves.toHaveLength(2);
});

it('a row is its owner’s although the response to its creation was lost', async () => {
	let losesResponse = false;
	const table = new ProcessedData(undefined, async (statement) => {
		if (losesResponse && statement === 'insert') throw new Error('connection lost');
	});
	const rows = await newProcess(table).open();
	losesResponse = true;
	expect(await rows.create('row', 'me')).toBe(true);
	losesResponse = false;
	expect(await rows.create('row', 'you')).toBe(false);
});

// A row that others keep creating and removing is not a failure, however long this takes.
it.each<[Statement]>([['insert'], ['select']])(
	'a row that another owner had at the %s, and removed at once, is not this owner’s',
	async (meetsIt) => {
		let hasMet = true;
		const table: ProcessedData = new ProcessedData(async (statement) => {
			const address = 'workflow n:row';
			if (statement !== meetsIt || hasMet) table.rows.delete(address);
			else table.rows.set(address, { mode: 'you', data: ['created'] });
			hasMet ||= statement === meetsIt;
		});
		const { clock, open } = newProcess(table);
		const rows = await open();
		hasMet = false;
		expect(await clock.run(rows.create('row', 'me'))).toBe(false);
		expect(clock.ticks()).toBe(0);
	},
);

describe('a database that does not answer', () => {
	function failing() {
		const state = { failures: 0, takesMs: 0 };
		const table = new ProcessedData(async () => {
			if (state.failures-- <= 0) return;
			if (state.takesMs > 0) await process.clock.sleep(state.takesMs);
			throw new Error('no database');
		});
		const process = newProcess(table);
		return { state, ...process };
	}

	it('is asked again for 15 seconds, and then given up', async () => {
		const { state, clock, open } = failing();
		const rows = await open();
		state.failures = 30;
		expect(await clock.run(rows.count('row'))).toBe(0);
		state.failures = Infinity;
		await expect(clock.run(rows.count('row'))).rejects.toThrow('no database');
		expect(clock.ticks()).toBe(30_000);
		// The first attempt was held up.
		Object.assign(state, { failures: 1, takesMs: 20_000 });
		expect(await clock.run(rows.create('row', 'me'))).toBe(true);
	});

	it('is not asked again for what it can never do', async () => {
		const table = new ProcessedData();
		const { clock, open } = newProcess(table);
		const rows = await open();
		table.getProcessedDataCount = async () => assert.fail('no workflow');
		await expect(clock.run(rows.count('row'))).rejects.toThrow('no workflow');
		expect(clock.ticks()).toBe(0);
	});

	// Its response may have been lost alone, and the row be another owner's by the second time.
	it('is not asked a second time to remove a row', async () => {
		const { state, open } = failing();
		const rows = await open();
		state.failures = 1;
		await expect(rows.remove('row')).rejects.toThrow('no database');
	});

	it('does not tell what kind of n8n this is', async () => {
		const { state, open } = failing();
		state.failures = Infinity;
		await expect(open()).rejects.toThrow('no database');
		state.failures = 0;
		expect(await (await open()).create('row', 'me')).toBe(true);
	});
});

// docs/scaling.md: Where n8n gives no rows
describe('where n8n gives no rows by name', () => {
	/** An n8n that changes what it hands on. */
	function changing(table: ProcessedData, change: (given: object) => object): IDataDeduplicator {
		return new Proxy(table, {
			get:
				(target, name: keyof IDataDeduplicator) =>
				async (...given: unknown[]) =>
					await Reflect.apply(
						target[name],
						target,
						given.map((each) => (typeof each === 'object' && each ? change(each) : each)),
					),
		});
	}
	const OWN = { workflow: { id: 'w' }, node: { id: 'node' } };
	const NO_ROWS = 'n8n gives this node no rows of its own in its database';

	it.each<[string, (given: object) => object]>([
		['which ignores the ID of the moment', (given) => ('workflow' in given ? OWN : given)],
		['which takes any mode', (given) => ('mode' in given ? { ...given, mode: 'entries' } : given)],
		[
			'which counts nothing',
			(given) => ('mode' in given && !('maxEntries' in given) ? { mode: '' } : given),
		],
	])('%s, there are none', async (_, change) => {
		const table = new ProcessedData();
		const { context, open } = newProcess(changing(table, change));
		await context.helpers.checkProcessedAndRecord(['a'], 'node', { mode: 'entries' });
		const before = [...table.rows];
		await expect(open()).rejects.toThrow(NO_ROWS);
		await expect(open()).rejects.toThrow(NO_ROWS);
		expect([...table.rows]).toEqual(before);
	});

	it.each([
		['which does not show its own node', { node: undefined }],
		['outside of a workflow', { getWorkflow: () => ({}) }],
	])('%s, there are none, though the process has found some in one', async (_, change) => {
		const table = new ProcessedData();
		const { context, open } = newProcess(table);
		await open();
		Object.assign(context, change);
		table.statements.length = 0;
		await expect(open()).rejects.toThrow(NO_ROWS);
		expect(table.statements).toEqual([]);
	});
});
