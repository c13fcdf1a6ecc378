import { causeNamed } from '../../../nodes/BusinessMessaging/errors/catalogue';
import { failureOf } from '../../../nodes/BusinessMessaging/errors/failure';
import { type MarkedMessage, Marks } from '../../../nodes/BusinessMessaging/memory/marks';
import { failed, type FailedOutcome, type Outcome } from '../../../nodes/BusinessMessaging/outcome';
import { rowTable } from '../../support/rowTable.mts';

const SENT: Outcome = { kind: 'sent', json: { message_id: 'm1' } };
const UNKNOWN = failed({ failure: failureOf(causeNamed('timeout'), 'unknown') });
const REJECTED = failed({ failure: failureOf(causeNamed('notFound'), 'rejected') });
const INTERRUPTED = failed({ failure: failureOf(causeNamed('interrupted'), 'unknown') });
const LOST_TURN = failed({ failure: failureOf(causeNamed('retriedBefore', { rest: '' })) });

const message = (to: string, value: string): MarkedMessage => ({
	kind: [to, 'order_update'],
	content: value,
	sentBefore: { kind: 'sent', json: { sentBefore: true, to } },
	interrupted: INTERRUPTED,
});

function scene() {
	const { rows, entries } = rowTable();
	let lost: FailedOutcome | undefined;
	return {
		rows,
		/** The entries of the marks, by their numbers. */
		marks: () =>
			Object.fromEntries(
				Object.entries(entries()).flatMap(([name, count]) => {
					const [, number] = /^sent:\w+:[\w-]+:(-?\d+)$/.exec(name) ?? [];
					return number === undefined ? [] : [[number, count]];
				}),
			),
		rowCount: () => Object.keys(entries()).length,
		lose: () => (lost = LOST_TURN),
		/** Of one execution of the lineage. */
		open: (round = 0, node = 'n', lineage = 'l', isSameInput = false) =>
			new Marks(rows, { lineage, node, round, isSameInput }, async () => lost),
	};
}

/** Sends a message with a mark, whose request ends like this. */
async function send(marks: Marks, each: MarkedMessage, outcome: Outcome = SENT): Promise<Outcome> {
	return await marks.withMark(each, async ({ beforeRequest }) => {
		return (await beforeRequest()) ?? outcome;
	});
}

/** `before`: what n8n has stored of it. */
type Recalled = [to: string, value: string, before?: Outcome, account?: string];

/** What a Retry knows of these items, by code; `undefined`: it sends them. */
async function recall(marks: Marks, items: Recalled[]) {
	const found = await marks.recall(
		items.map(([to, value, before, account], itemIndex) => ({
			itemIndex,
			message: { ...message(to, value), account },
			before,
		})),
	);
	expect(items.filter((_, itemIndex) => found.has(itemIndex))).toHaveLength(found.size);
	return items.map((_, itemIndex) => {
		const outcome = found.get(itemIndex);
		if (outcome?.kind !== 'failed') return outcome?.kind;
		const { code, outcome: certainty } = outcome.failure;
		expect(certainty).toBe(code === 'undelivered' ? 'rejected' : 'unknown');
		return code;
	});
}

// docs/after-a-crash.md: what is marked
it.each<[string, Outcome, object]>([
	['sent', SENT, { 1: 2 }],
	['unknown', UNKNOWN, { 1: 1 }],
	['rejected', REJECTED, {}],
])('a message that is %s leaves the marks %j', async (_, outcome, left) => {
	const { open, marks } = scene();
	let duringRequest = {};
	const ended = await open().withMark(message('a', 'x'), async ({ beforeRequest }) => {
		expect(await beforeRequest()).toBeUndefined();
		duringRequest = marks();
		return outcome;
	});
	expect([ended, duringRequest, marks()]).toEqual([outcome, { 1: 1 }, left]);
});

it('a request that was not processed takes its own mark back, and the next attempt marks again', async () => {
	const { open, marks } = scene();
	const run = open();
	await send(run, message('a', 'before'));
	const seen: object[] = [];
	await run.withMark(message('a', 'x'), async ({ beforeRequest, notProcessed }) => {
		await notProcessed();
		for (let attempt = 0; attempt < 2; attempt++) {
			await beforeRequest();
			seen.push(marks());
			await notProcessed();
			seen.push(marks());
		}
		return REJECTED;
	});
	const before = { 1: 2 };
	expect(seen).toEqual([{ ...before, 2: 1 }, before, { ...before, 2: 1 }, before]);
	expect(marks()).toEqual(before);
});

