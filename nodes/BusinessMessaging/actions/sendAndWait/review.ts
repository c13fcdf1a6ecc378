import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
	nodeNameToToolName,
	type NodeTypeAndVersion,
} from 'n8n-workflow';
import { CATEGORIES } from '../../api';
import { parsePhoneNumberFromString } from '../../bundled/libphonenumber';
import { InputError, quote } from '../../inputError';
import { askedOfModel, callsOf } from '../../n8n';
import { readChoice } from '../../parameters';
import { readRecipient } from '../../template/phoneNumber';
import { readPlaceholders, renderTemplate } from '../../template/placeholders';
import { formatAmount, PRICES } from '../../template/pricing';
import { readOfModel } from '../../template/reads';
import { normalizeWhitespace } from '../../template/textChecks';
import { changedValues, type TemplateVariables, variablesFromJson } from '../../template/variables';
import { isExpression, isRecord, isText } from '../../values';
import { refuseUnasked } from '../modelArguments';
import { variablesInputField } from '../sendTemplate/variableFields';

/** What will run if a person approves: from n8n's record of the call, and from the tool's own fields. */
export interface Review {
	/** The name of the node, or of the tool if the node has several. */
	tool: string;
	/** Of Send Template, whoever chose it: the recipient (E.164, or an expression), the template's name, categories and prices. */
	sends?: string[];
	/** The country of the recipient, as ISO 3166 has it. */
	country?: string;
	/** What the customer will read, if the text is known. */
	text?: string;
	/** What the model says. */
	values: ReviewedValue[];
	/** Expressions that only the tool computes stand in the place of what they will give. */
	isWhole: boolean;
}

export interface ReviewedValue {
	name: string;
	value: string;
}

/** @throws InputError when the model could choose who approves what it does */
export function checkReviewer(to: unknown): void {
	const read = isExpression(to) ? readOfModel(to) : undefined;
	if (read === undefined) return;
	throw new InputError(
		`To reads ${quote(read)}, in which the agent's model could choose who approves`,
		"Enter a fixed number, or read it from another node, such as {{ $('When chat message received').first().json.phone }}.",
		'wrongRecipient',
	);
}

/** @throws InputError when n8n does not tell what would run, or would run it with something that the tool does not ask for */
export function readReview(context: IExecuteFunctions): Review {
	const { toolName, gatedToolNodeName, originalInput: values = {} } = gatedCall(context);
	if (!isRecord(values)) throw unclear("The tool's values have no names");
	const tool = toolBehind(context, gatedToolNodeName);
	const isOurs = tool?.type === context.getNode().type.replace('HitlTool', 'Tool');
	const names = checkNames(values, tool, isOurs);
	const { operation = 'sendTemplate' } = tool?.parameters ?? {};
	const isOnlyTool = tool && nodeNameToToolName(tool.name) === toolName;
	return {
		tool: isOnlyTool ? tool.name : toolName,
		values: names.map((name) => ({ name, value: printed(values[name]) })),
		isWhole: true,
		...(isOurs && operation === 'sendTemplate' ? readSends(context, tool.parameters, values) : {}),
	};
}

function gatedCall(context: IExecuteFunctions) {
	const [call, ...others] = callsOf(context).flatMap(({ metadata }) => metadata?.hitl ?? []);
	if (call && others.every((other) => JSON.stringify(other) === JSON.stringify(call))) return call;
	throw unclear('n8n does not tell which call of a tool would run');
}

/** @returns the names of the values, in the order in which the tool asks for them */
function checkNames(values: IDataObject, tool: Tool | undefined, isOurs: boolean): string[] {
	const asked = tool ? askedOfModel(tool.parameters) : [];
	// Other nodes can ask in a way of their own.
	const isKnown = isOurs || asked.length > 0;
	if (isKnown) refuseUnasked(Object.keys(values), asked);
	else if ('tool' in values) {
		throw unclear('The tool\'s values have "tool", by which n8n can run another tool');
	}
	// In the tool, $fromAI prefers what stands in query.
	const { query } = values;
	const twice = Object.keys(values).find((each) => isRecord(query) && Object.hasOwn(query, each));
	if (twice !== undefined) throw unclear(`The tool's values have ${quote(twice)} twice`);
	return isKnown ? asked.filter((each) => Object.hasOwn(values, each)) : Object.keys(values);
}

