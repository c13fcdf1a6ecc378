import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { STATUS_PATH } from '../api';
import { InputError } from '../inputError';
import { isRecord } from '../isRecord';
import { readConnection } from './connection';
import { readErrorBody } from './errorBody';
import { failureFromFault } from './failure';
import { readFault } from './faults';
import { sentenceForStatus, WEB_PAGE } from './remedies';

/** No message has this ID: a 404 says that the key was accepted and that nothing was found. */
const UNKNOWN_MESSAGE = 'n8n-credential-test';
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
): Promise<INodeCredentialTestResult> {
	try {
		const { baseUrl, apiKey } = readConnection(credential);
		const response = (await helpers.request({
			method: 'GET',
			uri: baseUrl + STATUS_PATH + UNKNOWN_MESSAGE,
			headers: { accept: 'application/json', 'X-API-Key': apiKey },
			timeout: TIMEOUT_MS,
			json: true,
			simple: false,
			followRedirect: false,
			resolveWithFullResponse: true,
		})) as { statusCode: number; body: unknown };
		return judge(response.statusCode, response.body);
	} catch (error) {
		if (error instanceof InputError) return refused(error);
		const fault = readFault(error);
		const { message, remedy } = failureFromFault(fault, 'status');
		return refused({ message, remedy: fault.kind === 'timeout' ? CHECK_NETWORK : remedy });
	}
}

function judge(status: number, body: unknown): INodeCredentialTestResult {
	if (readErrorBody(body).isWebPage) {
		return refused(WEB_PAGE);
	}
	if ((status === 404 || status === 200) && isRecord(body)) {
		return { status: 'OK', message: 'The API key was accepted' };
	}
	if (status === 404 || status === 200) {
		return refused({
			message: 'Something answered that is not the API',
			remedy: 'Check the Base URL.',
		});
	}
	if (status >= 300 && status < 400) {
		return refused({
			message: 'The Base URL redirects to another address',
			remedy: 'Enter the address that it leads to.',
		});
	}
	const { message, remedy } = sentenceForStatus(status, 'status');
	return refused({ message, remedy: status === 429 ? 'Wait a minute and try again.' : remedy });
}

function refused(sentence: { message: string; remedy: string }): INodeCredentialTestResult {
	return { status: 'Error', message: `${sentence.message}. ${sentence.remedy}` };
}
