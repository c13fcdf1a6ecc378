import { causeNamed } from '../../../nodes/BusinessMessaging/errors/catalogue';
import { failureOf } from '../../../nodes/BusinessMessaging/errors/failure';
import { type MarkedMessage, Marks } from '../../../nodes/BusinessMessaging/memory/marks';
import { failed, type FailedOutcome, type Outcome } from '../../../nodes/BusinessMessaging/outcome';
import { rowTable } from '../../support/rowTable.mts';

const SENT: Outcome = { kind: 'sent', json: { message_id: 'm1' } };
const UNKNOWN = failed({ failure: failureOf(causeNamed('timeout'), 'unknown') });
const REJECTED = failed({ failure: failureOf(causeNamed('notFound'), 'rejected') });
const LOST_TURN = failed({ failure: failureOf(causeNamed('retriedBefore', { rest: '' })) });

const message = (to: string, value: string): MarkedMessage => ({
	kind: [to, 'order_update'],
	content: value,
	sentBefore: { kind: 'sent', json: { sentBefore: true, to } },
});

function scene() {
	const { rows, entries, table } = rowTable();
	let lost: FailedOutcome | undefined;
	return {
		rows,
		table,
		/** Of the messages, in the order of their numbers. */
		marks: () =>
			Object.entries(entries()).flatMap(([name, count]) => (/:\d+$/.test(name) ? [count] : [])),
		rowCount: () => table.size,
		lose: () => (lost = LOST_TURN),
		/** Of one execution of the lineage. */
		open: (round = 0, node = 'n', lineage = 'l') =>
			new Marks(rows, { lineage, node, round }, async () => lost),
	};
}

/** Sends a message with a mark, whose request ends like this. */
async function send(marks: Marks, each: MarkedMessage, outcome: Outcome = SENT): Promise<Outcome> {
	return await marks.withMark(each, async ({ beforeRequest }) => {
		return (await beforeRequest()) ?? outcome;
	});
}

/** What a Retry knows of these items, by code; `undefined`: it sends them. */
async function recall(marks: Marks, items: Array<[to: string, value: string, isKnown?: 'known']>) {
	const found = await marks.recall(
		items.map(([to, value, known], itemIndex) => ({
			itemIndex,
			message: message(to, value),
			isKnown: known !== undefined,
		})),
	);
	return items.map((_, itemIndex) => {
		const outcome = found.get(itemIndex);
		return outcome?.kind === 'failed' ? outcome.failure.code : outcome?.kind;
	});
}

// docs/after-a-crash.md: what is marked
it.each<[string, Outcome, number[]]>([
	['sent', SENT, [2]],
	['unknown', UNKNOWN, [1]],
	['rejected', REJECTED, []],
])('a message that is %s leaves the marks %j', async (_, outcome, left) => {
	const { open, marks } = scene();
	let duringRequest: number[] = [];
	const ended = await open().withMark(message('a', 'x'), async ({ beforeRequest }) => {
		expect(await beforeRequest()).toBeUndefined();
		duringRequest = marks();
		return outcome;
	});
	expect([ended, duringRequest, marks()]).toEqual([outcome, [1], left]);
});

it('a request that was not processed takes its mark back, and the next attempt marks again', async () => {
	const { open, marks } = scene();
	const seen: number[][] = [];
	await open().withMark(message('a', 'x'), async ({ beforeRequest, notProcessed }) => {
		await notProcessed();
		for (let attempt = 0; attempt < 2; attempt++) {
			await beforeRequest();
			seen.push(marks());
			await notProcessed();
			seen.push(marks());
		}
		return REJECTED;
	});
	expect(seen).toEqual([[1], [], [1], []]);
});

it('messages of one template to one number go one after the other, others at the same time', async () => {
	const { open } = scene();
	const marks = open();
	const order: string[] = [];
	const slowly = async (to: string, value: string) =>
		await marks.withMark(message(to, value), async () => {
			order.push(`${value} begins`);
			await new Promise(setImmediate);
			order.push(`${value} ends`);
			if (value === 'x') throw new Error('unforeseen');
			return SENT;
		});
	await Promise.allSettled([slowly('a', 'x'), slowly('a', 'y'), slowly('b', 'z')]);
	expect(order.slice(0, 2)).toEqual(['x begins', 'z begins']);
	expect(order.indexOf('x ends')).toBeLessThan(order.indexOf('y begins'));
});

it('an execution whose turn is another one’s by now sends nothing, and takes its mark back', async () => {
	const { open, lose, marks } = scene();
	lose();
	expect(await send(open(), message('a', 'x'))).toBe(LOST_TURN);
	expect(marks()).toEqual([]);
});

it('a mark that somebody else has made keeps the message from being sent', async () => {
	const { open } = scene();
	const [first, second] = [open(), open()];
	await send(first, message('a', 'x'));
	expect(await send(second, message('a', 'x'))).toMatchObject({
		failure: { code: 'interrupted', outcome: 'unknown' },
	});
});

it('after a mark that could not be made, a run makes no more and sends nothing', async () => {
	const { rows, open } = scene();
	const claim = jest.spyOn(rows, 'claim').mockRejectedValue(new Error('database is locked'));
	const marks = open();
	for (const to of ['a', 'b']) {
		const refused = await send(marks, message(to, 'x'));
		expect(refused).toMatchObject({ failure: { code: 'memoryUnusable', outcome: 'notSent' } });
	}
	expect(claim).toHaveBeenCalledTimes(1);
});

