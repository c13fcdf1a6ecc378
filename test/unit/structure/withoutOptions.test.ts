import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions';
import { readRunOptions } from '../../../nodes/BusinessMessaging/actions/run/runOptions';
import { post } from '../../support/triggerPost.ts';
import { incomingEvent } from '../../support/webhookEvents.ts';
import { recordReading } from './parametersRead.ts';

const limits = { timeoutMs: 30_000, requestsPerMinute: 60, retryUnknownOutcome: false };
const wait = undefined;

describe('without options', () => {
	// README, Good to know: 60 requests a minute by default
	it.each([
		[
			'sendTemplate',
			{ to: '+14155552671', templateName: 'a', category: 'utility', variablesInput: 'none' },
			{ dryRun: false, rawResponse: false, wait, limits },
		],
		['getStatus', { messageId: 'message-1' }, { rawResponse: false, wait, limits }],
	])('%s goes by the published defaults, and what has none is off', (value, values, expected) => {
		const { context } = recordReading(values);
		const entry = OPERATIONS.find((operation) => operation.value === value);
		expect(entry?.operation.read(context, 0, 0)).toMatchObject(expected);
		expect(readRunOptions(context, 'customers')).toEqual({
			concurrency: 10,
			spendingLimit: Infinity,
		});
	});

	it('the trigger takes events of any age from any address, once, and without their bytes', async () => {
		const old = { ...incomingEvent(), timestamp: '2001-01-01T00:00:00Z' };
		const { body, items } = await post(old, { ip: '203.0.113.7' });
		expect(body).toEqual({ status: 'accepted' });
		expect(items?.[0]).not.toHaveProperty('rawBody');
		expect((await post(old)).body).toEqual({ status: 'duplicate' });
	});
});
