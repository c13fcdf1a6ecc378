import { causeNamed } from '../../../nodes/BusinessMessaging/errors/catalogue';
import { failureOf, failed } from '../../../nodes/BusinessMessaging/errors/failure';
import {
	isAboutAnother,
	Ledger,
	type LedgerMessage,
	type Told,
} from '../../../nodes/BusinessMessaging/memory/ledger';
import type { Outcome } from '../../../nodes/BusinessMessaging/outcome';
import { databaseScene } from '../../support/simulation/database.mts';

const SENT: Outcome = { kind: 'sent', json: { message_id: 'm1' } };
const UNKNOWN = failed(failureOf(causeNamed('timeout'), 'unknown'));
const REJECTED = failed(failureOf(causeNamed('notFound'), 'rejected'));
const UNDELIVERED = failed(failureOf(causeNamed('windowClosed'), 'rejected'), { message_id: 'm1' });

const message = (to: string, value: string, apiKey = 'key'): LedgerMessage => ({
	itemIndex: 0,
	kind: [to, 'order_update'],
	content: value,
	apiKey,
	sentBefore: { kind: 'sentBefore', json: { sentBefore: true, to } },
	interrupted: failed(failureOf(causeNamed('interrupted'), 'unknown')),
});

const nothingTold = (): Told => ({ input: '', numbers: {}, earlier: {}, salts: [] });

const RETRY = { hasPast: true };
const SECOND_RETRY = { hasPast: true, mayMeet: true };
const OTHER_VALUES = 'unknown interruptedWithOtherValues';

function scene() {
	const { clock, table, connect } = databaseScene(() => 0);
	const { signal } = new AbortController();
	/** Of one execution of the lineage. `mayMeet`: another one at the same time. */
	const open = ({
		told = nothingTold(),
		hasPast = false,
		mayMeet = false,
		isRetried: may = true,
	} = {}) => {
		const isRetried = async () => await Promise.resolve(may);
		const run = { lineage: 'n:l', told, hasPast, mayMeet, isRetried };
		return new Ledger(connect().rows, clock, run);
	};
	/** Sends these messages, whose requests end like this. */
	async function send(ledger: Ledger, each: LedgerMessage, outcome: Outcome = SENT) {
		return await clock.run(ledger.withClaim(each, async () => outcome, signal));
	}
	/** What it knows of these messages; `undefined`: it sends them. */
	async function recall(ledger: Ledger, all: LedgerMessage[], before: Outcome[] = []) {
		const items = all.map((each, itemIndex) => ({ ...each, itemIndex }));
		const found = await clock.run(ledger.recall(items, new Map(before.entries()), signal));
		expect([...found.values()]).not.toContain(undefined);
		return items.map((_, itemIndex) => {
			const known = found.get(itemIndex);
			if (known?.kind !== 'failed') return known?.kind;
			const { code, outcome } = known.failure;
			expect(isAboutAnother(known)).toBe(outcome === 'unknown');
			return `${outcome} ${code}`;
		});
	}
	/** In an execution that fails later, so that n8n stores it. */
	async function sendAndTell(each: LedgerMessage, outcome = SENT): Promise<Told> {
		const told = nothingTold();
		const ledger = open({ told });
		await recall(ledger, [each]);
		await send(ledger, ledger.messageOf(0)!, outcome);
		ledger.tell(0);
		return structuredClone(told);
	}
	/** Without a time it is killed before there is a response. */
	async function beginSending(each: LedgerMessage, takesMs = Infinity, outcome = SENT) {
		void open().withClaim(each, async () => await clock.sleep(takesMs).then(() => outcome), signal);
		await new Promise(setImmediate);
	}
	return { clock, table, open, send, recall, sendAndTell, beginSending };
}

