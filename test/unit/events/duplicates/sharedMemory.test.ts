import fc from 'fast-check';

import { createBatches } from '../../../../nodes/BusinessMessaging/events/duplicates/batches';
import { createRecentEntries } from '../../../../nodes/BusinessMessaging/events/duplicates/recentEntries';
import {
	claimEvent,
	restMs,
} from '../../../../nodes/BusinessMessaging/events/duplicates/sharedMemory';
import type { Memory } from '../../../../nodes/BusinessMessaging/events/duplicates/sharedMemory';
import { createVirtualClock } from '../../../support/virtualClock';
import type { VirtualClock } from '../../../support/virtualClock';

/** A store like n8n's: read, changed and written as a whole, without a lock. */
function createLocklessStore(clock: VirtualClock, latencyMs: () => number) {
	let row: string[] = [];
	return async (entries: string[]): Promise<Set<string>> => {
		await clock.sleep(latencyMs());
		const read = [...row];
		await clock.sleep(latencyMs());
		row = [...read, ...entries.filter((entry) => !read.includes(entry))];
		return new Set(entries.filter((entry) => read.includes(entry)));
	};
}

/** A process of a cluster: its memory is the store, written once at a time and then resting. */
function createProcess(
	store: Memory['record'],
	clock: VirtualClock,
	random: () => number = () => 0,
): Memory {
	const recent = createRecentEntries(clock);
	const batches = createBatches(
		async (lastWriteMs) => await clock.sleep(restMs(lastWriteMs, random())),
		clock,
	);
	const write = async (entries: string[]) =>
		await store([...new Set([...recent.of('node'), ...entries])]);
	return {
		isShared: true,
		record: async (entries) => await batches.add('node', entries, write),
		keep: (entries) => recent.add('node', entries),
	};
}

/** A memory that answers its writes with these entries, one after the other. */
function createScriptedMemory(answers: string[][], isShared = true) {
	const written: string[][] = [];
	const memory: Memory = {
		isShared,
		keep: () => undefined,
		record: async (entries) => {
			written.push(entries);
			return new Set(answers[written.length - 1]);
		},
	};
	return { memory, written };
}

it('lets one of two copies through that two processes write at the same moment', async () => {
	const clock = createVirtualClock();
	const store = createLocklessStore(clock, () => 10);
	const claims = ['execution 1', 'execution 2'].map(
		async (own) => await claimEvent(createProcess(store, clock), 'event', own),
	);
	expect((await clock.run(Promise.all(claims))).filter(Boolean)).toHaveLength(1);
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
				const isOurs = await claimEvent(processes[process], `event ${event}`, `run ${index}`);
				if (isOurs) handled.push(event);
			});
			await clock.run(Promise.all(executions));
			const events = [...new Set(copies.map(({ event }) => event))];
			expect(handled.sort()).toEqual(events.sort());

			const late = events.map(
				async (event) => await claimEvent(processes[0], `event ${event}`, 'late'),
			);
			expect(await clock.run(Promise.all(late))).toEqual(events.map(() => false));
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
	const slow = claimEvent(heldUp, 'slow event', 'execution 1');
	const handled = (async () => {
		await clock.sleep(10);
		return await claimEvent(steady, 'event', 'execution 2');
	})();
	expect(await clock.run(handled)).toBe(true);
	await clock.run(slow);
	expect(await clock.run(claimEvent(steady, 'next event', 'execution 3'))).toBe(true);
	expect(await clock.run(claimEvent(heldUp, 'event', 'execution 4'))).toBe(false);
});

it('lets an execution go on that n8n repeats because its worker died', async () => {
	const clock = createVirtualClock();
	const memory = createProcess(
		createLocklessStore(clock, () => 1),
		clock,
	);
	expect(await clock.run(claimEvent(memory, 'event', 'execution 1'))).toBe(true);
	expect(await clock.run(claimEvent(memory, 'event', 'execution 1'))).toBe(true);
	expect(await clock.run(claimEvent(memory, 'event', 'execution 2'))).toBe(false);
});

it('records an event again when an unrelated write undid it', async () => {
	const { memory, written } = createScriptedMemory([[], [], ['event', 'event#execution 1']]);
	expect(await claimEvent(memory, 'event', 'execution 1')).toBe(true);
	expect(written).toHaveLength(3);
});

it('lets an event through rather than losing it when the memory never holds', async () => {
	const { memory } = createScriptedMemory([]);
	expect(await claimEvent(memory, 'event', 'execution 1')).toBe(true);
});

it.each([
	['a new event', [], true],
	['an event from before a restart', ['event'], false],
])('writes once for %s when no other process writes', async (_, before, expected) => {
	const { memory, written } = createScriptedMemory([before], false);
	expect(await claimEvent(memory, 'event', 'execution 1')).toBe(expected);
	expect(written).toHaveLength(1);
});

it('rests longer when writing takes long, within a limit', () => {
	expect([10, 300, 60_000].map((writeMs) => restMs(writeMs, 0))).toEqual([250, 600, 1000]);
	expect(restMs(10, 1)).toBe(400);
});

describe('batches', () => {
	it('join what waits for a write or a rest, and keep stores apart', async () => {
		const clock = createVirtualClock();
		const batches = createBatches(async () => await clock.sleep(100), clock);
		const written: Array<[number, string[]]> = [];
		const start = clock.now();
		const write = async (entries: string[]) => {
			written.push([clock.now() - start, entries]);
			await clock.sleep(10);
			return new Set<string>();
		};
		const addAt = async (atMs: number, store: string, entry: string) => {
			if (atMs > 0) await clock.sleep(atMs);
			return await batches.add(store, [entry], write);
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

	it('rest after a write with the time in mind that it took', async () => {
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
			await clock.run(batches.add('node', ['a'], slow));
		}
		expect(writeMs).toEqual([10, 300]);
	});

	it('tell everybody in a batch when its write fails, and go on', async () => {
		const batches = createBatches(async () => undefined, createVirtualClock());
		const failing = async () => await Promise.reject(new Error('no database'));
		const results = await Promise.allSettled([
			batches.add('node', ['a'], failing),
			batches.add('node', ['b'], failing),
		]);
		expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		await expect(batches.add('node', ['c'], async () => new Set(['c']))).resolves.toEqual(
			new Set(['c']),
		);
	});
});
