import { type IDataObject, type IExecuteFunctions, tryToParseDateTime } from 'n8n-workflow';
import { CATEGORIES } from '../../api';
import { containerName, InputError, quote, refuseAs } from '../../inputError';
import { enteredAt, RAW, readChoice, readSwitch, type ValuesOf } from '../../parameters';
import { readRecipient } from '../../template/phoneNumber';
import type { CategoryChoice } from '../../template/pricing';
import { checkText } from '../../template/text';
import { isBlank, isCalendarDay, textOf } from '../../values';
import {
	defaultCountryField,
	rawResponseField,
	readCallLimits,
	readDefaultCountry,
} from '../fields';
import { readWaitOptions } from '../messageStatus';
import {
	categoryField,
	dryRunField,
	fallbackCategoryField,
	keepWhitespaceField,
	lastMessageField,
	type optionFields,
	templateNameField,
	toField,
} from './fields';
import { readVariables } from './readVariables';
import type { SendJob, StepOption } from './sending';

type Options = ValuesOf<(typeof optionFields)[number]>;

/** @throws InputError */
export function readSendJob(
	context: IExecuteFunctions,
	itemIndex: number,
	now: number,
	testRecipient: string | undefined,
	stepOptions: readonly StepOption[] = [],
): SendJob {
	const all = readOptions(context, itemIndex, stepOptions);
	const options: Options = all;
	const { defaultCountry } = options;
	const inOptions = <T>(read: () => T) => refuseAs('wrongOption', read);
	const country = inOptions(() =>
		defaultCountryField.name in options
			? readDefaultCountry(defaultCountry, context, itemIndex)
			: '',
	);
	const given = context.getNodeParameter(toField.name, itemIndex);
	const to = refuseAs('wrongRecipient', () => readRecipient(given, country));
	const templateName = refuseAs('wrongTemplateName', () => readTemplateName(context, itemIndex));
	const categoryChoice = refuseAs('wrongCategory', () =>
		readCategoryChoice(context, itemIndex, now),
	);
	const keepWhitespace = inOptions(() => readSwitch(options, keepWhitespaceField));
	const limits = inOptions(() => readCallLimits(options));
	const reading = { context, itemIndex, to, defaultCountry: country, now, limits };
	const added = stepOptions.filter(({ field }) => field.name in all);
	const forCustomer: Partial<SendJob> = inOptions(() =>
		Object.assign({}, ...added.map(({ field, read }) => read(all[field.name], reading))),
	);
	const { variables, ...filled } = refuseAs('wrongVariable', () =>
		readVariables(context, itemIndex, templateName, keepWhitespace),
	);

	return {
		message: {
			to: testRecipient ?? to,
			type: 'template',
			templateName,
			...(Object.keys(variables).length > 0 ? { templateVariables: variables } : {}),
		},
		...(testRecipient ? { intendedTo: to } : forCustomer),
		categoryChoice,
		...filled,
		...inOptions(() => ({
			dryRun: readSwitch(options, dryRunField),
			rawResponse: readSwitch(options, rawResponseField),
			wait: readWaitOptions(options),
		})),
		limits,
	};
}

/** Computed by n8n all at once, unless one of them computes itself. */
function readOptions(
	context: IExecuteFunctions,
	itemIndex: number,
	stepOptions: readonly StepOption[],
): IDataObject {
	const entered = Object(context.getNodeParameter('options', itemIndex, {}, RAW)) as IDataObject;
	const own = stepOptions.filter(({ field, compute }) => compute && field.name in entered);
	if (own.length === 0) return context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const values = Object.keys(entered).map((name) => {
		const { compute } = own.find(({ field }) => field.name === name) ?? {};
		return [
			name,
			compute
				? compute(context, itemIndex)
				: context.getNodeParameter(`options.${name}`, itemIndex),
		];
	});
	return Object.fromEntries(values) as IDataObject;
}

function readTemplateName(context: IExecuteFunctions, itemIndex: number): string {
	const name = textOf(context.getNodeParameter(templateNameField.name, itemIndex));
	if (name) {
		checkText(name, 'Template Name', enteredAt(context, itemIndex, templateNameField.name));
		return name;
	}
	throw new InputError(
		'Template Name is empty',
		'Enter the name of an approved template, exactly as in your dashboard.',
	);
}