function printed(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function unclear(reason: string): InputError {
	return new InputError(
		'The question could show something else than what would run',
		`${reason}. If the model made it up, look for instructions in the texts that it read.`,
	);
}

type Tool = NodeTypeAndVersion & { parameters: INodeParameters };

function toolBehind(context: IExecuteFunctions, name: string): Tool | undefined {
	const options = { connectionType: 'ai_tool', depth: 1, includeNodeParameters: true } as const;
	return context
		.getParentNodes(context.getNode().name, options)
		.find((tool): tool is Tool => tool.name === name && tool.parameters !== undefined);
}

/** `$fromAI('name', 'description', 'string')` and nothing else, in braces. */
const ONLY_FROM_AI =
	/^\{\{\s*(?:\/\*[^*]*\*\/\s*)?\$fromAI\(\s*(['"`])([\w-]{1,64})\1(?:\s*,\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\$]|\\.)*`|[\w.-]+))*\s*\)\s*\}\}$/i;

/** Within the braces: what an earlier node gave, which stays the same until the tool runs. */
const ONLY_EARLIER =
	/^\s*\$\((['"])[^'"\\]+\1\)\.(?:first|last)\(\)\.json(?:\.\w+|\[(['"])[^'"\\]+\2\])+\s*$/;

/** What Send Template will send as a tool with the model's values, read as the tool will read them. */
function readSends(context: IExecuteFunctions, parameters: INodeParameters, values: IDataObject) {
	let isWhole = true;
	const valueOf = (expression: string): unknown => {
		const name = ONLY_FROM_AI.exec(expression)?.[2];
		const value = name === undefined ? earlier(context, expression) : ofModel(values, name);
		if (value === undefined || value === null) isWhole = false;
		return value ?? expression;
	};
	const fill = (entered: unknown): unknown => {
		if (!isExpression(entered)) return entered;
		const text = entered.slice(1);
		if (ONLY_FROM_AI.test(text)) return valueOf(text);
		return text.replace(/\{\{.*?\}\}/gs, (expression) => String(valueOf(expression)));
	};
	const { to: entered = '', templateName = '', fallbackCategory = 'utility' } = parameters;
	const category = fill(parameters.category ?? 'utility');
	const categories = category === 'auto' ? ['service', fill(fallbackCategory)] : [category];
	const prices = categories.map((each) => {
		const known = CATEGORIES.find((one) => one === each);
		return known ? `${known}: ${formatAmount(PRICES[known])}` : printed(each);
	});
	const to = sentTo(fill(entered), parameters);
	const sends = [to, printed(fill(templateName)), prices.join(' / ')];
	const text = customersText(parameters, fill);
	return { sends, country: parsePhoneNumberFromString(to)?.country, text, isWhole };
}

function ofModel(values: IDataObject, name: string): unknown {
	// As n8n does.
	const holder = [values.query, values].find((each) => isRecord(each) && Object.hasOwn(each, name));
	return (holder as IDataObject | undefined)?.[name];
}

function earlier(context: IExecuteFunctions, expression: string): unknown {
	if (!ONLY_EARLIER.test(expression.slice(2, -2))) return undefined;
	try {
		return context.evaluateExpression(expression, 0);
	} catch {
		return undefined;
	}
}

function sentTo(to: unknown, { options }: INodeParameters): string {
	const { defaultCountry = '' } = Object(options) as INodeParameters;
	try {
		return readRecipient(to, String(defaultCountry));
	} catch {
		// It or its country is known later, or the tool will refuse it.
		return printed(to);
	}
}

/** @returns undefined if the text is not known, or the tool will refuse it */
function customersText(parameters: INodeParameters, fill: (entered: unknown) => unknown) {
	const { templateName, variablesInput = variablesInputField.default, variablesJson } = parameters;
	// Older editors put a "=" before a pasted `{{1}}`.
	const templateText = String(parameters.templateText ?? '').replace(/^=/, '');
	const { keepWhitespace } = Object(parameters.expertOptions) as INodeParameters;
	// The text belongs to one template.
	const isKnown = isText(templateText) && !isExpression(templateName);
	if (!isKnown || isExpression(keepWhitespace)) return undefined;
	const fields = (): TemplateVariables => {
		const positions = readPlaceholders(templateText).map(({ position }) => position);
		const valueOf = (position: number) => String(fill(parameters[`variable${position}`] ?? ''));
		return Object.fromEntries(positions.map((position) => [position, valueOf(position)]));
	};
	try {
		const isJson = readChoice(fill(variablesInput), variablesInputField) === 'json';
		const values = isJson ? variablesFromJson(fill(variablesJson)) : fields();
		const isKept = keepWhitespace === true;
		return renderTemplate(
			templateText,
			isKept ? values : changedValues(values, normalizeWhitespace),
		);
	} catch {
		return undefined;
	}
}
