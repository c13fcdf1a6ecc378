import fc from 'fast-check';

import { createBatches } from '../../../nodes/BusinessMessaging/events/batches';
import { claimEvent } from '../../../nodes/BusinessMessaging/events/sharedMemory';
import type { Memory } from '../../../nodes/BusinessMessaging/events/sharedMemory';
import { createVirtualClock } from '../../support/virtualClock';
import type { VirtualClock } from '../../support/virtualClock';

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

function memoryOf(record: Memory['record'], clock: VirtualClock, random: () => number): Memory {
	return { record, pause: clock.sleep, random };
}

it('lets one of two copies through that write at the same moment', async () => {
	const clock = createVirtualClock();
	const memory = memoryOf(createLocklessStore(clock, () => 10), clock, () => 0);
	const claims = ['execution 1', 'execution 2'].map((own) => claimEvent(memory, 'event', own));
	expect((await clock.run(Promise.all(claims))).filter(Boolean)).toHaveLength(1);
});

it('lets each event through exactly once, however the writes of processes overlap', async () => {
	const copies = fc.array(
		fc.record({
			event: fc.integer({ min: 0, max: 9 }),
			process: fc.integer({ min: 0, max: 2 }),
			arrivesAfterMs: fc.integer({ min: 0, max: 400 }),
		}),
		{ minLength: 1, maxLength: 40 },
	);
	const latencies = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 5, maxLength: 20 });
	await fc.assert(
		fc.asyncProperty(copies, latencies, async (deliveries, latency) => {
			const clock = createVirtualClock();
			let step = 0;
			const store = createLocklessStore(clock, () => latency[step++ % latency.length]);
			const processes = [0, 1, 2].map(() => createBatches());
			const handled: number[] = [];
			const executions = deliveries.map(async ({ event, process, arrivesAfterMs }, index) => {
				await clock.sleep(arrivesAfterMs);
				const memory = memoryOf(
					async (entries) => await processes[process].add('node', entries, store),
					clock,
					() => (index * 0.37) % 1,
				);
				if (await claimEvent(memory, `event ${event}`, `execution ${index}`)) handled.push(event);
			});
			await clock.run(Promise.all(executions));
			const events = [...new Set(deliveries.map(({ event }) => event))];
			expect(handled.sort()).toEqual(events.sort());
		}),
		{ numRuns: 300 },
	);
});

it('lets an execution go on that n8n repeats because its worker died', async () => {
	const clock = createVirtualClock();
	const memory = memoryOf(createLocklessStore(clock, () => 1), clock, () => 0);
	expect(await clock.run(claimEvent(memory, 'event', 'execution 1'))).toBe(true);
	expect(await clock.run(claimEvent(memory, 'event', 'execution 1'))).toBe(true);
	expect(await clock.run(claimEvent(memory, 'event', 'execution 2'))).toBe(false);
});

it('records an event again when an unrelated write undid it', async () => {
	const written: string[][] = [];
	const found = [[], [], ['event', 'event#execution 1']];
	const memory: Memory = {
		record: async (entries) => {
			written.push(entries);
			return new Set(found[written.length - 1]);
		},
		pause: async () => undefined,
		random: () => 0,
	};
	expect(await claimEvent(memory, 'event', 'execution 1')).toBe(true);
	expect(written).toHaveLength(3);
});

it('lets an event through rather than losing it when the memory never holds', async () => {
	const memory: Memory = {
		record: async () => new Set(),
		pause: async () => undefined,
		random: () => 0,
	};
	expect(await claimEvent(memory, 'event', 'execution 1')).toBe(true);
});

describe('batches', () => {
	it('join what waits for a write under way, and keep copies of one event apart', async () => {
		const clock = createVirtualClock();
		const batches = createBatches();
		const written: string[][] = [];
		const write = async (entries: string[]) => {
			written.push(entries);
			await clock.sleep(10);
			return new Set<string>();
		};
		const turns = [['a'], ['b'], ['c'], ['b']].map(
			async (entries) => await batches.add('node', entries, write),
		);
		await clock.run(Promise.all(turns));
		expect(written).toEqual([['a'], ['b', 'c'], ['b']]);
	});

	it('tell everybody in a batch when its write fails, and go on', async () => {
		const batches = createBatches();
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
