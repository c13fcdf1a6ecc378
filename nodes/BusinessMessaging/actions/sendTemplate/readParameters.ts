import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { InputError, quote, refuseAs } from '../../inputError';
import {
	enteredAt,
	EXPERT_OPTIONS,
	RAW,
	readChoice,
	readOptions,
	readSwitch,
	type ValuesOf,
} from '../../parameters';
import { readRecipient } from '../../template/phoneNumber';
import { PLACEHOLDER } from '../../template/placeholders';
import type { CategoryChoice } from '../../template/pricing';
import { checkComputed, checkText, withoutInvisible } from '../../template/textChecks';
import { isBlank, textOf } from '../../values';
import { readDefaultCountry } from '../options/defaultCountry';
import { dryRunField } from '../options/dryRun';
import { keepWhitespaceField } from '../options/keepWhitespace';
import { rawResponseField } from '../options/rawResponse';
import { readCallLimits } from '../options/requests';
import type { TestMessages } from '../options/testRecipient';
import { readWaitOptions } from '../options/waitFor';
import { hasNoId } from '../output';
import {
	categoryField,
	type expertFields,
	fallbackCategoryField,
	lastMessageField,
	type optionFields,
	templateNameField,
	toField,
} from './fields';
import { readMoment } from './moment';
import { readVariables } from './readVariables';
import type { SendJob, StepOption } from './sending';

type Options = ValuesOf<(typeof optionFields | typeof expertFields)[number]> & IDataObject;

/** @throws InputError */
export function readSendJob(
	context: IExecuteFunctions,
	itemIndex: number,
	now: number,
	test: TestMessages | undefined,
	stepOptions: readonly StepOption[] = [],
): SendJob {
	const options = computeOptions(context, itemIndex, stepOptions);
	const inOptions = <T>(read: () => T) => refuseAs('wrongOption', read);
	const country = inOptions(() => readDefaultCountry(options.defaultCountry, context, itemIndex));
	const to = refuseAs('wrongRecipient', () => readTo(context, itemIndex, country));
	const templateName = refuseAs('wrongTemplateName', () => readTemplateName(context, itemIndex));
	const categoryChoice = refuseAs('wrongCategory', () =>
		readCategoryChoice(context, itemIndex, now),
	);
	const keepWhitespace = inOptions(() => readSwitch(options, keepWhitespaceField));
	const reading = { context, itemIndex, to, defaultCountry: country, now };
	const added = stepOptions.filter(({ field }) => field.name in options);
	const forCustomer: Partial<SendJob> = inOptions(() =>
		Object.assign({}, ...added.map(({ field, read }) => read(options[field.name], reading))),
	);
	const { variables, ...filled } = refuseAs('wrongVariable', () =>
		readVariables(context, itemIndex, templateName, keepWhitespace),
	);

	return {
		message: {
			to: test?.recipient ?? to,
			type: 'template',
			templateName,
			...(Object.keys(variables).length > 0 ? { templateVariables: variables } : {}),
		},
		...(test ? { intendedTo: to, isBeyondTest: test.areOver } : forCustomer),
		categoryChoice,
		...filled,
		...inOptions(() => ({
			dryRun: readSwitch(options, dryRunField),
			rawResponse: readSwitch(options, rawResponseField),
			wait: readWaitOptions(options),
			limits: readCallLimits(options),
		})),
	};
}

/** Computed by n8n all at once, unless one of them reads itself. */
function computeOptions(
	context: IExecuteFunctions,
	itemIndex: number,
	stepOptions: readonly StepOption[],
): Options {
	const entered = Object(context.getNodeParameter('options', itemIndex, {}, RAW)) as IDataObject;
	const own = stepOptions.flatMap(({ field: { name }, readsItself }) =>
		readsItself && name in entered ? name : [],
	);
	if (own.length === 0) return readOptions(context, itemIndex);
	const values = Object.entries(entered).map(([name, value]) => [
		name,
		own.includes(name) ? value : context.getNodeParameter(`options.${name}`, itemIndex),
	]);
	const ofExperts = context.getNodeParameter(EXPERT_OPTIONS.name, itemIndex, {}) as Options;
	return { ...Object.fromEntries(values), ...ofExperts };
}