function readCategoryChoice(
	context: IExecuteFunctions,
	itemIndex: number,
	now: number,
): CategoryChoice {
	const given = context.getNodeParameter(categoryField.name, itemIndex);
	const category = readChoice(given, categoryField, [...CATEGORIES, 'auto']);
	if (category !== 'auto') return { category };
	const time = context.getNodeParameter(lastMessageField.name, itemIndex, '');
	const { name, default: unset } = fallbackCategoryField;
	const fallback = context.getNodeParameter(name, itemIndex, unset);
	return {
		category,
		customerLastMessageAt: readCustomerLastMessageAt(time, context.getTimezone(), now),
		fallbackCategory: readChoice(fallback, fallbackCategoryField, CATEGORIES),
	};
}

/** The clocks of two machines differ. A time further ahead is a wrong date. */
const CLOCK_SKEW_MS = 5 * 60 * 1000;

/**
 * The time of the customer's last message as epoch ms.
 * @param timezone for dates without an offset
 * @throws InputError when there is none, it can't be read, or it lies in the future
 */
export function readCustomerLastMessageAt(value: unknown, timezone: string, now: number): number {
	if (isBlank(value)) {
		throw new InputError(
			"Category is Auto, but Customer's Last Message At is empty",
			'Map the time of the customer\'s last message, for example "timestamp" of the incoming message, or choose a fixed category.',
		);
	}
	const time = parseMoment(value, timezone);
	if (time === undefined) {
		const shown = value instanceof Date ? undefined : containerName(value);
		throw new InputError(
			`Customer's Last Message At is not a date: ${shown ?? quote(String(value))}`,
			'Use a date and time such as 2026-01-31T14:05:00Z, or choose a fixed category.',
		);
	}
	if (time > now + CLOCK_SKEW_MS) {
		throw new InputError(
			`Customer's Last Message At is in the future: ${quote(new Date(time).toISOString())}`,
			'Check the date and its time zone.',
		);
	}
	return time;
}

/** From 2001 on. Other numbers, such as a spreadsheet's days or microseconds, lie outside. */
const EPOCH_SECONDS = { from: 1e9, to: 1e11 };
const EPOCH_MS = { from: 1e12, to: 1e14 };
const EPOCH_TEXT = /^\d{10,13}(?:\.\d+)?$/;

/**
 * A moment as epoch ms, from DateTime and Date objects, epoch seconds and milliseconds, and dates in
 * notations that have one meaning: not 01/02/2026, nor a time for which n8n would assume the
 * time zone of its server.
 */
function parseMoment(value: unknown, timezone: string): number | undefined {
	if (typeof value === 'number') return epochMs(value);
	const text = typeof value === 'string' ? value.trim() : value;
	if (typeof text === 'string') {
		if (EPOCH_TEXT.test(text)) return epochMs(Number(text));
		if (!hasOneMeaning(text)) return undefined;
	} else if (typeof text !== 'object' || Array.isArray(text)) {
		return undefined;
	}
	try {
		const time = tryToParseDateTime(text, timezone).toMillis();
		return time >= EPOCH_MS.from ? time : undefined;
	} catch {
		return undefined;
	}
}

function epochMs(count: number): number | undefined {
	if (count >= EPOCH_SECONDS.from && count < EPOCH_SECONDS.to) return count * 1000;
	return count >= EPOCH_MS.from && count < EPOCH_MS.to ? count : undefined;
}

const MAX_TEXT_LENGTH = 100;
const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/i;
/** ISO and SQL dates, and dates that begin with a weekday or a month, with an offset at the end. */
const WITH_OFFSET =
	/^(?:\d{4}-\d{2}-\d{2}[T ]|[a-z]{3,9},? ).*:\d{2}(?:\.\d+)? ?(?:Z|UTC|GMT|(?:UTC|GMT)?[+-]\d{2}(?::?\d{2})?)(?: ?\(.*\))?$/i;

function hasOneMeaning(text: string): boolean {
	if (text.length > MAX_TEXT_LENGTH) return false;
	if (!WITHOUT_OFFSET.test(text) && !WITH_OFFSET.test(text)) return false;
	const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
	return day === undefined ? isDayInWords(text) : isCalendarDay(day);
}

/** As in "Sat, 30 Feb 2026 14:05:00 GMT", where the first number is the day of the month. */
function isDayInWords(text: string): boolean {
	// The last zone counts: the day stays as it is written.
	return new Date(`${text} UTC`).getUTCDate() === parseInt(text.replace(/\D+/, ''), 10);
}
