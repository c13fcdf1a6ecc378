import { outputOf } from '../../../nodes/BusinessMessaging/actions/options/rawResponse';
import { receiptOf } from '../../../nodes/BusinessMessaging/actions/output';

it('the raw response is the envelope with the status and the rate limit, without "error"', () => {
	const headers = { 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '12', etag: 'x' };
	const data = { message_id: 'm1' };
	const response = { status: 200, headers, body: { success: true, data, error: null } };
	// n8n would take an output with an error for a failed item.
	expect(outputOf({ rawResponse: true }, { data, response })).toEqual({
		success: true,
		data,
		errorDetails: null,
		httpStatus: 200,
		rateLimitRemaining: '59',
		rateLimitReset: '12',
	});
	expect(outputOf({ rawResponse: false }, { data, response })).toBe(data);
	const failed = outputOf({ rawResponse: false }, { data: { ...data, error: 'x' }, response });
	expect(failed).toEqual({ ...data, errorDetails: 'x' });
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
