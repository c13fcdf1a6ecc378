import { createKept } from '../../../nodes/BusinessMessaging/events/kept';

const START = Date.UTC(2026, 0, 31, 12);

it.each([
	['a moment before ten seconds are over', 9_999, ['event']],
	['no longer after ten seconds', 10_000, []],
])('keeps entries: %s', (_, passedMs, expected) => {
	let now = START;
	const kept = createKept(() => now);
	kept.add('node', ['event']);
	now += passedMs;
	expect(kept.of('node')).toEqual(expected);
});

it('keeps the entries of each store apart, and adds to those that are there', () => {
	const kept = createKept(() => START);
	kept.add('node', ['a', 'b']);
	kept.add('node', ['c']);
	expect(['node', 'other node'].map(kept.of)).toEqual([['a', 'b', 'c'], []]);
});
