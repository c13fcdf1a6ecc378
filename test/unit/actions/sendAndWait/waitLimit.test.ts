import { readWaitLimit } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/waitLimit';
import { withParameters } from '../../../support/parameters.ts';

function read(limitWaitTime: unknown, limitWaitTimeUnit: unknown) {
	return readWaitLimit(withParameters({ limitWaitTime, limitWaitTimeUnit }));
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;

it.each([
	[15, 'seconds', 15 * SECOND],
	['1.5', 'minutes', 90 * SECOND],
	[2, 'hours', 2 * HOUR],
	[2, ' Hours', 2 * HOUR],
	[30, 'days', 30 * 24 * HOUR],
])('%s %s are a limit to the wait', (amount, unit, expected) => {
	expect(read(amount, unit)).toBe(expected);
});

it('is a day when none is set', () => {
	expect(readWaitLimit(withParameters({}))).toBe(24 * HOUR);
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
])('a limit of %j %s is refused', (amount, unit) => {
	expect(() => read(amount, unit)).toThrow(
		expect.objectContaining({
			message: expect.stringMatching(/^Limit Wait Time is "/),
			remedy: expect.stringContaining('15 seconds to 30 days'),
		}),
	);
});
