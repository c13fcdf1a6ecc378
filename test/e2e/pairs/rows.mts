import {
	ANSWER_LOST,
	FAILS,
	NEVER_READ,
	REFUSALS,
	STAYS_SENT,
} from '../../../playground/api/wellKnown.mts';

/** An item of a run. */
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
	/** Whether the local API knows of that message. */
	hasWritten?: boolean;
	isDry?: boolean;
	isNight?: boolean;
	isLate?: boolean;
	/** Its number is in the list of Do Not Send To. */
	isOut?: boolean;
}

/** What a row has that a good one has not. `other`: of the same run; `before`: of an execution before it. */
type Kind = (own: Row, other: Row, before: Row[]) => Partial<Row>;

const wellKnown =
	(phone: string): Kind =>
	() => ({ to: phone, phone });
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

export const WRONG_NUMBER = '+1202';

/** Each run has one of these, because an option is about them. A new kind of row is a line here. */
const ALWAYS: Record<string, Kind> = {
	good: () => ({}),
	dry: () => ({ isDry: true }),
	night: () => ({ isNight: true }),
	late: () => ({ isLate: true }),
	optedOut: () => ({ isOut: true }),
	sameNumber: (_, { to, phone }) => ({ to, phone }),
	sameKey: (_, { to, phone, key }) => ({ to, phone, key }),
	sentBefore: (_, __, [{ to, phone, key }]) => ({ to, phone, key }),
	sentRecently: (_, __, [, { to, phone }]) => ({ to, phone }),
};
const FIT: Record<string, Kind> = {
	spelledDifferently: ({ phone }) => ({ to: phone.replace(/^\+1(...)(...)/, '+1 ($1) $2-') }),
	lineBreak: () => ({ value: 'two\n\tlines' }),
	wroteNow: () => ({ hasWritten: true }),
	wroteLongAgo: () => ({ lastMessageAt: hoursAgo(30) }),
	neverDelivered: wellKnown(STAYS_SENT),
	neverRead: wellKnown(NEVER_READ),
	keyOfAnother: (_, { key }) => ({ key }),
};
const FAULTY: Record<string, Kind> = {
	failsLater: wellKnown(FAILS),
	answerLost: wellKnown(ANSWER_LOST),
	// The number that always gets 429 takes minutes.
	...Object.fromEntries(
		REFUSALS.filter(({ httpStatus }) => httpStatus !== 429).map(({ code, recipient }) => [
			String(code),
			wellKnown(recipient),
		]),
	),
};
const WRONG: Record<string, Kind> = {
	withoutCountry: ({ phone }) => ({ to: phone.replace('+1', '') }),
	wrongNumber: () => ({ to: WRONG_NUMBER }),
	missingValue: () => ({ value: undefined }),
};
/** What others there are. A run that stops at errors sends nothing if one is wrong. */
export const MORE = {
	fit: FIT,
	faulty: { ...FIT, ...FAULTY },
	any: { ...FIT, ...FAULTY, ...WRONG },
};

const MORE_ROWS = 5;

function shuffled<T>(list: readonly T[], random: () => number): T[] {
	const drawn = list.map((each) => ({ each, at: random() }));
	return drawn.sort((a, b) => a.at - b.at).map(({ each }) => each);
}

export function rowsOf(more: Record<string, Kind>, run: string, random: () => number) {
	const make = (kind: string, rows: Row[], before: Row[]): Row => {
		const number = before.length + rows.length + 1;
		const phone = `+12025552${String(number).padStart(3, '0')}`;
		const own = { to: phone, phone, value: `value ${number}`, key: `key ${number}` };
		const good: Row = { kind, tag: `${run}-${number}`, ...own, lastMessageAt: hoursAgo(1) };
		const [other = good] = shuffled(rows, random);
		return { ...good, ...{ ...ALWAYS, ...more }[kind](good, other, before) };
	};
	const before: Row[] = [];
	for (const kind of ['good', 'good', 'sentRecently']) before.push(make(kind, [], before));
	const rows: Row[] = [];
	const drawn = shuffled(Object.keys(more), random).slice(0, MORE_ROWS);
	for (const kind of shuffled([...Object.keys(ALWAYS), ...drawn], random)) {
		rows.push(make(kind, rows, before));
	}
	return { before, rows };
}