it('a Retry knows a message whose mark was taken back before, though the database did not say so', async () => {
	const { rows, open } = scene();
	const { remove } = rows;
	jest.spyOn(rows, 'remove').mockImplementation(async (name) => {
		await remove(name);
		throw new Error('connection lost');
	});
	const killed = open();
	await recall(killed, [['a', 'x']]);
	await killed.withMark(message('a', 'x'), async ({ beforeRequest, notProcessed }) => {
		await beforeRequest();
		await notProcessed();
		expect(await beforeRequest()).toBeUndefined();
		return SENT;
	});
	expect(await recall(open(), [['a', 'x']])).toEqual(['sent']);
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
	const { rows, open, lose, marks } = scene();
	lose();
	const remove = jest.spyOn(rows, 'remove');
	expect(await send(open(), message('a', 'x'))).toBe(LOST_TURN);
	expect([marks(), remove.mock.calls.length]).toEqual([{}, 1]);
});

it('a mark that somebody else has made keeps the message from being sent', async () => {
	const { open } = scene();
	const [first, second] = [open(), open()];
	await send(first, message('a', 'x'));
	expect(await send(second, message('a', 'x'))).toMatchObject({
		failure: { code: 'interrupted', outcome: 'unknown' },
	});
	expect(await send(second, message('b', 'x'))).toBe(SENT);
});

describe('after a message that was sent and not delivered, a Retry', () => {
	const UNDELIVERED = failed(
		{ failure: failureOf(causeNamed('windowClosed'), 'rejected') },
		{ message_id: 'm1' },
	);

	const X_AND_Y: Recalled[] = [
		['a', 'x'],
		['a', 'y'],
	];

	const IN_DOUBT = 'interruptedWithOtherValues';

	/** What was sent after it, what n8n has stored of it, and what is told of it and of another one. */
	it.each<[string, Array<[string, Outcome]>, Outcome | undefined, Array<string | undefined>]>([
		['does not send it again', [], undefined, ['undelivered', undefined]],
		['does not know a fallback in flight', [['x', UNKNOWN]], undefined, ['interrupted', undefined]],
		['knows a fallback that was sent', [['x', SENT]], undefined, ['sent', undefined]],
		[
			'knows one that failed at once',
			[['y', UNDELIVERED]],
			UNDELIVERED,
			[undefined, 'undelivered'],
		],
		['knows the fallback of a known one', [['x', SENT]], UNDELIVERED, ['sent', undefined]],
		['knows another one beside it', [['y', SENT]], UNDELIVERED, [undefined, 'sent']],
		['leaves another one its mark', [['changed', SENT]], UNDELIVERED, [undefined, IN_DOUBT]],
	])('%s', async (_, after, before, told) => {
		const { open } = scene();
		const killed = open();
		await recall(killed, X_AND_Y);
		let undelivered = async () => {};
		await killed.withMark(message('a', 'x'), async (mark) => {
			({ undelivered } = mark);
			return (await mark.beforeRequest()) ?? SENT;
		});
		await undelivered();
		for (const [value, outcome] of after) await send(killed, message('a', value), outcome);
		const retry = open();
		expect(
			await recall(retry, [
				['a', 'x', before],
				['a', 'y'],
			]),
		).toEqual(told);
		expect(await send(retry, message('a', 'z'))).toBe(SENT);
	});

	it('does not take it for an equal one that n8n has stored as sent', async () => {
		const { open } = scene();
		const killed = open();
		await recall(killed, [
			['a', 'x'],
			['a', 'x'],
		]);
		await send(killed, message('a', 'x'), UNDELIVERED);
		await send(killed, message('a', 'x'));
		expect(
			await recall(open(), [
				['a', 'x', SENT],
				['a', 'x'],
			]),
		).toEqual([undefined, 'undelivered']);
	});
});

it('a Retry with the same rows compares each mark once', async () => {
	const { rows, open } = scene();
	const items = ['u', 'v', 'w', 'x', 'y'].map((value): Recalled => ['a', value]);
	const killed = open();
	await recall(killed, items);
	for (const [to, value] of items) await send(killed, message(to, value));
	const hasMode = jest.spyOn(rows, 'hasMode');
	expect(await recall(open(), items)).toEqual(items.map(() => 'sent'));
	// One for what items the round had.
	expect(hasMode).toHaveBeenCalledTimes(items.length + 1);
});

