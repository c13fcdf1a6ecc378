import { incoming, post } from '../../support/triggerPost.ts';

/** While the editor listens for a test event, which is shown in its run. */
const listening = { mode: 'manual' } as const;
const OPTIONS = { ipAllowlist: '10.0.0.0/8' };

// README, React to customers: while the editor listens
describe('while the editor listens for a test event', () => {
	it.each([
		[401, 'the token is missing or wrong', incoming(), { query: {} }, {}],
		[403, 'address "192.0.2.1" not allowed', incoming(), { ip: '192.0.2.1' }, OPTIONS],
		[400, 'The body is not valid JSON', 'hello', {}, {}],
		[500, 'Max Event Age is "x". Open Options', incoming(), {}, { maxEventAgeMinutes: 'x' }],
	])('one answered %d shows up as why: %s', async (status, why, body, request, options) => {
		const { items, ...answer } = await post(body, request, {
			...listening,
			parameters: { options },
		});
		expect(answer).toMatchObject({ status, body: { status: 'error' } });
		const reason = expect.stringContaining(why);
		expect(items).toEqual([{ refusedTest: { status, reason } }]);
	});

	it('one that is not chosen leaves it listening: the chosen one may come next', async () => {
		const { body, items } = await post(incoming({ event: 'message.sent' }), {}, listening);
		expect([body, items]).toEqual([{ status: 'ignored' }, undefined]);
	});

	// SECURITY, The trigger: headers and query are never put out
	it('nothing of a refused request shows up', async () => {
		const request = { query: { token: 'wrong-token' }, headers: { cookie: 'session=1' } };
		const { items } = await post(incoming({ data: { from: 'someone' } }), request, listening);
		expect(JSON.stringify(items)).not.toMatch(/wrong-token|session|someone/);
	});
});
