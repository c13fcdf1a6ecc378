import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { InputError, joinSentences, NOTHING_SENT } from '../../inputError';
import { isTool } from '../../n8n';
import { type Result, showsText } from '../../outcome';
import { RAW, readChoice, sourceAt, type ValuesOf } from '../../parameters';
import {
	doubtAbout,
	nameOf,
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
import type { testRecipientField } from '../fields';
import type { Remarks } from '../job';
import type { dryRunField } from './fields';
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
	const { variables: typed, incomplete } = readTyped(
		context,
		itemIndex,
		templateText,
		placeholders,
	);
	const variables = keepWhitespace ? typed : changedValues(typed, normalizeWhitespace);
	const isChanged = Object.keys(typed).some((each) => variables[each] !== typed[each]);
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
	const source = readChoice(context.getNodeParameter(name, itemIndex, unset), variablesInputField, [
		'templateText',
		'none',
		'json',
	]);
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

/** A placeholder in a manual run. */
interface EnteredPlaceholder extends Placeholder {
	/** As it was entered, with its expressions. */
	value: unknown;
}

/** A template text about which nothing is left to be told. */
interface CheckedText {
	/** Of this run, or of an earlier one if this one has none. */
	entered?: EnteredPlaceholder[];
	/** Why the template text may be wrong. */
	doubt?: string;
}

/** What is known of a manual run. */
interface ManualRun extends CheckedText {
	/** n8n's Retry On Fail runs the node again in the same one. */
	executionId: string;
	/** Why the run was stopped. */
	refusal?: InputError;
	/** In place of that, once the run has shown its texts. */
	whenShown?: CheckedText;
}

/** The last manual run of each node, in this process. */
const latest = new Map<string, ManualRun>();
const MAX_NODES = 1000;

/**
 * Stops a manual run, once, if its template text may be wrong, or was changed since the last run and its values were
 * not. A text that is pasted over another keeps the other's values, and a customer would read them in the wrong places.
 * @throws InputError
 */
export function checkTemplateText(context: IExecuteFunctions): void {
	const node = context.getNode();
	if (context.getMode() !== 'manual' || isTool(node)) return;
	const key = keyOf(context);
	const executionId = context.getExecutionId();
	const before = latest.get(key);
	const run =
		before?.executionId === executionId
			? before
			: { executionId, ...textOfRun(node.parameters, before) };
	remember(key, run);
	if (run.refusal) throw run.refusal;
}

/** A run that does not reach customers is not stopped, because it shows the texts itself: if it comes to that. */
export function rememberShown(context: IExecuteFunctions, result: Result): void {
	const key = keyOf(context);
	const run = latest.get(key);
	if (!run?.whenShown || run.executionId !== context.getExecutionId()) return;
	if (showsText(result)) remember(key, { executionId: run.executionId, ...run.whenShown });
}

function keyOf(context: IExecuteFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

function textOfRun(
	parameters: INodeParameters,
	before: CheckedText = {},
): Omit<ManualRun, 'executionId'> {
	const { templateText, templateName } = parameters;
	const now: CheckedText = {
		entered: filledIn(parameters) ?? before.entered,
		doubt: doubtAbout(String(templateText ?? ''), String(templateName ?? '')),
	};
	const moved = movedValues(before.entered, now.entered);
	const refusal = refusalOf(moved, now.doubt === before.doubt ? undefined : now.doubt);
	if (!refusal || reachesCustomers(parameters)) return { ...now, refusal };
	const entered = moved.length > 0 ? before.entered : now.entered;
	return { entered, doubt: before.doubt, whenShown: now };
}

function refusalOf(moved: string[], doubt?: string): InputError | undefined {
	const isMoved = moved.length > 0;
	const changed =
		isMoved && 'Template Text was changed since the last manual run, but none of its values were';
	const message = changed || doubt;
	if (message === undefined) return undefined;
	const remedy = joinSentences(
		NOTHING_SENT,
		isMoved && `Check the values of ${moved.join(', ')}`,
		isMoved && doubt,
		'If all of it is right, run the node again.',
	);
	return new InputError(message, remedy, 'wrongVariable');
}

/** @returns undefined if the values do not come from the text, or the text has wrong placeholders */
function filledIn(parameters: INodeParameters): EnteredPlaceholder[] | undefined {
	const { variablesInput = variablesInputField.default, templateText } = parameters;
	if (variablesInput !== variablesInputField.default || !isText(templateText)) return undefined;
	try {
		return readPlaceholders(templateText).map((placeholder) => ({
			...placeholder,
			value: parameters[`variable${placeholder.position}`],
		}));
	} catch {
		// The error comes when the items are read.
		return undefined;
	}
}

type Options = ValuesOf<typeof dryRunField | typeof testRecipientField>;

function reachesCustomers({ options }: INodeParameters): boolean {
	const { dryRun, testRecipient } = Object(options) as Options;
	return dryRun !== true && testRecipient === undefined;
}

/** The placeholders with other words around them; none if a value was changed or added. */
function movedValues(before?: EnteredPlaceholder[], now: EnteredPlaceholder[] = []): string[] {
	if (!before || now.some(({ value }, index) => value !== before[index]?.value)) return [];
	return now
		.filter(({ label }, index) => label !== before[index]?.label)
		.map(({ position }) => nameOf(position, now));
}

function remember(key: string, run: ManualRun): void {
	// The map drops the node that was run longest ago.
	latest.delete(key);
	latest.set(key, run);
	const [oldest] = latest.keys();
	if (latest.size > MAX_NODES) latest.delete(oldest);
}
