import type { IExecuteFunctions } from 'n8n-workflow';

import type { SendJob } from '../../../nodes/BusinessMessaging/actions/sendTemplate/sending';
import { ledgerEntryOf } from '../../../nodes/BusinessMessaging/actions/sendTemplate/steps/inLedger';
import type { ApiResponse } from '../../../nodes/BusinessMessaging/api';
import {
	causeNamed,
	FAILURES,
	type FailureCode,
} from '../../../nodes/BusinessMessaging/errors/catalogue';
import {
	connectionFailure,
	failureFromHttpError,
} from '../../../nodes/BusinessMessaging/errors/connectionErrors';
import {
	type Failed,
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
import { Ledger } from '../../../nodes/BusinessMessaging/memory/ledger';
import { memoryProblem, type Rows } from '../../../nodes/BusinessMessaging/memory/rows';
import { Lineage } from '../../../nodes/BusinessMessaging/run/lineage';
import { NODE } from '../../support/sendNode.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const responded = (status: number, body: unknown = {}, sentences = SEND_SENTENCES) => {
	const response: ApiResponse = { status, headers: { 'x-ratelimit-remaining': '1' }, body };
	return () => failureFromResponse(response, sentences, 0);
};
const broken = (code: string, syscall = 'connect') =>
	failureFromHttpError(Object.assign(new Error(code), { code, syscall }));

const ERROR = { message: 'No rows' };
const FAILED = { lastNodeExecuted: 'Sheet', error: ERROR, runData: { Sheet: [{ error: ERROR }] } };

const CALLED_BY_RETRY = {
	getMode: () => 'integrated',
	additionalData: { rootExecutionMode: 'retry' },
	runExecutionData: { parentExecution: { executionId: '1' } },
};

/** @param entries of the row of the lineage */
const rowWith = (entries: number) => ({ insert: async () => true, count: async () => entries });

/** A Retry of an execution that ended at another node. */
async function retried(
	retryOf: string | undefined,
	rows: Partial<Rows>,
	changes: object = {},
): Promise<Failure> {
	const stored = retryOf === undefined ? {} : { ledger: { lineage: '1', execution: retryOf } };
	const context = {
		getMode: () => 'retry',
		getNode: () => NODE,
		getWorkflow: () => ({ id: 'w1' }),
		getExecutionId: () => '2',
		getExecuteData: () => ({}),
		getContext: () => structuredClone(stored),
		getExecutionContext: () => undefined,
		getExecutionDataById: async () => ({ resultData: FAILED }),
		...changes,
	} as unknown as IExecuteFunctions;
	const lineage = new Lineage(context, createVirtualClock(), {
		isRemembered: false,
		isTest: false,
	});
	const refused = await lineage.join(async () => rows as Rows);
	if (!refused || !('failure' in refused)) throw new Error('It may send');
	return refused.failure;
}

const JOB = { message: { to: '+12025550110', templateName: 'order_update' } } as SendJob;

/** What a Retry knows of a message. @param told what n8n says of its rows, one after the other */
async function recalled(...told: Array<boolean | number>): Promise<Failure> {
	const tell = async () => told.shift() as never;
	const rows = { hasMode: tell, count: tell, create: tell } as Partial<Rows> as Rows;
	const run = {
		lineage: '1',
		told: { input: '', numbers: {}, earlier: {}, salts: [], gapsTo: 0 },
		hasPast: true,
		mayMeet: false,
		isRetried: async () => true,
		rowNames: [],
	};
	const ledger = new Ledger(async () => rows, createVirtualClock(), run);
	const message = { ...ledgerEntryOf(JOB)!, itemIndex: 0, apiKey: 'key' };
	const { signal } = new AbortController();
	const outcomes = await ledger.recall([message], new Map(), signal);
	return (outcomes.get(0) as Failed).failure;
}

const PRODUCED: Record<FailureCode, () => Failure | Promise<Failure>> = {
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
	overLimit: () => failureOf(causeNamed('overLimit', { limit: '₹10' })),
	overBudget: () =>
		failureOf(causeNamed('overBudget', { limit: '₹10', period: 'day', spent: '₹9' })),
	tooManyPeople: () => failureOf(causeNamed('tooManyPeople', { period: 'day', people: 3 })),
	keyOutcomeUnknown: () => failureOf(causeNamed('keyOutcomeUnknown'), 'unknown'),
	earlierCallUnknown: () => failureOf(causeNamed('earlierCallUnknown'), 'unknown'),
	memoryUnusable: () => failureOf(memoryProblem('Send Once Key', new Error('locked'))),
	retriedBefore: async () => await retried('1', rowWith(2)),
	notStored: async () => await retried(undefined, {}),
	retryUnchecked: async () =>
		await retried('1', { count: async () => await Promise.reject(new Error('locked')) }),
	otherVersion: async () => await retried('1', rowWith(9)),
	calledBefore: async () => await retried('1', {}, CALLED_BY_RETRY),
	interrupted: async () => await recalled(1, 0, true, 1),
	interruptedWithOtherValues: async () => await recalled(1, 0, false),
	canceled: () => notStarted().failure,
	unforeseen: () => failureFromException(new Error('odd'), 'notSent'),
};

it('a row of another version is told as such', async () => {
	expect(await recalled(9, 0)).toMatchObject({ code: 'otherVersion', outcome: 'unknown' });
});

it.each(Object.keys(FAILURES) as FailureCode[])('a failure is named %s', async (code) => {
	const failure = await PRODUCED[code]();
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
