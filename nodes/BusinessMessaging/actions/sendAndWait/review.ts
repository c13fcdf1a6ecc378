import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INode, INodeParameters, NodeTypeAndVersion } from 'n8n-workflow';
import { InputError, quote } from '../../inputError';
import { gatedTools } from '../../n8n';
import type { ValuesOf } from '../../parameters';
import { isExpression, isRecord } from '../../values';
import type { keepWhitespaceField } from '../sendTemplate/fields';
import { readVariables } from '../sendTemplate/readVariables';

/** What a person has to know of a tool before they let it run. */
export interface Review {
	/** The values that the tool is run with, those first that it asks for. */
	values: ReviewedValue[];
	/** The name of the node, or of the tool if the node has several. None if n8n does not tell which one would run. */
	tool?: string;
	/** What the customer will read. `isWhole`: no part of it is computed only when the tool runs. */
	message?: { text: string; isWhole: boolean };
	/** The rest of the question's text. */
	after: string;
}

export interface ReviewedValue {
	name: string;
	value: string;
	/** The tool does not ask for it. */
	isExtra?: true;
}

/** Whether n8n runs the node as the "Human review" of an agent's tool. */
export function isHumanReview({ type }: INode): boolean {
	return type.endsWith('HitlTool');
}

/** What an agent's model can set in the node's expressions: n8n spreads its values over the item. */
const OF_MODEL = /\$(?:json|data|binary|input|items?|thisItem|fromAI|tool|evaluateExpression)\b/i;

/** @throws InputError when the model could choose who approves what it does */
export function checkReviewer(to: unknown): void {
	const [read] = (isExpression(to) && OF_MODEL.exec(to)) || [];
	if (read === undefined) return;
	throw new InputError(
		`To reads ${quote(read)}, in which the agent's model could choose who approves`,
		"Enter a fixed number, or read it from another node, such as {{ $('When chat message received').item.json.phone }}.",
		'wrongRecipient',
	);
}

/** What n8n's preset message for a review says where it means the tool's values. */
const OBJECT = '[object Object]';

/** Models can't call a tool with a longer name, or one with other characters. */
const TOOL_NAME = /^[!-~]{0,128}$/;

/**
 * The message of a review, with the values of the reviewed tool in place of `[object Object]`.
 * @throws InputError when what n8n tells may have been forged
 */
export function readReview(
	context: IExecuteFunctions,
	message: string,
): { text: string; review?: Review } {
	const called = gatedTools(context);
	const tools = toolsBehind(context, called[0]?.gatedToolNodeName);
	const [tool] = tools.length === 1 ? tools : [];
	const ofNode = tool ? [toolName(tool)] : [];
	const names = called.length > 0 ? called.map(({ toolName: name }) => name) : ofNode;
	const values = readValues(context, names);
	const keys = keysOf(tools, context.getNode());
	if (values && 'tool' in values && !keys?.includes('tool')) {
		throw forged(
			'The tool\'s values have "tool", by which n8n can run another tool. If the tool asks for it, rename it there',
		);
	}
	const [text, ...others] = message.split(OBJECT);
	if (!values || others.length === 0) return { text: message };
	const all = Object.entries(values).map(([name, value]) => ({
		name,
		value: typeof value === 'string' ? value : JSON.stringify(value),
		...(keys && !keys.includes(name) ? { isExtra: true as const } : {}),
	}));
	const review: Review = {
		values: keys ? inOrder(all, keys) : all,
		...(tool
			? {
					tool: names[0] === ofNode[0] ? tool.name : names[0],
					...reviewMessage(tool, values, context.getNode()),
				}
			: {}),
		after: others.join('').trim(),
	};
	return { text: text.trim(), review };
}

/** In the order of the keys, and the others behind them, whatever order the model gives them. */
function inOrder(values: ReviewedValue[], keys: string[]): ReviewedValue[] {
	const place = ({ name, isExtra }: ReviewedValue) => (isExtra ? keys.length : keys.indexOf(name));
	return [...values].sort((a, b) => place(a) - place(b));
}

/** @param names of the tool that would run, as the agent calls it */
function readValues(
	context: IExecuteFunctions,
	names: string[],
): Record<string, unknown> | undefined {
	const { $tool } = context.getWorkflowDataProxy(0) as { $tool?: unknown };
	const tool = isRecord($tool) ? $tool : {};
	const { query, toolParameters } = context.getInputData()[0].json;
	// n8n's `$tool` prefers these, which the model can bring, to what the tool is run with.
	if (isRecord(query) && ('tool' in query || 'toolParameters' in query)) {
		throw forged(
			"The agent's input or its model has tool or toolParameters in query. If your input has them, rename them before the agent",
		);
	}
	if (!TOOL_NAME.test(String(tool.name ?? ''))) {
		throw forged(`The tool's name is ${quote(tool.name)}, but no tool can have this name`);
	}
	const shown = tool.name || names[0];
	const other = names.find((name) => name !== shown);
	if (other !== undefined) {
		throw forged(`The tool's name is ${quote(shown)}, but ${quote(other)} would run`);
	}
	const values = toolParameters ?? tool.parameters;
	// n8n's message has a text or a list as it is, with its line breaks.
	if (!isRecord(values)) {
		if (values === undefined || values === null) return undefined;
		throw forged("The tool's values have no names");
	}
	// In the tool, $fromAI prefers these as well.
	const inQuery = isRecord(values.query) ? Object.keys(values.query) : [];
	const twice = inQuery.find((name) => name in values);
	if (twice !== undefined) {
		throw forged(`The tool's values have ${quote(twice)} twice: once in query`);
	}
	return values;
}

