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

	// README, React to customers: an event without a readable timestamp
	// SECURITY, The trigger: Max Event Age
	it('without a readable timestamp has the time of receipt, and no age', async () => {
		const setting = { parameters: { options: { maxEventAgeMinutes: 1 } } };
		const { status, items } = await post(incoming({ timestamp: 1738332300000 }), {}, setting);
		expect(status).toBe(200);
		expect(items).toMatchObject([{ timestamp: items?.[0].receivedAt }]);
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
