import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../support/fastClock.ts';
import { incoming, NOW, post } from '../../support/triggerPost.ts';
import { callWebhook, type WebhookRequest } from '../../support/webhookDouble.ts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.ts'),
);

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

describe('what does not start the workflow', () => {
	it.each([
		['a text', 'hello', 'The body is not valid JSON'],
		['an event that is a number', incoming({ event: 7 }), '"event" is missing or not a text'],
	])('is answered with what is wrong: %s', async (_, sent, message) => {
		const { status, body, items } = await post(sent);
		expect([status, items]).toEqual([400, undefined]);
		expect(body).toEqual({ status: 'error', message });
	});

	// README, Top: the trigger says why it ignored an event
	it('(an event that is not chosen) is answered 200 and its reason is in the log', async () => {
		const { status, body, items, log, places } = await post(incoming({ event: 'message.read' }));
		expect([status, body, items]).toEqual([200, { status: 'ignored' }, undefined]);
		expect(log).toEqual([
			'Webhook event ignored: "message.read" is not among the events under Trigger On',
		]);
		expect(places).toEqual([{ workflowId: 'workflow', node: 'Trigger' }]);
	});

	it('(an event whose name steers terminals) is one harmless line of the log', async () => {
		const event = 'a\n2026-01-31 error: all is lost \u001b[31m\u009b0m\u2028"';
		expect((await post(incoming({ event }))).log).toEqual([
			'Webhook event ignored: "a\\n2026-01-31 error: all is lost \\u001b[31m\\u{9b}0m\\u{2028}\\"" is not among the events under Trigger On',
		]);
	});

	// SECURITY, The trigger: Max Event Age
	it('(an old event) is ignored only beyond the age that is set', async () => {
		const minutesAgo = (minutes: number) =>
			incoming({ timestamp: new Date(systemClock.now() - minutes * 60_000).toISOString() });
		const setting = { parameters: { options: { maxEventAgeMinutes: 10 } } };
		const { body, log } = await post(minutesAgo(10 + 1 / 60_000), {}, setting);
		expect(body).toEqual({ status: 'ignored' });
		expect(log).toEqual(['Webhook event ignored: it is older than 10 minutes']);
		expect((await post(minutesAgo(10), {}, setting)).body).toEqual({ status: 'accepted' });
	});

	const MIB = 1024 * 1024;
	const unread = (body: string | Error, length?: number): WebhookRequest => ({
		rawBody: undefined,
		unread: typeof body === 'string' ? Buffer.from(body) : body,
		headers: length === undefined ? {} : { 'content-length': String(length) },
	});
	const overN8nsLimit = Object.assign(new Error('request entity too large'), { status: 413 });

	// SECURITY, The trigger: address, then token, then size, then content
	it.each<[string, string, WebhookRequest, number]>([
		['that n8n has read', 'x'.repeat(MIB + 1), {}, 0],
		['that n8n left unread', '', unread('x'.repeat(MIB + 1)), 1],
		["over n8n's own limit too", '', unread(overN8nsLimit), 1],
		['by the figure of the sender, without reading it', '', unread('x', MIB + 1), 0],
	])('(a body over 1 MiB, %s) is answered 413', async (_, body, request, reads) => {
		const { status, body: answer, log, places, bodyReads } = await post(body, request);
		expect([status, bodyReads]).toEqual([413, reads]);
		expect(answer).toEqual({ status: 'error', message: 'The body is over 1 MiB' });
		expect(log).toEqual(['Webhook request answered 413: The body is over 1 MiB']);
		expect(places).toEqual([{ workflowId: 'workflow', node: 'Trigger' }]);
	});

	it('(a body of exactly 1 MiB) is read like a smaller one', async () => {
		expect((await post('x'.repeat(MIB))).status).toBe(400);
		expect((await post('', unread('x'.repeat(MIB), MIB))).status).toBe(400);
	});

	it('(a body that breaks off while it is read) is answered 400', async () => {
		const { status, body } = await post('', unread(new Error('request aborted')));
		expect(status).toBe(400);
		expect(body).toEqual({ status: 'error', message: 'The body could not be read' });
	});

	// SECURITY, The trigger: address, then token, then size, then content
	it('(a body that n8n left unread) is not read for somebody who may not come in', async () => {
		const request = { ...unread(JSON.stringify(incoming())), query: {} };
		expect(await post('', request)).toMatchObject({ status: 401, bodyReads: 0 });
	});

	// SECURITY, The trigger: address, then token, then size, then content
	it('(an address that is not allowed) is answered 403 before the token is looked at', async () => {
		const setting = { parameters: { options: { ipAllowlist: '10.0.0.0/8' } } };
		const { status, body, log } = await post(incoming(), { ip: '192.0.2.1', query: {} }, setting);
		expect(status).toBe(403);
		expect(body).toEqual({ status: 'error', message: 'This address is not allowed' });
		expect(log).toEqual(['Webhook request answered 403: address "192.0.2.1" not allowed']);
		expect((await post(incoming(), { ip: '::ffff:10.1.2.3' }, setting)).status).toBe(200);
	});

	// SECURITY, The trigger: an expression that gives nothing lets no event in
	// SECURITY, The trigger: fails closed
	it.each<[IDataObject, string]>([
		[{ events: 'message.read' }, 'Trigger On is "message.read"'],
		[{ options: { maxEventAgeMinutes: undefined } }, 'Max Event Age is "undefined"'],
		[{ options: { ipAllowlist: undefined } }, 'The IP allowlist has an entry that is no address'],
		[
			{ options: { ipAllowlist: 'all' } },
			'The IP allowlist has an entry that is no address: "all". ',
		],
	])('(an expression that gives %j) lets nothing in, and the log says why', async (given, why) => {
		const { status, items, log } = await post(incoming(), {}, { parameters: given });
		expect([status, items]).toEqual([500, undefined]);
		expect(log).toEqual([expect.stringContaining(`Webhook request answered 500: ${why}`)]);
	});

	it('(something unforeseen) is answered 500, and nothing is thrown', async () => {
		const setting = { parameters: { options: 7 } };
		const { status, body, items, log } = await post(incoming(), {}, setting);
		expect([status, items]).toEqual([500, undefined]);
		expect(body).toEqual({ status: 'error', message: 'The event could not be processed' });
		expect(log).toEqual([expect.stringMatching(/^Webhook request answered 500: TypeError: /)]);
	});
});

