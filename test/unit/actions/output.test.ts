import { rawOutput, withoutErrorKey } from '../../../nodes/BusinessMessaging/actions/output';

describe('the raw response', () => {
	it('is the envelope with the status and the rate limit', () => {
		const headers = { 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '12', etag: 'x' };
		expect(rawOutput({ status: 200, headers, body: { success: true, data: { id: 1 } } })).toEqual({
			success: true,
			data: { id: 1 },
			httpStatus: 200,
			rateLimitRemaining: '59',
			rateLimitReset: '12',
		});
	});

	it('has no error, which n8n would take for a failed item', () => {
		const output = rawOutput({ status: 200, headers: {}, body: { error: null } });
		expect(output).toEqual({ errorDetails: null, httpStatus: 200 });
		expect(output).not.toHaveProperty('error');
	});
});

it('leaves an item without an error as it is', () => {
	const json = { message_id: 'm1' };
	expect(withoutErrorKey(json)).toBe(json);
});
