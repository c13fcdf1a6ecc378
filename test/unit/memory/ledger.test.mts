import { causeNamed } from '../../../nodes/BusinessMessaging/errors/catalogue';
import { failureOf, failed } from '../../../nodes/BusinessMessaging/errors/failure';
import {
	Ledger,
	type LedgerMessage,
	type Told,
} from '../../../nodes/BusinessMessaging/memory/ledger';
import type { Rows } from '../../../nodes/BusinessMessaging/memory/rows';
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

interface Execution {
	told: Told;
	hasPast: boolean;
	/** Another execution of the lineage at the same time. */
	mayMeet: boolean;
	isRetried: boolean;
	rows: () => Promise<Rows>;
}
const RETRY = { hasPast: true };
const SECOND_RETRY = { hasPast: true, mayMeet: true };

function scene() {
	const { clock, table, entries, connect } = databaseScene(() => 0);
	const { signal } = new AbortController();
	/** Of one execution of the lineage. */
	const open = ({ told = nothingTold(), hasPast = false, ...more }: Partial<Execution> = {}) => {
		const { mayMeet = false, isRetried = true, rows = connect().rows } = more;
		return new Ledger(rows, clock, {
			lineage: 'n:l',
			told,
			hasPast,
			mayMeet,
			rowNames: [],
			isRetried: async () => await Promise.resolve(isRetried),
		});
	};
	/** Sends these messages, whose requests end like this. */
	async function send(ledger: Ledger, each: LedgerMessage, outcome: Outcome = SENT) {
		return await clock.run(ledger.withClaim(each, async () => outcome, signal));
	}
	/** What it knows of these messages, by code; `undefined`: it sends them. */
	async function recall(ledger: Ledger, all: LedgerMessage[], before: Outcome[] = []) {
		const items = all.map((each, itemIndex) => ({ ...each, itemIndex }));
		const found = await clock.run(ledger.recall(items, new Map(before.entries()), signal));
		return items.map((_, itemIndex) => {
			const outcome = found.get(itemIndex);
			return outcome?.kind === 'failed' ? outcome.failure.code : outcome?.kind;
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
	/** It is killed before there is a response. */
	async function beginSending(each: LedgerMessage) {
		void open().withClaim(each, async () => await new Promise(() => undefined), signal);
		await new Promise(setImmediate);
	}
	return { clock, table, entries, connect, open, send, recall, sendAndTell, beginSending };
}

// docs/after-a-crash.md: what a Retry does with a message; the sheet may have changed
it.each<[string, Outcome, string[], string[], Array<string | undefined>]>([
	['sent', SENT, ['x'], ['x'], ['sentBefore']],
	['of unknown outcome', UNKNOWN, ['x'], ['x'], ['interrupted']],
	['refused', REJECTED, ['x'], ['x'], [undefined]],
	['undelivered', UNDELIVERED, ['x'], ['x'], ['undelivered']],
	['undelivered with other values', UNDELIVERED, ['x'], ['y'], [undefined]],
	['sent in another order', SENT, ['x', 'y'], ['y', 'x'], ['sentBefore', 'sentBefore']],
	['sent, and some are new', SENT, ['x'], ['z', 'x'], [undefined, 'sentBefore']],
	['sent, and some are gone', SENT, ['x', 'y'], ['y'], ['sentBefore']],
	['sent once and come twice', SENT, ['x'], ['x', 'x'], ['sentBefore', undefined]],
	['sent with other values', SENT, ['x'], ['y'], ['interruptedWithOtherValues']],
	[
		'sent, one with other values',
		SENT,
		['x', 'y'],
		['x', 'z'],
		['sentBefore', 'interruptedWithOtherValues'],
	],
])('a Retry compares messages to one number that were %s', async (...row) => {
	const [, outcome, before, now, expected] = row;
	const { open, send, recall } = scene();
	const killed = open();
	for (const value of before) await send(killed, message('a', value), outcome);
	const messages = now.map((value) => message('a', value));
	expect(await recall(open(RETRY), [...messages, message('b', 'x')])).toEqual([
		...expected,
		undefined,
	]);
});

it.each([
	['by its fallback', 'x', 'sentBefore'],
	['by another one', 'y', undefined],
])('a message that n8n has stored as undelivered was followed %s', async (_, value, known) => {
	const { open, send, recall, sendAndTell } = scene();
	const told = await sendAndTell(message('a', 'x'), UNDELIVERED);
	await send(open({ ...RETRY, told: structuredClone(told) }), message('a', value));
	expect(await recall(open({ ...RETRY, told }), [message('a', 'x')], [UNDELIVERED])).toEqual([
		known,
	]);
});

it('a later Retry knows whose row it is that this one has found', async () => {
	const { open, send, recall } = scene();
	await send(open(), message('a', 'x'));
	const told = nothingTold();
	const retry = open({ ...RETRY, told });
	await recall(retry, [message('a', 'x')]);
	retry.tell(0);
	const later = open({ ...RETRY, told: structuredClone(told) });
	const messages = [message('a', 'x'), message('a', 'y')];
	expect(await recall(later, messages, [SENT])).toEqual([undefined, undefined]);
});

describe('what n8n has stored', () => {
	it.each([
		['is not taken for an equal message', 'key', undefined],
		['is in doubt after a new API key', 'other', 'interruptedWithOtherValues'],
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
	it('who comes second waits for the message for a minute; then it is not known whether it was sent', async () => {
		const { open, clock, recall, beginSending } = scene();
		await beginSending(message('a', 'x'));
		const before = clock.ticks();
		const both = [message('a', 'x'), message('b', 'x')];
		expect(await recall(open(SECOND_RETRY), both)).toEqual(['interrupted', undefined]);
		expect(clock.ticks() - before).toBeGreaterThanOrEqual(60_000);
		expect(clock.ticks() - before).toBeLessThan(62_000);
	});

	it('nobody waits for a message of which a first Retry could not tell, or whose response was unclear', async () => {
		const { open, clock, recall, send, beginSending } = scene();
		await beginSending(message('a', 'x'));
		await send(open(), message('b', 'x'), UNKNOWN);
		const both = [message('a', 'x'), message('b', 'x')];
		await recall(open(RETRY), both);
		const before = clock.ticks();
		const interrupted = ['interrupted', 'interrupted'];
		expect(await recall(open(SECOND_RETRY), both)).toEqual(interrupted);
		expect(clock.ticks()).toBe(before);
	});

	it('who meets a message that another one is sending does not write its row', async () => {
		const { table, open, recall, send, beginSending } = scene();
		const retry = open(RETRY);
		await recall(retry, [message('a', 'x')]);
		await beginSending(message('a', 'x'));
		table.statements.length = 0;
		expect(await send(retry, retry.messageOf(0)!)).toMatchObject({
			failure: { outcome: 'unknown' },
		});
		expect([...new Set(table.statements)]).toEqual(['select']);
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
	});

	it('who meets a message with other values sends none', async () => {
		const { open, recall, send } = scene();
		const retry = open(RETRY);
		await recall(retry, [message('a', 'x')]);
		await send(open(), message('a', 'y'));
		expect(await send(retry, retry.messageOf(0)!)).toMatchObject({
			failure: { code: 'interruptedWithOtherValues', outcome: 'unknown' },
		});
	});
});

it('a row that goes before it is compared tells nothing, and does not come back', async () => {
	const { table, entries, connect, open, send, recall } = scene();
	await send(open(), message('a', 'x'));
	let selects = 0;
	const { rows } = connect({
		fails(statement) {
			if (statement === 'select' && ++selects === 3) table.rows.clear();
			return false;
		},
	});
	const retry = open({ ...RETRY, rows });
	const told = await recall(retry, [message('a', 'x')]);
	expect([told, entries()]).toEqual([['interruptedWithOtherValues'], {}]);
});

it('a first execution looks at nothing before it sends, and a row costs two writes', async () => {
	const { table, open, send, recall } = scene();
	const first = open();
	await recall(first, [message('a', 'x')]);
	await send(first, first.messageOf(0)!);
	expect(table.statements).toEqual(['select', 'insert', 'select', 'update']);
});

it('where the database does not answer, a Retry sends nothing', async () => {
	const { connect, open, recall } = scene();
	const retry = open({ ...RETRY, rows: connect({ fails: () => true }).rows });
	const recalled = recall(retry, [message('a', 'x')]);
	await expect(recalled).rejects.toMatchObject({ code: 'memoryUnusable' });
});
