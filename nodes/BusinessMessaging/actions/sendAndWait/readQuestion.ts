import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InputError, quote } from '../../errors/inputError';
import { readChoice, readSwitch } from '../../optionValues';
import { checkText } from '../../template/text';
import type { Entered } from '../../template/text';
import { enteredAt } from '../entered';
import type { Question } from '../question';
import {
	approvalTypeField,
	approveLabelField,
	askReasonField,
	declineLabelField,
	MAX_ANSWERS,
	responseTypeField,
} from './answerFields';
import { isHumanReview, withToolCall } from './humanReview';

const MAX_LABEL_LENGTH = 80;

const CHOICES: Record<Question['kind'], (context: IExecuteFunctions) => string[]> = {
	approval: readApproval,
	answers: readAnswers,
	freeText: () => [],
};
const KINDS = Object.keys(CHOICES) as Array<Question['kind']>;

/** @throws InputError */
export function readQuestion(context: IExecuteFunctions): Question {
	const { name, default: unset } = responseTypeField;
	const kind = readChoice(context.getNodeParameter(name, 0, unset), responseTypeField, KINDS);
	const choices = CHOICES[kind](context);
	const asksReason = choices.length === 2 && kind === 'approval' && asksWhy(context);
	return { kind, text: readMessage(context), choices, asksReason };
}

function readMessage(context: IExecuteFunctions): string {
	const given = String(context.getNodeParameter('message', 0, '') ?? '').trim();
	// What a tool is to run with may well be "undefined": somebody decides about that.
	const isReview = isHumanReview(context.getNode());
	const text = isReview ? withToolCall(context, given) : given;
	if (!text) {
		throw new InputError('Message is empty', 'Enter the question that the page asks.');
	}
	checkText(text, 'Message', isReview ? undefined : enteredAt(context, 0, 'message'));
	return text;
}

function approvalOptions(context: IExecuteFunctions): IDataObject {
	return context.getNodeParameter('approvalOptions.values', 0, {}) as IDataObject;
}

function readApproval(context: IExecuteFunctions): string[] {
	const options = approvalOptions(context);
	const { approvalType = approvalTypeField.default } = options;
	const type = readChoice(approvalType, approvalTypeField, ['double', 'single']);
	const labelOf = ({ name, displayName, default: unset }: typeof approveLabelField) =>
		readLabel(
			options[name],
			displayName,
			enteredAt(context, 0, `approvalOptions.values.${name}`),
			unset,
		);
	return type === 'single'
		? [labelOf(approveLabelField)]
		: distinct([approveLabelField, declineLabelField].map(labelOf));
}

function asksWhy(context: IExecuteFunctions): boolean {
	return readSwitch(approvalOptions(context), askReasonField, askReasonField.default);
}

function readAnswers(context: IExecuteFunctions): string[] {
	const rows = context.getNodeParameter('answers.values', 0, []) as IDataObject[];
	if (rows.length === 0 || rows.length > MAX_ANSWERS) {
		throw new InputError(
			`There are ${rows.length} answers to choose from`,
			`Add 1 to ${MAX_ANSWERS} under Answers.`,
		);
	}
	return distinct(
		rows.map(({ label }, index) =>
			readLabel(
				label,
				`Answer ${index + 1}`,
				enteredAt(context, 0, `answers.values[${index}].label`),
			),
		),
	);
}

function readLabel(value: unknown, field: string, entered: Entered, fallback = ''): string {
	const label = String(value ?? '').trim() || fallback;
	if (label.length > 0 && label.length <= MAX_LABEL_LENGTH) {
		checkText(label, field, entered);
		return label;
	}
	throw new InputError(
		label ? `${field} has ${label.length} characters` : `${field} is empty`,
		`It is the text of a button: enter up to ${MAX_LABEL_LENGTH} characters.`,
	);
}

function distinct(labels: string[]): string[] {
	const twice = labels.find((label, index) => labels.indexOf(label) !== index);
	if (twice === undefined) return labels;
	throw new InputError(`Two buttons say ${quote(twice)}`, 'Give each answer a text of its own.');
}
