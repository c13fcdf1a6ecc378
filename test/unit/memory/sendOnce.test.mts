import fc from 'fast-check';

import { NoRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { SendOnce } from '../../../nodes/BusinessMessaging/memory/sendOnce';
import { mayHaveIt, type OutcomeName, OUTCOMES } from '../../support/outcomes.mts';
import { sample } from '../../support/sample.mts';
import { databaseScene } from '../../support/simulation/database.mts';

const UNKNOWN_OUTCOME = {
	kind: 'failed',
	failure: expect.objectContaining({ code: 'keyOutcomeUnknown', outcome: 'unknown' }),
};
const show = async () => await Promise.resolve(OUTCOMES.sent);

/** Runs of nodes of one workflow. */
function scene(latencyMs?: () => number) {
	const { clock, table, connect } = databaseScene(latencyMs);
	const sent: string[] = [];
	function newRun(process?: Parameters<typeof connect>[0]) {
		const sendOnce = new SendOnce(connect(process).rows, clock);
		const stopping = new AbortController();
		/**
		 * Begins to send, in virtual time that passes only with `clock.run`.
		 * @returns the name of the outcome, if it is the message's own
		 */
		async function start(key: string, name: OutcomeName = 'sent', takesMs = 50) {
			const request = async () => {
				await clock.sleep(takesMs);
				if (mayHaveIt(name)) sent.push(key);
				return OUTCOMES[name];
			};
			const outcome = await sendOnce.withClaim(key, request, stopping.signal);
			return outcome === OUTCOMES[name] ? name : outcome;
		}
		const send = async (...given: Parameters<typeof start>) => await clock.run(start(...given));
		return { sendOnce, stop: () => stopping.abort(), start, send };
	}
	/** In a run of its own. */
	const send: ReturnType<typeof newRun>['send'] = async (...given) => await newRun().send(...given);
	return { clock, table, sent, newRun, send };
}

it.each([
	[
		'another version has written',
		(entries: string[]) => void entries.push(...'abcdefgh'),
		{
			message:
				'The Send Once Key was saved by another version of this package, so nothing was sent now',
			remedy: expect.stringMatching(/To send the message, run its item with another key\.$/),
			outcome: 'unknown',
		},
	],
	[
		'nobody can create',
		(entries: string[]) => void (entries.length = 0),
		{ code: 'memoryUnusable', message: expect.stringContaining("can't be created") },
	],
])('does not send with a key whose row %s, and sends the others', async (_, change, failure) => {
	const { table, sent, send } = scene();
	await send('order-1');
	for (const { data } of table.rows.values()) change(data);
	expect(await send('order-1')).toMatchObject({ failure });
	expect(await send('order-2')).toBe('sent');
	expect(sent).toEqual(['order-1', 'order-2']);
});

it('an exception fails its own message only', async () => {
	const { clock, newRun } = scene();
	const { sendOnce, send } = newRun();
	const { signal } = new AbortController();
	const fails = async () => await Promise.reject(new Error('no such thing'));
	await expect(clock.run(sendOnce.withClaim('order-1', fails, signal))).rejects.toThrow('no such');
	expect(await send('order-1')).toEqual(UNKNOWN_OUTCOME);
});

// docs/send-once.md: the same key twice in one run
it('the same key a second time in a run waits for the first, and is unknown when that is', async () => {
	const { clock, newRun } = scene();
	const run = newRun();
	const both = [run.start('order-1', 'unknown', 300_000), run.start('order-1')];
	expect(await clock.run(Promise.all(both))).toEqual(['unknown', UNKNOWN_OUTCOME]);
	expect(clock.ticks()).toBeLessThan(301_000);
});

// docs/send-once.md: killed
it('what killed runs were sending is unknown after a minute, once in a run, unless it is stopped', async () => {
	const { clock, sent, newRun } = scene();
	for (const key of ['1', '2']) void newRun().start(key, 'sent', Infinity);
	await clock.run(clock.sleep(100));
	for (const waitsMs of [60_000, 2000]) {
		const run = newRun();
		const start = clock.ticks();
		const waiting = Promise.all(['1', '2'].map(async (key) => await run.start(key)));
		void clock.sleep(2000).then(() => waitsMs === 2000 && run.stop());
		expect(await clock.run(waiting)).toEqual([UNKNOWN_OUTCOME, UNKNOWN_OUTCOME]);
		expect(clock.ticks() - start).toBeGreaterThanOrEqual(waitsMs);
		expect(clock.ticks() - start).toBeLessThan(waitsMs + 600);
	}
	const stopped = newRun();
	stopped.stop();
	expect(await stopped.send('3')).toMatchObject({ failure: { code: 'canceled' } });
	expect(sent).toEqual([]);
});

it('a run that gave its key back waits for another one that has it, and can’t give that one’s back', async () => {
	const { clock, newRun, send } = scene();
	const run = newRun();
	await run.send('order-1', 'notSent');
	await run.send('order-2');
	const other = newRun().start('order-1', 'sent', 5000);
	await clock.run(clock.sleep(100));
	expect(await run.send('order-1')).toBe('wasSent');
	await clock.run(run.sendOnce.free('order-1'));
	expect([await other, await send('order-1')]).toEqual(['sent', 'wasSent']);
	expect(run.sendOnce.problem).toBeUndefined();
});

// docs/send-once.md: tools of older AI agents
it('where n8n gives no rows nothing is sent, and the key is refused by name', async () => {
	const noRows = async () => await Promise.reject(new NoRows());
	expect(await new SendOnce(noRows, scene().clock).show('key', show)).toMatchObject({
		failure: {
			code: 'memoryUnusable',
			message: expect.stringContaining("Send Once Key can't be used here, because n8n gives"),
			remedy: expect.stringContaining('Remove the option.'),
			outcome: 'notSent',
		},
	});
});

describe('without its database', () => {
	it('nothing is sent, that is certain, and a run gives it up once for all its keys', async () => {
		const { clock, sent, newRun } = scene();
		const { send, sendOnce } = newRun({ fails: () => true });
		const unusable = {
			failure: {
				code: 'memoryUnusable',
				message: "The memory of Send Once Key can't be used: no database",
				remedy: 'Run it again when the database of n8n answers.',
				outcome: 'notSent',
			},
		};
		expect(await send('order-1')).toMatchObject(unusable);
		const start = clock.ticks();
		expect(await send('order-2')).toMatchObject(unusable);
		expect(await clock.run(sendOnce.show('order-1', show))).toMatchObject(unusable);
		expect([clock.ticks(), sent]).toEqual([start, []]);
	});

	// docs/send-once.md: said above the output
	it('what could not be marked or given back has an unknown outcome, which the run says', async () => {
		const { newRun, send } = scene();
		const run = newRun({ fails: (statement) => ['update', 'delete'].includes(statement) });
		expect(await run.send('order-1', 'sent')).toBe('sent');
		expect(await run.send('order-2', 'notSent')).toBe('notSent');
		expect(run.sendOnce.problem).toBe(
			'The memory of Send Once Key could not be updated for 2 messages, so the next run may skip what it should send, or report it as unknown: no database',
		);
		for (const key of ['order-1', 'order-2']) expect(await send(key)).toEqual(UNKNOWN_OUTCOME);
	});
});

it('sends each key once however runs overlap and are held up, says whose outcome is unknown, and frees what was not sent', async () => {
	const plan = fc.record({
		key: fc.constantFrom('0', '1', '2', '3', '4'),
		run: fc.nat(3),
		atMs: fc.nat(3000),
		takesMs: fc.integer({ min: 1, max: 2000 }),
		outcome: fc.constantFrom<OutcomeName[]>('sent', 'unknown', 'undelivered', 'notSent'),
	});
	const plans = fc.array(plan, { minLength: 1, maxLength: 15 });
	const latencies = fc.infiniteStream(fc.integer({ min: 1, max: 3000 }));
	await fc.assert(
		fc.asyncProperty(plans, latencies, async (all, latency) => {
			const { clock, sent, newRun, send } = scene(() => Number(latency.next().value));
			const runs = [0, 1, 2, 3].map(() => newRun());
			const ends = all.map(async ({ key, run, atMs, takesMs, outcome }) => {
				await clock.sleep(atMs);
				return { key, result: await runs[run].start(key, outcome, takesMs) };
			});
			const results = await clock.run(Promise.all(ends));
			for (const key of new Set(all.map((each) => each.key))) {
				const ofKey = results.filter((each) => each.key === key).map(({ result }) => result);
				const gone = sent.filter((each) => each === key).length;
				expect(gone).toBeLessThanOrEqual(1);
				if (ofKey.includes('wasSent')) expect(ofKey).toContain('sent');
				if (gone === 0) expect(await send(key)).toBe('sent');
				else expect(['wasSent', UNKNOWN_OUTCOME]).toContainEqual(await send(key));
			}
		}),
		sample(40),
	);
});
