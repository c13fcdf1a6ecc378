import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { InputError, quote } from '../../inputError';
import { enteredAt, readChoice, readSwitch } from '../../parameters';
import { checkComputed, checkText, type Entered } from '../../template/text';
import { isRecord } from '../../values';
import type { Question } from '../operation';
import {
	approvalTypeField,
	approveLabelField,
	askReasonField,
	declineLabelField,
	MAX_ANSWERS,
	responseTypeField,
} from './fields';

/** Whether n8n runs the node as the "Human review" of an agent's tool. */
export function isHumanReview({ type }: INode): boolean {
	return type.endsWith('HitlTool');
}

/** @throws InputError */
export function readQuestion(context: IExecuteFunctions): Question {
	const { name, default: unset } = responseTypeField;
	const kind = readChoice(context.getNodeParameter(name, 0, unset), responseTypeField, KINDS);
	return { kind, text: readMessage(context), ...BUTTONS[kind](context) };
}

type Buttons = Pick<Question, 'choices' | 'asksReason'>;

const BUTTONS: Record<Question['kind'], (context: IExecuteFunctions) => Buttons> = {
	approval: readApproval,
	answers: (context) => ({ choices: readAnswers(context), asksReason: false }),
	freeText: () => ({ choices: [], asksReason: false }),
};
const KINDS = Object.keys(BUTTONS) as Array<Question['kind']>;

function readMessage(context: IExecuteFunctions): string {
	const given = String(context.getNodeParameter('message', 0, '') ?? '').trim();
	const isReview = isHumanReview(context.getNode());
	const text = isReview ? withToolParameters(context, given) : given;
	if (!text) {
		throw new InputError('Message is empty', 'Enter the question that the page asks.');
	}
	const entered = enteredAt(context, 0, 'message');
	// The reviewed tool's parameters may well contain "undefined": the reviewer decides about that.
	checkText(text, 'Message', isReview ? undefined : entered);
	checkComputed(given, 'Message', entered);
	return text;
}

/** What n8n's preset message for a review says where it means the tool's parameters. */
const OBJECT = '[object Object]';

/** Models can't call a tool with a longer name, or one with white space. */
const TOOL_NAME = /^[^\s\p{C}\p{Z}]{0,128}$/u;

/**
 * The message with the parameters of the reviewed tool in place of `[object Object]`.
 * @throws InputError when n8n's `$tool` may have been forged
 */
function withToolParameters(context: IExecuteFunctions, message: string): string {
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
	const parameters = toolParameters ?? tool.parameters;
	if (!isRecord(parameters)) return message;
	// In the tool, $fromAI prefers these as well.
	const inQuery = isRecord(parameters.query) ? Object.keys(parameters.query) : [];
	const twice = inQuery.find((name) => name in parameters);
	if (twice !== undefined) {
		throw forged(`The tool's values have ${quote(twice)} twice: once in query`);
	}
	const list = Object.entries(parameters)
		.map(([name, value]) => `${printed(name)}: ${printed(value)}`)
		.join('\n');
	return message.replaceAll(OBJECT, () => list);
}

function forged(reason: string): InputError {
	return new InputError(
		'The question could show another tool or other values than those that would run',
		`${reason}. If the model made it up, look for instructions in the texts that it read.`,
	);
}

/** What could begin a line, change the direction of the text, or stay invisible; not what joins letters and emoji. */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu;

/** The value in one line: a text as it is or, if it has something unprintable, as JSON. */
function printed(value: unknown): string {
	if (typeof value === 'string' && value.search(UNPRINTABLE) === -1) return value;
	return `${JSON.stringify(value)}`.replace(UNPRINTABLE, escapedUnits);
}

function escapedUnits(sign: string): string {
	const units = sign.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
	return units.map((unit) => `\\u${unit}`).join('');
}

function readApproval(context: IExecuteFunctions): Buttons {
	const options = context.getNodeParameter('approvalOptions.values', 0, {}) as IDataObject;
	const { approvalType = approvalTypeField.default } = options;
	const type = readChoice(approvalType, approvalTypeField, ['double', 'single']);
	const labelOf = ({ name, displayName, default: unset }: typeof approveLabelField) => {
		const entered = enteredAt(context, 0, `approvalOptions.values.${name}`);
		return readLabel(options[name], displayName, entered, unset);
	};
	if (type === 'single') return { choices: [labelOf(approveLabelField)], asksReason: false };
	return {
		choices: distinct([approveLabelField, declineLabelField].map(labelOf)),
		asksReason: readSwitch(options, askReasonField, askReasonField.default),
	};
}

function readAnswers(context: IExecuteFunctions): string[] {
	const rows = context.getNodeParameter('answers.values', 0, []) as IDataObject[];
	if (rows.length === 0 || rows.length > MAX_ANSWERS) {
		throw new InputError(
			`There are ${rows.length} answers to choose from`,
			`Add 1 to ${MAX_ANSWERS} under Answers.`,
		);
	}
	const labels = rows.map(({ label }, index) => {
		const entered = enteredAt(context, 0, `answers.values[${index}].label`);
		return readLabel(label, `Answer ${index + 1}`, entered);
	});
	return distinct(labels);
}

const MAX_LABEL_LENGTH = 80;

function readLabel(value: unknown, field: string, entered: Entered, fallback = ''): string {
	const label = String(value ?? '').trim() || fallback;
	if (label.length > 0 && label.length <= MAX_LABEL_LENGTH) {
		checkText(label, field, entered);
		checkComputed(label, field, entered);
		return label;
	}
	throw new InputError(
		label ? `${field} has ${label.length} characters` : `${field} is empty`,
		`It is the text of a button: enter up to ${MAX_LABEL_LENGTH} characters.`,
	);
}

/** @throws InputError if two labels differ in nothing but capitals and spaces */
function distinct(labels: string[]): string[] {
	const letters = labels.map((label) => label.replace(/\s/g, '').toLowerCase());
	const second = letters.findIndex((each, index) => letters.indexOf(each) !== index);
	if (second < 0) return labels;
	const same = new Set([labels[letters.indexOf(letters[second])], labels[second]]);
	throw new InputError(
		`Two buttons say ${[...same].map(quote).join(' and ')}`,
		'Give each answer a text of its own. Capitals and spaces make no difference.',
	);
}
