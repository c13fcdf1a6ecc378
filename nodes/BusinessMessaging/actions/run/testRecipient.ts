import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../../errors/inputError';
import { NOTHING_SENT } from '../../errors/sentences';
import { readRecipient } from '../../template/recipient';
import { hasOption } from '../options';
import { isRunByHand } from './runByHand';

/** Who gets the messages of a run. */
export type Receivers = 'customers' | 'testRecipient' | 'nobody';

/** Whether the test recipient is a phone number is checked later: none of these depends on its value. */
export async function findReceivers(context: IExecuteFunctions): Promise<Receivers> {
	if (!hasOption(context, 'testRecipient')) return 'customers';
	const byHand = await isRunByHand(context);
	if (byHand === undefined) return 'nobody';
	return byHand ? 'testRecipient' : 'customers';
}

/**
 * To whom all messages of a run go, as E.164; undefined when they go to their recipients.
 * @throws InputError when nothing may be sent to anybody
 */
export function readTestRecipient(
	context: IExecuteFunctions,
	receivers: Receivers,
): string | undefined {
	if (receivers === 'customers') return undefined;
	if (receivers === 'nobody') {
		throw new InputError(
			'Test Recipient is set, but n8n does not tell if this run is by hand',
			`${NOTHING_SENT} To send to the customers, remove Test Recipient under Options. To try this workflow out, run it in the editor, not from another workflow.`,
		);
	}
	const country = String(context.getNodeParameter('options.defaultCountry', 0, ''));
	const result = tryToRead(context.getNodeParameter('options.testRecipient', 0), country);
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
