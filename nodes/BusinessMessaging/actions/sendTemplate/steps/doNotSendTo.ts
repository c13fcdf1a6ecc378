import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { getCountries, getCountryCallingCode } from '../../../bundled/libphonenumber';
import { containerName, InputError, quote } from '../../../inputError';
import { enteredAt } from '../../../parameters';
import { hasPossibleLength, phoneOf, readRecipient } from '../../../template/phoneNumber';
import { isBlank, isExpression, textOf } from '../../../values';
import { skipped, type Step } from '../sending';

declare module '../sending' {
	interface SendJob {
		isOptedOut?: boolean;
	}
}

const doNotSendToField = {
	displayName: 'Do Not Send To',
	name: 'doNotSendTo',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: "e.g. {{ $('Opt-Outs').all().map((row) => row.json.phone) }}",
	description:
		'Numbers that get no message, however they are spelled: one a line, or a list that an expression gives. Their items leave as skipped. An expression that does not read the item is computed once per run. Runs that go to the Test Recipient ignore the list.',
} as const satisfies INodeProperties;

/** Do Not Send To: the numbers of a list get nothing. */
export const unlessOptedOut: Step = {
	option: {
		field: doNotSendToField,
		compute: valueAt,
		read: (value, { context, to, defaultCountry }) => {
			const phones = listOf(context, value, defaultCountry);
			return {
				isOptedOut: phones.has(phoneOf(to)),
				...(phones.size === 0 ? { note: 'Do Not Send To is an empty list' } : {}),
			};
		},
	},
	policy: ({ isOptedOut, message: { to } }) => {
		if (!isOptedOut) return undefined;
		const skip = () => async () => await Promise.resolve(skipped('optedOut', { to }));
		return { send: skip, show: skip };
	},
};

/** Gives the value that was computed once, or throws what was thrown then. */
type ComputedOnce<T> = () => T;

interface OfRun {
	value?: ComputedOnce<unknown>;
	lists: Map<string | null, { value: unknown; phones: ComputedOnce<Phones> }>;
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

/** Whether an expression may read the item. All items of a node, its first and its last one are the same for each item. */
const READS_ITEM = /\$(?!\(|input\.(?:all|first|last)\()|[.'"`](?:item|pairedItem)/;

function valueAt(context: IExecuteFunctions, itemIndex: number): unknown {
	const path = `options.${doNotSendToField.name}`;
	const compute = () => context.getNodeParameter(path, itemIndex);
	const entered = enteredAt(context, itemIndex, path);
	if (isExpression(entered) && READS_ITEM.test(entered)) return compute();
	const run = runOf(context);
	run.value ??= computeOnce(compute);
	return run.value();
}

function listOf(context: IExecuteFunctions, value: unknown, country: string | null): Phones {
	const { lists } = runOf(context);
	const known = lists.get(country);
	if (known && known.value === value) return known.phones();
	const phones = computeOnce(() => readList(value, country));
	lists.set(country, { value, phones });
	return phones();
}

/** The numbers of a list, each as its phone. */
type Phones = ReadonlySet<string>;

/** @throws InputError for anything but a list of numbers: nobody is sent to by accident */
export function readList(value: unknown, country: string | null): Phones {
	const isList = Array.isArray(value);
	const place = isList ? 'Entry' : 'Line';
	const entries = isList ? Array.from<unknown>(value) : linesOf(value);
	const numbers = entries.flatMap((entry, index) => {
		if (isAsRead(entry)) return entry;
		if (!isList && isBlank(entry)) return [];
		const name = `${place} ${index + 1} of Do Not Send To`;
		if (isBlank(entry)) {
			throw new InputError(
				`${name} is empty`,
				'Leave blank entries out of the list, for example with .filter((phone) => phone).',
			);
		}
		return readRecipient(entry, country, name, `Use one ${place.toLowerCase()} per number.`);
	});
	return new Set(numbers.map(phoneOf));
}

function linesOf(value: unknown): string[] {
	const text = textOf(value);
	if (text) return text.split(/\r\n?|\n/);
	const what = isBlank(value) ? 'empty' : (containerName(value) ?? quote(value));
	throw new InputError(
		`Do Not Send To is ${what}`,
		'Open Options and enter one number a line, or let an expression give a list, which may be empty. Or remove the option.',
	);
}

const FULL = /^\+[1-9]\d{10,14}$/;
const CODES = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)));
const CODE_LENGTHS = [1, 2, 3];
/**
 * Numbers of which the library may drop digits, beside those with a 0 after their country code: trunk prefixes and
 * carrier codes of some countries, and Argentina's 15. A test compares this with the library.
 */
const MAY_CHANGE =
	/^\+(?:11|44180020|54\d{2,4}15|5590|6118|6921|78|861[127]|9938|29810|35215|3708|3758|4231001|50619)/;

/** As most lists have them: reading gives the same text, at five times the time or more. */
function isAsRead(entry: unknown): entry is string {
	if (typeof entry !== 'string' || !FULL.test(entry) || MAY_CHANGE.test(entry)) return false;
	const length = CODE_LENGTHS.find((each) => CODES.has(entry.slice(1, 1 + each)));
	if (length === undefined) return false;
	const countryCallingCode = entry.slice(1, 1 + length);
	const nationalNumber = entry.slice(1 + length);
	if (!hasPossibleLength({ countryCallingCode, nationalNumber })) return false;
	return !nationalNumber.startsWith('0') && !nationalNumber.startsWith(countryCallingCode);
}
