import { createRecentEntries } from '../../../nodes/BusinessMessaging/memory/recentEntries';
import { createVirtualClock } from '../../support/virtualClock.ts';

it.each([
	['a moment before ten seconds are over', 9_999, ['event']],
	['no longer after ten seconds', 10_000, []],
])('entries are kept: %s', (_, passedMs, expected) => {
	const clock = createVirtualClock();
	const recent = createRecentEntries(clock);
	recent.add('node', ['event']);
	clock.pass(passedMs);
	expect(recent.of('node')).toEqual(expected);
});

it('the entries of each store are kept apart, and new ones join those that are there', () => {
	const recent = createRecentEntries(createVirtualClock());
	recent.add('node', ['a', 'b']);
	recent.add('node', ['c']);
	expect(['node', 'other node'].map(recent.of)).toEqual([['a', 'b', 'c'], []]);
});

it('what is removed is forgotten, in its store only', () => {
	const recent = createRecentEntries(createVirtualClock());
	recent.add('node', ['a', 'b']);
	recent.add('other node', ['a']);
	recent.remove('node', ['a']);
	expect(['node', 'other node'].map(recent.of)).toEqual([['b'], ['a']]);
});
