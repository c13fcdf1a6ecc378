import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { InputError, quote } from '../../inputError';
import { isHumanReview } from '../../n8n';
import { readChoice, readSwitch, sourceAt, type ValuesOf } from '../../parameters';
import {
	checkComputed,
	checkExpressions,
	checkText,
	refuseProgramText,
	type Source,
	withoutBlanks,
} from '../../template/textChecks';
import { isExpression } from '../../values';
import { displayFor, where } from '../fields';
import type { Remarks } from '../job';
import { readReview, type Review } from './review';
import { type PageTexts, readPageTexts } from './texts';

/** The question on the page that a message links to. */
export interface Question {
	kind: 'approval' | 'answers' | 'freeText';
	text: string;
	/** The labels of the buttons, in their order; the first one of an approval approves. None for a free text. */
	choices: string[];
	/** Whether the page asks somebody who declines for a reason. */
	asksReason: boolean;
	/** Whether the page asks for the code in the message. */
	asksCode?: true;
	/** The language of the page if it is not English, and the texts in place of ours. */
	texts?: Partial<PageTexts>;
	/** Stands before the text, if the question is the Human review of an agent's tool. */
	review?: Review;
}

/** A question that was sent. It lies in the execution's context of the node, which n8n stores. */
export interface AskedQuestion {
	/** From 1. In a loop the node asks again, and a link of an earlier round must not answer. */
	round: number;
	question: Question;
	/** Epoch ms; later answers do not count. */
	until: number;
	/** The message, as Send Template puts it out. */
	message: IDataObject;
}

/** A question with what the hint above the output says of it. */
type ReadQuestion = Question & Pick<Remarks, 'incomplete'>;

/** By which to tell two questions apart. The same words can be about other values of the reviewed tool. */
export function questionText({ text, review }: Question): string {
	return review ? JSON.stringify([text, review]) : text;
}

const MAX_ANSWERS = 5;

export const responseTypeField = {
	displayName: 'Response Type',
	name: 'responseType',
	type: 'options',
	options: [
		{ name: 'Approval', value: 'approval', description: 'Buttons to approve or decline' },
		{
			name: 'Choice',
			value: 'answers',
			description: `A button for each of up to ${MAX_ANSWERS} answers`,
		},
		{ name: 'Free Text', value: 'freeText', description: 'A field to write in' },
	],
	default: 'approval',
} as const satisfies INodeProperties;

const approvalTypeField = {
	displayName: 'Type of Approval',
	name: 'approvalType',
	type: 'options',
	options: [
		{ name: 'Approve and Decline', value: 'double' },
		{ name: 'Approve Only', value: 'single' },
	],
	default: 'double',
} as const satisfies INodeProperties;

const approveLabelField = {
	displayName: 'Approve Button Label',
	name: 'approveLabel',
	type: 'string',
	default: 'Approve',
} as const satisfies INodeProperties;

const declineLabelField = {
	displayName: 'Decline Button Label',
	name: 'disapproveLabel',
	type: 'string',
	default: 'Decline',
	displayOptions: { show: { approvalType: ['double'] } },
} as const satisfies INodeProperties;

const askReasonField = {
	displayName: 'Ask for a Reason',
	name: 'askReason',
	type: 'boolean',
	default: true,
	description: 'Whether the page asks people who decline for a reason. They may leave it empty.',
	displayOptions: { show: { approvalType: ['double'] } },
} as const satisfies INodeProperties;

export const forAsk = displayFor('sendAndWait');
const forKind = (kind: string) => where(forAsk, 'responseType', kind);

export const messageField = {
	displayName: 'Question',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	default: '',
	placeholder: 'e.g. May we deliver your order on Friday?',
	description:
		'The question on the page that [link] opens. [link 1], [link 2] and so on open it with that answer first. Anyone with the link can answer, including people it was forwarded to, unless you write [code] into another placeholder: the page then asks for the code that the customer gets there.',
	displayOptions: forAsk,
} as const satisfies INodeProperties;

export const approvalOptionsField = {
	displayName: 'Approval Options',
	name: 'approvalOptions',
	type: 'fixedCollection',
	placeholder: 'Change Buttons',
	default: {},
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [approvalTypeField, approveLabelField, declineLabelField, askReasonField],
		},
	],
	displayOptions: forKind('approval'),
} as const satisfies INodeProperties;

