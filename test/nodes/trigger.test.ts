import fc from 'fast-check';

import { BusinessMessagingTrigger } from '../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { anyText } from '../support/anyBody.ts';
import { callWebhook, SECRET } from '../support/webhookDouble.ts';
import type { WebhookRequest, WebhookSetting } from '../support/webhookDouble.ts';

const NOW = '2026-01-31T12:00:00.000Z';
let event = 0;

/** A body that no other test has. */
function incoming(fields: object = {}): object {
	event++;
	return {
		event: 'message.incoming',
		timestamp: NOW,
		data: { from: '+14155552671', event },
		...fields,
	};
}

function post(body: unknown, request: WebhookRequest = {}, setting: WebhookSetting = {}) {
	const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
	return callWebhook(
		{ query: { token: SECRET }, rawBody, ...request },
		{
			...setting,
			parameters: { events: ['message.incoming'], ...setting.parameters },
		},
	);
}

describe('an accepted event', () => {
	it('starts the workflow with the envelope, a delivery key and the service window', async () => {
		const body = incoming();
		const { status, body: answer, items } = await post(body);
		expect([status, answer]).toEqual([200, { status: 'accepted' }]);
		expect(items).toEqual([
			{
				...body,
				deliveryKey: expect.stringMatching(/^message\.incoming:[0-9a-f]{64}$/),
				receivedAt: expect.any(String),
				serviceWindow: { openedAt: NOW, expiresAt: '2026-02-01T12:00:00.000Z' },
			},
		]);
	});

	it('carries the remedy of a known network code when a message failed', async () => {
		const body = incoming({ event: 'message.failed', data: { error: { code: 131047 } } });
		const { items } = await post(body, {}, { parameters: { events: ['message.failed'] } });
		expect(items?.[0].remedy).toContain('approved template');
	});

	it('may be unknown when all events are chosen', async () => {
		const { items } = await post(
			incoming({ event: 'order.paid' }),
			{},
			{ parameters: { events: ['*'] } },
		);
		expect(items?.[0].event).toBe('order.paid');
	});

	it('has its body as text on request', async () => {
		const body = incoming();
		const { items } = await post(body, {}, { parameters: { options: { rawBody: true } } });
		expect(items?.[0].rawBody).toBe(JSON.stringify(body));
	});

	it('never emits headers or the query', async () => {
		const { items } = await post(incoming(), { headers: { cookie: 'session=1' } });
		expect(JSON.stringify(items)).not.toMatch(/session=1|secret-for-tests/);
	});
});

describe('the token', () => {
	const previous = { webhookSecret: 'new-secret', previousWebhookSecret: SECRET };

	it.each<[string, WebhookRequest, WebhookSetting, number]>([
		['in the query', { query: { token: SECRET } }, {}, 200],
		['in its header', { query: {}, headers: { 'x-webhook-token': SECRET } }, {}, 200],
		['as bearer token', { query: {}, headers: { authorization: `Bearer ${SECRET}` } }, {}, 200],
		['that is the previous one', { query: { token: SECRET } }, { credential: previous }, 200],
		['that is missing', { query: {} }, {}, 401],
		['that is empty', { query: { token: '' } }, {}, 401],
		['that is wrong', { query: { token: `${SECRET}x` } }, {}, 401],
		['that is a list', { query: { token: [SECRET, SECRET] } }, {}, 401],
		['when no secret is set', { query: { token: '' } }, { credential: { webhookSecret: '' } }, 401],
		['when none is asked for', { query: {} }, { parameters: { authentication: 'none' } }, 200],
	])('%s', async (_, request, setting, expected) => {
		const { status, items } = await post(incoming(), request, setting);
		expect(status).toBe(expected);
		expect(items === undefined).toBe(expected !== 200);
	});

	it('is in no answer and no line of the log', async () => {
		const { body, log } = await post(incoming(), { query: { token: 'wrong-token' } });
		expect(log).toEqual(['Webhook request answered 401: the token is missing or wrong']);
		expect(body).toEqual({ status: 'error', message: 'The token is missing or wrong' });
		expect(JSON.stringify([body, log])).not.toMatch(/wrong-token|secret-for-tests/);
	});

	it('is not looked up in the credential again while requests follow each other', async () => {
		const setting = { credentialId: 'asked once' };
		expect((await post(incoming(), {}, setting)).credentialReads).toBe(1);
		expect((await post(incoming(), {}, setting)).credentialReads).toBe(0);
	});

	it('is said in the log to be missing from the credential', async () => {
		const { log } = await post(incoming(), {}, { credential: {} });
		expect(log[0]).toContain('the credential has no Webhook Secret');
	});
});

