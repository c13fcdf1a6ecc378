import type { Result } from '../../../nodes/BusinessMessaging/actions/operation';
import {
	createSentBefore,
	nothingSentBefore,
} from '../../../nodes/BusinessMessaging/actions/sentBefore';
import { notStarted } from '../../../nodes/BusinessMessaging/transport/failure';

const REQUEST = { to: '+14155552671' };
const OTHER_REQUEST = { to: '+14155552672' };
const SENT: Result = { json: { message_id: 'm1' }, sent: { cost: 0.115, currency: 'INR' } };

describe('what an earlier try of the node sent', () => {
	it('is found again by its item in the same run', () => {
		const context = {};
		createSentBefore(context, 1, false).remember(0, REQUEST, SENT);
		createSentBefore(context, 1, false).remember(2, REQUEST, { failure: notStarted() });
		const { find } = createSentBefore(context, 1, false);
		expect(find(0, REQUEST)).toEqual(SENT);
		expect(find(1, REQUEST)).toBeUndefined();
		expect(find(2, REQUEST)).toEqual({ failure: notStarted() });
	});

	it('counts although an expression gives something else by now', () => {
		const context = {};
		createSentBefore(context, 0, false).remember(0, REQUEST, SENT);
		expect(createSentBefore(context, 0, false).find(0, OTHER_REQUEST)).toEqual(SENT);
	});

	it('of a tool counts for the same request only', () => {
		const context = {};
		createSentBefore(context, 0, true).remember(0, REQUEST, SENT);
		const { find } = createSentBefore(context, 0, true);
		expect(find(0, { ...REQUEST })).toEqual(SENT);
		expect(find(0, OTHER_REQUEST)).toBeUndefined();
		expect(find(1, REQUEST)).toBeUndefined();
	});

	it('does not count for another run, as a loop makes them', () => {
		const context = {};
		createSentBefore(context, 0, false).remember(0, REQUEST, SENT);
		expect(createSentBefore(context, 1, false).find(0, REQUEST)).toBeUndefined();
		expect(createSentBefore(context, 0, false).find(0, REQUEST)).toBeUndefined();
	});

	it.each([
		[false, { result: SENT }],
		[true, { request: expect.stringMatching(/^[0-9a-f]{64}$/), result: SENT }],
	])('is stored with the execution without what was requested (tool: %p)', (isTool, entry) => {
		const context = {};
		createSentBefore(context, 0, isTool).remember(0, REQUEST, SENT);
		expect(context).toEqual({ sentMessages: { runIndex: 0, entries: { 0: entry } } });
	});

	it('is nothing for a node that n8n does not run again', () => {
		nothingSentBefore.remember(0, REQUEST, SENT);
		expect(nothingSentBefore.find(0, REQUEST)).toBeUndefined();
	});
});
