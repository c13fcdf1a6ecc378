import {
	rawOutput,
	receiptOf,
	withoutErrorKey,
} from '../../../nodes/BusinessMessaging/actions/output';

it('the raw response is the envelope with the status and the rate limit, without "error"', () => {
	const headers = { 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '12', etag: 'x' };
	const body = { success: true, data: { id: 1 }, error: null };
	// n8n would take an output with an error for a failed item.
	expect(rawOutput({ status: 200, headers, body })).toEqual({
		success: true,
		data: { id: 1 },
		errorDetails: null,
		httpStatus: 200,
		rateLimitRemaining: '59',
		rateLimitReset: '12',
	});
	const json = { message_id: 'm1' };
	expect(withoutErrorKey(json)).toBe(json);
});

const message = { message_id: 4711, cost: 0.15 };

// docs/good-to-know.md: `cost` is what the API says
it.each<[string, object, object]>([
	['an output', message, { cost: 0.15 }],
	['an output whose cost is no amount', { ...message, cost: 'free' }, {}],
	['the envelope of Raw Response', { success: true, data: message }, { cost: 0.15 }],
	['an output with a field "data"', { ...message, data: { message_id: 1 } }, { cost: 0.15 }],
])('the ID and the cost of a message are found in %s', (_, json, cost) => {
	expect(receiptOf(json as never)).toEqual({ messageId: '4711', ...cost });
});
