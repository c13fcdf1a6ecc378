import type { Result } from '../../../../nodes/BusinessMessaging/actions/result';
import {
	accountOf,
	accountOfStopped,
} from '../../../../nodes/BusinessMessaging/actions/run/account';
import { failureFromFault, notStarted } from '../../../../nodes/BusinessMessaging/errors/failure';

const UNKNOWN: Result = {
	failure: failureFromFault({ kind: 'timeout', beforeSending: false }, 'send'),
};
const NOT_STARTED: Result = notStarted('send');

function sent(messageId?: string): Result {
	return { json: {}, sent: { messageId } };
}

const REST = 'Retry in the list of executions does not send these again.';

describe('the account of a run that stopped', () => {
	it.each<[string, Result[], string]>([
		['says nothing where nothing was sent', [NOT_STARTED, NOT_STARTED], ''],
		[
			'says which items were sent',
			[sent(), sent(), NOT_STARTED, sent()],
			`3 of 4 messages were sent: items 0-1, 3. ${REST}`,
		],
		[
			'says which item may have been sent',
			[NOT_STARTED, UNKNOWN],
			`May have been sent: item 1. ${REST}`,
		],
		[
			'says which items were sent and which may have been',
			[sent(), UNKNOWN, UNKNOWN],
			`1 of 3 messages were sent: item 0. May have been sent: items 1-2. ${REST}`,
		],
	])('%s', (_, results, note) => {
		expect(accountOf(results).note).toBe(note);
	});

	it('counts a message that was sent and could not be delivered as sent', () => {
		const undelivered: Result = { ...NOT_STARTED, sent: { messageId: 'm1' } };
		expect(accountOf([NOT_STARTED, undelivered])).toEqual({
			note: `1 of 2 messages were sent: item 1. ${REST}`,
			messageIds: { 1: 'm1' },
		});
	});

	it.each<[string, Result[], number[], string]>([
		['that everything was sent', [sent()], [], '1 of 1 messages were sent: item 0.'],
		['that nothing was sent', [NOT_STARTED, NOT_STARTED], [], '0 of 2 messages were sent.'],
		[
			'what may have been sent, and what was under way',
			[sent(), UNKNOWN, NOT_STARTED, NOT_STARTED],
			[3, 2],
			'1 of 4 messages were sent: item 0. May have been sent: item 1. Under way: items 2-3.',
		],
	])('says, when somebody stopped it, %s', (_, results, underWay, text) => {
		expect(accountOfStopped(results, underWay)).toBe(text);
	});

	it('leaves a single item to the error itself', () => {
		expect(accountOf([UNKNOWN]).note).toBe('');
	});

	// README, Good to know: the error has the first 1,000 message IDs
	it('has the message IDs by item, up to a thousand', () => {
		const results = Array.from({ length: 1500 }, (_, item) => sent(`m${item}`));
		const { messageIds } = accountOf([NOT_STARTED, ...results]);
		expect(Object.keys(messageIds)).toHaveLength(1000);
		expect(messageIds[1]).toBe('m0');
	});
});
