import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InputError, quote } from '../errors/inputError';
import { readNumber, readSwitch } from '../optionValues';
import type { Call } from '../transport/client';
import type { Awaited } from '../transport/waitFor';
import { readTestRecipient } from './sendTemplate/testRecipient';

const DEFAULT_CONCURRENCY = 10;
export const MAX_CONCURRENCY = 100;
const DEFAULT_REQUESTS_PER_MINUTE = 60;
export const MAX_REQUESTS_PER_MINUTE = 6000;
const DEFAULT_TIMEOUT_S = 30;
export const MAX_TIMEOUT_S = 300;
/** No expression gives this by mistake. */
const NOT_SET = 'not set';
const DEFAULT_WAIT_S = 60;
export const MAX_WAIT_S = 24 * 60 * 60;

/** Options that hold for a whole run; they are read from its first item. */
export interface RunOptions {
	concurrency: number;
	/** INR; Infinity for no limit. */
	spendingLimit: number;
	/** E.164; to whom everything goes in a run by hand. */
	testRecipient?: string;
}

/** @throws InputError */
export function readRunOptions(context: IExecuteFunctions): RunOptions {
	// One by one: what is wrong with another option of the first item is that item's own matter.
	const concurrency = context.getNodeParameter('options.concurrency', 0, DEFAULT_CONCURRENCY);
	const spendingLimit = context.getNodeParameter('options.spendingLimit', 0, NOT_SET);
	return {
		concurrency: Math.floor(
			readNumber(concurrency, 'Requests in Parallel', DEFAULT_CONCURRENCY, 1, MAX_CONCURRENCY),
		),
		// Without a default: a limit that an expression failed to give must not pass for none.
		spendingLimit:
			spendingLimit === NOT_SET
				? Infinity
				: readNumber(spendingLimit, 'Spending Limit', undefined, 0),
		testRecipient: readTestRecipient(context),
	};
}

/** How the requests of one item are made. */
export type CallLimits = Pick<
	Call<unknown>,
	'timeoutMs' | 'requestsPerMinute' | 'retryUnknownOutcome'
>;

/** @throws InputError */
export function readCallLimits(options: IDataObject): CallLimits {
	const timeout = readNumber(options.timeout, 'Timeout', DEFAULT_TIMEOUT_S, 1, MAX_TIMEOUT_S);
	return {
		timeoutMs: timeout * 1000,
		requestsPerMinute: readRequestsPerMinute(options.requestsPerMinute),
		retryUnknownOutcome: readSwitch(
			options,
			'retryUnknownOutcome',
			'Retry When Outcome Is Unknown',
		),
	};
}

/** Whole; 0 for no limit, which a half must not become. */
function readRequestsPerMinute(value: unknown): number {
	const name = 'Requests per Minute';
	const limit = readNumber(value, name, DEFAULT_REQUESTS_PER_MINUTE, 0, MAX_REQUESTS_PER_MINUTE);
	if (limit === 0 || limit >= 1) return Math.floor(limit);
	throw new InputError(
		`${name} is ${quote(value)}`,
		`Open Options and enter a number from 1 to ${MAX_REQUESTS_PER_MINUTE}, or 0 to send without waiting.`,
	);
}

export interface WaitOptions {
	waitFor?: Awaited;
	waitTimeoutMs: number;
}

/** @throws InputError */
export function readWaitOptions({ waitFor, waitTimeout }: IDataObject): WaitOptions {
	if (waitFor !== undefined && !['none', 'delivered', 'read'].includes(String(waitFor))) {
		throw new InputError(
			`Wait For is ${quote(waitFor)}`,
			'Open Options and choose one, or let the expression give none, delivered or read.',
		);
	}
	return {
		waitFor: waitFor === 'delivered' || waitFor === 'read' ? waitFor : undefined,
		waitTimeoutMs: readNumber(waitTimeout, 'Wait Timeout', DEFAULT_WAIT_S, 1, MAX_WAIT_S) * 1000,
	};
}
