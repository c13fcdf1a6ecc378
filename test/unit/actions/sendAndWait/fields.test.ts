import { readWaitLimit } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/fields';
import { withParameters } from '../../../support/parameters.ts';
import { refusal } from '../../../support/refusal.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

it.each<[unknown, unknown, number]>([
	[15, 'seconds', 15 * SECOND],
	['1.5', 'minutes', 90 * SECOND],
	[2, ' Hours', 2 * HOUR],
	[30, 'days', 30 * DAY],
])('a limit of %j %j is read, and no limit as a day', (limitWaitTime, limitWaitTimeUnit, ms) => {
	expect(readWaitLimit(withParameters({ limitWaitTime, limitWaitTimeUnit }))).toBe(ms);
	expect(readWaitLimit(withParameters({}))).toBe(DAY);
});

it.each<[unknown, unknown]>([
	[14, 'seconds'],
	[31, 'days'],
	['', 'hours'],
	[[1], 'days'],
	[1, 'constructor'],
])('a limit of %j %j is refused', (limitWaitTime, limitWaitTimeUnit) => {
	const parameters = { limitWaitTime, limitWaitTimeUnit };
	const sentences = refusal(() => readWaitLimit(withParameters(parameters)));
	expect(sentences).toMatch(/^Limit Wait Time is ".*15 seconds to 30 days/);
});