describe('the token after a change of the credential', () => {
	const start = new Date(NOW).getTime();
	let time: jest.SpyInstance;
	beforeEach(() => (time = jest.spyOn(Date, 'now').mockReturnValue(start)));
	afterEach(() => time.mockRestore());

	const statusOf = async (token: string, secret: string, credentialId: string) => {
		const setting = { credential: { webhookSecret: secret }, credentialId };
		return (await post(incoming(), { query: { token } }, setting)).status;
	};

	it('is accepted at once when it is the new one', async () => {
		expect(await statusOf('old', 'old', 'rotated')).toBe(200);
		expect(await statusOf('new', 'new', 'rotated')).toBe(200);
	});

	it('is refused within ten seconds when it is the old one', async () => {
		expect(await statusOf('old', 'old', 'revoked')).toBe(200);
		time.mockReturnValue(start + 10_000);
		expect(await statusOf('old', 'new', 'revoked')).toBe(401);
	});

	it('is refused when the clock was set back meanwhile', async () => {
		expect(await statusOf('old', 'old', 'clock')).toBe(200);
		time.mockReturnValue(start - 1);
		expect(await statusOf('old', 'new', 'clock')).toBe(401);
	});

	it('is refused at once when the node has another credential', async () => {
		expect(await statusOf('old', 'old', 'one')).toBe(200);
		expect(await statusOf('old', 'new', 'another')).toBe(401);
	});
});

it('remembers nothing of requests that may not come in', async () => {
	const known = incoming();
	expect((await post(known)).body).toEqual({ status: 'accepted' });
	const flood = { parameters: { options: { ipAllowlist: '203.0.113.7' } } };
	for (let request = 0; request < 60_000; request++) {
		const setting = request % 2 ? flood : {};
		const answer = await post(incoming(), { query: { token: 'guessed' }, ip: '::1' }, setting);
		if (![401, 403].includes(answer.status)) throw new Error(`answered ${answer.status}`);
	}
	// The memory holds 50,000 events, the oldest go first.
	expect((await post(known)).body).toEqual({ status: 'duplicate' });
});

