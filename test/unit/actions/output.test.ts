import {
	rawOutput,
	sentOf,
	withoutErrorKey,
} from '../../../nodes/BusinessMessaging/actions/output';

it('the raw response is the envelope with the status and the rate limit, without "error"', () => {
	const headers = { 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '12', etag: 'x' };
	const body = { success: true, data: { id: 1 }, error: null };
	// n8n would take an output with an error for a failed item.
	expect(rawOutput({ status: 200, headers, body })).toEqual({
		...{ success: true, data: { id: 1 }, errorDetails: null },
		...{ httpStatus: 200, rateLimitRemaining: '59', rateLimitReset: '12' },
	});
	const json = { message_id: 'm1' };
	expect(withoutErrorKey(json)).toBe(json);
});

const message = { message_id: 4711, cost: 0.15 };

it.each<[string, object]>([
	['the output', message],
	['the envelope of Raw Response', { success: true, data: message }],
	['an output with a field "data"', { ...message, data: { message_id: 'other' } }],
])('a message is found in %s', (_, json) => {
	expect(sentOf(json as never)).toMatchObject({ messageId: '4711', cost: 0.15 });
});