// docs/after-a-crash.md: what a Retry does with a message; the sheet may have changed
it.each<[string, Outcome[], string[], string[], Array<string | undefined>]>([
	['sent', [SENT], ['x'], ['x'], ['sentBefore']],
	['of unknown outcome', [UNKNOWN], ['x'], ['x'], ['unknown interrupted']],
	['refused', [REJECTED], ['x'], ['x'], [undefined]],
	['refused, and then sent', [REJECTED, SENT], ['x', 'x'], ['x'], ['sentBefore']],
	['undelivered', [UNDELIVERED], ['x'], ['x'], ['rejected undelivered']],
	['undelivered with other values', [UNDELIVERED], ['x'], ['y'], [undefined]],
	['undelivered, and then sent', [UNDELIVERED, SENT], ['x', 'x'], ['x'], ['sentBefore']],
	['sent in another order', [SENT], ['x', 'y'], ['y', 'x'], ['sentBefore', 'sentBefore']],
	['sent, and some are new', [SENT], ['x'], ['z', 'x'], [undefined, 'sentBefore']],
	['sent, and some are gone', [SENT], ['x', 'y'], ['y'], ['sentBefore']],
	['sent once and come twice', [SENT], ['x'], ['x', 'x'], ['sentBefore', undefined]],
	['sent with other values', [SENT], ['x'], ['y'], [OTHER_VALUES]],
	['sent, one with other values', [SENT], ['x', 'y'], ['x', 'z'], ['sentBefore', OTHER_VALUES]],
])('a Retry compares messages to one number that were %s', async (...row) => {
	const [, outcomes, before, now, expected] = row;
	const { open, send, recall } = scene();
	const killed = open();
	for (const [index, value] of before.entries()) {
		await send(killed, message('a', value), outcomes[index] ?? SENT);
	}
	const messages = now.map((value) => message('a', value));
	expect(await recall(open(RETRY), [...messages, message('b', 'x')])).toEqual([
		...expected,
		undefined,
	]);
});

it.each([
	['undelivered was followed by its fallback', UNDELIVERED, ['x'], 'sentBefore'],
	['undelivered was followed by another one', UNDELIVERED, ['y'], undefined],
	['undelivered was followed by both', UNDELIVERED, ['x', 'y'], 'sentBefore'],
	['sent was followed by an equal one', SENT, ['x'], undefined],
])('a message that n8n has stored as %s', async (_, outcome, values, known) => {
	const { open, send, recall, sendAndTell } = scene();
	const told = await sendAndTell(message('a', 'x'), outcome);
	const other = open({ ...RETRY, told: structuredClone(told) });
	const all = ['x', ...values].map((value) => message('a', value));
	await recall(other, all, [outcome]);
	for (const index of values.keys()) await send(other, other.messageOf(index + 1)!);
	expect(await recall(open({ ...RETRY, told }), all.slice(0, 1), [outcome])).toEqual([known]);
});

it('a later Retry knows whose rows they are that this one has found, unless it is in doubt', async () => {
	const { open, send, recall } = scene();
	const killed = open();
	const all = ['x', 'y', 'z'].map((value) => message('a', value));
	for (const each of all) await send(killed, each, each === all[2] ? UNKNOWN : SENT);
	const told = nothingTold();
	const retry = open({ ...RETRY, told });
	await recall(retry, all);
	for (const item of [0, 0, 2, 9]) retry.tell(item);
	expect(told.salts).toEqual([expect.stringMatching(/^.{6}$/)]);
	expect(Object.values(told.numbers)).toEqual([[1]]);
	const later = open({ ...RETRY, told: structuredClone(told) });
	const known = [undefined, 'sentBefore', 'unknown interrupted'];
	expect(await recall(later, all, [SENT])).toEqual(known);
});

it('what another version has written tells nothing', async () => {
	const { table, open, send, recall } = scene();
	const killed = open();
	for (const value of ['x', 'y']) await send(killed, message('a', value));
	const [row] = table.rows.values();
	row.data.push(...'abcd');
	const both = [message('a', 'x'), message('b', 'x')];
	expect(await recall(open(RETRY), both)).toEqual(['unknown otherVersion', undefined]);
});

