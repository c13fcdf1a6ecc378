import type { IDataDeduplicator } from 'n8n-workflow';
import assert from 'node:assert/strict';

import { contextOn, ProcessedData, type Statement } from '../../support/processedData.mts';
import { databaseScene } from '../../support/simulation/database.mts';
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

const failing = async () => await Promise.reject(new Error('no database'));

it('a row is its owner’s although the response to its creation was lost', async () => {
	const { clock, connect } = databaseScene(() => 0);
	const after = async (statement: Statement) => await (statement === 'insert' && failing());
	const create = async (owner: string) =>
		await (await connect({ after }).rows()).create('row', owner);
	expect(await clock.run(create('me'))).toBe(true);
	expect(await clock.run(create('you'))).toBe(false);
});

// A row that others keep creating and removing is not a failure, however long this takes.
it.each<[Statement]>([['insert'], ['select']])(
	'a row that another owner had at the %s, and removed at once, is not this owner’s',
	async (meetsIt) => {
		const { clock, table, connect } = databaseScene(() => 0);
		let hasMet = false;
		const before = async (statement: Statement) => {
			const address = 'workflow n:row';
			if (statement !== meetsIt || hasMet) return table.rows.delete(address);
			hasMet = true;
			return await Promise.resolve(table.rows.set(address, { mode: 'you', data: ['created'] }));
		};
		const rows = await connect({ before }).rows();
		expect(await clock.run(rows.create('row', 'me'))).toBe(false);
		expect(clock.ticks()).toBe(0);
	},
);

describe('a database that does not answer', () => {
	it('is asked again for 15 seconds, and then given up; but not to remove a row', async () => {
		const { clock, connect } = databaseScene(() => 0);
		let [failures, takesMs] = [30, 0];
		const before = async () => {
			if (failures-- <= 0) return;
			if (takesMs > 0) await clock.sleep(takesMs);
			await failing();
		};
		const rows = await connect({ before }).rows();
		expect(await clock.run(rows.count('row'))).toBe(0);
		failures = Infinity;
		await expect(clock.run(rows.count('row'))).rejects.toThrow('no database');
		expect(clock.ticks()).toBe(30_000);
		// The first attempt was held up.
		[failures, takesMs] = [1, 20_000];
		expect(await clock.run(rows.create('row', 'me'))).toBe(true);
		// The response may have been lost alone, and the row be another owner's by the second time.
		[failures, takesMs] = [1, 0];
		await expect(rows.remove('row')).rejects.toThrow('no database');
	});

	it('is not asked again for what it can never do', async () => {
		const { clock, connect } = databaseScene(() => 0);
		const rows = await connect({ before: async () => assert.fail('no workflow') }).rows();
		await expect(clock.run(rows.count('row'))).rejects.toThrow('no workflow');
		expect(clock.ticks()).toBe(0);
	});

	it('does not tell what kind of n8n this is', async () => {
		let isUp = false;
		const { open } = newProcess(new ProcessedData(async () => void (await (isUp || failing()))));
		await expect(open()).rejects.toThrow('no database');
		isUp = true;
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
