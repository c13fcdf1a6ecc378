import {
	createSentBefore,
	nothingSentBefore,
} from '../../../nodes/BusinessMessaging/actions/sentBefore';
import { notStarted } from '../../../nodes/BusinessMessaging/transport/failure';

const REQUEST = { to: '+14155552671' };
const SENT = { message: { message_id: 'm1' } };

describe('what an earlier try of the node sent', () => {
	it('is found again by item and request in the same run', () => {
		const context = {};
		createSentBefore(context, 1).remember(0, REQUEST, SENT);
		createSentBefore(context, 1).remember(2, REQUEST, { unknown: notStarted() });
		const { find } = createSentBefore(context, 1);
		expect(find(0, { ...REQUEST })).toEqual(SENT);
		expect(find(1, REQUEST)).toBeUndefined();
		expect(find(2, REQUEST)).toEqual({ unknown: notStarted() });
	});

	it('does not count for another request or another run, as a loop makes them', () => {
		const context = {};
		createSentBefore(context, 0).remember(0, REQUEST, SENT);
		expect(createSentBefore(context, 0).find(0, { to: '+14155552672' })).toBeUndefined();
		expect(createSentBefore(context, 1).find(0, REQUEST)).toBeUndefined();
		expect(createSentBefore(context, 0).find(0, REQUEST)).toBeUndefined();
	});

	it('is stored with the execution without what was requested', () => {
		const context = {};
		createSentBefore(context, 0).remember(0, REQUEST, SENT);
		expect(context).toEqual({
			sentMessages: {
				runIndex: 0,
				entries: { 0: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), outcome: SENT } },
			},
		});
	});

	it('is nothing for a node that n8n does not run again', () => {
		nothingSentBefore.remember(0, REQUEST, SENT);
		expect(nothingSentBefore.find(0, REQUEST)).toBeUndefined();
	});
});
