import fc from 'fast-check';

import type { Fate } from '../../../../nodes/BusinessMessaging/actions/keyedSends';
import {
	createSendOnce,
	MAX_ENTRIES,
	MAX_KEYS,
} from '../../../../nodes/BusinessMessaging/actions/sendOnce/sendOnce';
import type { Memory } from '../../../../nodes/BusinessMessaging/memory/databaseMemory';
import { createLocklessStore, createProcess } from '../../../support/locklessMemory';
import { seededRandom } from '../../../support/simulation/random';
import { createVirtualClock } from '../../../support/virtualClock';

/** One run of the node, in a process of its own unless it shares the memory of another one. */
function scene(latencyMs = 10, random: () => number = () => 0) {
	const clock = createVirtualClock();
	const store = createLocklessStore(clock, () => latencyMs, MAX_ENTRIES);
	const sent: string[] = [];
	const warnings: string[] = [];
	const newProcess = () => createProcess(store, clock, random);
	function newRun(memory: Memory = newProcess()) {
		const sendOnce = createSendOnce(memory, (problem) => warnings.push(problem));
		return {
			...sendOnce,
			async send(key: string, fate: Fate = 'sent', takesMs = 50) {
				return await sendOnce.once(
					key,
					async () => {
						await clock.sleep(takesMs);
						if (fate !== 'notSent') sent.push(key);
						return fate;
					},
					(result) => result,
				);
			},
		};
	}
	return { clock, store, sent, warnings, newProcess, newRun };
}

// README, Send once: a message with this key is sent once
it('leaves out what an earlier run sent, in whatever process it was', async () => {
	const { clock, sent, newRun } = scene();
	expect(await clock.run(newRun().send('order-1'))).toBe('sent');
	expect(await clock.run(newRun().send('order-1'))).toEqual({ skipped: 'sentBefore' });
	expect(await clock.run(newRun().send('order-2'))).toBe('sent');
	expect(sent).toEqual(['order-1', 'order-2']);
});

it('lets one of two runs send at the same moment; the other does not know what becomes of it', async () => {
	const { clock, sent, newRun } = scene();
	const both = await clock.run(
		Promise.all([newRun().send('order-1', 'sent', 5000), newRun().send('order-1', 'sent', 5000)]),
	);
	expect(both).toEqual(expect.arrayContaining(['sent', { skipped: 'outcomeUnknown' }]));
	expect(sent).toEqual(['order-1']);
});

// README, Send once: the same key twice in one run
it.each<[string, Fate, unknown]>([
	['is left out when the first was sent', 'sent', { skipped: 'sentBefore' }],
	['is left out when the first may have been sent', 'unknown', { skipped: 'outcomeUnknown' }],
	['is sent when the first was not', 'notSent', 'sent'],
])('the same key a second time in one run %s', async (_, first, second) => {
	const { clock, newRun } = scene();
	const run = newRun();
	const [, result] = await clock.run(
		Promise.all([run.send('order-1', first, 3000), run.send('order-1')]),
	);
	expect(result).toEqual(second);
});

it('a message that failed on its way to the customer can be sent again', async () => {
	const { clock, sent, newRun } = scene();
	const run = newRun();
	await clock.run(run.send('order-1'));
	await clock.run(run.takeBack('order-1'));
	expect(await clock.run(newRun().send('order-1'))).toBe('sent');
	expect(sent).toEqual(['order-1', 'order-1']);
});

// README, Send once: killed
it('what a killed run had recorded and not ended stays unsent, and is told apart from what was sent', async () => {
	const { clock, sent, newRun } = scene();
	void newRun().send('order-1', 'sent', Infinity);
	await clock.run(clock.sleep(5000));
	expect(await clock.run(newRun().send('order-1'))).toEqual({ skipped: 'outcomeUnknown' });
	expect(sent).toEqual([]);
});

