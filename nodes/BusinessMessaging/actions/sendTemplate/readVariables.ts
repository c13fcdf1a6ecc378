import type { IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../../inputError';
import { RAW, readChoice, sourceAt } from '../../parameters';
import {
	doubtAbout,
	namePlaceholder,
	type Placeholder,
	readPlaceholders,
	renderTemplate,
} from '../../template/placeholders';
import { checkResults, normalizeWhitespace } from '../../template/text';
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
	const placeholders = isText(templateText) ? readPlaceholders(templateText) : [];
	const {
		variables: typed,
		incomplete,
		doubt,
	} = readTyped(context, itemIndex, templateText, placeholders);
	const doubts = [doubt, doubtAbout(templateText, templateName)].filter(isText);
	const variables = keepWhitespace ? typed : changedValues(typed, normalizeWhitespace);
	const isChanged = Object.keys(typed).some((each) => variables[each] !== typed[each]);
	return {
		variables,
		incomplete,
		rawData: rawDataIn(variables, placeholders),
		...(isChanged ? { whitespaceNormalized: true } : {}),
		doubt: doubts.join('. ') || undefined,
		...(isText(templateText) ? { preview: renderTemplate(templateText, variables) } : {}),
	};
}

function readTyped(
	context: IExecuteFunctions,
	itemIndex: number,
	templateText: string,
	placeholders: readonly Placeholder[],
): Pick<FilledTemplate, 'variables' | 'incomplete' | 'doubt'> {
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
		const typed = variablesFromFields(placeholders, (position) => {
			const path = `variable${position}`;
			return {
				value: context.getNodeParameter(path, itemIndex, '', UNCHECKED),
				...sourceAt(context, itemIndex, path),
			};
		});
		return itemIndex === 0 ? { ...typed, doubt: doubtAboutValues(context, placeholders) } : typed;
	}
	let variables: TemplateVariables = {};
	let given = 'Variables is None';
	if (source === 'json') {
		const json = context.getNodeParameter(variablesJsonField.name, itemIndex);
		const field = sourceAt(context, itemIndex, variablesJsonField.name);
		// Before it is read: the code of a function is not valid JSON.
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

/** The fields of each node's last manual run in this process, as they were entered. */
const lastEntered = new Map<string, Array<{ label: string; value: unknown }>>();
const MAX_NODES = 1000;

/** A text that is pasted over another keeps the other's values, and customers may read them in the wrong places. */
function doubtAboutValues(
	context: IExecuteFunctions,
	placeholders: readonly Placeholder[],
): string | undefined {
	if (context.getMode() !== 'manual') return undefined;
	const { id, parameters } = context.getNode();
	const key = `${context.getWorkflow().id}/${id}`;
	const now = placeholders.map(({ position, label }) => {
		return { label, value: parameters[`variable${position}`] };
	});
	const before = lastEntered.get(key) ?? now;
	if (lastEntered.size === MAX_NODES) lastEntered.clear();
	lastEntered.set(key, now);
	if (now.some(({ value }, index) => value !== before[index]?.value)) return undefined;
	const moved = placeholders.filter(({ label }, index) => label !== before[index]?.label);
	if (moved.length === 0) return undefined;
	const names = moved.map(({ position }) => namePlaceholder(position, placeholders)).join(', ');
	return `Template Text was changed since the last manual run, but none of its values were: check ${names}`;
}
