import {
	messageIn,
	rawOutput,
	sentOf,
	withoutErrorKey,
} from '../../../nodes/BusinessMessaging/actions/output';

it('the raw response is the envelope with the status and the rate limit', () => {
	const headers = { 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '12', etag: 'x' };
	expect(rawOutput({ status: 200, headers, body: { success: true, data: { id: 1 } } })).toEqual({
		success: true,
		data: { id: 1 },
		httpStatus: 200,
		rateLimitRemaining: '59',
		rateLimitReset: '12',
	});
});

it('no output has an error, which n8n would take for a failed item', () => {
	const output = rawOutput({ status: 200, headers: {}, body: { error: null } });
	expect(output).toEqual({ errorDetails: null, httpStatus: 200 });
	expect(output).not.toHaveProperty('error');
	const json = { message_id: 'm1' };
	expect(withoutErrorKey(json)).toBe(json);
});

const message = { message_id: 'm1', cost: 0.15 };

it.each<[string, object, object]>([
	['the output', message, message],
	['the envelope of Raw Response', { success: true, data: message }, message],
	['an output with a field "data"', { ...message, data: { message_id: 'other' } }, message],
])('a message is found in %s', (_, json, expected) => {
	expect(messageIn(json as never)).toMatchObject(expected);
	expect(sentOf(json as never)).toMatchObject({ messageId: 'm1', cost: 0.15 });
});

it('an ID that is a number is told as text', () => {
	expect(sentOf({ message_id: 4711 }).messageId).toBe('4711');
});