export const answersField = {
	displayName: 'Answers',
	name: 'answers',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Answer', sortable: true },
	placeholder: 'Add Answer',
	default: { values: [{ label: '' }, { label: '' }] },
	options: [
		{
			displayName: 'Answer',
			name: 'values',
			values: [
				{
					displayName: 'Label',
					name: 'label',
					type: 'string',
					default: '',
					placeholder: 'e.g. On Friday',
					description: 'The text of the button, which the workflow gets as "answer"',
				},
			],
		},
	],
	displayOptions: forKind('answers'),
} as const satisfies INodeProperties;

/** @throws InputError */
export function readQuestion(context: IExecuteFunctions): ReadQuestion {
	const { name, default: unset } = responseTypeField;
	const kind = readChoice(context.getNodeParameter(name, 0, unset), responseTypeField);
	return { kind, ...readMessage(context), ...BUTTONS[kind](context), ...readPageTexts(context) };
}

type Buttons = Pick<Question, 'choices' | 'asksReason'>;

const BUTTONS: Record<Question['kind'], (context: IExecuteFunctions) => Buttons> = {
	approval: readApproval,
	answers: (context) => ({ choices: readAnswers(context), asksReason: false }),
	freeText: () => ({ choices: [], asksReason: false }),
};

function readMessage(context: IExecuteFunctions) {
	const given = String(context.getNodeParameter(messageField.name, 0) ?? '').trim();
	if (!given) {
		throw new InputError('Question is empty', 'Enter what the page asks.');
	}
	if (!isHumanReview(context.getNode())) {
		const source = sourceAt(context, 0, messageField.name);
		const isIncomplete = checkShown(given, 'Question', source);
		return { text: given, incomplete: isIncomplete ? ['Question'] : [] };
	}
	// n8n's preset message has it where it means the tool's values.
	const text = given.replaceAll('[object Object]', '').trim();
	// Values of the reviewed tool may well contain "undefined": the reviewer decides about that.
	checkText(text, 'Question');
	return { text, review: readReview(context), incomplete: [] };
}

/** @returns whether some of its expressions gave nothing. @throws InputError when people could not read it as it is meant */
function checkShown(text: string, field: string, source: Source): boolean {
	checkText(text, field, source.entered);
	checkComputed(text, field, source.entered);
	if (!isExpression(source.entered)) refuseProgramText(text, field);
	return checkExpressions(text, field, source);
}

function readApproval(context: IExecuteFunctions): Buttons {
	const values = `${approvalOptionsField.name}.values`;
	type Options = ValuesOf<(typeof approvalOptionsField.options)[0]['values'][number]>;
	const options = context.getNodeParameter(values, 0, {}) as Options;
	const { approvalType = approvalTypeField.default } = options;
	const type = readChoice(approvalType, approvalTypeField);
	const labelOf = (field: typeof approveLabelField | typeof declineLabelField) => {
		const label = String(options[field.name] ?? '').trim() || field.default;
		return readLabel(context, `${values}.${field.name}`, label, field.displayName);
	};
	if (type === 'single') return { choices: [labelOf(approveLabelField)], asksReason: false };
	return {
		choices: distinct([approveLabelField, declineLabelField].map(labelOf)),
		asksReason: readSwitch(options, askReasonField, askReasonField.default),
	};
}

function readAnswers(context: IExecuteFunctions): string[] {
	const values = `${answersField.name}.values`;
	const rows = context.getNodeParameter(values, 0, []) as Array<{ label?: unknown }>;
	if (rows.length === 0 || rows.length > MAX_ANSWERS) {
		throw new InputError(
			`There are ${rows.length} answers to choose from`,
			`Add 1 to ${MAX_ANSWERS} under Answers.`,
		);
	}
	const labels = rows.map(({ label }, index) =>
		readLabel(
			context,
			`${values}[${index}].label`,
			String(label ?? '').trim(),
			`Answer ${index + 1}`,
		),
	);
	return distinct(labels);
}

const MAX_LABEL_LENGTH = 80;

function readLabel(context: IExecuteFunctions, path: string, label: string, field: string): string {
	if (label.length > 0 && label.length <= MAX_LABEL_LENGTH) {
		checkShown(label, field, sourceAt(context, 0, path));
		return label;
	}
	throw new InputError(
		label ? `${field} has ${label.length} characters` : `${field} is empty`,
		`It is the text of a button: enter up to ${MAX_LABEL_LENGTH} characters.`,
	);
}

/** @throws InputError if two labels look the same, apart from capitals and spaces */
function distinct(labels: string[]): string[] {
	const letters = labels.map((label) => withoutBlanks(label).normalize().toLowerCase());
	const second = labels.find((_, index) => letters.indexOf(letters[index]) < index);
	if (second === undefined) return labels;
	throw new InputError(
		`Two buttons say ${quote(second)}`,
		'Give each answer a text of its own. Capitals and spaces make no difference.',
	);
}
