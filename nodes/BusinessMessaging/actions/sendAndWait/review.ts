import { randomUUID } from 'crypto';
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
import { readRecipient } from '../../template/phoneNumber';
import { formatAmount, PRICES } from '../../template/pricing';
import { readOfModel } from '../../template/reads';
import { isExpression, isRecord } from '../../values';
import { refuseUnasked } from '../modelArguments';
import { readVariables } from '../sendTemplate/readVariables';

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
		...(isOurs && operation === 'sendTemplate' ? new Filling(context, tool, values).sends() : {}),
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
	const inQuery = isRecord(values.query) ? Object.keys(values.query) : [];
	const twice = inQuery.find((each) => Object.hasOwn(values, each));
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

/** What an earlier node gave, which stays the same until the tool runs. */
const ONLY_EARLIER =
	/^\{\{\s*\$\((['"])[^'"\\]+\1\)\.(?:first|last)\(\)\.json(?:\.\w+|\[(['"])[^'"\\]+\2\])+\s*\}\}$/;

/** The parameters of Send Template as a tool, with the model's values, read as the tool will read them. */
class Filling {
	/** By a text that no model can know: the expression that it stands for, which would be refused in a value. */
	private readonly later = new Map<string, string>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly tool: Tool,
		private readonly values: Record<string, unknown>,
	) {}

	sends(): Pick<Review, 'sends' | 'country' | 'text' | 'isWhole'> {
		const { to, templateName, category = 'utility', fallbackCategory = 'utility' } = this.fields();
		const number = this.recipient(to);
		const chosen = category === 'auto' ? ['service', fallbackCategory] : [category];
		const categories = chosen.map((each) => {
			const known = CATEGORIES.find((one) => one === each);
			return known ? `${known}: ${formatAmount(PRICES[known])}` : printed(each);
		});
		const shown = [number, printed(templateName), categories.join(' / ')].map((each) =>
			this.named(each),
		);
		const text = this.text(templateName);
		return {
			sends: shown,
			country: parsePhoneNumberFromString(number)?.country,
			...(text === undefined ? {} : { text: this.named(text) }),
			isWhole: this.later.size === 0,
		};
	}

	private fields(): INodeParameters {
		const { to = '', templateName = '', category, fallbackCategory } = this.tool.parameters;
		return this.computed({ to, templateName, category, fallbackCategory }) as INodeParameters;
	}

	private recipient(to: unknown): string {
		const { defaultCountry = '' } = Object(this.tool.parameters.options) as INodeParameters;
		try {
			return readRecipient(to, isExpression(defaultCountry) ? null : String(defaultCountry));
		} catch {
			// It is known later, or the tool will refuse it.
			return printed(to);
		}
	}

	private text(templateName: unknown): string | undefined {
		const { keepWhitespace = false } = Object(
			this.tool.parameters.expertOptions,
		) as INodeParameters;
		// The text belongs to one template.
		if (isExpression(this.tool.parameters.templateName) || isExpression(keepWhitespace)) return;
		const reading: Pick<IExecuteFunctions, 'evaluateExpression' | 'getMode'> & {
			getNodeParameter: unknown;
		} = {
			getNodeParameter: (
				name: string,
				_itemIndex: number,
				fallback?: unknown,
				options?: { rawExpressions?: boolean },
			) => {
				const entered = this.tool.parameters[name] ?? fallback;
				return options?.rawExpressions ? entered : this.computed(entered);
			},
			evaluateExpression: (expression) => this.filled(expression) as string,
			getMode: () => 'integrated',
		};
		try {
			const context = reading as unknown as IExecuteFunctions;
			return readVariables(context, 0, String(templateName), keepWhitespace === true).preview;
		} catch {
			// The tool will refuse these values.
			return undefined;
		}
	}

	/** With expressions, such as `{{ $json.day }}`, in the place of what will be computed. */
	private named(text: string): string {
		return [...this.later].reduce(
			(whole, [unknown, expression]) => whole.replaceAll(unknown, () => expression),
			text,
		);
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
		const value = name === undefined ? this.earlier(expression) : this.ofModel(name);
		if (value !== undefined && value !== null) return value;
		const unknown = randomUUID();
		this.later.set(unknown, expression);
		return unknown;
	}

	/** As n8n does. */
	private ofModel(name: string): unknown {
		return own(this.values.query, name) ?? own(this.values, name);
	}

	private earlier(expression: string): unknown {
		if (!ONLY_EARLIER.test(expression)) return undefined;
		try {
			return this.context.evaluateExpression(expression, 0);
		} catch {
			return undefined;
		}
	}
}

function own(values: unknown, name: string): unknown {
	return isRecord(values) && Object.hasOwn(values, name) ? values[name] : undefined;
}
