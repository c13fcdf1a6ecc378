import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	IWebhookFunctions,
} from 'n8n-workflow';
import { UNITS_MS } from '../../clock';
import { InputError, quote } from '../../inputError';
import { isReadable } from '../../layouts';
import { digestOf } from '../../memory/rows';
import { contextOf, internalsOf } from '../../n8n';
import { findChoice } from '../../parameters';
import { isPrivateHost } from '../../transport/credential';
import { isRecord, textOf } from '../../values';
import { displayFor } from '../fields';
import { messageIn } from '../output';
import { type AskedQuestion, type Question, questionText } from './question';

const MIN_SECONDS = 15;
const MAX_DAYS = 30;
const LIMIT_RANGE = `from ${MIN_SECONDS} seconds to ${MAX_DAYS} days`;

export const limitWaitTimeField = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 24,
	description: `How long to wait for an answer, ${LIMIT_RANGE}. After that the workflow continues with "timedOut", up to a minute late because n8n checks once a minute.`,
	displayOptions: displayFor('sendAndWait'),
} as const satisfies INodeProperties;

export const limitWaitTimeUnitField = {
	displayName: 'Unit',
	name: 'limitWaitTimeUnit',
	type: 'options',
	options: [
		{ name: 'Days', value: 'days' },
		{ name: 'Hours', value: 'hours' },
		{ name: 'Minutes', value: 'minutes' },
		{ name: 'Seconds', value: 'seconds' },
	],
	default: 'hours',
	displayOptions: displayFor('sendAndWait'),
} as const satisfies INodeProperties;

/** @returns how long to wait for an answer, in ms. @throws InputError */
export function readWaitLimit(context: IExecuteFunctions): number {
	const [amount, unit] = [limitWaitTimeField, limitWaitTimeUnitField].map(
		({ name, default: unset }) => context.getNodeParameter(name, 0, unset),
	);
	const units = limitWaitTimeUnitField.options.map(({ value }) => value);
	const known = findChoice(unit, units);
	const limit = known ? Number(textOf(amount)) * UNITS_MS[known] : NaN;
	if (limit >= MIN_SECONDS * UNITS_MS.seconds && limit <= MAX_DAYS * UNITS_MS.days) return limit;
	throw new InputError(
		`Limit Wait Time is ${quote(amount)} with the unit ${quote(unit)}`,
		`Enter ${LIMIT_RANGE}, in seconds, minutes, hours or days.`,
	);
}

/** The number of the next question. Failed sends count as well, because their message may be out with its link. */
export function countRound(context: IExecuteFunctions): number {
	const memory = contextOf(context);
	const round = Number(memory.askedRounds ?? 0) + 1;
	memory.askedRounds = round;
	return round;
}

/** Whether somebody has declined the same question in this execution: an agent's model asks again. */
export function wasDeclined(context: IExecuteFunctions, question: Question): boolean {
	const { reviews } = contextOf(context);
	const { [digestOf(questionText(question))]: id } = Object(reviews) as IDataObject;
	// They are there, because the review has found its call beside them.
	const { runData } = internalsOf(context).runExecutionData!.resultData!;
	const runs = runData[context.getNode().name] ?? [];
	const items = runs.flatMap(({ data }) => Object.values(data ?? {}).flat(2));
	return items.some((item) => {
		const { approved, respondedAt, message } = item?.json ?? {};
		const isDeclined = approved === false && respondedAt !== undefined && isRecord(message);
		return isDeclined && messageIn(message).message_id === id;
	});
}

/** Stores the question and ends the node's run. n8n resumes the execution with an answer, or at the time limit. */
export async function waitForAnswer(
	context: IExecuteFunctions,
	asked: AskedQuestion,
): Promise<void> {
	const { message, question } = asked;
	const memory = contextOf(context);
	memory.asked = asked;
	if (question.review) {
		const { message_id: id } = messageIn(message);
		memory.reviews = { ...Object(memory.reviews), [digestOf(questionText(question))]: id };
	}
	// At the time limit n8n outputs the node's input, which could contain `approved`. So replace the input.
	const json = {
		timedOut: true,
		...(question.review ? { approved: false, chatInput: 'Nobody answered in time.' } : {}),
		message,
	};
	context.getExecuteData().data = { main: [[{ json, pairedItem: { item: 0 } }]] };
	const { hostname, origin } = new URL(context.getSignedResumeUrl());
	if (isPrivateHost(hostname)) {
		context.addExecutionHints({
			message: `The link leads to ${origin}, which only this computer or network can open. For customers, set N8N_WEBHOOK_URL (before n8n 2.30 WEBHOOK_URL) to the public address of your n8n.`,
			type: 'warning',
			location: 'outputPane',
		});
	}
	// Not in n8n's types: n8n 1.x checks the signature of links only for executions that ask for it.
	(context as { setSignatureValidationRequired?: () => void }).setSignatureValidationRequired?.();
	await context.putExecutionToWait(new Date(asked.until));
}

/**
 * The stored question. A webhook's context reaches the node's context by an expression only.
 * @throws Error when another version of this package has stored it
 */
export function recallAsked(context: IWebhookFunctions): AskedQuestion | undefined {
	const stored = contextOfNode(context);
	const [asked, layout] = context.evaluateExpression(
		`{{ [${stored}.asked, ${stored}.layout] }}`,
	) as unknown[];
	if (isReadable(layout)) return asked as AskedQuestion | undefined;
	throw new Error(
		'It was asked by another version of this package. Install that one under Settings → Community nodes.',
	);
}

/** In the text of an expression, n8n looks for braces and for forbidden words such as ".constructor", also in a name. */
function contextOfNode(context: IWebhookFunctions): string {
	const escape = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return `$node["${context.getNode().name.replace(/[^\w ]/g, escape)}"].context`;
}
