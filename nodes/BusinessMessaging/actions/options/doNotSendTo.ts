import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { containerName, InputError, quote, refuseAs } from '../../inputError';
import { enteredAt } from '../../parameters';
import { phoneOf, readingsOf } from '../../template/phoneNumber';
import { readsItem } from '../../template/reads';
import { expressionsIn } from '../../template/text';
import { isBlank, linesOf, textOf } from '../../values';
import { Column, findColumn, readColumn, wholeListOf } from '../sendTemplate/column';
import { skipped, type Step } from '../sendTemplate/sending';

const doNotSendToField = {
	displayName: 'Do Not Send To',
	name: 'doNotSendTo',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: "e.g. {{ $('Opt-outs').all().map((row) => row.json.phone) }}",
	description:
		'Numbers that get no message, however they are spelled: one a line, a list that an expression gives, or a column that you drag here from another node, which means all rows of that node, in a loop those of its latest round. Their items leave as skipped. An expression that does not read the item is computed once per run. Runs that go to the Test Recipient ignore the list.',
} as const satisfies INodeProperties;

/** Do Not Send To: the numbers of a list get nothing. */
export const unlessOptedOut: Step = {
	option: {
		field: doNotSendToField,
		compute: valueAt,
		read: (value, { context, to, defaultCountry }) => {
			const { phones, size } = listOf(context, value, defaultCountry);
			return { isOptedOut: phones.has(phoneOf(to)), listSize: size };
		},
	},
	policy: ({ isOptedOut, listSize, message: { to } }) => {
		if (!isOptedOut) return undefined;
		const outcome = { ...skipped('optedOut', { to }), listSize };
		const skip = () => async () => await Promise.resolve(outcome);
		return { send: skip, show: skip };
	},
};

/** Gives the value that was computed once, or throws what was thrown then. */
type ComputedOnce<T> = () => T;

interface OfRun {
	value?: ComputedOnce<unknown>;
	lists: Map<string | null, { value: unknown; list: ComputedOnce<NumberList> }>;
}

/** A list may have 100,000 numbers, and a run 5,000 items. */
const runs = new WeakMap<IExecuteFunctions, OfRun>();

function runOf(context: IExecuteFunctions): OfRun {
	const run = runs.get(context) ?? { lists: new Map() };
	runs.set(context, run);
	return run;
}

function computeOnce<T>(get: () => T): ComputedOnce<T> {
	let problem: unknown;
	try {
		const value = get();
		return () => value;
	} catch (error) {
		problem = error;
	}
	return () => {
		throw problem;
	};
}

/** All items that the node gets, the first and the last one are the same for each item. */
const WHOLE_INPUT = /\$input\.(?:all|first|last)\(/g;

function valueAt(context: IExecuteFunctions, itemIndex: number): unknown {
	const path = `options.${doNotSendToField.name}`;
	const entered = enteredAt(context, itemIndex, path);
	const column = findColumn(entered);
	const compute = (): unknown => {
		if (column) return refuseAs('wrongOption', () => readColumn(context, itemIndex, column));
		const value = context.getNodeParameter(path, itemIndex);
		const whole = wholeListOf(entered, value);
		if (whole === undefined) return value;
		// The other numbers of the list would get a message.
		throw new InputError(
			'The expression in Do Not Send To reads one item, not the whole list',
			`Drag the column from the node that has the list into Do Not Send To, or use {{ ${whole} }}.`,
			'wrongOption',
		);
	};
	const varies = (each: string) => readsItem(each.replace(WHOLE_INPUT, ''));
	if (!column && expressionsIn(entered).some(varies)) return compute();
	const run = runOf(context);
	run.value ??= computeOnce(compute);
	return run.value();
}

function listOf(context: IExecuteFunctions, value: unknown, country: string | null): NumberList {
	const { lists } = runOf(context);
	const known = lists.get(country);
	if (known && known.value === value) return known.list();
	const list = computeOnce(() => readList(value, country));
	lists.set(country, { value, list });
	return list();
}

interface NumberList {
	/** Of all readings of its numbers. */
	phones: ReadonlySet<string>;
	/** How many numbers it has. */
	size: number;
}

/** @throws InputError for anything but a list of numbers: nobody is sent to by accident */
export function readList(value: unknown, country: string | null): NumberList {
	const phones = new Set<string>();
	const numbers = new Set<string>();
	for (const { entry, name, unit } of entriesOf(value)) {
		const readings = phonesOf(entry, country, () =>
			readingsOf(entry, country, name, `Use one ${unit} per number.`),
		);
		numbers.add(readings[0]);
		for (const phone of readings) phones.add(phone);
	}
	return { phones, size: numbers.size };
}

/** By default country and text. To read 100,000 numbers takes seconds, and each round of a loop has them again. */
const knownPhones = new Map<string, string[]>();
const MAX_KNOWN_PHONES = 200_000;

function phonesOf(entry: unknown, country: string | null, read: () => string[]): string[] {
	if (typeof entry !== 'string') return read().map(phoneOf);
	const key = `${country}\n${entry}`;
	const phones = knownPhones.get(key) ?? read().map(phoneOf);
	if (knownPhones.size === MAX_KNOWN_PHONES) knownPhones.clear();
	knownPhones.set(key, phones);
	return phones;
}

interface ListEntry {
	entry: unknown;
	/** In an error, at the beginning of a sentence. */
	name: string;
	unit: 'row' | 'entry' | 'line';
}

function* entriesOf(value: unknown): Generator<ListEntry> {
	if (value instanceof Column) {
		for (const [row, cell] of value.values.entries()) {
			// A spreadsheet has empty cells. A cell may hold a list as well, such as the one of an Aggregate node.
			const entries: unknown[] = typeof cell === 'string' ? linesOf(cell) : [cell].flat();
			for (const entry of entries) {
				if (!isBlank(entry)) yield { entry, name: value.nameOf(row), unit: 'row' };
			}
		}
	} else if (Array.isArray(value)) {
		for (const [index, entry] of Array.from<unknown>(value).entries()) {
			const name = `Entry ${index + 1} of Do Not Send To`;
			if (isBlank(entry)) {
				throw new InputError(
					`${name} is empty`,
					'Leave blank entries out of the list, for example with .filter((phone) => phone).',
				);
			}
			yield { entry, name, unit: 'entry' };
		}
	} else {
		for (const [index, entry] of readLines(value).entries()) {
			const name = `Line ${index + 1} of Do Not Send To`;
			if (!isBlank(entry)) yield { entry, name, unit: 'line' };
		}
	}
}

function readLines(value: unknown): string[] {
	const text = textOf(value);
	if (text) return linesOf(text);
	const what = isBlank(value) ? 'empty' : (containerName(value) ?? quote(value));
	throw new InputError(
		`Do Not Send To is ${what}`,
		'Open Options and enter one number a line, or let an expression give a list, which may be empty. Or remove the option.',
	);
}
