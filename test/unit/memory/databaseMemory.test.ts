import type { IExecuteFunctions } from 'n8n-workflow';

import { createDatabaseMemory } from '../../../nodes/BusinessMessaging/memory/databaseMemory';
import { createVirtualClock } from '../../support/virtualClock.ts';

const SIZE = { isShared: false, maxEntries: 100 };

/** The memories of two nodes, and what they ask n8n for. */
function memories() {
	const clock = createVirtualClock();
	const asked: unknown[][] = [];
	const ask = (what: string) => async (entries: string[], scope: string, options: object) => {
		asked.push([what, entries, scope, options]);
		return await Promise.resolve({ new: entries, processed: [] });
	};
	const contextOf = (id: string) =>
		({
			getWorkflow: () => ({ id: 'workflow' }),
			getNode: () => ({ id }),
			helpers: { checkProcessedAndRecord: ask('record'), removeProcessed: ask('remove') },
		}) as unknown as IExecuteFunctions;
	const open = createDatabaseMemory(clock);
	return { clock, asked, memories: ['a', 'b'].map((id) => open(contextOf(id), SIZE)) };
}

it('a memory asks n8n for entries of its node, and for nothing when there are none', async () => {
	const { clock, asked, memories: all } = memories();
	const [memory] = all;
	await clock.run(memory.record([]));
	await clock.run(memory.record(['key']));
	await clock.run(memory.remove(['key']));
	const options = { mode: 'entries', maxEntries: 100 };
	expect(asked).toEqual([
		['record', ['key'], 'node', options],
		['remove', ['key'], 'node', options],
	]);
});

it('a key of one node does not wait for the same key of another', async () => {
	const { clock, memories: all } = memories();
	const begun: number[] = [];
	const tasks = all.map(
		async ({ inTurn }, node) =>
			await inTurn('key', async () => {
				begun.push(node);
				await clock.sleep(10);
				expect(begun).toHaveLength(2);
			}),
	);
	await clock.run(Promise.all(tasks));
});
