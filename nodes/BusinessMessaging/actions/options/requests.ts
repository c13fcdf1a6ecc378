import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { EXPERT_OPTIONS, readNumber, type ValuesOf } from '../../parameters';
import type { Call } from '../../transport/client';

export const timeoutField = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 300 },
	default: 30,
	description: 'How long to wait for a response of the API',
} as const satisfies INodeProperties;

export const concurrencyField = {
	displayName: 'Requests in Parallel',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 10,
	description:
		'How many requests may be in flight at the same time. The value of the first item applies to all items.',
} as const satisfies INodeProperties;

export const requestsPerMinuteField = {
	displayName: 'Requests per Minute',
	name: 'requestsPerMinute',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 6000 },
	default: 60,
	description:
		'The rate limit of your account. All workflows that use the same key take turns. 0 sends without waiting.',
} as const satisfies INodeProperties;

/** How the requests of one item are made. */
export type CallLimits = Pick<Call<unknown>, 'timeoutMs' | 'requestsPerMinute'>;

/** @throws InputError */
export function readCallLimits(
	options: ValuesOf<typeof timeoutField | typeof requestsPerMinuteField>,
): CallLimits {
	return {
		timeoutMs: readNumber(options.timeout, timeoutField, timeoutField.default) * 1000,
		// 0 is no limit, so 0.5 must not be rounded to it.
		requestsPerMinute: Math.ceil(
			readNumber(options.requestsPerMinute, requestsPerMinuteField, requestsPerMinuteField.default),
		),
	};
}

/** How many requests of the run may be in flight at the same time. @throws InputError */
export function readConcurrency(context: IExecuteFunctions): number {
	const { name, default: unset } = concurrencyField;
	const value = context.getNodeParameter(`${EXPERT_OPTIONS.name}.${name}`, 0, unset);
	return Math.floor(readNumber(value, concurrencyField, unset));
}
