import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	readCallLimits,
	readRunOptions,
	readWaitOptions,
} from '../../../nodes/BusinessMessaging/actions/options';

function runOptions(options: IDataObject) {
	const getNodeParameter = jest.fn().mockReturnValue(options);
	const read = readRunOptions({ getNodeParameter } as unknown as IExecuteFunctions);
	expect(getNodeParameter).toHaveBeenCalledWith('options', 0, {});
	return read;
}

it('without options, a run has 10 requests at a time and no spending limit', () => {
	expect(runOptions({})).toEqual({ concurrency: 10 });
});

it('without options, a request has 30 seconds, a place among 60 a minute, and one try', () => {
	expect(readCallLimits({})).toEqual({
		timeoutMs: 30_000,
		requestsPerMinute: 60,
		retryUnknownOutcome: false,
	});
});

it('without options, nothing is waited for', () => {
	expect(readWaitOptions({})).toEqual({ waitTimeoutMs: 60_000 });
	expect(readWaitOptions({ waitFor: 'none', waitTimeout: 5 })).toEqual({ waitTimeoutMs: 5000 });
});

it.each(['delivered', 'read'] as const)('%s can be waited for', (waitFor) => {
	expect(readWaitOptions({ waitFor })).toEqual({ waitFor, waitTimeoutMs: 60_000 });
});

it.each([['sent'], [''], [null], [true]])('%j can not be waited for', (waitFor) => {
	expect(() => readWaitOptions({ waitFor })).toThrow(
		expect.objectContaining({
			message: `Wait For is "${String(waitFor)}"`,
			remedy: 'Choose none, delivered or read.',
		}),
	);
});

it('sends again after an unknown outcome only when that is switched on', () => {
	expect(readCallLimits({ retryUnknownOutcome: true }).retryUnknownOutcome).toBe(true);
	expect(readCallLimits({ retryUnknownOutcome: 'true' }).retryUnknownOutcome).toBe(false);
});

it('rounds counts down and takes numbers given as text', () => {
	expect(runOptions({ concurrency: ' 7.9 ', spendingLimit: '0.5' })).toEqual({
		concurrency: 7,
		spendingLimit: 0.5,
	});
	expect(readCallLimits({ timeout: 1.5, requestsPerMinute: 60.9 })).toMatchObject({
		timeoutMs: 1500,
		requestsPerMinute: 60,
	});
});

it.each<[unknown]>([[''], [' '], [null], [undefined]])(
	'takes %j for an option not set',
	(value) => {
		const options = { concurrency: value, timeout: value } as IDataObject;
		expect(runOptions(options).concurrency).toBe(10);
		expect(readCallLimits(options).timeoutMs).toBe(30_000);
	},
);

describe('the range', () => {
	const readers: Record<string, (value: unknown) => unknown> = {
		'Parallel Requests': (value) => runOptions({ concurrency: value } as IDataObject),
		'Spending Limit': (value) => runOptions({ spendingLimit: value } as IDataObject),
		Timeout: (value) => readCallLimits({ timeout: value } as IDataObject),
		'Requests per Minute': (value) => readCallLimits({ requestsPerMinute: value } as IDataObject),
		'Wait Timeout': (value) => readWaitOptions({ waitTimeout: value } as IDataObject),
	};

	it.each<[string, number, number | undefined]>([
		['Parallel Requests', 1, 100],
		['Spending Limit', 0, undefined],
		['Timeout', 1, 300],
		['Requests per Minute', 0, 6000],
		['Wait Timeout', 1, 86_400],
	])('of %s is %d to %p', (field, min, max) => {
		const read = readers[field];
		const range = max === undefined ? `from ${min} up` : `from ${min} to ${max}`;
		for (const value of [min, max ?? 1e9]) expect(() => read(value)).not.toThrow();
		for (const value of [min - 0.1, (max ?? Infinity) + 0.1, Infinity, NaN, true, [5], 'five']) {
			expect(() => read(value)).toThrow(
				expect.objectContaining({
					message: expect.stringContaining(`${field} is "`),
					remedy: `Open Options and enter a number ${range}.`,
				}),
			);
		}
	});
});
