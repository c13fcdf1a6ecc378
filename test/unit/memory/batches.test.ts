import { createBatches } from '../../../nodes/BusinessMessaging/memory/batches';
import type { Change } from '../../../nodes/BusinessMessaging/memory/batches';
import { createVirtualClock } from '../../support/virtualClock';

const adding = (entry: string): Change => ({ added: [entry], removed: [] });

it('joins what waits for a write or a rest, and keeps stores apart', async () => {
	const clock = createVirtualClock();
	const batches = createBatches(async () => await clock.sleep(100), clock);
	const written: Array<[number, string[]]> = [];
	const start = clock.now();
	const write = async ({ added }: Change) => {
		written.push([clock.now() - start, added]);
		await clock.sleep(10);
		return new Set<string>();
	};
	const addAt = async (atMs: number, store: string, entry: string) => {
		if (atMs > 0) await clock.sleep(atMs);
		return await batches.add(store, adding(entry), write);
	};
	const turns = [
		addAt(0, 'node', 'a'),
		addAt(5, 'node', 'b'),
		addAt(50, 'node', 'c'),
		addAt(50, 'other node', 'd'),
	];
	await clock.run(Promise.all(turns));
	expect(written).toEqual([
		[0, ['a']],
		[50, ['d']],
		[110, ['b', 'c']],
	]);
});

it('rests after a write with the time in mind that it took', async () => {
	const clock = createVirtualClock();
	const writeMs: number[] = [];
	const batches = createBatches(async (lastWriteMs) => {
		writeMs.push(lastWriteMs);
	}, clock);
	for (const ms of [10, 300]) {
		const slow = async () => {
			await clock.sleep(ms);
			return new Set<string>();
		};
		await clock.run(batches.add('node', adding('a'), slow));
	}
	expect(writeMs).toEqual([10, 300]);
});

it('tells everybody in a batch when its write fails, and goes on', async () => {
	const batches = createBatches(async () => undefined, createVirtualClock());
	const failing = async () => await Promise.reject(new Error('no database'));
	const results = await Promise.allSettled([
		batches.add('node', adding('a'), failing),
		batches.add('node', adding('b'), failing),
	]);
	expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	await expect(batches.add('node', adding('c'), async () => new Set(['c']))).resolves.toEqual(
		new Set(['c']),
	);
});

it('joins what is removed with what is added', async () => {
	const clock = createVirtualClock();
	const batches = createBatches(async () => undefined, clock);
	const written: Change[] = [];
	const write = async (change: Change) => {
		written.push(change);
		await clock.sleep(10);
		return new Set<string>();
	};
	const changes = [adding('a'), adding('b'), { added: [], removed: ['c'] }];
	await clock.run(
		Promise.all(changes.map(async (change) => await batches.add('node', change, write))),
	);
	expect(written).toEqual([adding('a'), { added: ['b'], removed: ['c'] }]);
});