it('a mark that could not be ended, or taken back, changes no outcome', async () => {
	const { rows, open, marks } = scene();
	const broken = async () => await Promise.reject(new Error('database is locked'));
	jest.spyOn(rows, 'end').mockImplementation(broken);
	jest.spyOn(rows, 'remove').mockImplementation(broken);
	const run = open();
	expect(await send(run, message('a', 'x'))).toBe(SENT);
	expect(await send(run, message('a', 'y'), REJECTED)).toBe(REJECTED);
	expect(await send(run, message('a', 'z'))).toBe(SENT);
	expect(marks()).toEqual([1, 1, 1]);
});

/** What the killed execution did: sent, or in flight. */
const KILLED: Array<[to: string, value: string, outcome: Outcome]> = [
	['a', 'x', SENT],
	['a', 'x', UNKNOWN],
	['a', 'y', SENT],
	['b', 'x', UNKNOWN],
];
type Told = 'sent' | 'interrupted' | 'interruptedWithOtherValues' | undefined;

it.each<[string, Array<[string, string, 'known'?]>, Told[]]>([
	[
		'the same items',
		[
			['a', 'x'],
			['a', 'x'],
			['a', 'y'],
			['b', 'x'],
		],
		['sent', 'interrupted', 'sent', 'interrupted'],
	],
	[
		'another order',
		[
			['b', 'x'],
			['a', 'y'],
			['a', 'x'],
			['a', 'x'],
		],
		['interrupted', 'sent', 'sent', 'interrupted'],
	],
	[
		'more items',
		[
			['a', 'x'],
			['a', 'x'],
			['a', 'y'],
			['a', 'z'],
			['c', 'x'],
		],
		['sent', 'interrupted', 'sent', undefined, undefined],
	],
	[
		'fewer items',
		[
			['a', 'x'],
			['a', 'z'],
		],
		['sent', 'interruptedWithOtherValues'],
	],
	['other values', [['b', 'z']], ['interruptedWithOtherValues']],
	[
		'what n8n knows',
		[
			['a', 'x', 'known'],
			['a', 'x'],
			['a', 'y'],
		],
		[undefined, 'interrupted', 'sent'],
	],
	[
		'what n8n knows with other values',
		[
			['a', 'z', 'known'],
			['a', 'x'],
			['a', 'x'],
			['a', 'q'],
		],
		[undefined, 'sent', 'interrupted', undefined],
	],
])('a Retry with %s: %j is told as %j', async (_, items, told) => {
	const { open } = scene();
	const killed = open();
	await killed.recall(
		KILLED.map(([to, value], itemIndex) => ({
			itemIndex,
			message: message(to, value),
			isKnown: false,
		})),
	);
	for (const [to, value, outcome] of KILLED) await send(killed, message(to, value), outcome);
	expect(await recall(open(), items)).toEqual(told);
});

it('what an earlier execution marked is kept, and what follows is marked behind it', async () => {
	const { open, marks } = scene();
	await recall(open(), [['a', 'x']]);
	await send(open(), message('a', 'x'));
	const retry = open();
	await recall(retry, [
		['a', 'x'],
		['a', 'y'],
	]);
	expect(await send(retry, message('a', 'y'))).toBe(SENT);
	expect(marks()).toEqual([2, 2]);
	expect(
		await recall(open(), [
			['a', 'y'],
			['a', 'x'],
		]),
	).toEqual(['sent', 'sent']);
});

it('a Retry finds nothing of other nodes, rounds and lineages', async () => {
	const { open } = scene();
	for (const other of [open(1), open(0, 'other'), open(0, 'n', 'other')]) {
		await recall(other, [['a', 'x']]);
		await send(other, message('a', 'x'));
	}
	expect(await recall(open(), [['a', 'x']])).toEqual([undefined]);
});

it.each<[string, number, string[][], (string | undefined)[]]>([
	['in a first round that is the same', 0, [['a'], ['b']], [undefined]],
	[
		'in a first round of other numbers, before rounds that were sent',
		0,
		[['b'], ['a']],
		['interruptedLoop'],
	],
	['in a first round of other numbers, without another round', 0, [['b']], [undefined]],
	['in a later round, after one that is the same', 1, [['b'], ['c']], [undefined]],
])('a message that has no mark, %s, is told as %j', async (_, round, rounds, told) => {
	const { open } = scene();
	for (const [index, numbers] of rounds.entries()) {
		await recall(
			open(index),
			numbers.map((to): [string, string] => [to, 'x']),
		);
	}
	const asked = round === 0 ? 'a' : 'c';
	expect(await recall(open(round), [[asked, 'x']])).toEqual(told);
});

it('once the items were spread over the rounds in another way, all later rounds are told so', async () => {
	const { open } = scene();
	for (const [index, to] of ['a', 'b', 'c'].entries()) await recall(open(index), [[to, 'x']]);
	expect(await recall(open(0), [['b', 'x']])).toEqual(['interruptedLoop']);
	expect(await recall(open(2), [['c', 'x']])).toEqual(['interruptedLoop']);
});

it('an execution that has ended well leaves no row', async () => {
	const { open, rowCount } = scene();
	const marks = open();
	await recall(marks, [
		['a', 'x'],
		['a', 'y'],
		['b', 'x'],
	]);
	for (const [to, value] of [
		['a', 'x'],
		['a', 'y'],
		['b', 'x'],
	])
		await send(marks, message(to, value));
	expect(rowCount()).toBe(4);
	await marks.removeAll();
	expect(rowCount()).toBe(0);
});

it('a Retry that can not look is refused', async () => {
	const { rows, open } = scene();
	jest.spyOn(rows, 'claim').mockRejectedValue(new Error('database is locked'));
	await expect(recall(open(), [['a', 'x']])).rejects.toMatchObject({ code: 'memoryUnusable' });
});
