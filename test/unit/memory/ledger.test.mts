import { causeNamed } from '../../../nodes/BusinessMessaging/errors/catalogue';
import { failureOf, failed } from '../../../nodes/BusinessMessaging/errors/failure';
import {
	Ledger,
	type LedgerMessage,
	type Told,
} from '../../../nodes/BusinessMessaging/memory/ledger';
import { type Outcome } from '../../../nodes/BusinessMessaging/outcome';
import { rowTable } from '../../support/rowTable.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const SENT: Outcome = { kind: 'sent', json: { message_id: 'm1' } };
const UNKNOWN = failed(failureOf(causeNamed('timeout'), 'unknown'));
const REJECTED = failed(failureOf(causeNamed('notFound'), 'rejected'));
const INTERRUPTED = failed(failureOf(causeNamed('interrupted'), 'unknown'));
const UNDELIVERED = failed(failureOf(causeNamed('windowClosed'), 'rejected'), { message_id: 'm1' });

const message = (to: string, value: string, itemIndex = 0, apiKey = 'key'): LedgerMessage => ({
	itemIndex,
	kind: [to, 'order_update'],
	content: value,
	apiKey,
	sentBefore: { kind: 'sentBefore', json: { sentBefore: true, to } },
	interrupted: INTERRUPTED,
});

const nothingTold = (): Told => ({ input: '', numbers: {}, earlier: {}, salts: [] });

function scene() {
	const { rows, entries } = rowTable();
	const clock = createVirtualClock();
	const { signal } = new AbortController();
	return {
		rows,
		clock,
		/** How many entries each row has, in the order of their numbers. */
		names: () => Object.keys(entries()),
		/** Of one execution of the lineage. */
		open: (isRetry = false, told = nothingTold(), mayMeet = false, isRetried = true) =>
			new Ledger(async () => rows, clock, {
				lineage: 'n:l',
				told,
				hasPast: isRetry,
				mayMeet,
				isRetried: async () => isRetried,
				rowNames: [],
			}),
		/** Sends these messages, whose requests end like this. */
		async send(ledger: Ledger, each: LedgerMessage, outcome: Outcome = SENT) {
			return await clock.run(ledger.withClaim(each, async () => outcome, signal));
		},
		/** What it knows of these messages, by code; `undefined`: it sends them. */
		async recall(ledger: Ledger, all: LedgerMessage[], before: Array<Outcome | undefined> = []) {
			const items = all.map((each, itemIndex) => ({ ...each, itemIndex }));
			const known = new Map(
				before.flatMap((outcome, item) => (outcome ? [[item, outcome] as const] : [])),
			);
			const found = await clock.run(ledger.recall(items, known, signal));
			return items.map((_, itemIndex) => {
				const outcome = found.get(itemIndex);
				return outcome?.kind === 'failed' ? outcome.failure.code : outcome?.kind;
			});
		},
	};
}

it.each<[string, Outcome, string | undefined]>([
	['sent', SENT, 'sentBefore'],
	['unknown', UNKNOWN, 'interrupted'],
	['rejected', REJECTED, undefined],
	['undelivered', UNDELIVERED, 'undelivered'],
])('a Retry knows a message that was %s', async (_, outcome, known) => {
	const { open, send, recall } = scene();
	await send(open(), message('a', 'x'), outcome);
	const others = [message('a', 'x'), message('b', 'x')];
	expect(await recall(open(true), others)).toEqual([known, undefined]);
});

// docs/after-a-crash.md: the sheet may have changed
it.each<[string, string[], string[], Array<string | undefined>]>([
	['in another order', ['x', 'y'], ['y', 'x'], ['sentBefore', 'sentBefore']],
	['of which some are new', ['x'], ['z', 'x'], [undefined, 'sentBefore']],
	['of which some are gone', ['x', 'y'], ['y'], ['sentBefore']],
	['twice', ['x'], ['x', 'x'], ['sentBefore', undefined]],
	['with other values', ['x'], ['y'], ['interruptedWithOtherValues']],
	[
		'of which one has other values',
		['x', 'y'],
		['x', 'z'],
		['sentBefore', 'interruptedWithOtherValues'],
	],
])('a Retry compares messages of one template to one number that come %s', async (...row) => {
	const [, before, now, expected] = row;
	const { open, send, recall } = scene();
	const killed = open();
	for (const value of before) await send(killed, message('a', value));
	const messages = now.map((value) => message('a', value));
	expect(await recall(open(true), messages)).toEqual(expected);
});

