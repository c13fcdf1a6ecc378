import type { IExecuteFunctions } from 'n8n-workflow';

import { openSendOnce } from '../../../../nodes/BusinessMessaging/actions/sendOnce/openSendOnce';
import { MAX_ENTRIES } from '../../../../nodes/BusinessMessaging/actions/sendOnce/sendOnce';

jest.mock('../../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../../support/fastClock.ts'),
);

const warn = jest.fn();

/** A node whose database fails for entries that begin like this. */
function contextWithout(failing: string): IExecuteFunctions {
	return {
		logger: { warn },
		getWorkflow: () => ({ id: '1' }),
		getNode: () => ({ id: '2' }),
		helpers: {
			removeProcessed: async () => await Promise.resolve(),
			checkProcessedAndRecord: async (entries: string[]) => {
				if (entries.some((entry) => entry.startsWith(failing))) throw new Error('no database');
				return await Promise.resolve({ new: entries, processed: entries });
			},
		},
	} as unknown as IExecuteFunctions;
}

// README, Send once: the newest 10,000 keys are kept
it.each([
	[
		10_001,
		{
			message: 'There are 10,001 Send Once Keys, but the node remembers only the newest 10,000',
			remedy: expect.stringMatching(/^Nothing was sent\. Spread the items over several nodes, /),
		},
	],
	[10_000, { message: expect.stringContaining('no database') }],
])('of %d keys in a run it says what is wrong', async (count, expected) => {
	const keys = Array.from({ length: count }, (_, index) => `order-${index}`);
	const opening = openSendOnce(contextWithout(''), [...keys, 'order-0']);
	await expect(opening).rejects.toMatchObject(expected);
});

it('what a look wrote is looked for again, for other processes write to the same memory', async () => {
	const record = jest.fn<Promise<object>, [string[], string, object]>(
		async (entries) => await Promise.resolve({ new: entries, processed: [] }),
	);
	const context = contextWithout('');
	Object.assign(context.helpers, { checkProcessedAndRecord: record });
	const { known } = await openSendOnce(context, ['order-1']);
	expect(known).toEqual(new Set());
	expect(record.mock.calls.map(([entries]) => entries.length)).toEqual([2, 1]);
	expect(record.mock.calls[0].slice(1)).toEqual([
		'node',
		{ mode: 'entries', maxEntries: MAX_ENTRIES },
	]);
});

it('the log tells of a key that could not be marked', async () => {
	const { once } = await openSendOnce(contextWithout('sent:'), []);
	await once(
		'order-1',
		async () => await Promise.resolve('sent' as const),
		(fate) => fate,
	);
	expect(warn).toHaveBeenCalledWith(expect.stringMatching(/could not be marked: no database$/));
});