it('a Retry tells apart what two accounts send to one number, and is in doubt after a new key', async () => {
	const { open } = scene();
	const rows = (...accounts: string[]) =>
		accounts.map((account): Recalled => ['a', 'x', undefined, account]);
	await recall(open(), rows('acme', 'globex'));
	await send(open(), { ...message('a', 'x'), account: 'globex' });
	expect(await recall(open(), rows('acme', 'globex'))).toEqual([undefined, 'sent']);
	expect(await recall(open(), rows('acme', 'globex, new'))).toEqual([
		'interruptedWithOtherValues',
		'interruptedWithOtherValues',
	]);
});

it('a message that needed no request has no mark', async () => {
	const { open, rowCount } = scene();
	expect(await open().withMark(message('a', 'x'), async () => SENT)).toBe(SENT);
	expect(rowCount()).toBe(0);
});

it('a message that was rejected leaves its number to the next one', async () => {
	const { open, marks } = scene();
	const run = open();
	await send(run, message('a', 'x'), REJECTED);
	await send(run, message('a', 'y'));
	expect(marks()).toEqual({ 1: 2 });
});

it('after a mark that could not be made, a run makes no more and sends nothing', async () => {
	const { rows, open } = scene();
	const insert = jest.spyOn(rows, 'insert').mockRejectedValue(new Error('database is locked'));
	const marks = open();
	for (const to of ['a', 'b']) {
		const refused = await send(marks, message(to, 'x'));
		expect(refused).toMatchObject({ failure: { code: 'memoryUnusable', outcome: 'notSent' } });
	}
	expect(insert).toHaveBeenCalledTimes(1);
});

it('after a mark of which nobody knows whether it was taken back, a run sends nothing more', async () => {
	const { rows, open, marks } = scene();
	const broken = async () => await Promise.reject(new Error('database is locked'));
	const run = open();
	jest.spyOn(rows, 'remove').mockImplementation(broken);
	jest.spyOn(rows, 'count').mockImplementation(broken);
	expect(await send(run, message('a', 'x'), REJECTED)).toBe(REJECTED);
	const refused = await send(run, message('b', 'x'));
	expect(refused).toMatchObject({ failure: { code: 'memoryUnusable', outcome: 'notSent' } });
	expect(marks()).toEqual({ 1: 1 });
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
	expect(marks()).toEqual({ 1: 1, 2: 1, 3: 1 });
});

/** What the killed execution did: sent, or in flight. */
const KILLED: Array<[to: string, value: string, outcome: Outcome]> = [
	['a', 'x', SENT],
	['a', 'x', UNKNOWN],
	['a', 'y', SENT],
	['b', 'x', UNKNOWN],
	['c', 'x', UNKNOWN],
	['c', 'x', SENT],
];
type Told = 'sent' | 'interrupted' | 'interruptedWithOtherValues' | undefined;

it.each<[string, Array<Recalled>, Told[]]>([
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
			['d', 'x'],
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
		'equal messages, of which the second was sent',
		[
			['c', 'x'],
			['c', 'x'],
		],
		['sent', 'interrupted'],
	],
	[
		'what n8n knows',
		[
			['a', 'x', SENT],
			['a', 'x'],
			['a', 'y'],
		],
		[undefined, 'interrupted', 'sent'],
	],
	[
		'what n8n knows with other values',
		[
			['a', 'z', SENT],
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
	expect(marks()).toEqual({ 1: 2, 2: 2 });
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

it('the same items of a round in another order are not spread in another way', async () => {
	const { open } = scene();
	const items: Array<[string, string]> = [
		['a', 'x'],
		['b', 'x'],
	];
	await recall(open(0), items);
	await recall(open(1), [['c', 'x']]);
	expect(await recall(open(0), items.toReversed())).toEqual([undefined, undefined]);
});

it('once the items were spread over the rounds in another way, all later rounds are told so', async () => {
	const { open } = scene();
	for (const [index, to] of ['a', 'b', 'c'].entries()) await recall(open(index), [[to, 'x']]);
	expect(await recall(open(0), [['b', 'x']])).toEqual(['interruptedLoop']);
	expect(await recall(open(1), [['d', 'x']])).toEqual(['interruptedLoop']);
	expect(await recall(open(2), [['e', 'x']])).toEqual(['interruptedLoop']);
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
	jest.spyOn(rows, 'insert').mockRejectedValue(new Error('database is locked'));
	await expect(recall(open(), [['a', 'x']])).rejects.toMatchObject({
		code: 'memoryUnusable',
		message: expect.stringContaining('sent messages'),
	});
});