it('beside an undelivered message with other values, one is sent', async () => {
	const { open, send, recall } = scene();
	await send(open(), message('a', 'x'), UNDELIVERED);
	expect(await recall(open(true), [message('a', 'y')])).toEqual([undefined]);
});

it('the fallback of a message that n8n has stored as undelivered is known', async () => {
	const { open, send, recall } = scene();
	const told = nothingTold();
	const first = open(false, told);
	await recall(first, [message('a', 'x')]);
	await send(first, first.messageOf(0)!, UNDELIVERED);
	first.tell(0);
	await send(open(true, structuredClone(told)), message('a', 'x'));
	const retry = open(true, structuredClone(told));
	expect(await recall(retry, [message('a', 'x')], [UNDELIVERED])).toEqual(['sentBefore']);
});

describe('what n8n has stored', () => {
	/** Two equal messages, of which the first was sent and told. */
	async function toldOne(key = 'key') {
		const its = scene();
		const told = nothingTold();
		const first = its.open(false, told);
		await its.recall(first, [message('a', 'x')]);
		await its.send(first, first.messageOf(0)!);
		first.tell(0);
		const stored = { ...structuredClone(told), inherited: told.salts };
		const retry = its.open(true, stored);
		const equal = [message('a', 'x', 0, key), message('a', 'x', 1, key)];
		return { ...its, stored, retry, equal };
	}

	it('is not taken for an equal message', async () => {
		const { retry, recall, equal } = await toldOne();
		expect(await recall(retry, equal, [SENT])).toEqual([undefined, undefined]);
	});

	it('is in doubt after a new API key', async () => {
		const { retry, recall, equal } = await toldOne('other');
		const other = 'interruptedWithOtherValues';
		expect(await recall(retry, equal, [SENT])).toEqual([undefined, other]);
	});

	it('tells neither number nor template to whoever can guess them', async () => {
		const { stored } = await toldOne();
		const { stored: ofOther } = await toldOne('other');
		expect(Object.keys(stored.numbers)).toHaveLength(1);
		expect(Object.keys(stored.numbers)).toEqual(Object.keys(ofOther.numbers));
		const { open, recall, send } = scene();
		const told = nothingTold();
		const another = open(false, told);
		await recall(another, [message('a', 'x', 0, 'another')]);
		await send(another, another.messageOf(0)!);
		another.tell(0);
		expect(Object.keys(told.numbers)).not.toEqual(Object.keys(stored.numbers));
	});
});

/** It is killed before there is a response. */
async function beginSending(ledger: Ledger, each: LedgerMessage) {
	const { signal } = new AbortController();
	void ledger.withClaim(each, async () => await new Promise(() => undefined), signal);
	await new Promise(setImmediate);
}

