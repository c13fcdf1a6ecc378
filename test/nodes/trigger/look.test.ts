import { callWebhook } from '../../support/webhookDouble.ts';

describe('a GET on the URL', () => {
	const get = (query: object) => callWebhook({ query }, { webhookName: 'setup' });

	it('is answered kindly, without a token and without a word about the workflow', async () => {
		const { status, body, items } = await get({});
		expect([status, items]).toEqual([200, undefined]);
		expect(body).toContain('This address receives events');
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
