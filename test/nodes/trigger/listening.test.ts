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

	const READ = { event: 'message.read' };
	const UNKNOWN = { event: 'order.paid' };
	const tooOld = { timestamp: '2020-01-31T12:00:00Z' };

	it.each<[string, string, object, object]>([
		['notChosen', '"message.read" is not among the events under Trigger On', READ, {}],
		['notChosen', '"order.paid" is not among the events under Trigger On', UNKNOWN, {}],
		['tooOld', 'it is older than 10 minutes', tooOld, { maxEventAgeMinutes: 10 }],
	])('one that is ignored as %s shows up as why: %s', async (why, reason, change, options) => {
		const setting = { ...listening, parameters: { options } };
		const { body, items } = await post(incoming(change), {}, setting);
		expect(body).toEqual({ status: 'ignored' });
		expect(items).toEqual([{ ignoredTest: { why, reason } }]);
	});

	it.each([
		['message.sent', 'message.delivered'],
		['message.sent', 'message.read'],
		['message.sent', 'message.failed'],
		['message.delivered', 'message.read'],
		['flow.submitted', 'flow.updated'],
	])('%s leaves it listening where %s is chosen, which comes next', async (event, chosen) => {
		const setting = { ...listening, parameters: { events: [chosen] } };
		const { body, items } = await post(incoming({ event }), {}, setting);
		expect([body, items]).toEqual([{ status: 'ignored' }, undefined]);
	});

	// SECURITY, The trigger: headers and query are never put out
	it('nothing of a refused request shows up', async () => {
		const request = { query: { token: 'wrong-token' }, headers: { cookie: 'session=1' } };
		const { items } = await post(incoming({ data: { from: 'someone' } }), request, listening);
		expect(JSON.stringify(items)).not.toMatch(/wrong-token|session|someone/);
	});
});
