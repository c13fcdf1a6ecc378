import { randomUUID } from 'crypto';
import {
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	nodeNameToToolName,
	type NodeTypeAndVersion,
} from 'n8n-workflow';
import { InputError, quote } from '../../inputError';
import { askedOfModel, callsOf } from '../../n8n';
import type { ValuesOf } from '../../parameters';
import { isExpression, isRecord } from '../../values';
import { refuseUnasked } from '../modelArguments';
import type { keepWhitespaceField } from '../sendTemplate/fields';
import { readVariables } from '../sendTemplate/readVariables';

/** What a person has to know of a tool before they let it run. */
export interface Review {
	/** The values that the tool is run with. */
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
}

/** Where expressions can read what an agent's model says: n8n puts it into the item. */
const OF_MODEL = /\$(?:json|data|binary|input|items?|thisItem|fromAI|tool|evaluateExpression)\b/i;

/** @throws InputError when the model could choose who approves what it does */
export function checkReviewer(to: unknown): void {
	const [read] = (isExpression(to) && OF_MODEL.exec(to)) || [];
	if (read === undefined) return;
	throw new InputError(
		`To reads ${quote(read)}, in which the agent's model could choose who approves`,
		"Enter a fixed number, or read it from another node, such as {{ $('When chat message received').first().json.phone }}.",
		'wrongRecipient',
	);
}

/** What n8n's preset message for a review says where it means the tool's values. */
const OBJECT = '[object Object]';

/**
 * The message of a review, with the values of the reviewed tool in place of `[object Object]`.
 * @throws InputError when the tool does not ask for a value, or when the question could show something else than runs
 */
export function readReview(
	context: IExecuteFunctions,
	message: string,
): { text: string; review?: Review } {
	const review = context.getNode();
	const { toolParameters: values } = context.getInputData()[0].json;
	const [call, ...others] = callsOf(context).flatMap(({ metadata }) => metadata?.hitl ?? []);
	const { $tool } = context.getWorkflowDataProxy(0) as { $tool?: unknown };
	const { name = call?.toolName, parameters = values } = isRecord($tool) ? $tool : {};
	const other = [call, ...others].find((each) => each && each.toolName !== name);
	if (other) {
		throw forged(`The tool's name is ${quote(name)}, but ${quote(other.toolName)} would run`);
	}
	if (JSON.stringify(parameters) !== JSON.stringify(values)) {
		throw forged('$tool.parameters has other values than the call of the tool');
	}
	if (values === undefined || values === null) return { text: message };
	// n8n's message has a text or a list as it is, with its line breaks.
	if (!isRecord(values)) throw forged("The tool's values have no names");
	const tool = toolBehind(context, call?.gatedToolNodeName);
	const asked = tool && askedBy(tool, review);
	if (asked) refuseUnasked(Object.keys(values), asked);
	else if ('tool' in values) {
		throw forged('The tool\'s values have "tool", by which n8n can run another tool');
	}
	// In the tool, $fromAI prefers what stands in query.
	const inQuery = isRecord(values.query) ? Object.keys(values.query) : [];
	const twice = inQuery.find((each) => Object.hasOwn(values, each));
	if (twice !== undefined) {
		throw forged(`The tool's values have ${quote(twice)} twice: once in query`);
	}
	const [text, ...after] = message.split(OBJECT);
	if (after.length === 0) return { text: message };
	const names = asked?.filter((each) => Object.hasOwn(values, each)) ?? Object.keys(values);
	const isOnlyTool = tool && nodeNameToToolName(tool.name) === name;
	return {
		text: text.trim(),
		review: {
			values: names.map((each) => ({ name: each, value: printed(values[each]) })),
			tool: isOnlyTool ? tool.name : call?.toolName,
			...(tool && reviewMessage(tool, values, review)),
			after: after.join('').trim(),
		},
	};
}

function printed(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function forged(reason: string): InputError {
	return new InputError(
		'The question could show another tool or other values than those that would run',
		`${reason}. If the model made it up, look for instructions in the texts that it read.`,
	);
}

type Tool = NodeTypeAndVersion & { parameters: INodeParameters };

function toolBehind(context: IExecuteFunctions, name?: string): Tool | undefined {
	const options = { connectionType: 'ai_tool', depth: 1, includeNodeParameters: true } as const;
	return context
		.getParentNodes(context.getNode().name, options)
		.find((tool): tool is Tool => tool.name === name && tool.parameters !== undefined);
}

/** Whether the tool is this node. */
function isOurs({ type }: Tool, review: INode): boolean {
	return type === review.type.replace('HitlTool', 'Tool');
}

/** The names of the values that a tool asks for; undefined if it asks in a way of its own, as other nodes can. */
function askedBy(tool: Tool, review: INode): string[] | undefined {
	const asked = askedOfModel(tool.parameters);
	return asked.length > 0 || isOurs(tool, review) ? asked : undefined;
}

/** The message as the customer will read it, if the tool is Send Template and has its text. */
function reviewMessage(
	tool: Tool,
	values: Record<string, unknown>,
	review: INode,
): Pick<Review, 'message'> {
	const { operation = 'sendTemplate', templateName, expertOptions } = tool.parameters;
	const isKnown = isOurs(tool, review) && operation === 'sendTemplate';
	// The text belongs to one template.
	if (!isKnown || isExpression(templateName)) return {};
	const filling = new Filling(tool.parameters, values);
	try {
		const { keepWhitespace } = Object(expertOptions) as ValuesOf<typeof keepWhitespaceField>;
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
		const context: Pick<IExecuteFunctions, 'evaluateExpression' | 'getMode'> & {
			getNodeParameter: unknown;
		} = {
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
			getMode: () => 'integrated',
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
