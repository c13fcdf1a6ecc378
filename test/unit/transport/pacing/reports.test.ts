import type { RateLimit } from '../../../../nodes/BusinessMessaging/transport/pacing/rateLimit';
import { createReports } from '../../../../nodes/BusinessMessaging/transport/pacing/reports';

const WINDOW_MS = 60_000;

/** The first answer tells of 20 places left in a window that ends at 10,000. */
function known() {
	const reports = createReports(WINDOW_MS);
	reports.add({ remaining: 20, resetInMs: 10_000 }, 0);
	return reports;
}

it.each<[RateLimit]>([[{ remaining: 5 }], [{ resetInMs: 5 }], [{}]])(
	'an answer with no more than %j tells nothing',
	(rateLimit) => {
		const reports = createReports(WINDOW_MS);
		expect(reports.add(rateLimit, 0)).toBe(false);
		expect([reports.highest(), reports.endsAt()]).toEqual([0, -Infinity]);
	},
);

it('of one window the lowest number is left, and the highest is kept', () => {
	const reports = known();
	for (const remaining of [30, 15, 25]) reports.add({ remaining, resetInMs: 10_000 }, 0);
	expect([reports.remaining(0), reports.highest()]).toEqual([15, 30]);
});

it.each([
	['before is of the window before, and tells nothing', 8999, 20, 10_000],
	['before is of this window', 9000, 3, 10_000],
	['after is of this window', 11_000, 3, 10_000],
	['after is of another window', 11_001, 3, 11_001],
])('a reset about a second %s: %d', (_, end, remaining, endsAt) => {
	const reports = known();
	reports.add({ remaining: 3, resetInMs: end - 5000 }, 5000);
	expect([reports.remaining(5000), reports.endsAt()]).toEqual([remaining, endsAt]);
});

it('what is left is known until the window ends', () => {
	expect(known().remaining(9999)).toBe(20);
	expect(known().remaining(10_000)).toBeUndefined();
});

it('an answer at the end of a window is of the next one, however soon that ends', () => {
	const reports = known();
	expect(reports.add({ remaining: 30, resetInMs: 500 }, 10_000)).toBe(true);
	expect([reports.remaining(10_000), reports.endsAt()]).toEqual([30, 10_500]);
});

describe('a count that begins anew', () => {
	it('has done so at the end of the window that is known, and not before', () => {
		expect(known().beganAt(9999)).toBe(-Infinity);
		expect(known().beganAt(10_000)).toBe(10_000);
	});

	it.each([
		[47_999, 'has not done so', false, 10_000],
		[48_000, 'has done so', true, 58_000],
	])('%d ms later %s again', (resetInMs, _, hasBegun, beganAt) => {
		const reports = known();
		reports.add({ remaining: 59, resetInMs }, 10_000);
		const end = 10_000 + resetInMs;
		expect(reports.beganAt(end)).toBe(beganAt);
		expect(reports.add({ remaining: 59, resetInMs: WINDOW_MS }, end)).toBe(hasBegun);
		expect(reports.beganAt(end)).toBe(beganAt);
	});
});

it('the part that others leave is told by all windows, those before counting half', () => {
	const reports = known();
	expect(reports.share()).toBe(1);
	reports.add({ remaining: 16, resetInMs: 10_000 }, 0);
	reports.add({ remaining: 12, resetInMs: 10_000 }, 0);
	expect(reports.share()).toBe(2 / 8);
	reports.add({ remaining: 59, resetInMs: WINDOW_MS }, 10_000);
	reports.add({ remaining: 58, resetInMs: WINDOW_MS }, 10_000);
	expect(reports.share()).toBe((1 + 1) / (4 + 1));
});