describe('a look', () => {
	it('finds what was sent, of any number of keys, and changes nothing', async () => {
		const { clock, newRun } = scene();
		const run = newRun();
		await clock.run(Promise.all(['1', '2', '3'].map(async (key) => await run.send(key))));
		void newRun().send('under way', 'sent', Infinity);
		await clock.run(clock.sleep(5000));
		const keys = ['under way', ...Array.from({ length: 500 }, (_, index) => String(index))];
		expect(await clock.run(newRun().look(keys))).toEqual(new Set(['1', '2', '3']));
		expect(await clock.run(newRun().look(keys))).toEqual(new Set(['1', '2', '3']));
		expect(await clock.run(newRun().send('4'))).toBe('sent');
	});

	// README, Send once: the newest 10,000 keys are kept
	it('makes the memory forget none of the newest 10,000 keys', async () => {
		const { clock, newProcess, newRun } = scene();
		await clock.run(newRun().send('oldest'));
		const younger = Array.from({ length: 3 * (MAX_KEYS - 1) }, (_, entry) => `younger ${entry}`);
		await clock.run(newProcess().record(younger));
		await clock.run(newRun().look(Array.from({ length: 1000 }, (_, key) => String(key))));
		expect(await clock.run(newRun().look(['oldest']))).toEqual(new Set(['oldest']));
	});

	/** It is killed with its process after so many writes. */
	function lookAndDie({ newProcess, newRun }: ReturnType<typeof scene>, writes: number) {
		const memory = newProcess();
		let left = writes;
		const dying = async <T>(write: () => Promise<T>): Promise<T> =>
			left-- > 0 ? await write() : await new Promise<T>(() => undefined);
		const killed: Memory = {
			...memory,
			record: async (entries) => await dying(async () => await memory.record(entries)),
			remove: async (entries) => await dying(async () => await memory.remove(entries)),
		};
		void newRun(killed).look(['order-1']);
	}

	it.each([[[1]], [[2]], [[3]], [[1, 100, 5]]])(
		'keeps nothing from being sent when looks are killed after %j writes (100: it ends)',
		async (kills) => {
			const stage = scene();
			const { clock, newRun } = stage;
			for (const writes of kills) {
				lookAndDie(stage, writes);
				await clock.run(clock.sleep(5000));
			}
			expect(await clock.run(newRun().look(['order-1']))).toEqual(new Set());
			expect(await clock.run(newRun().send('order-1'))).toBe('sent');
		},
	);
});

describe('without a memory', () => {
	const broken = (memory: Memory, ...names: Array<'record' | 'remove'>): Memory => ({
		...memory,
		...Object.fromEntries(
			names.map((name) => [name, async () => await Promise.reject(new Error('no database'))]),
		),
	});

	const notRecording = (memory: Memory, fails: (entries: string[]) => boolean): Memory => ({
		...memory,
		record: async (entries) =>
			fails(entries)
				? await Promise.reject(new Error('no database'))
				: await memory.record(entries),
	});

	it('nothing is sent', async () => {
		const { clock, sent, newProcess, newRun } = scene();
		const run = newRun(broken(newProcess(), 'record'));
		await expect(clock.run(run.send('order-1'))).rejects.toThrow('no database');
		expect(sent).toEqual([]);
	});

	it('nothing is sent when it never holds, and the key is free', async () => {
		const { clock, sent, newProcess, newRun } = scene();
		const forgetful: Memory = { ...newProcess(), record: async () => new Set() };
		await expect(clock.run(newRun(forgetful).send('order-1'))).rejects.toThrow('does not keep');
		expect(sent).toEqual([]);
		expect(await clock.run(newRun().send('order-1'))).toBe('sent');
	});

	it('a key that could not be freed stays in doubt, and the log says so', async () => {
		const { clock, warnings, newProcess, newRun } = scene();
		const run = newRun(broken(newProcess(), 'remove'));
		expect(await clock.run(run.send('order-1', 'notSent'))).toBe('notSent');
		expect(warnings.join()).toContain('could not be freed: no database');
		expect(await clock.run(newRun().send('order-1'))).toEqual({ skipped: 'outcomeUnknown' });
	});

	it('a message that could not be marked stays in doubt, and the log says so', async () => {
		const { clock, warnings, newProcess, newRun } = scene();
		const run = newRun(
			notRecording(newProcess(), (entries) => entries.some((entry) => entry.startsWith('sent:'))),
		);
		expect(await clock.run(run.send('order-1'))).toBe('sent');
		expect(warnings.join()).toContain('could not be marked: no database');
		expect(await clock.run(newRun().send('order-1'))).toEqual({ skipped: 'outcomeUnknown' });
	});

	it('a last write that fails takes nothing from a run whose messages have gone', async () => {
		const { clock, warnings, newProcess, newRun } = scene();
		const run = newRun(notRecording(newProcess(), (entries) => entries.length === 0));
		await clock.run(run.send('order-1'));
		await clock.run(run.close());
		expect(warnings).toEqual(['The Send Once Keys could not be written once more: no database']);
	});
});

interface Plan {
	key: string;
	process: number;
	run: number;
	atMs: number;
	takesMs: number;
	fate: Fate;
}

const plans = fc.array(
	fc.record<Plan>({
		key: fc.integer({ min: 0, max: 4 }).map(String),
		process: fc.integer({ min: 0, max: 1 }),
		run: fc.integer({ min: 0, max: 1 }),
		atMs: fc.integer({ min: 0, max: 3000 }),
		takesMs: fc.integer({ min: 1, max: 2000 }),
		fate: fc.constantFrom<Fate[]>('sent', 'unknown', 'notSent'),
	}),
	{ minLength: 1, maxLength: 15 },
);

/** Two processes with two runs each: of three that ask at once, two could mislead the third. @returns what became of each plan */
async function play({ clock, newProcess, newRun }: ReturnType<typeof scene>, all: Plan[]) {
	const runs = [0, 1].map(() => {
		const memory = newProcess();
		return [newRun(memory), newRun(memory)];
	});
	const ends = all.map(async ({ key, process, run, atMs, takesMs, fate }) => {
		await clock.sleep(atMs);
		return { key, result: await runs[process][run].send(key, fate, takesMs) };
	});
	return await clock.run(Promise.all(ends));
}

