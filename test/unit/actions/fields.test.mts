import type { IDataObject } from 'n8n-workflow';

import { dryRunField } from '../../../nodes/BusinessMessaging/actions/options/dryRun';
import { readCallLimits } from '../../../nodes/BusinessMessaging/actions/options/requests';
import { readWaitOptions } from '../../../nodes/BusinessMessaging/actions/options/waitFor';
import { readSwitch } from '../../../nodes/BusinessMessaging/parameters';
import { sentencesOf } from '../../support/sentencesOf.mts';

it.each<[IDataObject, string?, number?]>([
	[{ waitFor: 'none', waitTimeout: 5 }, undefined, undefined],
	[{ waitFor: 'delivered', waitTimeout: 5 }, 'delivered', 5000],
	[{ waitFor: ' READ ' }, 'read', 60_000],
])('the options %j wait for %s', (options, awaited, timeoutMs) => {
	expect(readWaitOptions(options)).toEqual(awaited && { awaited, timeoutMs });
});

it('what is not in the list can not be waited for', () => {
	const sentences = 'Wait For is "sent". Choose one of delivered, none, read.';
	expect(sentencesOf(() => readWaitOptions({ waitFor: 'sent' }))).toBe(sentences);
});

it('a switch may be a text, is off until it is added, and refused rather than off', () => {
	const switches = [{}, { dryRun: ' TRUE\n' }, { dryRun: false }, { dryRun: 'false' }];
	const read = switches.map((options) => readSwitch(options, dryRunField));
	expect(read).toEqual([false, true, false, false]);
	for (const dryRun of ['', 'yes', 0]) {
		const sentences = sentencesOf(() => readSwitch({ dryRun }, dryRunField));
		expect(sentences).toContain(`Dry Run is "${dryRun}". Turn it on or off`);
	}
});

it('numbers may be texts, and what is blank is not set', () => {
	const limits = readCallLimits({ timeout: ' 1.5 ', requestsPerMinute: ' 60 ' });
	expect(limits).toMatchObject({ timeoutMs: 1500, requestsPerMinute: 60 });
	for (const timeout of [' ', null]) expect(readCallLimits({ timeout }).timeoutMs).toBe(30_000);
	// 0 is no limit.
	const rates = [0, 0.5].map((rate) => readCallLimits({ requestsPerMinute: rate }));
	expect(rates).toMatchObject([{ requestsPerMinute: 0 }, { requestsPerMinute: 1 }]);
});

it.each<[string, number, number, (value: unknown) => unknown]>([
	['Timeout', 1, 300, (timeout) => readCallLimits({ timeout } as IDataObject)],
	['Requests per Minute', 0, 6000, (rate) => readCallLimits({ requestsPerMinute: rate } as never)],
	['Wait Timeout', 1, 86_400, (waitTimeout) => readWaitOptions({ waitTimeout } as IDataObject)],
])('%s is from %d to %d', (field, min, max, read) => {
	for (const value of [min, max]) expect(() => read(value)).not.toThrow();
	for (const value of [min - 0.1, max + 0.1, Infinity, NaN, true, [5], 'not set']) {
		const sentences = sentencesOf(() => read(value));
		expect(sentences).toMatch(new RegExp(`^${field} is ".+"\\. Enter a number`));
		expect(sentences).toContain(` a number from ${min} to ${max}.`);
	}
});
