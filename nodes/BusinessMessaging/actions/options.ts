import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InputError, quote } from '../inputError';
import type { Call } from '../transport/client';
import type { Awaited } from '../transport/waitFor';

const DEFAULT_CONCURRENCY = 10;
export const MAX_CONCURRENCY = 100;
const DEFAULT_REQUESTS_PER_MINUTE = 60;
export const MAX_REQUESTS_PER_MINUTE = 6000;
const DEFAULT_TIMEOUT_S = 30;
export const MAX_TIMEOUT_S = 300;
const DEFAULT_WAIT_S = 60;
export const MAX_WAIT_S = 24 * 60 * 60;

/** Options that hold for a whole run; they are read from its first item. */
export interface RunOptions {
	concurrency: number;
	/** INR; undefined for no limit. */
	spendingLimit?: number;
}

/** @throws InputError */
export function readRunOptions(context: IExecuteFunctions): RunOptions {
	const { concurrency, spendingLimit } = context.getNodeParameter('options', 0, {}) as IDataObject;
	return {
		concurrency: Math.floor(
			readNumber(concurrency, 'Parallel Requests', DEFAULT_CONCURRENCY, 1, MAX_CONCURRENCY),
		),
		spendingLimit:
			spendingLimit === undefined ? undefined : readNumber(spendingLimit, 'Spending Limit', 0, 0),
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
		requestsPerMinute: Math.floor(
			readNumber(
				options.requestsPerMinute,
				'Requests per Minute',
				DEFAULT_REQUESTS_PER_MINUTE,
				0,
				MAX_REQUESTS_PER_MINUTE,
			),
		),
		retryUnknownOutcome: options.retryUnknownOutcome === true,
	};
}

export interface WaitOptions {
	waitFor?: Awaited;
	waitTimeoutMs: number;
}

/** @throws InputError */
export function readWaitOptions({ waitFor, waitTimeout }: IDataObject): WaitOptions {
	if (waitFor !== undefined && !['none', 'delivered', 'read'].includes(String(waitFor))) {
		throw new InputError(`Wait For is ${quote(waitFor)}`, 'Choose none, delivered or read.');
	}
	return {
		waitFor: waitFor === 'delivered' || waitFor === 'read' ? waitFor : undefined,
		waitTimeoutMs: readNumber(waitTimeout, 'Wait Timeout', DEFAULT_WAIT_S, 1, MAX_WAIT_S) * 1000,
	};
}

function readNumber(
	value: unknown,
	field: string,
	fallback: number,
	min: number,
	max = Infinity,
): number {
	const isText = typeof value === 'string';
	if (value === undefined || value === null || (isText && value.trim() === '')) return fallback;
	const number = isText || typeof value === 'number' ? Number(value) : NaN;
	if (number >= min && number <= max && number !== Infinity) return number;
	const range = max === Infinity ? `from ${min} up` : `from ${min} to ${max}`;
	throw new InputError(`${field} is ${quote(value)}`, `Open Options and enter a number ${range}.`);
}
