import type { IExecuteFunctions } from 'n8n-workflow';

import { readWaitLimit } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/waitLimit';

function read(limitWaitTime?: unknown, limitWaitTimeUnit?: unknown) {
	const values: Record<string, unknown> = { limitWaitTime, limitWaitTimeUnit };
	return readWaitLimit({
		getNodeParameter: (name: string, _: number, fallback: unknown) => values[name] ?? fallback,
	} as unknown as IExecuteFunctions);
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;

it.each([
	[undefined, undefined, 24 * HOUR],
	[15, 'seconds', 15 * SECOND],
	['1.5', 'minutes', 90 * SECOND],
	[2, 'hours', 2 * HOUR],
	[30, 'days', 30 * 24 * HOUR],
])('%s %s', (amount, unit, expected) => {
	expect(read(amount, unit)).toBe(expected);
});

it.each([
	[14, 'seconds'],
	[31, 'days'],
	[0, 'hours'],
	[-1, 'hours'],
	['', 'hours'],
	['soon', 'hours'],
	[1, 'weeks'],
	[1, 'constructor'],
	[[1], 'days'],
])('%j %s is refused', (amount, unit) => {
	expect(() => read(amount, unit)).toThrow(/Limit Wait Time is .*/);
});
