import type { IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../../inputError';
import { RAW, readChoice, sourceAt } from '../../parameters';
import {
	doubtAbout,
	type Placeholder,
	readPlaceholders,
	renderTemplate,
} from '../../template/placeholders';
import { checkResults, normalizeWhitespace } from '../../template/textChecks';
import {
	changedValues,
	checkCount,
	rawDataIn,
	type TemplateVariables,
	variablesFromFields,
	variablesFromJson,
} from '../../template/variables';
import { isText } from '../../values';
import type { Remarks } from '../job';
import { templateTextField, variablesInputField, variablesJsonField } from './variableFields';

export interface FilledTemplate extends Remarks {
	variables: TemplateVariables;
	/** The text the customer will read, when the template text is known. */
	preview?: string;
}

/** @throws InputError */
export function readVariables(
	context: IExecuteFunctions,
	itemIndex: number,
	templateName: string,
	keepWhitespace: boolean,
): FilledTemplate {
	const entered = context.getNodeParameter(templateTextField.name, itemIndex, '', RAW);
	// Older editors put a "=" before a pasted `{{1}}`, and n8n would compute it.
	const templateText = String(entered ?? '').replace(/^=/, '');
	const placeholders = readPlaceholders(templateText);
	const { variables: typed, incomplete } = readTyped(
		context,
		itemIndex,
		templateText,
		placeholders,
	);
	const variables = keepWhitespace ? typed : changedValues(typed, normalizeWhitespace);
	const isChanged = JSON.stringify(variables) !== JSON.stringify(typed);
	return {
		variables,
		incomplete,
		rawData: rawDataIn(variables, placeholders),
		...(isChanged ? { whitespaceNormalized: true } : {}),
		doubt: doubtAbout(templateText, templateName),
		...(isText(templateText) ? { preview: renderTemplate(templateText, variables) } : {}),
	};
}

function readTyped(
	context: IExecuteFunctions,
	itemIndex: number,
	templateText: string,
	placeholders: readonly Placeholder[],
): Pick<FilledTemplate, 'variables' | 'incomplete'> {
	const { name, default: unset } = variablesInputField;
	const source = readChoice(context.getNodeParameter(name, itemIndex, unset), variablesInputField);
	const isKnown = isText(templateText);
	if (source === 'templateText') {
		if (!isKnown) {
			throw new InputError(
				'Template Text is empty',
				'Paste the text of the approved template, or set Variables to None when it has no placeholders.',
			);
		}
		return variablesFromFields(placeholders, (position) => {
			const path = `variable${position}`;
			return {
				value: context.getNodeParameter(path, itemIndex, '', UNCHECKED),
				...sourceAt(context, itemIndex, path),
			};
		});
	}
	let variables: TemplateVariables = {};
	let given = 'Variables is None';
	if (source === 'json') {
		const json = context.getNodeParameter(variablesJsonField.name, itemIndex);
		const field = sourceAt(context, itemIndex, variablesJsonField.name);
		checkResults(String(json), 'Variables (JSON)', field);
		variables = variablesFromJson(json, placeholders, field);
		const { length } = Object.keys(variables);
		given = `Variables (JSON) has ${length === 1 ? '1 value' : `${length} values`}`;
	}
	if (isKnown) checkCount(placeholders, variables, given);
	return { variables, incomplete: [] };
}

/** Otherwise n8n evaluates for each item whether the field is shown, which takes a regular expression. */
const UNCHECKED = { skipValidation: true };
