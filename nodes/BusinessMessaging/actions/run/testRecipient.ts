import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../../errors/inputError';
import { readRecipient } from '../../template/recipient';
import { isRunByHand, rememberRunByHand } from './runByHand';

const PATH = 'options.testRecipient';
/** No expression gives this by mistake. */
export const NOT_SET = 'not set';

/**
 * Takes note of a run that may only send to the test recipient, so that its Retry does the same.
 * @returns whether it is one; whether the recipient is a number is seen later
 */
export function noteTestRun(context: IExecuteFunctions): boolean {
	const isTest = hasTestRecipient(context);
	if (isTest) rememberRunByHand(context);
	return isTest;
}

function hasTestRecipient(context: IExecuteFunctions): boolean {
	const raw = context.getNodeParameter(PATH, 0, NOT_SET, { rawExpressions: true });
	return raw !== NOT_SET && isRunByHand(context);
}

/**
 * To whom all messages of a run by hand go, as E.164; undefined when they go to their recipients.
 * @throws InputError when it is not a number: then nothing may be sent to anybody
 */
export function readTestRecipient(context: IExecuteFunctions): string | undefined {
	if (!hasTestRecipient(context)) return undefined;
	const country = String(context.getNodeParameter('options.defaultCountry', 0, ''));
	const result = tryToRead(context.getNodeParameter(PATH, 0), country);
	if (typeof result === 'string') return result;
	throw new InputError(
		result.message,
		`${result.remedy} It is Test Recipient under Options, of the first item.`,
	);
}

function tryToRead(value: unknown, country: string): string | InputError {
	try {
		return readRecipient(value, country, 'The test recipient');
	} catch (error) {
		return error as InputError;
	}
}