describe('two executions at the same time', () => {
	it('who comes second waits for the message, and does not send it', async () => {
		const { open, clock, recall } = scene();
		const { signal } = new AbortController();
		const [first, second] = [open(), open(true, nothingTold(), true)];
		await recall(second, [message('a', 'x')]);
		const slowly = async () => {
			await clock.sleep(2000);
			return SENT;
		};
		const again = jest.fn();
		const work = Promise.all([
			first.withClaim(message('a', 'x'), slowly, signal),
			clock
				.sleep(100)
				.then(async () => await second.withClaim(second.messageOf(0)!, again, signal)),
		]);
		const [, told] = await clock.run(work);
		expect(told).toMatchObject({ kind: 'sentBefore', json: { sentBefore: true } });
		expect(again).not.toHaveBeenCalled();
	});

	it('for a minute; then it is not known whether it was sent', async () => {
		const { open, clock, recall } = scene();
		await beginSending(open(), message('a', 'x'));
		const before = clock.ticks();
		const retry = open(true, nothingTold(), true);
		expect(await recall(retry, [message('a', 'x'), message('b', 'x')])).toEqual([
			'interrupted',
			undefined,
		]);
		expect(clock.ticks() - before).toBeGreaterThanOrEqual(60_000);
		expect(clock.ticks() - before).toBeLessThan(62_000);
	});

	it('nobody waits for a message of which a first Retry could not tell, or whose response was unclear', async () => {
		const { open, clock, recall, send } = scene();
		await beginSending(open(), message('a', 'x'));
		await send(open(), message('b', 'x'), UNKNOWN);
		const both = [message('a', 'x'), message('b', 'x')];
		await recall(open(true), both);
		const before = clock.ticks();
		expect(await recall(open(true, nothingTold(), true), both)).toEqual(
			both.map(() => 'interrupted'),
		);
		expect(clock.ticks()).toBe(before);
	});

	it.each([
		['before there is a Retry, its rows of earlier rounds do not keep a run from sending', false],
		['once there is one, a run does not send what it meets', true],
	])('%s', async (_, isRetried) => {
		const { open, recall, send } = scene();
		await send(open(), message('a', 'x'));
		const first = open(false, nothingTold(), true, isRetried);
		await recall(first, [message('a', 'x')]);
		const outcome = await send(first, first.messageOf(0)!);
		expect(outcome).toEqual(isRetried ? message('a', 'x').sentBefore : SENT);
	});

	it('who meets a message with other values sends none', async () => {
		const { open, recall, send } = scene();
		const retry = open(true);
		await recall(retry, [message('a', 'x')]);
		await send(open(), message('a', 'y'));
		expect(await send(retry, retry.messageOf(0)!)).toMatchObject({
			failure: { code: 'interruptedWithOtherValues', outcome: 'unknown' },
		});
	});
});

it('a Retry with the same rows compares each row once', async () => {
	const { rows, open, send, recall } = scene();
	const values = ['u', 'v', 'w', 'x', 'y'].map((value) => message('a', value));
	const killed = open();
	for (const each of values) await send(killed, each);
	const hasMode = jest.spyOn(rows, 'hasMode');
	expect(await recall(open(true), values)).toEqual(values.map(() => 'sentBefore'));
	expect(hasMode).toHaveBeenCalledTimes(values.length);
});

it('a row that goes before it is compared tells nothing, and does not come back', async () => {
	const { rows, open, send, recall, names } = scene();
	await send(open(), message('a', 'x'));
	const { hasMode } = rows;
	jest.spyOn(rows, 'hasMode').mockImplementation(async (name, mode) => {
		await rows.remove(name);
		return await hasMode(name, mode);
	});
	const told = await recall(open(true), [message('a', 'x')]);
	expect([told, names()]).toEqual([['interruptedWithOtherValues'], []]);
});

it('a first execution looks at nothing before it sends, and a row costs two writes', async () => {
	const { rows, open, send, recall } = scene();
	const asked = (['count', 'hasMode', 'insert', 'create', 'remove'] as const).map((name) =>
		jest.spyOn(rows, name),
	);
	const first = open();
	await recall(first, [message('a', 'x'), message('b', 'x')]);
	for (const item of [0, 1]) await send(first, first.messageOf(item)!);
	expect(asked.map((each) => each.mock.calls.length)).toEqual([0, 0, 2, 2, 0]);
});

it.each(['count', 'hasMode'] as const)(
	'where the database does not answer (%s), a Retry sends nothing',
	async (statement) => {
		const { rows, open, send, clock } = scene();
		await send(open(), message('a', 'x'));
		const gone = async () => await Promise.reject(new Error('database is locked'));
		jest.spyOn(rows, statement).mockImplementation(gone);
		const { signal } = new AbortController();
		const recalled = open(true).recall([message('a', 'x')], new Map(), signal);
		await expect(clock.run(recalled)).rejects.toMatchObject({ code: 'memoryUnusable' });
	},
);
