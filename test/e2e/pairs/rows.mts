import {
	ANSWER_LOST,
	FAILS,
	NEVER_READ,
	REFUSALS,
	STAYS_SENT,
} from '../../../playground/api/wellKnown.mts';
import { shuffled } from './allPairs.mts';
import type { Fault } from './faultyApi.mts';

export const WRONG_NUMBER = '+1202';
const HOUR_MS = 3_600_000;

/** What an item of a run has. */
export interface Row {
	kind: string;
	/** In the message, so that the API's ledger tells whose it is. */
	tag: string;
	/** As it is entered. */
	to: string;
	/** E.164 */
	phone: string;
	value?: string;
	key: string;
	lastMessageAt: string;
	/** The local API knows of that message. */
	hasWritten: boolean;
	isDry: boolean;
	isNight: boolean;
	fault?: Fault;
}

type Kind = (own: Row, others: { before: Row[]; rows: Row[] }) => Partial<Row>;

const wellKnown =
	(phone: string): Kind =>
	() => ({ to: phone, phone });
const faulty =
	(fault: Fault): Kind =>
	() => ({ fault });
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** The number that always gets 429 is left out, because it takes minutes. */
const refusals = REFUSALS.filter(({ httpStatus }) => httpStatus !== 429).map(
	({ recipient, httpStatus, code }) =>
		[`refused${httpStatus ?? code}`, wellKnown(recipient)] as const,
);

/** A new kind of item is a line here: what it has that a good one has not. */
export const KINDS: Record<string, Kind> = {
	good: () => ({}),
	spelledDifferently: ({ phone }) => ({ to: phone.replace(/^\+1(\d{3})(\d{3})/, '+1 ($1) $2-') }),
	withoutCountry: ({ phone }) => ({ to: phone.replace('+1', '') }),
	wrongNumber: () => ({ to: WRONG_NUMBER }),
	missingValue: () => ({ value: undefined }),
	lineBreak: () => ({ value: 'two\n\tlines' }),
	wroteNow: () => ({ hasWritten: true }),
	wroteLongAgo: () => ({ lastMessageAt: hoursAgo(30) }),
	dry: () => ({ isDry: true }),
	night: () => ({ isNight: true }),
	sameNumber: (_, { rows: [{ to, phone }] }) => ({ to, phone }),
	sameKey: (_, { rows: [{ to, phone, key }] }) => ({ to, phone, key }),
	keyOfAnother: (_, { rows: [{ key }] }) => ({ key }),
	sentBefore: (_, { before: [{ to, phone, key }] }) => ({ to, phone, key }),
	sentRecently: (_, { before: [, { to, phone }] }) => ({ to, phone }),
	neverDelivered: wellKnown(STAYS_SENT),
	neverRead: wellKnown(NEVER_READ),
	failsLater: wellKnown(FAILS),
	answerLost: wellKnown(ANSWER_LOST),
	...Object.fromEntries(refusals),
	limitedOnce: faulty('limitedOnce'),
	refusedOnce: faulty('refusedOnce'),
	cutOff: faulty('cutOff'),
	sentAnd500: faulty('sentAnd500'),
	slow: faulty('slow'),
};

/** In a run that stops at errors one of these is enough to send nothing. */
const WRONG = ['withoutCountry', 'wrongNumber', 'missingValue', 'keyOfAnother'];
const MORE_ROWS = 6;

/** The rows of a run, and of an execution before it. */
export function rowsFor(run: string, kind: string, random: () => number) {
	let made = 0;
	const make = (name: string, others: { before: Row[]; rows: Row[] }): Row => {
		const number = ++made;
		const phone = `+1202555${String(2000 + number)}`;
		const good: Row = {
			...{ kind: name, tag: `${run}-${number}`, to: phone, phone, value: `value ${number}` },
			...{ key: `key ${number}`, lastMessageAt: hoursAgo(1) },
			...{ hasWritten: false, isDry: false, isNight: false },
		};
		return { ...good, ...KINDS[name](good, others) };
	};
	const before = ['good', 'good'].map((name) => make(name, { before: [], rows: [] }));
	const fit = Object.keys(KINDS).filter((name) => !WRONG.includes(name));
	const drawn = Array.from({ length: MORE_ROWS }, () => shuffled(fit, random)[0]);
	const rows: Row[] = [];
	for (const name of ['good', kind, ...drawn]) {
		// What has something of another row has it of any.
		const others = rows.length > 0 ? shuffled(rows, random) : before;
		rows.push(make(name, { before, rows: others }));
	}
	return { before, rows: shuffled(rows, random) };
}
