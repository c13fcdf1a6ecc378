import type { IDataObject, INode } from 'n8n-workflow';
import { joinSentences, NOTHING_SENT } from '../inputError';
import { askedOfModel } from '../n8n';
import { aboutOf } from './catalogue';
import type { Failure } from './failure';

const VARIABLE_CODES = ['wrongVariable', 'wrongVariables', 'refusedAsInvalid'];

/** What a model may give for fields, by their names without a number, and the codes that say that it is wrong. */
const ARGUMENTS = [
	{
		fields: ['to'],
		wanted: 'a phone number with its plus sign and country code, such as +14155552671',
		codes: ['wrongRecipient', 'notOnNetwork', 'unsupportedType'],
	},
	{
		fields: ['templateName'],
		wanted: 'the exact name of an approved template',
		codes: ['wrongTemplateName', 'noTemplate', 'templatePaused', 'notFound'],
	},
	{
		fields: ['category', 'fallbackCategory'],
		wanted: 'utility, marketing, authentication or service',
		codes: ['wrongCategory', 'windowClosed'],
	},
	{
		fields: ['customerLastMessageAt'],
		wanted: 'the time of the last message of the customer, such as 2026-01-31T12:00:00Z',
		codes: ['wrongCategory'],
	},
	{
		fields: ['variable'],
		wanted: 'plain text, as the customer reads it',
		codes: VARIABLE_CODES,
	},
	{
		fields: ['variablesJson'],
		wanted: 'a JSON list of plain texts, one for each placeholder, such as ["Asha", "A-17"]',
		codes: VARIABLE_CODES,
	},
	{
		fields: ['messageId'],
		wanted: 'the message_id of a message that was sent',
		codes: ['wrongMessageId', 'unknownMessage'],
	},
	{ fields: ['options', 'expertOptions'], wanted: 'one that is allowed', codes: ['wrongOption'] },
];

/** Its remedy is for a model. */
const FOR_MODELS = 'wrongArguments';

/**
 * What an agent's model reads of a failure: what is wrong, and what it can do. It fills in no fields and options, so it
 * is told the names by which the tool asks it, or that only the builder of the workflow can help.
 */
export function wordsForModel(failure: Failure, node: INode): string {
	const { code, message, outcome } = failure;
	return joinSentences(
		`${message}.`,
		outcome === 'notSent' && code !== FOR_MODELS && NOTHING_SENT,
		adviceOf(failure, node),
	);
}

/** The `error` of a tool's item. */
export function errorForModel({ remedy, ...failure }: Failure, node: INode): IDataObject {
	return { ...failure, message: wordsForModel({ remedy, ...failure }, node) };
}

function adviceOf(
	{ code, message, remedy, outcome, retryable, sendAfter }: Failure,
	{ parameters }: INode,
): string {
	if (outcome === 'unknown') {
		return 'The message may have been sent: tell the user so. Do not call this tool again for this message.';
	}
	if (code === FOR_MODELS) return remedy;
	if (code === 'notAllowed') return 'Do not call this tool again with this number.';
	// The error of one value begins so.
	const [, position] = /^The variable \{\{(\d+)\}\}/.exec(message) ?? [];
	for (const { fields, wanted, codes } of ARGUMENTS) {
		const asked = Object.keys(parameters)
			.filter((name) => codes.includes(code) && fields.includes(name.replace(/\d/g, '')))
			.filter((name) => !position || !/\d/.test(name) || name === `variable${position}`)
			.flatMap((name) => askedOfModel({ [name]: parameters[name] }));
		if (asked.length === 0) continue;
		return `Call this tool again with another value for ${asked.join(', ')}: ${wanted}.`;
	}
	if (sendAfter) return `Do not call this tool for this number before ${sendAfter}.`;
	if (retryable) return 'Call this tool again in a minute.';
	if (aboutOf(code) === 'message') {
		return 'Tell the user, and do not call this tool again for this message.';
	}
	return 'Only the builder of the workflow can correct this: tell the user, and do not call this tool again.';
}