describe('what does not start the workflow', () => {
	it.each<[string, unknown, number, string]>([
		['null', 'null', 400, 'not a JSON object'],
		['a list', '[]', 400, 'not a JSON object'],
		['a text', 'hello', 400, 'not valid JSON'],
		['nothing', '', 400, 'not valid JSON'],
		['an object without an event', { timestamp: NOW, data: {} }, 400, '"event"'],
		['an event that is a number', incoming({ event: 7 }), 400, '"event"'],
		['a timestamp that is none', incoming({ timestamp: 'yesterday' }), 400, '"timestamp"'],
		['data that is a list', incoming({ data: [] }), 400, '"data"'],
	])('is answered with what is wrong: %s', async (_, body, expected, message) => {
		const { status, body: answer, items } = await post(body);
		expect(status).toBe(expected);
		expect(JSON.stringify(answer)).toContain(message.replace(/"/g, '\\"'));
		expect(items).toBeUndefined();
	});

	it('(an event that is not chosen) is answered 200 and its reason is in the log', async () => {
		const { status, body, items, log, places } = await post(incoming({ event: 'message.read' }));
		expect([status, body, items]).toEqual([200, { status: 'ignored' }, undefined]);
		expect(log).toEqual(['Webhook event ignored: "message.read" is not among the chosen events']);
		expect(places).toEqual([{ workflowId: 'workflow', node: 'Trigger' }]);
	});

	it('(an event with a long name) has the beginning of the name in the log', async () => {
		const { log } = await post(incoming({ event: `e${'x'.repeat(200)}` }));
		expect(log[0]).toContain(`"e${'x'.repeat(99)}" is not`);
	});

	it('(an old event) is ignored only beyond the age that is set', async () => {
		const minutesAgo = (minutes: number) =>
			incoming({ timestamp: new Date(Date.now() - minutes * 60_000).toISOString() });
		const setting = { parameters: { options: { maxEventAgeMinutes: 10 } } };
		const { body, log } = await post(minutesAgo(11), {}, setting);
		expect(body).toEqual({ status: 'ignored' });
		expect(log).toEqual(['Webhook event ignored: older than 10 minutes']);
		expect((await post(minutesAgo(9), {}, setting)).body).toEqual({ status: 'accepted' });
	});

	it('(an event of exactly the age that is set) is still accepted', async () => {
		jest.useFakeTimers({ now: new Date(NOW).getTime() + 10 * 60_000, doNotFake: ['nextTick'] });
		try {
			const setting = { parameters: { options: { maxEventAgeMinutes: 10 } } };
			expect((await post(incoming(), {}, setting)).body).toEqual({ status: 'accepted' });
		} finally {
			jest.useRealTimers();
		}
	});

	const MIB = 1024 * 1024;
	const withoutBytes = (length: number) => ({
		rawBody: undefined,
		body: incoming(),
		headers: { 'content-length': String(length) },
	});

	it.each<[string, unknown, WebhookRequest]>([
		['as bytes', 'x'.repeat(MIB + 1), {}],
		['by the figure of the sender when n8n kept no bytes', {}, withoutBytes(MIB + 1)],
	])('(a body over 1 MiB, %s) is answered 413', async (_, body, request) => {
		const { status, body: answer, log, places } = await post(body, request);
		expect(status).toBe(413);
		expect(answer).toEqual({ status: 'error', message: 'The body is over 1 MiB' });
		expect(log).toEqual(['Webhook request answered 413: The body is over 1 MiB']);
		expect(places).toEqual([{ workflowId: 'workflow', node: 'Trigger' }]);
	});

	it('(a body of exactly 1 MiB) is read like a smaller one', async () => {
		expect((await post('x'.repeat(MIB))).status).toBe(400);
		expect((await post({}, withoutBytes(MIB))).body).toEqual({ status: 'accepted' });
	});

	it('(an address that is not allowed) is answered 403 before the token is looked at', async () => {
		const setting = { parameters: { options: { ipAllowlist: '10.0.0.0/8' } } };
		const { status, body, log } = await post(incoming(), { ip: '192.0.2.1', query: {} }, setting);
		expect(status).toBe(403);
		expect(body).toEqual({ status: 'error', message: 'This address is not allowed' });
		expect(log).toEqual(['Webhook request answered 403: address 192.0.2.1 not allowed']);
		expect((await post(incoming(), { ip: '::ffff:10.1.2.3' }, setting)).status).toBe(200);
	});

	it('(a wrong allowlist) is answered 500, and the log says what to do', async () => {
		const setting = { parameters: { options: { ipAllowlist: 'everywhere' } } };
		const { status, items, log } = await post(incoming(), {}, setting);
		expect([status, items]).toEqual([500, undefined]);
		expect(log).toEqual([
			'Webhook request answered 500: The IP allowlist has an entry that is no address: "everywhere". Use addresses such as 203.0.113.7 or ranges such as 203.0.113.0/24, separated by commas.',
		]);
	});

	it('(something unforeseen) is answered 500, and nothing is thrown', async () => {
		const setting = { parameters: { events: 7 } };
		const { status, body, items, log } = await post(incoming(), {}, setting);
		expect([status, items]).toEqual([500, undefined]);
		expect(body).toEqual({ status: 'error', message: 'The event could not be processed' });
		expect(log).toEqual([expect.stringMatching(/^Webhook request answered 500: TypeError: /)]);
	});
});

describe('a repeated delivery', () => {
	it('is answered "duplicate" and does not start the workflow', async () => {
		const body = incoming();
		expect((await post(body)).body).toEqual({ status: 'accepted' });
		const { body: answer, items } = await post(body);
		expect([answer, items]).toEqual([{ status: 'duplicate' }, undefined]);
	});

	it.each<[string, WebhookSetting]>([
		['another node', { nodeId: 'other' }],
		['another workflow', { workflowId: 'other' }],
		['a test', { mode: 'manual' }],
		['a node that does not deduplicate', { parameters: { options: { deduplicate: false } } }],
	])('is not one for %s', async (_, setting) => {
		const body = incoming();
		await post(body);
		expect((await post(body, {}, setting)).body).toEqual({ status: 'accepted' });
	});

	it.each<[string, number, boolean, string]>([
		['n8n answered 500', 500, true, 'accepted'],
		['the connection broke before the answer', 200, false, 'accepted'],
		['n8n answered 200', 200, true, 'duplicate'],
	])('after %s', async (_, status, isSent, expected) => {
		const body = incoming();
		const first = await post(body);
		first.end(status, isSent);
		expect((await post(body)).body).toEqual({ status: expected });
	});
});

it('has a URL of its own in every workflow', () => {
	const { webhooks } = new BusinessMessagingTrigger().description;
	expect(webhooks?.map(({ isFullPath }) => isFullPath)).toEqual([undefined, undefined]);
});

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

it('answers any request at all with an answer of the table, and never throws', async () => {
	const body = fc.oneof(
		anyText(NOW).map((value) => ({ rawBody: Buffer.from(value) })),
		fc.uint8Array().map((bytes) => ({ rawBody: Buffer.from(bytes) })),
		fc.anything().map((value) => ({ body: value })),
	);
	const token = fc.oneof(fc.constant(SECRET), fc.string(), fc.array(fc.string()), fc.object());
	const query = fc.oneof(fc.record({ token }), fc.object(), fc.constant(undefined));
	const headers = fc.dictionary(
		fc.constantFrom('x-webhook-token', 'authorization', 'content-length', 'content-type'),
		fc.oneof(
			fc.constantFrom(SECRET, `Bearer ${SECRET}`, '-1', 'NaN'),
			fc.string(),
			fc.array(fc.string()),
		),
	);
	const request = fc.tuple(body, query, headers, fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()));
	const options = fc.constantFrom(
		{},
		{ ipAllowlist: '10.0.0.0/8, ::1' },
		{ maxEventAgeMinutes: 5 },
	);
	await fc.assert(
		fc.asyncProperty(request, options, fc.boolean(), async ([sent, q, h, ip], chosen, isOpen) => {
			const {
				status,
				body: answer,
				items,
			} = await callWebhook(
				{ ...sent, query: q, headers: h, ip },
				{
					parameters: {
						events: ['message.incoming'],
						options: chosen,
						authentication: isOpen ? 'none' : 'secretToken',
					},
				},
			);
			expect([200, 400, 401, 403, 413]).toContain(status);
			if (status === 200) {
				expect(['accepted', 'ignored', 'duplicate']).toContain(
					(answer as { status: string }).status,
				);
			}
			expect(items === undefined).toBe((answer as { status: string }).status !== 'accepted');
		}),
		{ numRuns: Number(process.env.WEBHOOK_REQUESTS ?? 5000) },
	);
}, 600_000);
