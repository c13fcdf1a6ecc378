import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InputError, quote } from '../errors/inputError';
import { readChoice, readNumber, readSwitch } from '../optionValues';
import type { Call } from '../transport/client';
import type { AwaitedStatus } from '../transport/waitFor';
import {
	requestsPerMinuteField,
	retryUnknownOutcomeField,
	timeoutField,
	waitForField,
	waitTimeoutField,
} from './fields';

/** Equal to nothing that an expression can give. */
const NOT_ADDED: unknown = Symbol('not added');

/** Whether the user added an option, whatever its value is. */
export function hasOption(context: IExecuteFunctions, name: string): boolean {
	const raw = { rawExpressions: true };
	return context.getNodeParameter(`options.${name}`, 0, NOT_ADDED, raw) !== NOT_ADDED;
}

/** How the requests of one item are made. */
export type CallLimits = Pick<
	Call<unknown>,
	'timeoutMs' | 'requestsPerMinute' | 'retryUnknownOutcome'
>;

/** @throws InputError */
export function readCallLimits(options: IDataObject): CallLimits {
	return {
		timeoutMs: readNumber(options.timeout, timeoutField, timeoutField.default) * 1000,
		requestsPerMinute: readRequestsPerMinute(options.requestsPerMinute),
		retryUnknownOutcome: readSwitch(options, retryUnknownOutcomeField),
	};
}

/** Whole; 0 for no limit, which a half must not become. */
function readRequestsPerMinute(value: unknown): number {
	const limit = readNumber(value, requestsPerMinuteField, requestsPerMinuteField.default);
	if (limit === 0 || limit >= 1) return Math.floor(limit);
	throw new InputError(
		`${requestsPerMinuteField.displayName} is ${quote(value)}`,
		`Open Options and enter a number from 1 to ${requestsPerMinuteField.typeOptions.maxValue}, or 0 to send without waiting.`,
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
	const choice =
		waitFor === undefined
			? 'none'
			: readChoice(waitFor, waitForField, ['none', 'delivered', 'read']);
	const timeoutMs = readNumber(waitTimeout, waitTimeoutField, waitTimeoutField.default) * 1000;
	return choice === 'none' ? undefined : { awaited: choice, timeoutMs };
}