/** While the editor listens for a test event, which is shown in its run. */
const listening = { mode: 'manual' } as const;
const OPTIONS = { ipAllowlist: '10.0.0.0/8' };

// README, React to customers: while the editor listens
describe('while the editor listens for a test event', () => {
	it.each([
		[401, 'the token is missing or wrong', /Test URL with \?token=/, incoming(), { query: {} }, {}],
		[
			403,
			'address "192.0.2.1" not allowed',
			/IP Allowlist/,
			incoming(),
			{ ip: '192.0.2.1' },
			OPTIONS,
		],
		[400, 'The body is not valid JSON', /dashboard/, 'hello', {}, {}],
		[413, 'The body is over 1 MiB', /smaller/, 'x'.repeat(1024 * 1024 + 1), {}, {}],
		[
			500,
			'Max Event Age is "x". Open Options',
			/listen again/,
			incoming(),
			{},
			{ maxEventAgeMinutes: 'x' },
		],
	])('one answered %d shows why: %s', async (status, why, remedy, body, request, options) => {
		const { items, ...answer } = await post(body, request, {
			...listening,
			parameters: { options },
		});
		expect(answer).toMatchObject({ status, body: { status: 'error' } });
		const message = expect.stringContaining(`The test event was refused: ${why}`);
		expect(items).toEqual([{ notAccepted: { message, remedy: expect.stringMatching(remedy) } }]);
	});

	const READ = { event: 'message.read' };
	const UNKNOWN = { event: 'order.paid' };
	const tooOld = { timestamp: '2020-01-31T12:00:00Z' };

	const CHOOSE = 'Choose this event there, or cause one that is chosen.';
	const RAISE = 'Raise Max Event Age under Options, or cause a new event.';

	it.each<[string, string, object, object]>([
		['"message.read" is not among the events under Trigger On', CHOOSE, READ, {}],
		['"order.paid" is not among the events under Trigger On', CHOOSE, UNKNOWN, {}],
		['it is older than 10 minutes', RAISE, tooOld, { maxEventAgeMinutes: 10 }],
	])('one that is ignored shows why: %s', async (reason, remedy, change, options) => {
		const setting = { ...listening, parameters: { options } };
		const { body, items } = await post(incoming(change), {}, setting);
		expect(body).toEqual({ status: 'ignored' });
		const message = `The test event was ignored: ${reason}`;
		expect(items).toEqual([{ notAccepted: { message, remedy } }]);
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

/** Which of its outputs n8n is handed items for. */
async function leaving(engineType: 'v1' | 'v2' | undefined, outputMode: string | undefined) {
	const parameters = { events: ['*'], outputMode };
	const { outputs } = await post(
		incoming({ event: 'message.sent' }),
		{},
		{ engineType, parameters },
	);
	return outputs?.flatMap((items, index) => items.map(() => index));
}

it.each([
	['v2', 'perEvent', [1]],
	['v2', 'single', [0]],
	['v2', undefined, [0]],
	// Here execute() spreads them: what webhook() puts on a later output is dropped by n8n.
	['v1', 'perEvent', [0]],
	[undefined, 'perEvent', [0]],
] as const)('in the engine %s and the mode %s an event leaves through %j', async (...row) => {
	const [engineType, outputMode, outputs] = row;
	expect(await leaving(engineType, outputMode)).toEqual(outputs);
});

it.each([
	['is no event', 400, 'hello', {}],
	['is not chosen', 200, incoming({ event: 'message.read' }), {}],
	['finds a wrong option', 500, incoming(), { options: { maxEventAgeMinutes: 'x' } }],
])(
	'a test event that %s starts nothing in engine v2, which would run on with the reason',
	async (_, answered, body, parameters) => {
		const listening = { mode: 'manual', engineType: 'v2', parameters } as const;
		const { status, outputs, log } = await post(body, {}, listening);
		expect([status, outputs]).toEqual([answered, undefined]);
		expect(log).toHaveLength(1);
	},
);
