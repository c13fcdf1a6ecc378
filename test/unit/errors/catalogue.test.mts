import type { ApiResponse } from '../../../nodes/BusinessMessaging/api';
import { causeNamed, type FailureCode } from '../../../nodes/BusinessMessaging/errors/catalogue';
import {
	connectionFailure,
	failureFromHttpError,
} from '../../../nodes/BusinessMessaging/errors/connectionErrors';
import {
	type Failure,
	failureFromException,
	failureOf,
	notStarted,
	tooLate,
} from '../../../nodes/BusinessMessaging/errors/failure';
import {
	failureFromDelivery,
	failureFromResponse,
	LOOK_UP_SENTENCES,
	SEND_SENTENCES,
} from '../../../nodes/BusinessMessaging/errors/responseErrors';
import { InputError, refuseAs } from '../../../nodes/BusinessMessaging/inputError';
import { memoryProblem } from '../../../nodes/BusinessMessaging/memory/rows';

const responded = (status: number, body: unknown = {}, sentences = SEND_SENTENCES) => {
	const response: ApiResponse = { status, headers: { 'x-ratelimit-remaining': '1' }, body };
	return () => failureFromResponse(response, sentences, 0);
};
const broken = (code: string, syscall = 'connect') =>
	failureFromHttpError(Object.assign(new Error(code), { code, syscall }));

/** Those of responses, connections and exceptions. */
const PRODUCED: Partial<Record<FailureCode, () => Failure>> = {
	keyRejected: responded(401),
	noApiAccess: responded(403),
	windowClosed: responded(400, { code: 131047 }),
	notOnNetwork: responded(400, { code: 131026 }),
	noTemplate: responded(400, { code: 133004 }),
	unsupportedType: responded(400, { code: 131051 }),
	networkHeldBack: responded(400, { code: 131049 }),
	customerOptedOut: responded(400, { code: 131050 }),
	numberRestricted: responded(400, { code: 131048 }),
	wrongVariables: responded(400, { code: 132000 }),
	templatePaused: responded(400, { code: 132015 }),
	undelivered: () => failureFromDelivery({ status: 'failed' }, 'm1', 0),
	refusedAsInvalid: responded(400),
	notFound: responded(404),
	noSuchAddress: responded(404, { message: 'Cannot POST /x' }),
	unknownMessage: responded(404, {}, LOOK_UP_SENTENCES),
	refused: responded(405),
	rateLimited: responded(429),
	noTimeLeft: () => tooLate(),
	apiBroken: responded(503),
	incompleteResponse: responded(200, { success: true }),
	unclearResponse: responded(409),
	redirected: responded(302),
	webPage: responded(200, '<!doctype html>'),
	connectionRefused: () => broken('ECONNREFUSED'),
	unknownHost: () => broken('ENOTFOUND'),
	unreachable: () => broken('EHOSTUNREACH'),
	certificate: () => broken('CERT_HAS_EXPIRED'),
	notEncrypted: () => failureFromHttpError(new Error('write EPROTO: wrong version number')),
	timeout: () => broken('ETIMEDOUT'),
	connectionFailed: () => broken('EODD'),
	credentialUnusable: () => connectionFailure('credentialUnusable', 'notSent'),
	memoryUnusable: () => failureOf(memoryProblem('Send Once Key', new Error('locked'))),
	canceled: () => notStarted().failure,
	unforeseen: () => failureFromException(new Error('odd'), 'notSent'),
};

it.each(Object.entries(PRODUCED))('a failure is named %s', (code, produce) => {
	const failure = produce();
	expect(failure.code).toBe(code);
	// All places in the sentences are filled.
	expect(failure.message + failure.remedy).not.toMatch(/[{}]|undefined/);
	// The first that a user sees of an item in the editor.
	expect(Object.keys(failure)[0]).toBe('code');
});

it('what fills a place is taken as it is', () => {
	const { message } = causeNamed('unforeseen', { reason: '$& {reason}' });
	expect(message).toBe('Something unforeseen went wrong: $& {reason}');
});

it('wrong input is named by the innermost field that says so', () => {
	const wrong = (): never => {
		throw new InputError('It is empty', 'Fill it in.');
	};
	const codeOf = (read: () => unknown) => {
		try {
			return read();
		} catch (error) {
			return failureOf(error as InputError).code;
		}
	};
	expect(codeOf(wrong)).toBe('wrongInput');
	expect(codeOf(() => refuseAs('wrongOption', wrong))).toBe('wrongOption');
	const nested = () => refuseAs('wrongOption', () => refuseAs('wrongRecipient', wrong));
	expect(codeOf(nested)).toBe('wrongRecipient');
	const other = new Error('of n8n');
	const throwOther = () =>
		refuseAs('wrongOption', () => {
			throw other;
		});
	expect(throwOther).toThrow(other);
});
