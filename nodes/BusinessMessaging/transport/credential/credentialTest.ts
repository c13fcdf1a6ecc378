import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import type { Answer } from '../../answer';
import { STATUS_PATH } from '../../api';
import type { Clock } from '../../clock';
import { CHECK_NETWORK } from '../../errors/credentialErrors';
import { failureFromFault } from '../../errors/failure';
import { readFault } from '../../errors/faults';
import { InputError } from '../../errors/inputError';
import type { Sentence } from '../../errors/networkErrors';
import { readConnection } from '../connection';
import { LATE, untilDeadline } from '../deadline';
import { createKeyCutter } from '../keyCutter';
import { authenticate } from './authenticate';
import { UNKNOWN_MESSAGE, whatIsWrongWith } from './keyProof';

const TIMEOUT_MS = 15_000;

/**
 * Tests a credential with a status look-up, which costs nothing. A function, because n8n's declarative
 * test can only compare the status, or one value of the body, with a constant: web pages, redirects
 * and the 404 of any other server pass, in n8n 1.x even 401, 403 and 429. It shows a connection that
 * failed as its bare code, such as ECONNREFUSED, and of our own sentences the first half.
 * @param helpers their only request function in this place is `request`
 */
export async function testCredential(
	helpers: ICredentialTestFunctions['helpers'],
	credential: ICredentialDataDecryptedObject,
	clock: Pick<Clock, 'sleep'>,
): Promise<INodeCredentialTestResult> {
	try {
		const { baseUrl, apiKey } = readConnection(credential);
		const url = baseUrl + STATUS_PATH + UNKNOWN_MESSAGE;
		const cutter = createKeyCutter(apiKey);
		const answer = await untilDeadline(lookUp(helpers, credential, url), TIMEOUT_MS, clock);
		if (answer === LATE) return noAnswer({ code: 'ETIMEDOUT' });
		const body = cutter.cutValue(answer.body);
		const sentence = whatIsWrongWith({ ...answer, body }, cutter.cutText(url));
		return sentence ? refused(sentence) : { status: 'OK', message: 'The API key was accepted' };
	} catch (error) {
		return error instanceof InputError ? refused(error) : noAnswer(error);
	}
}

/** With the credential's own authentication, as requests of the nodes are made. */
async function lookUp(
	helpers: ICredentialTestFunctions['helpers'],
	credential: ICredentialDataDecryptedObject,
	uri: string,
): Promise<Answer> {
	const { statusCode, headers, body } = (await helpers.request(
		authenticate(credential, {
			method: 'GET',
			uri,
			headers: { accept: 'application/json' },
			timeout: TIMEOUT_MS,
			json: true,
			simple: false,
			followRedirect: false,
			resolveWithFullResponse: true,
		}),
	)) as { statusCode: number; headers?: Record<string, unknown>; body: unknown };
	return { status: statusCode, headers: headers ?? {}, body };
}

function noAnswer(error: unknown): INodeCredentialTestResult {
	const fault = readFault(error);
	const { message, remedy } = failureFromFault(fault, 'status');
	return refused({ message, remedy: fault.kind === 'timeout' ? CHECK_NETWORK : remedy });
}

function refused({ message, remedy }: Sentence): INodeCredentialTestResult {
	return { status: 'Error', message: `${message}. ${remedy}` };
}