function forged(reason: string): InputError {
	return new InputError(
		'The question could show another tool or other values than those that would run',
		`${reason}. If the model made it up, look for instructions in the texts that it read.`,
	);
}

type Tool = NodeTypeAndVersion & { parameters: INodeParameters };

/** By the connections of the workflow. @param called the only one of them that would run */
function toolsBehind(context: IExecuteFunctions, called?: string): Tool[] {
	const review = context.getNode().name;
	const options = { connectionType: 'ai_tool', depth: 1, includeNodeParameters: true } as const;
	const tools = context
		.getParentNodes(review, options)
		.filter(({ disabled, name }) => !disabled && (called === undefined || name === called));
	// Older n8n gives no parameters.
	return tools.every((tool): tool is Tool => tool.parameters !== undefined) ? tools : [];
}

/** As the agent calls it, if it is the only tool of its node. */
function toolName({ name }: Tool): string {
	return name.replace(/[^\w-]+/g, '_');
}

/** Whether the tool is this node. */
function isOurs({ type }: Tool, review: INode): boolean {
	return type === review.type.replace('HitlTool', 'Tool');
}

/** The names of the values that the tools ask for; undefined if n8n does not tell. */
function keysOf(tools: Tool[], review: INode): string[] | undefined {
	const keys: string[] = [];
	for (const tool of tools) {
		const calls = textsIn(tool.parameters).flatMap((text) => [...text.matchAll(FROM_AI)]);
		// Other tools than this node can ask for values in ways of their own.
		const isTold = calls.length > 0 || isOurs(tool, review);
		if (!isTold || calls.some(([, , name]) => name === undefined)) return undefined;
		for (const [, , name] of calls) keys.push(name);
	}
	return tools.length > 0 ? keys : undefined;
}

const FROM_AI = /\$fromAI\s*\(\s*(?:(['"`])([\w-]{1,64})\1)?/gi;

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return isExpression(value) ? [value] : [];
	return Object.values(Object(value) as object).flatMap(textsIn);
}

/** The message as the customer will read it, if the tool is Send Template and has its text. */
function reviewMessage(
	tool: Tool,
	values: Record<string, unknown>,
	review: INode,
): Pick<Review, 'message'> {
	const { operation = 'sendTemplate', templateName, options } = tool.parameters;
	const isKnown = isOurs(tool, review) && operation === 'sendTemplate';
	// The text belongs to one template.
	if (!isKnown || isExpression(templateName)) return {};
	const filling = new Filling(tool.parameters, values);
	try {
		const { keepWhitespace } = Object(options) as ValuesOf<typeof keepWhitespaceField>;
		if (isExpression(keepWhitespace)) return {};
		const { preview } = readVariables(
			filling.context,
			0,
			String(templateName),
			keepWhitespace === true,
		);
		return preview === undefined ? {} : { message: filling.named(preview) };
	} catch {
		// The tool will refuse these values.
		return {};
	}
}

/** `$fromAI('name', 'description', 'string')` and nothing else, in braces. */
const ONLY_FROM_AI =
	/^\{\{\s*(?:\/\*[^*]*\*\/\s*)?\$fromAI\(\s*(['"`])([\w-]{1,64})\1(?:\s*,\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\$]|\\.)*`|[\w.-]+))*\s*\)\s*\}\}$/i;

/** The parameters of a tool with the model's values. Only the tool can compute other expressions. */
class Filling {
	/** By a text that no model can know: the expression that it stands for, which would be refused in a value. */
	private readonly later = new Map<string, string>();

	constructor(
		private readonly parameters: INodeParameters,
		private readonly values: Record<string, unknown>,
	) {}

	/** What reads the tool's parameters when it runs. */
	get context(): IExecuteFunctions {
		const context: Pick<IExecuteFunctions, 'evaluateExpression'> & { getNodeParameter: unknown } = {
			getNodeParameter: (
				name: string,
				_itemIndex: number,
				fallback?: unknown,
				options?: { rawExpressions?: boolean },
			) => {
				const entered = this.parameters[name] ?? fallback;
				return options?.rawExpressions ? entered : this.computed(entered);
			},
			evaluateExpression: (expression) => this.filled(expression) as string,
		};
		return context as unknown as IExecuteFunctions;
	}

	/** The message with its expressions, such as `{{ $json.day }}`, in the place of what will be computed. */
	named(text: string): Review['message'] {
		let whole = text;
		for (const [unknown, expression] of this.later) {
			whole = whole.replaceAll(unknown, () => expression);
		}
		return { text: whole, isWhole: whole === text };
	}

	private computed(entered: unknown): unknown {
		if (Array.isArray(entered)) return entered.map((each) => this.computed(each));
		if (isRecord(entered)) {
			return Object.fromEntries(
				Object.entries(entered).map(([key, each]) => [key, this.computed(each)]),
			);
		}
		if (!isExpression(entered)) return entered;
		const text = entered.slice(1);
		if (ONLY_FROM_AI.test(text)) return this.filled(text);
		return text.replace(/\{\{.*?\}\}/gs, (expression) => String(this.filled(expression)));
	}

	private filled(expression: string): unknown {
		const name = ONLY_FROM_AI.exec(expression)?.[2];
		// As n8n does.
		const value =
			name === undefined ? undefined : (own(this.values.query, name) ?? own(this.values, name));
		if (value !== undefined && value !== null) return value;
		const unknown = randomUUID();
		this.later.set(unknown, expression);
		return unknown;
	}
}

function own(values: unknown, name: string): unknown {
	return isRecord(values) && Object.hasOwn(values, name) ? values[name] : undefined;
}
