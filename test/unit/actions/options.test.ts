import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readCallLimits, readWaitOptions } from '../../../nodes/BusinessMessaging/actions/options';
import { readRunOptions } from '../../../nodes/BusinessMessaging/actions/run/runOptions';
import { dryRunField } from '../../../nodes/BusinessMessaging/actions/sendTemplate/optionFields';
import { readSwitch } from '../../../nodes/BusinessMessaging/optionValues';

/** As n8n gives them: one by one, from the first item. */
function runOptions(options: IDataObject) {
	const getNodeParameter = (path: string, itemIndex: number, fallback: unknown) => {
		expect(itemIndex).toBe(0);
		const name = path.replace(/^options\./, '');
		return name in options ? options[name] : fallback;
	};
	return readRunOptions({ getNodeParameter } as unknown as IExecuteFunctions, 'customers');
}

it('nothing can be waited for', () => {
	expect(readWaitOptions({ waitFor: 'none', waitTimeout: 5 })).toBeUndefined();
});

it.each(['delivered', 'read'] as const)('%s can be waited for', (waitFor) => {
	expect(readWaitOptions({ waitFor })).toEqual({ awaited: waitFor, timeoutMs: 60_000 });
	expect(readWaitOptions({ waitFor, waitTimeout: 5 })?.timeoutMs).toBe(5000);
	expect(readWaitOptions({ waitFor: ` ${waitFor.toUpperCase()} ` })?.awaited).toBe(waitFor);
});

it.each([['sent'], [''], [null], [true]])('%j can not be waited for', (waitFor) => {
	expect(() => readWaitOptions({ waitFor })).toThrow(
		expect.objectContaining({
			message: `Wait For is "${String(waitFor)}"`,
			remedy: 'Choose one of none, delivered, read.',
		}),
	);
});

describe('a switch', () => {
	it('is off when it was not added', () => {
		expect(readSwitch({}, dryRunField)).toBe(false);
	});

	it.each<[unknown, boolean]>([
		[true, true],
		['true', true],
		[' TRUE\n', true],
		[false, false],
		['false', false],
	])('that is %j is %p', (dryRun, expected) => {
		expect(readSwitch({ dryRun } as IDataObject, dryRunField)).toBe(expected);
	});

	it.each<[unknown, string]>([
		[undefined, 'undefined'],
		[null, 'null'],
		['', ''],
		['yes', 'yes'],
		[1, '1'],
		[0, '0'],
		[[true], '[true]'],
	])('that is %j is refused: it must not pass for "off"', (dryRun, shown) => {
		expect(() => readSwitch({ dryRun } as IDataObject, dryRunField)).toThrow(
			expect.objectContaining({
				message: `Dry Run is "${shown}"`,
				remedy: expect.stringContaining('switch it on or off'),
			}),
		);
	});

	it('lets a message be sent again after an unknown outcome', () => {
		expect(readCallLimits({ retryUnknownOutcome: true }).retryUnknownOutcome).toBe(true);
		expect(() => readCallLimits({ retryUnknownOutcome: 'yes' })).toThrow(
			'Retry When Outcome Is Unknown is "yes"',
		);
	});
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

it.each<[unknown]>([[''], [' '], [null], [undefined]])(
	'does not take %j for the absence of a spending limit',
	(spendingLimit) => {
		expect(() => runOptions({ spendingLimit } as IDataObject)).toThrow(
			expect.objectContaining({ remedy: 'Open Options and enter a number from 0 up.' }),
		);
	},
);

describe('the range', () => {
	const readers: Record<string, (value: unknown) => unknown> = {
		'Requests in Parallel': (value) => runOptions({ concurrency: value } as IDataObject),
		'Spending Limit': (value) => runOptions({ spendingLimit: value } as IDataObject),
		Timeout: (value) => readCallLimits({ timeout: value } as IDataObject),
		'Requests per Minute': (value) => readCallLimits({ requestsPerMinute: value } as IDataObject),
		'Wait Timeout': (value) => readWaitOptions({ waitTimeout: value } as IDataObject),
	};

	it.each<[string, number, number | undefined]>([
		['Requests in Parallel', 1, 100],
		['Spending Limit', 0, undefined],
		['Timeout', 1, 300],
		['Requests per Minute', 0, 6000],
		['Wait Timeout', 1, 86_400],
	])('of %s is %d to %p', (field, min, max) => {
		const read = readers[field];
		const range = max === undefined ? `from ${min} up` : `from ${min} to ${max}`;
		for (const value of [min, max ?? 1e9]) expect(() => read(value)).not.toThrow();
		for (const value of [min - 0.1, (max ?? Infinity) + 0.1, Infinity, NaN, true, [5], 'not set']) {
			expect(() => read(value)).toThrow(
				expect.objectContaining({
					message: expect.stringContaining(`${field} is "`),
					remedy: `Open Options and enter a number ${range}.`,
				}),
			);
		}
	});
});

it('half a request per minute is refused: it must not become none, which is no limit', () => {
	expect(() => readCallLimits({ requestsPerMinute: 0.5 })).toThrow(
		expect.objectContaining({
			message: 'Requests per Minute is "0.5"',
			remedy: expect.stringContaining('from 1 to 6000, or 0 to send without waiting'),
		}),
	);
	const limits = [0, 1].map((requestsPerMinute) => readCallLimits({ requestsPerMinute }));
	expect(limits.map(({ requestsPerMinute }) => requestsPerMinute)).toEqual([0, 1]);
});
