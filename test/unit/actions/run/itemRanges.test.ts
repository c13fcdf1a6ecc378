import { showItems } from '../../../../nodes/BusinessMessaging/actions/run/itemRanges';

it.each<[string, number[]]>([
	['item 7', [7]],
	['items 0-4, 7', [0, 1, 2, 3, 4, 7]],
	['items 0, 2-3', [0, 2, 3]],
	['items 0-99999', Array.from({ length: 100_000 }, (_, item) => item)],
])('items are shown as "%s"', (text, items) => {
	expect(showItems(items)).toBe(text);
});

it('a long list says how many more there are', () => {
	const everyOther = Array.from({ length: 50_000 }, (_, item) => item * 2);
	const text = showItems(everyOther);
	expect(text).toMatch(/^items 0, 2, .*, 38 and 49980 more$/);
});