describe('what n8n has stored', () => {
	it.each([
		['is not taken for an equal message', 'key', undefined],
		['is in doubt after a new API key', 'other', OTHER_VALUES],
	])('%s', async (_, apiKey, second) => {
		const { open, recall, sendAndTell } = scene();
		const told = await sendAndTell(message('a', 'x'));
		const retry = open({ ...RETRY, told: { ...told, inherited: [...told.salts] } });
		const equal = [message('a', 'x', apiKey), message('a', 'x', apiKey)];
		expect(await recall(retry, equal, [SENT])).toEqual([undefined, second]);
	});

	it('tells neither number nor template to whoever can guess them', async () => {
		const kindsOf = async (apiKey: string) =>
			Object.keys((await scene().sendAndTell(message('a', 'x', apiKey))).numbers);
		expect(await kindsOf('key')).toEqual(await kindsOf('key'));
		expect(await kindsOf('key')).not.toEqual(await kindsOf('another'));
	});
});

describe('two executions at the same time', () => {
	it.each([
		['a minute; then nobody knows', Infinity, SENT, 60_000, 'unknown interrupted'],
		['until it is sent', 5000, SENT, 5000, 'sentBefore'],
		['until it is refused', 5000, REJECTED, 5000, undefined],
	])('who comes second waits for the message %s', async (...row) => {
		const [, takesMs, outcome, waitsMs, known] = row;
		const { open, clock, recall, beginSending } = scene();
		await beginSending(message('a', 'x'), takesMs, outcome);
		const before = clock.ticks();
		const both = [message('a', 'x'), message('b', 'x')];
		expect(await recall(open(SECOND_RETRY), both)).toEqual([known, undefined]);
		expect(clock.ticks() - before).toBeGreaterThanOrEqual(waitsMs);
		expect(clock.ticks() - before).toBeLessThan(waitsMs + 2000);
	});

	it('nobody waits for a message of which a first Retry could not tell, or whose outcome is known', async () => {
		const { open, clock, table, recall, send, beginSending } = scene();
		const [killed, unknown, sent, undelivered, other] = [...'abcde'].map((to) => message(to, 'x'));
		await beginSending(killed);
		await recall(open(RETRY), [killed]);
		const first = open();
		await send(first, unknown, UNKNOWN);
		for (const each of [sent, undelivered, other]) await send(first, each);
		await clock.run(first.free(undelivered));
		const before = clock.ticks();
		table.statements.length = 0;
		const now = [killed, unknown, sent, undelivered, message('e', 'y')];
		expect(await recall(open(SECOND_RETRY), now)).toEqual([
			'unknown interrupted',
			'unknown interrupted',
			'sentBefore',
			'rejected undelivered',
			OTHER_VALUES,
		]);
		// What is known is not read again.
		expect(table.statements).toHaveLength(23);
		expect(clock.ticks()).toBe(before);
	});

	it('who meets a message that another one is sending does not write its row, nor sends another', async () => {
		const { table, open, recall, send, beginSending } = scene();
		const retry = open(RETRY);
		await recall(retry, [message('a', 'x'), message('b', 'x')]);
		await send(open(), message('b', 'y'));
		await beginSending(message('a', 'x'));
		table.statements.length = 0;
		expect(await send(retry, retry.messageOf(0)!)).toMatchObject({
			failure: { outcome: 'unknown' },
		});
		expect([...new Set(table.statements)]).toEqual(['select']);
		expect(await send(retry, retry.messageOf(1)!)).toMatchObject({
			failure: { code: 'interruptedWithOtherValues', outcome: 'unknown' },
		});
	});

	it.each([
		['before there is a Retry, its rows of earlier rounds do not keep a run from sending', false],
		['once there is one, a run does not send what it meets', true],
	])('%s', async (_, isRetried) => {
		const { open, recall, send } = scene();
		await send(open(), message('a', 'x'));
		const first = open({ mayMeet: true, isRetried });
		await recall(first, [message('a', 'x')]);
		const { sentBefore } = message('a', 'x');
		expect(await send(first, first.messageOf(0)!)).toEqual(isRetried ? sentBefore : SENT);
		const second = isRetried ? undefined : 'sentBefore';
		const both = [message('a', 'x'), message('a', 'x')];
		expect(await recall(open(RETRY), both)).toEqual(['sentBefore', second]);
	});
});

it('a first execution looks at nothing before it sends, and a row costs two writes', async () => {
	const { table, open, send, recall } = scene();
	const first = open();
	await recall(first, [message('a', 'x')]);
	await send(first, first.messageOf(0)!);
	expect(table.statements).toEqual(['select', 'insert', 'select', 'update']);
});
