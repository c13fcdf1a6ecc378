import fc from 'fast-check';

import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { openRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { SendOnce, type SendOnceOutcome } from '../../../nodes/BusinessMessaging/memory/sendOnce';
import { contextOn, ProcessedData, type Statement } from '../../support/processedData.ts';
import { createVirtualClock } from '../../support/virtualClock.ts';

const IN_DOUBT = {
	failure: expect.objectContaining({
		message: 'A message with this Send Once Key may already have been sent',
		outcome: 'unknown',
	}),
};

/** Runs of nodes of one workflow, each with a database connection of its own. */
function scene(latencyMs: () => number = () => 5) {
	const clock = createVirtualClock();
	const table = new ProcessedData();
	const sent: string[] = [];
	function newRun(fails: (statement: Statement) => boolean = () => false, node = 'node') {
		const own = new ProcessedData(
			async (statement) => {
				await clock.sleep(latencyMs());
				if (fails(statement)) throw new Error('no database');
			},
			async () => await clock.sleep(latencyMs()),
			table,
		);
		const { context } = contextOn(own, node);
		const sendOnce = new SendOnce(async () => await openRows(context, clock), clock);
		const stopping = new AbortController();
		return {
			sendOnce,
			stop: () => stopping.abort(),
			async send(
				key: string,
				outcome: SendOnceOutcome = 'sent',
				{ takesMs = 50, evenInDoubt = false, knownInDoubt = false } = {},
			) {
				return await sendOnce.send({
					key,
					evenInDoubt,
					knownInDoubt,
					signal: stopping.signal,
					outcomeOf: (result) => result,
					send: async () => {
						await clock.sleep(takesMs);
						if (outcome !== 'notSent') sent.push(key);
						return outcome;
					},
				});
			},
		};
	}
	return { clock, table, sent, newRun };
}

beforeAll(async () => {
	const clock = createVirtualClock();
	await clock.run(openRows(contextOn(new ProcessedData()).context, clock));
});

// README, Send once: a message with the same key is sent once
it('sends a message once, in whatever run of whatever node of the workflow', async () => {
	const { clock, sent, newRun } = scene();
	expect(await clock.run(newRun().send('order-1'))).toBe('sent');
	expect(await clock.run(newRun().send('order-1'))).toBeUndefined();
	expect(await clock.run(newRun(undefined, 'copied node').send('order-1'))).toBeUndefined();
	expect(await clock.run(newRun().send('order-2'))).toBe('sent');
	expect(sent).toEqual(['order-1', 'order-2']);
});

it('asks the database for a new key with 5 statements, for a known one with 1, and for none without', async () => {
	const { clock, table, newRun } = scene();
	const run = newRun();
	expect(table.statements).toEqual([]);
	await clock.run(run.send('order-1'));
	expect(table.statements.splice(0)).toEqual(['select', 'select', 'insert', 'select', 'update']);
	await clock.run(run.send('order-1'));
	expect(table.statements).toEqual(['select']);
});

it('of two runs at the same moment one sends; the other waits for what becomes of it', async () => {
	const { clock, sent, newRun } = scene();
	const both = [newRun(), newRun()].map(
		async (run) => await run.send('order-1', 'sent', { takesMs: 5000 }),
	);
	expect((await clock.run(Promise.all(both))).sort()).toEqual(['sent', undefined]);
	expect(sent).toEqual(['order-1']);
});

it('a run that waits for another one stops waiting when it is stopped', async () => {
	const { clock, newRun } = scene();
	void newRun().send('order-1', 'sent', { takesMs: Infinity });
	await clock.run(clock.sleep(100));
	const run = newRun();
	const waiting = run.send('order-1');
	await clock.run(clock.sleep(2000));
	run.stop();
	expect(await clock.run(waiting)).toEqual(IN_DOUBT);
	expect(clock.ticks()).toBeLessThan(5000);
});

// README, Send once: the same key twice in one run
it.each<[string, SendOnceOutcome, unknown]>([
	['is skipped when the first was sent', 'sent', undefined],
	['is in doubt when the first is', 'unknown', IN_DOUBT],
	['is sent when the first was not', 'notSent', 'sent'],
])('the same key a second time in one run %s', async (_, first, second) => {
	const { clock, newRun } = scene();
	const run = newRun();
	const both = [run.send('order-1', first, { takesMs: 300_000 }), run.send('order-1')];
	expect((await clock.run(Promise.all(both)))[1]).toEqual(second);
	expect(clock.ticks()).toBeLessThan(301_000);
});

// README, Send once: killed
describe('what a killed run was sending', () => {
	async function killed() {
		const stage = scene();
		void stage.newRun().send('order-1', 'sent', { takesMs: Infinity });
		await stage.clock.run(stage.clock.sleep(100));
		return stage;
	}

	it('is in doubt after a minute, and is not sent', async () => {
		const { clock, sent, newRun } = await killed();
		const run = newRun();
		expect(await clock.run(run.send('order-1'))).toEqual(IN_DOUBT);
		expect(Math.round(clock.ticks() / 1000)).toBe(60);
		expect(await clock.run(run.sendOnce.sentOf(['order-1']))).toEqual(new Set());
		expect(sent).toEqual([]);
	});

	it('is sent all the same when asked to, once', async () => {
		const { clock, sent, newRun } = await killed();
		const send = async () => await newRun().send('order-1', 'sent', { evenInDoubt: true });
		expect(await clock.run(send())).toBe('sent');
		expect(await clock.run(send())).toBeUndefined();
		expect(sent).toEqual(['order-1']);
	});
});

// README, Send once: Retry When Outcome Is Unknown
describe('what is in doubt stays so until a message with the key was sent', () => {
	const again = { evenInDoubt: true };

	async function inDoubt() {
		const stage = scene();
		await stage.clock.run(stage.newRun().send('order-1', 'unknown'));
		stage.sent.length = 0;
		return stage;
	}

	it('although it was certainly not sent the second time', async () => {
		const { clock, sent, newRun } = await inDoubt();
		expect(await clock.run(newRun().send('order-1', 'notSent', again))).toBe('notSent');
		expect(await clock.run(newRun().send('order-1'))).toEqual(IN_DOUBT);
		expect(sent).toEqual([]);
	});

	it('although it is unknown once more, as often as it is', async () => {
		const { clock, sent, newRun } = await inDoubt();
		for (const outcome of ['unknown', 'unknown', 'sent'] as const) {
			expect(await clock.run(newRun().send('order-1'))).toEqual(IN_DOUBT);
			expect(await clock.run(newRun().send('order-1', outcome, again))).toBe(outcome);
		}
		expect(await clock.run(newRun().send('order-1', 'sent', again))).toBeUndefined();
		const { sendOnce } = newRun();
		expect(await clock.run(sendOnce.sentOf(['order-1']))).toEqual(new Set(['order-1']));
		expect(await clock.run(sendOnce.show('order-1', true, () => 'shown'))).toBeUndefined();
		expect(sent).toHaveLength(3);
	});

	it('in a run that is stopped', async () => {
		const { clock, table, sent, newRun } = await inDoubt();
		const before = structuredClone(table.rows);
		const run = newRun();
		const waiting = run.send('order-1', 'sent', again);
		await clock.run(clock.sleep(2000));
		run.stop();
		expect(await clock.run(waiting)).toEqual(IN_DOUBT);
		expect([table.rows, sent]).toEqual([before, []]);
	});

	it('for one of two runs at once, which sends it', async () => {
		const { clock, sent, newRun } = await inDoubt();
		const both = [newRun(), newRun()].map(async (run) => await run.send('order-1', 'sent', again));
		expect((await clock.run(Promise.all(both))).sort()).toEqual(['sent', undefined]);
		expect(sent).toEqual(['order-1']);
	});

	it('although who was slow did not send it in the end', async () => {
		const { clock, sent, newRun } = scene();
		const slow = newRun().send('order-1', 'notSent', { takesMs: 90_000 });
		await clock.run(clock.sleep(100));
		expect(await clock.run(newRun().send('order-1', 'sent', again))).toBe('sent');
		expect(await clock.run(slow)).toBe('notSent');
		expect(await clock.run(newRun().send('order-1'))).toBeUndefined();
		expect(sent).toEqual(['order-1']);
	});

	it('although what was sent the second time did not reach the customer', async () => {
		const { clock, newRun } = await inDoubt();
		const run = newRun();
		await clock.run(run.send('order-1', 'sent', again));
		await clock.run(run.sendOnce.free('order-1'));
		expect(await clock.run(newRun().send('order-1'))).toEqual(IN_DOUBT);
	});

	// The last moment: after this run has looked, and before it creates a row of its own.
	it.each<[string, (rows: ReturnType<typeof scene>['table']['rows']) => void, unknown]>([
		['sent it', (rows) => rows.forEach(({ data }) => data.push('ended')), undefined],
		['gave it up', (rows) => rows.clear(), 'sent'],
	])('unless the other execution %s at the last moment', async (_, change, expected) => {
		const { clock, table, newRun } = scene();
		void newRun().send('order-1', 'sent', { takesMs: Infinity });
		await clock.run(clock.sleep(100));
		let isChanged = false;
		const run = newRun((statement) => {
			if (statement === 'insert' && !isChanged) change(table.rows);
			isChanged ||= statement === 'insert';
			return false;
		});
		expect(await clock.run(run.send('order-1', 'sent', again))).toBe(expected);
		expect([...table.rows.values()].map(({ data }) => data.length)).toEqual([2]);
	});

	it('for as many as 20 attempts', async () => {
		const { clock, newRun } = scene();
		const run = newRun();
		for (let attempt = 0; attempt < 20; attempt++) {
			expect(await clock.run(run.send('order-1', 'unknown', again))).toBe('unknown');
		}
		expect(await clock.run(run.send('order-1', 'sent', again))).toEqual(IN_DOUBT);
	});

	it('and one minute is waited for all of them', async () => {
		const { clock, newRun } = scene();
		const keys = Array.from({ length: 5 }, (_, index) => `order-${index}`);
		const first = newRun();
		for (const key of keys) await clock.run(first.send(key, 'unknown'));
		const start = clock.ticks();
		const run = newRun();
		for (const key of keys) expect(await clock.run(run.send(key))).toEqual(IN_DOUBT);
		expect(Math.round((clock.ticks() - start) / 1000)).toBe(60);
	});

	it('and is not waited for when this execution knows of it', async () => {
		const { clock, newRun } = await inDoubt();
		const knownInDoubt = { ...again, knownInDoubt: true };
		expect(await clock.run(newRun().send('order-1', 'sent', knownInDoubt))).toBe('sent');
		expect(clock.ticks()).toBeLessThan(5000);
	});
});

it('a run frees only what it has sent itself', async () => {
	const { clock, newRun } = scene();
	await clock.run(newRun().send('order-1'));
	await clock.run(newRun().sendOnce.free('order-1'));
	expect(await clock.run(newRun().send('order-1'))).toBeUndefined();
});

it('a message that turned out not to reach the customer can be sent again', async () => {
	const { clock, sent, newRun } = scene();
	const run = newRun();
	await clock.run(run.send('order-1'));
	await clock.run(run.sendOnce.free('order-1'));
	expect(await clock.run(newRun().send('order-1'))).toBe('sent');
	expect(sent).toEqual(['order-1', 'order-1']);
});

// README, Send once: said above the output
it('a key that the rest of an earlier attempt keeps from being freed is told', async () => {
	const { clock, newRun } = scene();
	let deletes = 0;
	const dying = newRun((statement) => statement === 'delete' && ++deletes === 2);
	await clock.run(dying.send('order-1', 'notSent'));
	const run = newRun();
	await clock.run(run.send('order-1'));
	expect(run.sendOnce.problem).toBeUndefined();
	await clock.run(run.sendOnce.free('order-1'));
	expect(run.sendOnce.problem).toBe(
		'1 Send Once Key could not be updated, so the next run may skip it or report it as unknown: another attempt with it is remembered',
	);
	expect(await clock.run(newRun().send('order-1'))).toBeUndefined();
});

describe('a look', () => {
	it('finds what was sent, of any number of keys, and changes nothing', async () => {
		const { clock, table, newRun } = scene();
		const { send, sendOnce } = newRun();
		await clock.run(Promise.all(['1', '2', '3'].map(async (key) => await send(key))));
		void newRun().send('in flight', 'sent', { takesMs: Infinity });
		await clock.run(clock.sleep(5000));
		table.statements.length = 0;
		const keys = ['in flight', ...Array.from({ length: 100 }, (_, index) => String(index))];
		expect(await clock.run(sendOnce.sentOf(keys))).toEqual(new Set(['1', '2', '3']));
		expect(new Set(table.statements)).toEqual(new Set(['select']));
		expect(await clock.run(sendOnce.sentOf([]))).toEqual(new Set());
	});

	// README, Send once: Dry Run looks, and records nothing
	it('of a dry run shows each key once, and neither what was sent nor what may have been', async () => {
		const { clock, table, newRun } = scene();
		const { send, sendOnce } = newRun();
		await clock.run(send('sent'));
		await clock.run(send('in doubt', 'unknown'));
		table.statements.length = 0;
		const show = async (key: string, evenInDoubt = false) =>
			await clock.run(sendOnce.show(key, evenInDoubt, () => 'shown'));
		expect(await show('sent')).toBeUndefined();
		expect(await show('in doubt')).toEqual(IN_DOUBT);
		expect(await show('in doubt', true)).toBe('shown');
		expect(await show('new')).toBe('shown');
		expect(await show('new')).toBeUndefined();
		expect(new Set(table.statements)).toEqual(new Set(['select']));
	});
});

describe('without its database', () => {
	const UNUSABLE = {
		failure: {
			...notStarted().failure,
			message: "The memory of Send Once Key can't be used: no database",
			remedy: 'Run it again when the database of n8n answers.',
			retryable: false,
		},
	};

	it('nothing is sent, and that is certain', async () => {
		const { clock, sent, newRun } = scene();
		const { send, sendOnce } = newRun(() => true);
		expect(await clock.run(send('order-1'))).toEqual(UNUSABLE);
		expect(await clock.run(sendOnce.show('order-1', false, () => 'shown'))).toEqual(UNUSABLE);
		await expect(clock.run(sendOnce.sentOf(['order-1']))).rejects.toThrow('no database');
		expect(sent).toEqual([]);
	});

	it('a run gives it up once, for all its keys', async () => {
		const { clock, newRun } = scene();
		const { send } = newRun(() => true);
		await clock.run(send('order-1'));
		const start = clock.ticks();
		expect(await clock.run(send('order-2'))).toEqual(UNUSABLE);
		expect(clock.ticks()).toBe(start);
	});

	// README, Send once: said above the output
	it.each<[string, SendOnceOutcome, Statement, unknown]>([
		['was sent', 'sent', 'update', IN_DOUBT],
		['was not sent', 'notSent', 'delete', IN_DOUBT],
	])(
		'a message that %s is in doubt afterwards, which the run says',
		async (_, outcome, fails, next) => {
			const { clock, newRun } = scene();
			const { send, sendOnce } = newRun((statement) => statement === fails);
			expect(await clock.run(send('order-1', outcome))).toBe(outcome);
			expect(sendOnce.problem).toBe(
				'1 Send Once Key could not be updated, so the next run may skip it or report it as unknown: no database',
			);
			await clock.run(send('order-2', outcome));
			expect(sendOnce.problem).toMatch(
				/^2 Send Once Keys could not be updated, so the next run may skip them or report them as unknown:/,
			);
			expect(await clock.run(newRun().send('order-1'))).toEqual(next);
		},
	);

	it('for a moment, it is asked again', async () => {
		const { clock, newRun } = scene();
		let failures = 10;
		const { send, sendOnce } = newRun((statement) => statement === 'update' && failures-- > 0);
		expect(await clock.run(send('order-1'))).toBe('sent');
		expect(sendOnce.problem).toBeUndefined();
		expect(await clock.run(newRun().send('order-1'))).toBeUndefined();
	});
});

interface Plan {
	key: string;
	run: number;
	atMs: number;
	takesMs: number;
	outcome: SendOnceOutcome;
}

const plans = fc.array(
	fc.record<Plan>({
		key: fc.integer({ min: 0, max: 4 }).map(String),
		run: fc.integer({ min: 0, max: 3 }),
		atMs: fc.integer({ min: 0, max: 3000 }),
		takesMs: fc.integer({ min: 1, max: 2000 }),
		outcome: fc.constantFrom<SendOnceOutcome[]>('sent', 'unknown', 'notSent'),
	}),
	{ minLength: 1, maxLength: 15 },
);
const latencies = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 5, maxLength: 20 });

it('sends each key once however runs overlap and are held up, says what is in doubt, and frees what was not sent', async () => {
	await fc.assert(
		fc.asyncProperty(plans, latencies, async (all, latency) => {
			let step = 0;
			const { clock, sent, newRun } = scene(() => latency[step++ % latency.length]);
			const runs = [0, 1, 2, 3].map(() => newRun());
			const ends = all.map(async ({ key, run, atMs, takesMs, outcome }) => {
				await clock.sleep(atMs);
				return { key, result: await runs[run].send(key, outcome, { takesMs }) };
			});
			const results = await clock.run(Promise.all(ends));
			for (const key of new Set(all.map((each) => each.key))) {
				const ofKey = results.filter((each) => each.key === key).map(({ result }) => result);
				const gone = sent.filter((each) => each === key).length;
				expect(gone).toBeLessThanOrEqual(1);
				if (ofKey.includes(undefined)) expect(ofKey).toContain('sent');
				if (gone === 0) expect(await clock.run(newRun().send(key))).toBe('sent');
				else expect([undefined, IN_DOUBT]).toContainEqual(await clock.run(newRun().send(key)));
			}
		}),
		{ numRuns: 100 },
	);
});
