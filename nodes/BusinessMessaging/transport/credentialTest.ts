import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { STATUS_PATH } from '../api';
import { InputError } from '../inputError';
import type { Sentence } from '../networkErrors';
import type { Clock } from './clock';
import { readConnection } from './connection';
import { LATE, untilDeadline } from './deadline';
import { failureFromFault } from './failure';
import { readFault } from './faults';
import { createKeyCutter } from './keyCutter';
import { UNKNOWN_MESSAGE, whatIsWrongWith } from './keyProof';
import type { Answer } from './request';

const TIMEOUT_MS = 15_000;
const CHECK_NETWORK = 'Check the Base URL and the network of n8n, or try again later.';

/**
 * Tests a credential with a status look-up, which costs nothing. A function instead of n8n's
 * declarative test, which can only show the bare code of a failed connection, such as ENOTFOUND.
 * @param helpers their only request function in this place is `request`
 */
export async function testCredential(
	helpers: ICredentialTestFunctions['helpers'],
	credential: ICredentialDataDecryptedObject,
	clock?: Pick<Clock, 'sleep'>,
): Promise<INodeCredentialTestResult> {
	try {
		const { baseUrl, apiKey } = readConnection(credential);
		const answer = await untilDeadline(lookUp(helpers, baseUrl, apiKey), TIMEOUT_MS, clock);
		if (answer === LATE) return noAnswer({ code: 'ETIMEDOUT' });
		const sentence = whatIsWrongWith(answer);
		return sentence ? refused(sentence) : { status: 'OK', message: 'The API key was accepted' };
	} catch (error) {
		return error instanceof InputError ? refused(error) : noAnswer(error);
	}
}

async function lookUp(
	helpers: ICredentialTestFunctions['helpers'],
	baseUrl: string,
	apiKey: string,
): Promise<Answer> {
	const { statusCode, headers, body } = (await helpers.request({
		method: 'GET',
		uri: baseUrl + STATUS_PATH + UNKNOWN_MESSAGE,
		headers: { accept: 'application/json', 'X-API-Key': apiKey },
		timeout: TIMEOUT_MS,
		json: true,
		simple: false,
		followRedirect: false,
		resolveWithFullResponse: true,
	})) as { statusCode: number; headers?: Record<string, unknown>; body: unknown };
	const { cutValue } = createKeyCutter(apiKey);
	return { status: statusCode, headers: headers ?? {}, body: cutValue(body) };
}

function noAnswer(error: unknown): INodeCredentialTestResult {
	const fault = readFault(error);
	const { message, remedy } = failureFromFault(fault, 'status');
	return refused({ message, remedy: fault.kind === 'timeout' ? CHECK_NETWORK : remedy });
}

function refused({ message, remedy }: Sentence): INodeCredentialTestResult {
	return { status: 'Error', message: `${message}. ${remedy}` };
}