function readTemplateName(context: IExecuteFunctions, itemIndex: number): string {
	const given = textOf(context.getNodeParameter(templateNameField.name, itemIndex));
	// A pasted name may have invisible characters.
	const name = withoutInvisible(given).trim();
	if (!name) {
		throw new InputError(
			'Template Name is empty',
			'Enter the name of an approved template, exactly as in your dashboard.',
		);
	}
	const entered = enteredAt(context, itemIndex, templateNameField.name);
	checkText(name, 'Template Name', entered);
	const [placeholder] = new RegExp(PLACEHOLDER).exec(name) ?? [];
	if (placeholder !== undefined) {
		throw new InputError(
			`Template Name has ${quote(placeholder)} in it`,
			'Paste the text of the template into Template Text, and enter its name here, exactly as in your dashboard.',
		);
	}
	checkComputed(name, 'Template Name', entered);
	return name;
}

/** @throws InputError */
function readTo(context: IExecuteFunctions, itemIndex: number, country: string) {
	const given = context.getNodeParameter(toField.name, itemIndex);
	if (isBlank(given)) throw withoutNumber(context.getInputData()[itemIndex].json);
	return readRecipient(given, country);
}

/** @returns why there is no number, which is known if a node of this package made the item */
function withoutNumber(item: IDataObject): InputError {
	if (item.phone === null && 'deliveryKey' in item) {
		return new InputError(
			'The recipient is empty, because the event has no phone number: the customer hides it, or the API did not send it',
			'A template needs a number. Let only items with one pass, with a Filter node before this one: {{ $json.phone }} is not empty.',
		);
	}
	// A sheet may have a column for the message ID.
	const isOutput = hasNoId(item) || ('message_id' in item && 'template_name' in item);
	return isOutput && 'to' in item
		? new InputError(
				'The recipient is empty, because a Business Messaging node before this one replaced the item with its output',
				'Map the number from the node that has it, such as {{ $("Get rows").item.json.phone }}. Or add Include Input Fields to the options of the node before, and map {{ $json.input.phone }}.',
			)
		: new InputError(
				'The recipient is empty',
				`Enter or map a phone number with its country code. ${fieldsOf(item)}`,
			);
}

const MAX_NAMED = 5;

/** The names of an item's fields, never what is in them. */
function fieldsOf(item: IDataObject): string {
	const names = Object.keys(item);
	if (names.length === 0) return 'The item has no fields.';
	const listed = names.slice(0, MAX_NAMED).map(quote).join(', ');
	const others = names.length - MAX_NAMED;
	const more = others > 0 ? ` and ${others} more` : '';
	return `The item has the ${names.length === 1 ? 'field' : 'fields'} ${listed}${more}.`;
}

function readCategoryChoice(
	context: IExecuteFunctions,
	itemIndex: number,
	now: number,
): CategoryChoice {
	const given = context.getNodeParameter(categoryField.name, itemIndex);
	const category = readChoice(given, categoryField);
	if (category !== 'auto') return { category };
	const time = context.getNodeParameter(lastMessageField.name, itemIndex, '');
	const { name, default: unset } = fallbackCategoryField;
	const fallback = context.getNodeParameter(name, itemIndex, unset);
	return {
		category,
		customerLastMessageAt: readCustomerLastMessageAt(time, context.getTimezone(), now),
		fallbackCategory: readChoice(fallback, fallbackCategoryField),
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
	const time = readMoment(
		value,
		timezone,
		"Customer's Last Message At",
		'Use a date and time such as 2026-01-31T14:05:00Z, or choose a fixed category.',
	);
	if (time > now + CLOCK_SKEW_MS) {
		throw new InputError(
			`Customer's Last Message At is in the future: ${quote(new Date(time).toISOString())}`,
			`By n8n's own clock it is "${new Date(now).toISOString()}" now. If that is wrong, set the clock of the computer on which n8n runs. Otherwise check the date and its time zone.`,
		);
	}
	return time;
}
