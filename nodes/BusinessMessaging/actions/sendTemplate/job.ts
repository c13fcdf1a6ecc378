import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CATEGORIES } from '../../api';
import type { SendRequest } from '../../api';
import { InputError } from '../../errors/inputError';
import { readChoice, readSwitch } from '../../optionValues';
import type { CategoryChoice } from '../../template/category';
import { readRecipient } from '../../template/recipient';
import { checkText } from '../../template/text';
import { textOf } from '../../textOf';
import { enteredAt } from '../entered';
import { rawResponseField } from '../fields';
import type { RunOptions } from '../operation';
import { readCallLimits, readWaitOptions } from '../options';
import type { CallLimits, WaitOptions } from '../options';
import { readCustomerLastMessageAt } from './customerLastMessageAt';
import { categoryField, fallbackCategoryField } from './fields';
import { dryRunField, keepWhitespaceField } from './optionFields';
import { readSendOnceKey } from './sendOnceKey';
import { readVariables } from './variables';
import type { Filled } from './variables';

/** What Send Template reads from the parameters of one item. */
export interface SendJob extends Omit<Filled, 'variables'> {
	message: Omit<SendRequest, 'category'>;
	/** The same without what differs from try to try, such as a link. */
	knownBy?: SendJob['message'];
	/** The number in To, when the message goes to the test recipient instead. */
	intendedTo?: string;
	categoryChoice: CategoryChoice;
	/** In a run with a test recipient none: the customer gets nothing. */
	sendOnceKey?: string;
	dryRun: boolean;
	rawResponse: boolean;
	/** Undefined when nothing is waited for. */
	wait?: WaitOptions;
	limits: CallLimits;
}

/** @throws InputError */
export function readSendJob(
	context: IExecuteFunctions,
	itemIndex: number,
	now: number,
	{ testRecipient }: Partial<RunOptions> = {},
): SendJob {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const to = readRecipient(
		context.getNodeParameter('to', itemIndex),
		String(options.defaultCountry ?? ''),
	);
	const templateName = readTemplateName(context, itemIndex);
	const categoryChoice = readCategoryChoice(context, itemIndex, now);
	const keepWhitespace = readSwitch(options, keepWhitespaceField);
	const sendOnceKey = readSendOnceKey(
		options,
		context.getNodeParameter('options.sendOnceKey', itemIndex, '', { rawExpressions: true }),
		(expression) => context.evaluateExpression(expression, itemIndex),
	);
	const { variables, ...filled } = readVariables(context, itemIndex, keepWhitespace);

	return {
		message: {
			to: testRecipient ?? to,
			type: 'template',
			templateName,
			...(Object.keys(variables).length > 0 ? { templateVariables: variables } : {}),
		},
		...(testRecipient ? { intendedTo: to } : { sendOnceKey }),
		categoryChoice,
		...filled,
		dryRun: readSwitch(options, dryRunField),
		rawResponse: readSwitch(options, rawResponseField),
		wait: readWaitOptions(options),
		limits: readCallLimits(options),
	};
}

function readTemplateName(context: IExecuteFunctions, itemIndex: number): string {
	const name = textOf(context.getNodeParameter('templateName', itemIndex));
	if (name) {
		checkText(name, 'Template Name', enteredAt(context, itemIndex, 'templateName'));
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
	const given = context.getNodeParameter('category', itemIndex);
	const category = readChoice(given, categoryField, [...CATEGORIES, 'auto']);
	if (category !== 'auto') return { category };
	const time = context.getNodeParameter('customerLastMessageAt', itemIndex, '');
	const { name, default: unset } = fallbackCategoryField;
	const fallback = context.getNodeParameter(name, itemIndex, unset);
	return {
		category,
		customerLastMessageAt: readCustomerLastMessageAt(time, context.getTimezone(), now),
		fallbackCategory: readChoice(fallback, fallbackCategoryField, CATEGORIES),
	};
}
