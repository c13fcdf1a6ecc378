import { incoming, NOW, post } from '../../support/triggerPost.ts';

describe('an accepted event', () => {
	// README, Operations: the end of the service window
	it('starts the workflow with the envelope, a delivery key and the service window', async () => {
		const body = incoming();
		const { status, body: answer, items } = await post(body);
		expect([status, answer]).toEqual([200, { status: 'accepted' }]);
		expect(items).toEqual([
			{
				...body,
				phone: '+14155552671',
				deliveryKey: expect.stringMatching(/^message\.incoming:[0-9a-f]{64}$/),
				receivedAt: expect.any(String),
				serviceWindow: { openedAt: NOW, expiresAt: '2026-02-01T12:00:00.000Z' },
			},
		]);
	});

	it('has its body as text on request', async () => {
		const body = incoming();
		const { items } = await post(body, {}, { parameters: { options: { rawBody: true } } });
		expect(items?.[0].rawBody).toBe(JSON.stringify(body));
	});

	// SECURITY, The trigger: headers and query are never put out
	it('never emits headers or the query', async () => {
		const { items } = await post(incoming(), { headers: { cookie: 'session=1' } });
		expect(JSON.stringify(items)).not.toMatch(/session=1|secret-for-tests/);
	});
});
