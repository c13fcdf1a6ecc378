import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CATEGORIES } from '../api';
import type { Category, SendRequest } from '../api';
import { InputError, quote } from '../inputError';
import { readSwitch } from '../optionValues';
import { readCustomerLastMessageAt } from '../template/category';
import type { CategoryChoice } from '../template/category';
import { readRecipient } from '../template/recipient';
import { checkText } from '../template/text';
import {
	renderTemplate,
	variablesFromJson,
	variablesFromList,
	variablesFromText,
} from '../template/variables';
import type { TemplateVariables } from '../template/variables';
import { readCallLimits, readWaitOptions } from './options';
import type { CallLimits, WaitOptions } from './options';

/** What Send Template reads from the parameters of one item. */
export interface SendJob {
	message: Omit<SendRequest, 'category'>;
	categoryChoice: CategoryChoice;
	/** The text the customer will read, when the template text is known. */
	preview?: string;
	dryRun: boolean;
	rawResponse: boolean;
	wait: WaitOptions;
	limits: CallLimits;
}

/** @throws InputError */
export function readSendJob(context: IExecuteFunctions, itemIndex: number): SendJob {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const to = readRecipient(
		context.getNodeParameter('to', itemIndex),
		String(options.defaultCountry ?? ''),
	);
	const templateName = readTemplateName(context.getNodeParameter('templateName', itemIndex));
	const categoryChoice = readCategoryChoice(context, itemIndex);
	const { variables, preview } = readVariables(context, itemIndex);

	return {
		message: {
			to,
			type: 'template',
			templateName,
			...(Object.keys(variables).length > 0 ? { templateVariables: variables } : {}),
		},
		categoryChoice,
		preview,
		dryRun: readSwitch(options, 'dryRun', 'Dry Run'),
		rawResponse: readSwitch(options, 'rawResponse', 'Raw Response'),
		wait: readWaitOptions(options),
		limits: readCallLimits(options),
	};
}

function readTemplateName(value: unknown): string {
	const name = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (name) {
		checkText(name, 'Template Name');
		return name;
	}
	throw new InputError(
		'Template Name is empty',
		'Enter the name of an approved template, exactly as in your dashboard.',
	);
}

function readCategoryChoice(context: IExecuteFunctions, itemIndex: number): CategoryChoice {
	const category = context.getNodeParameter('category', itemIndex);
	if (category !== 'auto') return { category: asCategory(category, 'Category') };
	const time = context.getNodeParameter('customerLastMessageAt', itemIndex, '');
	const fallback = context.getNodeParameter('fallbackCategory', itemIndex, 'utility');
	return {
		category,
		customerLastMessageAt: readCustomerLastMessageAt(time, context.getTimezone(), Date.now()),
		fallbackCategory: asCategory(fallback, 'Fallback Category'),
	};
}

function asCategory(value: unknown, field: string): Category {
	const category = CATEGORIES.find((known) => known === value);
	if (category) return category;
	throw new InputError(`${field} is ${quote(value)}`, `Choose one of ${CATEGORIES.join(', ')}.`);
}

function readVariables(
	context: IExecuteFunctions,
	itemIndex: number,
): { variables: TemplateVariables; preview?: string } {
	const source = context.getNodeParameter('variablesInput', itemIndex, 'templateText');
	if (source === 'none') return { variables: {} };
	if (source === 'list') {
		return {
			variables: variablesFromList(
				context.getNodeParameter('variableList.variables', itemIndex, []),
			),
		};
	}
	if (source === 'json') {
		return { variables: variablesFromJson(context.getNodeParameter('variablesJson', itemIndex)) };
	}
	const templateText = readTemplateText(context, itemIndex);
	const fields = context.getNodeParameter('templateTextVariables.value', itemIndex, {});
	const variables = variablesFromText(templateText, fields);
	return { variables, preview: renderTemplate(templateText, variables) };
}

/** Read unevaluated: older editors put a "=" before a pasted `{{1}}`, which n8n would compute. */
function readTemplateText(context: IExecuteFunctions, itemIndex: number): string {
	const raw = context.getNodeParameter('templateText', itemIndex, '', { rawExpressions: true });
	return String(raw).replace(/^=/, '');
}
