import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../../errors/inputError';
import { isText } from '../../isBlank';
import { readChoice } from '../../optionValues';
import { almostPlaceholder, readPlaceholders, renderTemplate } from '../../template/placeholders';
import type { Placeholder } from '../../template/placeholders';
import {
	checkCount,
	variablesFromFields,
	variablesFromJson,
	variablesFromList,
} from '../../template/variables';
import type { TemplateVariables } from '../../template/variables';
import { tidied } from '../../template/whitespace';
import { enteredAt } from '../entered';
import { variablesInputField } from './variableFields';

export interface Filled {
	variables: TemplateVariables;
	/** The text the customer will read, when the template text is known. */
	preview?: string;
	/** Line breaks, tabs or many spaces of a value were replaced. */
	tidied?: boolean;
	/** What in the template text may be meant as a placeholder, such as {1}. */
	almostPlaceholder?: string;
}

/** @throws InputError */
export function readVariables(
	context: IExecuteFunctions,
	itemIndex: number,
	keepWhitespace: boolean,
): Filled {
	const templateText = readTemplateText(context, itemIndex);
	const typed = readTyped(context, itemIndex, templateText);
	const variables = keepWhitespace ? typed : allTidied(typed);
	const isChanged = Object.keys(typed).some((each) => variables[each] !== typed[each]);
	return {
		variables,
		...(isChanged ? { tidied: true } : {}),
		almostPlaceholder: almostPlaceholder(templateText),
		...(isText(templateText) ? { preview: renderTemplate(templateText, variables) } : {}),
	};
}

function readTyped(
	context: IExecuteFunctions,
	itemIndex: number,
	templateText: string,
): TemplateVariables {
	const { name, default: unset } = variablesInputField;
	const source = readChoice(context.getNodeParameter(name, itemIndex, unset), variablesInputField, [
		'templateText',
		...OTHER_SOURCES.keys(),
	]);
	const isKnown = isText(templateText);
	const placeholders = isKnown ? readPlaceholders(templateText) : [];
	const other = OTHER_SOURCES.get(source);
	if (other) {
		const variables = other.read(context, itemIndex, placeholders);
		if (isKnown) checkCount(placeholders, variables, other.given(Object.keys(variables).length));
		return variables;
	}
	if (!isKnown) {
		throw new InputError(
			'Template Text is empty',
			'Paste the text of the approved template, or set Variables to None when it has no placeholders.',
		);
	}
	return variablesFromFields(
		placeholders,
		(position) => context.getNodeParameter(`variable${position}`, itemIndex, '', UNCHECKED),
		(position) => enteredAt(context, itemIndex, `variable${position}`),
	);
}

/** n8n would find out for each item again whether the field is shown, which takes a regular expression. */
const UNCHECKED = { skipValidation: true };

interface Source {
	/** How many values there are, at the beginning of a sentence. */
	given: (count: number) => string;
	read: (
		context: IExecuteFunctions,
		itemIndex: number,
		placeholders: readonly Placeholder[],
	) => TemplateVariables;
}

const OTHER_SOURCES = new Map<string, Source>([
	['none', { given: () => 'Variables is None', read: () => ({}) }],
	[
		'list',
		{
			given: (count) => `The list has ${values(count)}`,
			read: (context, itemIndex, placeholders) =>
				variablesFromList(
					context.getNodeParameter('variableList.variables', itemIndex, []),
					placeholders,
					(row) => enteredAt(context, itemIndex, `variableList.variables[${row}].value`),
				),
		},
	],
	[
		'json',
		{
			given: (count) => `Variables (JSON) has ${values(count)}`,
			read: (context, itemIndex, placeholders) =>
				variablesFromJson(
					context.getNodeParameter('variablesJson', itemIndex),
					placeholders,
					enteredAt(context, itemIndex, 'variablesJson'),
				),
		},
	],
]);

function values(count: number): string {
	return count === 1 ? '1 value' : `${count} values`;
}

function allTidied(variables: TemplateVariables): TemplateVariables {
	return Object.fromEntries(
		Object.entries(variables).map(([position, value]) => [position, tidied(value)]),
	);
}

/** Read unevaluated: older editors put a "=" before a pasted `{{1}}`, which n8n would compute. */
function readTemplateText(context: IExecuteFunctions, itemIndex: number): string {
	const raw = context.getNodeParameter('templateText', itemIndex, '', { rawExpressions: true });
	return String(raw ?? '').replace(/^=/, '');
}
