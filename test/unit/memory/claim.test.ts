import fc from 'fast-check';

import { claimKey, release } from '../../../nodes/BusinessMessaging/memory/claim';
import { restMs } from '../../../nodes/BusinessMessaging/memory/databaseMemory';
import type { Memory } from '../../../nodes/BusinessMessaging/memory/databaseMemory';
import { createLocklessStore, createProcess } from '../../support/locklessMemory';
import { createVirtualClock } from '../../support/virtualClock';

/** A memory that answers its writes with these entries, one after the other. */
function createScriptedMemory(answers: string[][], isShared = true) {
	const written: string[][] = [];
	const removed: string[][] = [];
	const kept: string[][] = [];
	const memory: Memory = {
		isShared,
		keep: (entries) => void kept.push(entries),
		remove: async (entries) => void removed.push(entries),
		inTurn: async (_, task) => await task(),
		record: async (entries) => {
			written.push(entries);
			return new Set(answers[written.length - 1]);
		},
	};
	return { memory, written, removed, kept };
}

it('lets one of two copies through that two processes write at the same moment', async () => {
	const clock = createVirtualClock();
	const store = createLocklessStore(clock, () => 10);
	const claims = ['execution 1', 'execution 2'].map(
		async (own) => await claimKey(createProcess(store, clock), 'event', own),
	);
	expect((await clock.run(Promise.all(claims))).sort()).toEqual(['ours', 'taken']);
});

// README, Scaling: repeated events are dropped once more by the workers
it('lets each event through exactly once and keeps it, however writes overlap', async () => {
	const PROCESSES = 3;
	const deliveries = fc.array(
		fc.record({
			event: fc.integer({ min: 0, max: 9 }),
			process: fc.integer({ min: 0, max: PROCESSES - 1 }),
			arrivesAfterMs: fc.integer({ min: 0, max: 1500 }),
		}),
		{ minLength: 1, maxLength: 40 },
	);
	// Two of them make a write: the writes of the two other processes take less than a rest.
	const latencies = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 5, maxLength: 20 });
	const randoms = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5 });
	await fc.assert(
		fc.asyncProperty(deliveries, latencies, randoms, async (copies, latency, random) => {
			const clock = createVirtualClock();
			let step = 0;
			let draw = 0;
			const store = createLocklessStore(clock, () => latency[step++ % latency.length]);
			const processes = Array.from({ length: PROCESSES }, () =>
				createProcess(store, clock, () => random[draw++ % random.length]),
			);
			const inProcess = new Set<string>();
			const handled: number[] = [];

			const executions = copies.map(async ({ event, process, arrivesAfterMs }, index) => {
				await clock.sleep(arrivesAfterMs);
				// The memory of the process itself keeps copies from its batches.
				if (inProcess.has(`${process} ${event}`)) return;
				inProcess.add(`${process} ${event}`);
				const claimed = await claimKey(processes[process], `event ${event}`, `run ${index}`);
				if (claimed === 'ours') handled.push(event);
			});
			await clock.run(Promise.all(executions));
			const events = [...new Set(copies.map(({ event }) => event))];
			expect(handled.sort()).toEqual(events.sort());

			const late = events.map(
				async (event) => await claimKey(processes[0], `event ${event}`, 'late'),
			);
			expect(await clock.run(Promise.all(late))).toEqual(events.map(() => 'taken'));
		}),
		{ numRuns: 300 },
	);
});

it('brings an event back that a process undid which was held up while it wrote', async () => {
	const clock = createVirtualClock();
	const latencies = [...Array<number>(20).fill(1)];
	const store = createLocklessStore(clock, () => latencies.shift() ?? 1);
	const [steady, heldUp] = [createProcess(store, clock), createProcess(store, clock)];

	latencies.unshift(1, 5000);
	const slow = claimKey(heldUp, 'slow event', 'execution 1');
	const handled = (async () => {
		await clock.sleep(10);
		return await claimKey(steady, 'event', 'execution 2');
	})();
	expect(await clock.run(handled)).toBe('ours');
	await clock.run(slow);
	expect(await clock.run(claimKey(steady, 'next event', 'execution 3'))).toBe('ours');
	expect(await clock.run(claimKey(heldUp, 'event', 'execution 4'))).toBe('taken');
});

it('lets an execution go on that n8n repeats because its worker died', async () => {
	const clock = createVirtualClock();
	const memory = createProcess(
		createLocklessStore(clock, () => 1),
		clock,
	);
	expect(await clock.run(claimKey(memory, 'event', 'execution 1'))).toBe('ours');
	expect(await clock.run(claimKey(memory, 'event', 'execution 1'))).toBe('ours');
	expect(await clock.run(claimKey(memory, 'event', 'execution 2'))).toBe('taken');
});

it('records an event again when an unrelated write undid it', async () => {
	const { memory, written } = createScriptedMemory([[], [], ['event', 'event#execution 1']]);
	expect(await claimKey(memory, 'event', 'execution 1')).toBe('ours');
	expect(written).toHaveLength(3);
});

it('tells after ten writes that the memory never holds, and makes sure that the key stays', async () => {
	const { memory, written, kept } = createScriptedMemory([]);
	expect(await claimKey(memory, 'event', 'execution 1')).toBe('unsettled');
	expect(written).toHaveLength(10);
	expect(kept).toEqual([['event', 'event#execution 1']]);
});

it.each([
	['a new event', [], 'ours'],
	['an event from before a restart', ['event'], 'taken'],
])('writes once for %s when no other process writes', async (_, before, expected) => {
	const { memory, written } = createScriptedMemory([before], false);
	expect(await claimKey(memory, 'event', 'execution 1')).toBe(expected);
	expect(written).toHaveLength(1);
});

it('rests longer when writing takes long, within a limit', () => {
	expect([10, 300, 60_000].map((writeMs) => restMs(writeMs, 0))).toEqual([250, 600, 1000]);
	expect(restMs(10, 1)).toBe(400);
});

describe('what is taken back', () => {
	it('is taken back again as long as an overlapping write brings it back', async () => {
		const { memory, written, removed } = createScriptedMemory([['own'], ['own'], []]);
		await release(memory, ['key'], 'own');
		expect(written).toEqual([['own'], ['own'], ['own']]);
		expect(removed).toEqual([['key', 'own'], ['key', 'own'], ['key', 'own'], ['own']]);
	});

	it('is taken back in one write when no other process writes', async () => {
		const { memory, written, removed } = createScriptedMemory([], false);
		await release(memory, ['key'], 'own');
		expect(written).toEqual([]);
		expect(removed).toEqual([['key', 'own']]);
	});

	it('is given up after ten writes', async () => {
		const { memory, written } = createScriptedMemory(Array(20).fill(['own']));
		await release(memory, ['key'], 'own');
		expect(written).toHaveLength(10);
	});
});
