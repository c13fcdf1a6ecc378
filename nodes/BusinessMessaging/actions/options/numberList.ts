import type { IExecuteFunctions } from 'n8n-workflow';
import { containerName, InputError, quote } from '../../inputError';
import { enteredAt } from '../../parameters';
import { readsItem } from '../../template/reads';
import { expressionsIn } from '../../template/textChecks';
import { isBlank, linesOf, textOf } from '../../values';
import { findColumn, type ListEntry, readColumn, wholeListOf } from '../sendTemplate/column';
import type { Reading } from '../sendTemplate/sending';

interface NumberList {
	/** Of all readings of its numbers. */
	phones: ReadonlySet<string>;
	/** How many numbers it has. */
	size: number;
}

interface ListField {
	path: string;
	/** What errors call the list. */
	called: string;
	/** A column that was dragged into the field means all of its rows. */
	takesColumn: boolean;
	/**
	 * @param name of the entry in an error, at the beginning of a sentence
	 * @returns one text for each phone that the entry may be, the first one for the number itself
	 */
	phonesOf: (entry: unknown, country: string, name: string) => string[];
}

/** By run, field and default country. A list may have 100,000 numbers, and a run 5,000 items. */
const lists = new WeakMap<IExecuteFunctions, Map<string, NumberList | Error>>();

/**
 * The same list for all items of a run.
 * @throws InputError for anything but a list of numbers: nobody is sent to by accident
 */
export function numbersIn(
	field: ListField,
	{ context, defaultCountry: country }: Pick<Reading, 'context' | 'defaultCountry'>,
): NumberList {
	const ofRun = lists.get(context) ?? new Map<string, NumberList | Error>();
	lists.set(context, ofRun);
	const key = `${field.path} ${country}`;
	const list = ofRun.get(key) ?? tryToRead(field, context, country);
	ofRun.set(key, list);
	if (list instanceof Error) throw list;
	return list;
}

function tryToRead(
	field: ListField,
	context: IExecuteFunctions,
	country: string,
): NumberList | Error {
	try {
		const entries = [...entriesOf(field, context)];
		const phones = entries.map(({ entry, name }) => field.phonesOf(entry, country, name));
		return { phones: new Set(phones.flat()), size: new Set(phones.map(([first]) => first)).size };
	} catch (error) {
		return error as Error;
	}
}

function* entriesOf(
	{ path, called, takesColumn }: ListField,
	context: IExecuteFunctions,
): Generator<ListEntry> {
	const entered = enteredAt(context, 0, path);
	const column = takesColumn ? findColumn(entered) : undefined;
	if (column) return yield* readColumn(context, column, called);
	const value: unknown = context.getNodeParameter(path, 0);
	if (expressionsIn(entered).some((each) => mayMissRows(each, value))) {
		throw new InputError(
			`The expression in ${called} reads one item, or what a model says, not the whole list`,
			`Use the whole list of a node before, such as {{ ${wholeListOf(entered)} }}.`,
		);
	}
	if (Array.isArray(value)) {
		for (const [index, entry] of Array.from<unknown>(value).entries()) {
			const name = `Entry ${index + 1} of ${called}`;
			if (isBlank(entry)) {
				throw new InputError(
					`${name} is empty`,
					'Leave blank entries out of the list, for example with .filter((phone) => phone).',
				);
			}
			yield { entry, name };
		}
		return;
	}
	const text = textOf(value);
	if (!text) {
		const what = isBlank(value) ? 'empty' : (containerName(value) ?? quote(value));
		throw new InputError(
			`${called} is ${what}`,
			'Open Options and enter one number a line, or let an expression give a list, which may be empty. Or remove the option.',
		);
	}
	for (const [index, entry] of linesOf(text).entries()) {
		if (!isBlank(entry)) yield { entry, name: `Line ${index + 1} of ${called}` };
	}
}

/** All rows of a node, without picking one of them. */
const ALL_ROWS = /\.all\([^)]*\)\s*\.(?!at\(|find|first\(|last\()\w+\(/s;

/** Whether an expression may give fewer numbers than its list has. A text may have one today, and several tomorrow. */
function mayMissRows(expression: string, value: unknown): boolean {
	if (readsItem(expression)) return true;
	if (!expression.includes('$(')) return false;
	return !ALL_ROWS.test(expression) || !(Array.isArray(value) || /\.join\(/.test(expression));
}
