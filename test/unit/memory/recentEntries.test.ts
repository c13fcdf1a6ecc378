import { createRecentEntries } from '../../../nodes/BusinessMessaging/memory/recentEntries';
import { createVirtualClock } from '../../support/virtualClock.ts';

it.each([
	['a moment before ten seconds are over', 9_999, ['event']],
	['no longer after ten seconds', 10_000, []],
])('keeps entries: %s', (_, passedMs, expected) => {
	const clock = createVirtualClock();
	const recent = createRecentEntries(clock);
	recent.add('node', ['event']);
	clock.pass(passedMs);
	expect(recent.of('node')).toEqual(expected);
});

it('keeps the entries of each store apart, and adds to those that are there', () => {
	const recent = createRecentEntries(createVirtualClock());
	recent.add('node', ['a', 'b']);
	recent.add('node', ['c']);
	expect(['node', 'other node'].map(recent.of)).toEqual([['a', 'b', 'c'], []]);
});

it('forgets what is removed, in its store only', () => {
	const recent = createRecentEntries(createVirtualClock());
	recent.add('node', ['a', 'b']);
	recent.add('other node', ['a']);
	recent.remove('node', ['a']);
	expect(['node', 'other node'].map(recent.of)).toEqual([['b'], ['a']]);
});
