import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { InputError, quote } from '../../inputError';
import { enteredAt, readChoice, readSwitch } from '../../parameters';
import { checkComputed, checkText, type Entered } from '../../template/text';
import type { Question } from '../operation';
import {
	approvalTypeField,
	approveLabelField,
	askReasonField,
	declineLabelField,
	MAX_ANSWERS,
	responseTypeField,
} from './fields';
import { isHumanReview, readReview } from './review';
import { readPageTexts } from './texts';

/** @throws InputError */
export function readQuestion(context: IExecuteFunctions): Question {
	const { name, default: unset } = responseTypeField;
	const kind = readChoice(context.getNodeParameter(name, 0, unset), responseTypeField, KINDS);
	return { kind, ...readMessage(context), ...BUTTONS[kind](context), ...readPageTexts(context) };
}

type Buttons = Pick<Question, 'choices' | 'asksReason'>;

const BUTTONS: Record<Question['kind'], (context: IExecuteFunctions) => Buttons> = {
	approval: readApproval,
	answers: (context) => ({ choices: readAnswers(context), asksReason: false }),
	freeText: () => ({ choices: [], asksReason: false }),
};
const KINDS = Object.keys(BUTTONS) as Array<Question['kind']>;

function readMessage(context: IExecuteFunctions): Pick<Question, 'text' | 'review'> {
	const given = String(context.getNodeParameter('message', 0, '') ?? '').trim();
	if (!given) {
		throw new InputError('Message is empty', 'Enter the question that the page asks.');
	}
	const isReview = isHumanReview(context.getNode());
	const message = isReview ? readReview(context, given) : { text: given };
	const entered = enteredAt(context, 0, 'message');
	// The reviewed tool's parameters may well contain "undefined": the reviewer decides about that.
	const { text, review } = message;
	checkText(text + (review?.after ?? ''), 'Message', isReview ? undefined : entered);
	checkComputed(given, 'Message', entered);
	return message;
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
