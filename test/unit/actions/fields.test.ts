import type { IDataObject } from 'n8n-workflow';

import { readCallLimits, readWaitOptions } from '../../../nodes/BusinessMessaging/actions/fields';
import { dryRunField } from '../../../nodes/BusinessMessaging/actions/sendTemplate/fields';
import { readSwitch } from '../../../nodes/BusinessMessaging/parameters';

it('nothing can be waited for', () => {
	expect(readWaitOptions({ waitFor: 'none', waitTimeout: 5 })).toBeUndefined();
	expect(readWaitOptions({})).toBeUndefined();
});

it.each(['delivered', 'read'] as const)('%s can be waited for', (waitFor) => {
	expect(readWaitOptions({ waitFor })).toEqual({ awaited: waitFor, timeoutMs: 60_000 });
	expect(readWaitOptions({ waitFor, waitTimeout: 5 })?.timeoutMs).toBe(5000);
	expect(readWaitOptions({ waitFor: ` ${waitFor.toUpperCase()} ` })?.awaited).toBe(waitFor);
});

it.each([['sent'], [''], [null]])('%j can not be waited for', (waitFor) => {
	expect(() => readWaitOptions({ waitFor })).toThrow(
		expect.objectContaining({
			message: `Wait For is "${String(waitFor)}"`,
			remedy: 'Choose one of none, delivered, read.',
		}),
	);
});

describe('a switch', () => {
	it.each<[IDataObject, boolean]>([
		[{}, false],
		[{ dryRun: true }, true],
		[{ dryRun: ' TRUE\n' }, true],
		[{ dryRun: false }, false],
		[{ dryRun: 'false' }, false],
	])('in %j is %p', (options, expected) => {
		expect(readSwitch(options, dryRunField)).toBe(expected);
	});

	it.each<[unknown, string]>([
		[undefined, 'undefined'],
		['', ''],
		['yes', 'yes'],
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

it('numbers may be texts, counts are rounded down, and what is blank is not set', () => {
	expect(readCallLimits({ timeout: ' 1.5 ', requestsPerMinute: 60.9 })).toMatchObject({
		timeoutMs: 1500,
		requestsPerMinute: 60,
	});
	for (const timeout of ['', ' ', null, undefined]) {
		expect(readCallLimits({ timeout }).timeoutMs).toBe(30_000);
	}
});

it.each<[string, number, number, (value: unknown) => unknown]>([
	['Timeout', 1, 300, (timeout) => readCallLimits({ timeout } as IDataObject)],
	['Requests per Minute', 0, 6000, (rate) => readCallLimits({ requestsPerMinute: rate } as never)],
	['Wait Timeout', 1, 86_400, (waitTimeout) => readWaitOptions({ waitTimeout } as IDataObject)],
])('%s is from %d to %d', (field, min, max, read) => {
	for (const value of [min, max]) expect(() => read(value)).not.toThrow();
	for (const value of [min - 0.1, max + 0.1, Infinity, NaN, true, [5], 'not set']) {
		expect(() => read(value)).toThrow(
			expect.objectContaining({
				message: expect.stringContaining(`${field} is "`),
				remedy: `Open Options and enter a number from ${min} to ${max}.`,
			}),
		);
	}
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
