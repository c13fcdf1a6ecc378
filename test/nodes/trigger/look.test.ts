import { callWebhook } from '../../support/webhookDouble.ts';

// README, React to customers: the URL in a browser
// SECURITY, The trigger: a GET
describe('a GET on the URL', () => {
	/** From an address that is not allowed. */
	const get = (query: object) =>
		callWebhook(
			{ query, ip: '192.0.2.1' },
			{ webhookName: 'setup', parameters: { options: { ipAllowlist: '203.0.113.7' } } },
		);

	it('is answered kindly, without a token, from any address, and alike for all workflows', async () => {
		const { status, body, items } = await get({});
		expect([status, items]).toEqual([200, undefined]);
		expect(body).toContain('This address receives events');
		const other = { webhookName: 'setup', workflowId: 'other', nodeId: 'other' };
		expect((await callWebhook({}, other)).body).toBe(body);
	});

	it('is answered with plain text that no browser takes for a page', async () => {
		expect((await get({ challenge: '<script>' })).headers).toEqual({
			'content-type': 'text/plain',
			'x-content-type-options': 'nosniff',
		});
	});

	it.each([
		[{ challenge: '12345' }, '12345'],
		[{ 'hub.challenge': 'abc' }, 'abc'],
		[{ challenge: 'x'.repeat(1000) }, 'x'.repeat(1000)],
	])('sends back the challenge of %p', async (query, expected) => {
		expect((await get(query)).body).toBe(expected);
	});

	it.each([[{ challenge: ['a', 'b'] }], [{ challenge: 'x'.repeat(1001) }]])(
		'does not send back %p',
		async (query) => {
			expect((await get(query)).body).toContain('This address receives events');
		},
	);
});
