import type { IContextObject } from 'n8n-workflow';

import { TestMessages } from '../../../../nodes/BusinessMessaging/actions/options/testRecipient';

let node: IContextObject;

beforeEach(() => {
	node = {};
});

/** @returns which of so many items the test recipient gets, in a round of a loop */
function tested(items: number, runIndex: number, most = 3): boolean[] {
	// As n8n stores it.
	node = JSON.parse(JSON.stringify(node)) as IContextObject;
	const test = new TestMessages('+14155552671', most, node, runIndex);
	return Array.from({ length: items }, () => {
		const { areOver } = test;
		test.count();
		return !areOver;
	});
}

it('all rounds of a loop together have so many, and each attempt at a round the same ones', () => {
	expect(tested(2, 0)).toEqual([true, true]);
	expect(tested(2, 1)).toEqual([true, false]);
	expect(tested(2, 1)).toEqual([true, false]);
	expect(tested(2, 0)).toEqual([true, true]);
	expect(tested(2, 2)).toEqual([false, false]);
	// The number may be an expression.
	expect(tested(3, 2, 5)).toEqual([true, true, false]);
	expect(tested(1, 3, 2)).toEqual([false]);
});
