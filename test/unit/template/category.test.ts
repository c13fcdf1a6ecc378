import fc from 'fast-check';

import { CATEGORIES } from '../../../nodes/BusinessMessaging/api';
import { isWindowOpen, SERVICE_WINDOW_MS } from '../../../nodes/BusinessMessaging/serviceWindow';
import { categoryAt } from '../../../nodes/BusinessMessaging/template/category';

const NOW = Date.UTC(2026, 0, 31, 14, 5);
const MINUTE_MS = 60_000;

describe('the category that Auto chooses', () => {
	const auto = { category: 'auto', fallbackCategory: 'marketing' } as const;

	it.each([
		['at the moment of the last message', 0, 'service'],
		['1 ms before 24 hours are over', 24 * 3_600_000 - 1, 'service'],
		['when 24 hours are over', 24 * 3_600_000, 'marketing'],
		['days later', 72 * 3_600_000, 'marketing'],
		['when the clock of the sender is ahead', -MINUTE_MS, 'service'],
	])('%s, %i ms after it, is %s', (_, age, expected) => {
		expect(categoryAt({ ...auto, customerLastMessageAt: NOW }, NOW + age)).toBe(expected);
	});

	it.each([...CATEGORIES])('a fixed category stays: %s', (category) => {
		expect(categoryAt({ category }, NOW)).toBe(category);
	});

	it('is service exactly while the window is open', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: NOW }), fc.integer({ min: 0, max: 3e8 }), (at, age) => {
				const open = age < SERVICE_WINDOW_MS;
				expect(isWindowOpen(at, at + age)).toBe(open);
				expect(categoryAt({ ...auto, customerLastMessageAt: at }, at + age) === 'service').toBe(
					open,
				);
			}),
		);
	});
});