/** Two latencies make a write: the writes of the two other processes take less than a rest. */
const latencies = fc.integer({ min: 1, max: 60 });
const seeds = fc.integer({ min: 1, max: 1_000_000 });

it('sends each key once however runs overlap, says what is in doubt, and frees what was not sent', async () => {
	await fc.assert(
		fc.asyncProperty(plans, latencies, seeds, async (all, latencyMs, seed) => {
			const stage = scene(latencyMs, seededRandom(seed));
			const results = await play(stage, all);
			for (const key of new Set(all.map((each) => each.key))) {
				const ofKey = results.filter((each) => each.key === key).map(({ result }) => result);
				const gone = stage.sent.filter((each) => each === key).length;
				expect(gone).toBeLessThanOrEqual(1);
				const said = ofKey.filter(
					(result) => typeof result === 'object' && result.skipped === 'sentBefore',
				);
				if (said.length > 0) expect(ofKey).toContain('sent');
				if (gone === 0) expect(await stage.clock.run(stage.newRun().send(key))).toBe('sent');
			}
		}),
		{ numRuns: 150 },
	);
});

it('sends each key once however looks and runs overlap, and no later look takes for sent what was not', async () => {
	await fc.assert(
		fc.asyncProperty(plans, latencies, seeds, async (all, latencyMs, seed) => {
			const stage = scene(latencyMs, seededRandom(seed));
			const { clock, sent, newProcess, newRun } = stage;
			const process = newProcess();
			const looks = all.map(async ({ key, atMs }) => {
				await clock.sleep(atMs);
				await newRun(process).look([key, `${key} of another sheet`]);
			});
			const looking = Promise.all(looks);
			const results = await play(stage, all);
			await clock.run(looking);
			const keys = [...new Set(all.map(({ key }) => key))];
			for (const key of keys) {
				expect(sent.filter((each) => each === key).length).toBeLessThanOrEqual(1);
			}
			const known = results.flatMap(({ key, result }) => (result === 'sent' ? [key] : []));
			expect(known).toEqual(expect.arrayContaining([...(await clock.run(newRun().look(keys)))]));
		}),
		{ numRuns: 150 },
	);
});

/** A memory that no other process writes and that has these entries; with what it is asked, IDs left out. */
function recordingMemory(entries: string[] = []) {
	const asked: string[][] = [];
	const note = (what: string, all: string[]) =>
		asked.push([what, ...all.map((entry) => entry.replace(/#[-\da-f]{36}$/, '#ID'))]);
	const memory: Memory = {
		isShared: false,
		record: async (all) => {
			note('record', all);
			return await Promise.resolve(new Set(all.filter((entry) => entries.includes(entry))));
		},
		keep: (all) => void note('keep', all),
		remove: async (all) => void note('remove', all),
		inTurn: async (_, task) => await task(),
	};
	return { asked, sendOnce: createSendOnce(memory, () => undefined) };
}

describe('what the memory is asked', () => {
	const CLAIM = ['claimed:1', 'claimed:1#ID'];
	const MARKS = ['sent:1', 'sent indeed:1'];
	const send = async () => await Promise.resolve('sent' as const);

	it('for a message: its claim first, then two marks in place of the claim', async () => {
		const { asked, sendOnce } = recordingMemory();
		await sendOnce.close();
		await sendOnce.once('1', send, (fate) => fate);
		await sendOnce.close();
		expect(asked).toEqual([
			['record', ...CLAIM],
			['keep', ...CLAIM],
			['record', ...MARKS],
			['remove', 'claimed:1#ID'],
			['keep', ...MARKS],
			['record'],
		]);
	});

	it('for a message beside a look, which saw a mark as its own: the marks three times more', async () => {
		const { asked, sendOnce } = recordingMemory(['sent:1']);
		await sendOnce.once('1', send, (fate) => fate);
		expect(asked.filter(([what, first]) => what === 'record' && first === 'sent:1')).toHaveLength(
			4,
		);
	});

	it('for keys that are looked up: 500 at a time, and nothing where there are none', async () => {
		const { asked, sendOnce } = recordingMemory();
		await sendOnce.look(Array.from({ length: 501 }, (_, index) => String(index)));
		expect(asked.map(([what, ...entries]) => [what, entries.length])).toEqual([
			['record', 501],
			['remove', 501],
			['record', 2],
			['remove', 2],
		]);
	});

	it('for a key that another run has used: it is freed under a claim that nobody else has', async () => {
		const { asked, sendOnce } = recordingMemory();
		await sendOnce.takeBack('1');
		expect(asked).toEqual([['remove', 'claimed:1', ...MARKS, 'freed#ID']]);
	});
});
