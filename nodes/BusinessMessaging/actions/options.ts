import type { IDataObject } from 'n8n-workflow';

import { InputError, quote } from '../errors/inputError';
import { readNumber, readSwitch } from '../optionValues';
import type { Call } from '../transport/client';
import type { AwaitedStatus } from '../transport/waitFor';

export const DEFAULT_CONCURRENCY = 10;
export const MAX_CONCURRENCY = 100;
export const DEFAULT_REQUESTS_PER_MINUTE = 60;
export const MAX_REQUESTS_PER_MINUTE = 6000;
export const DEFAULT_TIMEOUT_S = 30;
export const MAX_TIMEOUT_S = 300;
export const DEFAULT_WAIT_S = 60;
export const MAX_WAIT_S = 24 * 60 * 60;

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

/** What to wait for after a message was sent, and for how long. */
export interface WaitOptions {
	awaited: AwaitedStatus;
	timeoutMs: number;
}

/**
 * @returns undefined when nothing is waited for
 * @throws InputError
 */
export function readWaitOptions({ waitFor, waitTimeout }: IDataObject): WaitOptions | undefined {
	if (waitFor !== undefined && !['none', 'delivered', 'read'].includes(String(waitFor))) {
		throw new InputError(
			`Wait For is ${quote(waitFor)}`,
			'Open Options and choose one, or let the expression give none, delivered or read.',
		);
	}
	const timeoutMs = readNumber(waitTimeout, 'Wait Timeout', DEFAULT_WAIT_S, 1, MAX_WAIT_S) * 1000;
	return waitFor === 'delivered' || waitFor === 'read'
		? { awaited: waitFor, timeoutMs }
		: undefined;
}
