import { readWaitLimit } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/fields';
import { withParameters } from '../../../support/parameters.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

it.each<[unknown, unknown, number]>([
	[undefined, undefined, 24 * HOUR],
	[15, 'seconds', 15 * SECOND],
	['1.5', 'minutes', 90 * SECOND],
	[2, ' Hours', 2 * HOUR],
	[30, 'days', 30 * 24 * HOUR],
])('a limit of %j %j is read', (limitWaitTime, limitWaitTimeUnit, expected) => {
	const parameters = limitWaitTime ? { limitWaitTime, limitWaitTimeUnit } : {};
	expect(readWaitLimit(withParameters(parameters))).toBe(expected);
});

it.each<[unknown, unknown]>([
	[14, 'seconds'],
	[31, 'days'],
	['', 'hours'],
	['soon', 'hours'],
	[[1], 'days'],
	[1, 'weeks'],
	[1, 'constructor'],
])('a limit of %j %j is refused', (limitWaitTime, limitWaitTimeUnit) => {
	expect(() => readWaitLimit(withParameters({ limitWaitTime, limitWaitTimeUnit }))).toThrow(
		expect.objectContaining({
			message: expect.stringMatching(/^Limit Wait Time is "/),
			remedy: expect.stringContaining('15 seconds to 30 days'),
		}),
	);
});
