import type { IDataObject } from 'n8n-workflow';

import { execute } from '../../support/executedTrigger.mts';
import {
	incoming,
	NOW,
	post,
	callWebhook,
	type WebhookRequest,
} from '../../support/webhookDouble.mts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.mts'),
);

const MIB = 1024 * 1024;
const TOO_LARGE = 'The body is over 1 MiB';
/** n8n prints the lines of its log without the place under which they are filed. */
const IN_PLACE = '(workflow "Answers", node "Trigger")';
const RANGE = { options: { ipAllowlist: '10.0.0.0/8' } };

/** A body that n8n has not read. */
function unread(body: string | Error, length?: number): WebhookRequest {
	return {
		rawBody: undefined,
		unread: typeof body === 'string' ? Buffer.from(body) : body,
		headers: length === undefined ? {} : { 'content-length': String(length) },
	};
}

/** An event of so many levels: the first two are the envelope and its data. */
function nested(levels: number, opening = '[', closing = ']'): string {
	const inner = opening.repeat(levels - 2) + '1' + closing.repeat(levels - 2);
	return JSON.stringify(incoming({ data: { x: '?' } })).replace('"?"', inner);
}

describe('an accepted event', () => {
	// README, What it does: the end of the service window
	// SECURITY, The trigger: headers and query are never put out
	it('starts the workflow with the envelope, a delivery key and the service window, and nothing else', async () => {
		const body = incoming();
		const request = { headers: { cookie: 'session=1' } };
		const { status, body: answer, items } = await post(body, request);
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

	// docs/trigger.md: an event without a readable timestamp
	// SECURITY, The trigger: nested 100 levels deep
	it.each<[string, unknown, IDataObject?]>([
		['comes from an address that is allowed', incoming(), RANGE],
		['has no readable timestamp', incoming({ timestamp: 17383323 })],
		['is nested 100 levels deep', nested(100)],
		['is one of all', incoming({ event: 'order.paid' }), { events: ['', '*'] }],
		['is remembered for 720 hours', incoming(), { options: { deduplicationHours: 720 } }],
	])('%s', async (...[, event, parameters]) => {
		const { body } = await post(event, { ip: '::ffff:10.1.2.3' }, { parameters });
		expect(body).toEqual({ status: 'accepted' });
	});
});

/** What the sender is told, where that is less than the log says. */
const TOLD: Record<number, string> = {
	401: 'The token is missing or wrong',
	403: 'This address is not allowed',
	500: 'The event could not be processed',
};
/** What whoever listens for a test event is told to do. */
const REMEDIES: Record<number, RegExp> = {
	400: /dashboard/,
	401: /Test URL with \?token=/,
	403: /IP Allowlist/,
	413: /smaller/,
	500: /listen again/,
};
const overN8nsLimit = Object.assign(new Error('request entity too large'), { status: 413 });
/** What is left of an expression, and the expression. */
const NO_SENDERS = { options: { ipAllowlist: ' ' }, '=options.ipAllowlist': '={{ $vars.none }} ' };
const WITHIN = 'Drop Repeated Events Within is "';
const NO_ADDRESS = 'The IP allowlist has an entry that is no address';

// docs/trigger.md: while the editor listens
// SECURITY, The trigger: address, then token, then size, then content
// SECURITY, The trigger: an expression that gives nothing lets no event in
// SECURITY, The trigger: fails closed
it.each<[number, string, unknown, WebhookRequest?, IDataObject?]>([
	[403, 'address "192.0.2.1" not allowed', '', { ip: '192.0.2.1', query: {} }, RANGE],
	[401, 'the token is missing', 'x'.repeat(MIB + 1), { query: {} }],
	[413, TOO_LARGE, 'x'.repeat(MIB + 1)],
	[413, TOO_LARGE, '', unread('x'.repeat(MIB + 1))],
	[413, TOO_LARGE, '', unread(overN8nsLimit)],
	[400, 'The body is not valid JSON', 'x'.repeat(MIB)],
	[400, 'The body is not valid JSON', '', unread('x'.repeat(MIB), MIB)],
	[400, 'The body could not be read', '', unread(new Error('request aborted'))],
	[400, 'The body is not a JSON object', 'null'],
	[400, 'The body is nested more than 100 levels deep', nested(101)],
	[400, 'The body is nested more than 100 levels deep', nested(150_000, '{"a":', '}')],
	[400, '"event" is missing or not a text', incoming({ event: ' ' })],
	[400, '"data" is missing or not an object', incoming({ data: [{}] })],
	[500, 'Trigger On is "message.read"', incoming(), {}, { events: 'message.read' }],
	[500, 'Trigger On is "["*",7]"', incoming(), {}, { events: ['*', 7] }],
	[500, 'Trigger On is "[]"', incoming(), {}, { events: [] }],
	[500, 'Drop Repeated Events is ', incoming(), {}, { options: { deduplicate: undefined } }],
	[500, WITHIN, incoming(), {}, { options: { deduplicationHours: 0 } }],
	[500, WITHIN, incoming(), {}, { options: { deduplicationHours: 721 } }],
	[500, NO_ADDRESS, incoming(), {}, { options: { ipAllowlist: undefined } }],
	[500, NO_ADDRESS, incoming(), {}, NO_SENDERS],
	[500, `${NO_ADDRESS}: "all". Use`, incoming(), {}, { options: { ipAllowlist: 'all' } }],
	[500, 'TypeError: ', incoming(), {}, { options: 7 }],
	[500, 'n8n ignores one expression', incoming(), {}, { '=options': '={{ $vars.options }}' }],
])('%i to a request, and the log says: %s', async (...[expected, why, sent, request, given]) => {
	const { status, body, items, log } = await post(sent, request, { parameters: given });
	expect([status, items]).toEqual([expected, undefined]);
	expect(body).toEqual({ status: 'error', message: TOLD[expected] ?? why });
	expect(log).toEqual([expect.stringContaining(`Webhook request answered ${expected}: ${why}`)]);
	expect(log[0].endsWith(` ${IN_PLACE}`)).toBe(true);

	const listening = { mode: 'manual', parameters: given } as const;
	const message = expect.stringContaining(`The test event was refused: ${why}`);
	const remedy = expect.stringMatching(REMEDIES[expected]);
	const { items: shown } = await post(sent, request, listening);
	expect(shown).toEqual([{ notAccepted: { message, remedy } }]);
	// Engine v2 would run on with the reason.
	for (const mode of ['manual', 'webhook'] as const) {
		const inEngineV2 = { mode, parameters: given, engineType: 'v2' } as const;
		expect((await post(sent, request, inEngineV2)).outputs).toBeUndefined();
	}
});

// SECURITY, The trigger: address, then token, then size, then content
it.each<[string, number, number, WebhookRequest]>([
	['is', 413, 1, unread('x'.repeat(MIB + 1))],
	['of somebody who may not come in is not', 401, 0, { ...unread('x'), query: {} }],
	['that is too large by the figure of the sender is not', 413, 0, unread('x', MIB + 1)],
])('a body that n8n left unread %s read', async (_, status, bodyReads, request) => {
	expect(await post('', request)).toMatchObject({ status, bodyReads });
});

const CHOOSE = 'Choose this event there, or cause one that is chosen.';
const NOT_CHOSEN = 'is not among the events under Trigger On';
/** The name of an event that would steer a terminal. */
const STEERING = 'a\n2026-01-31 error: all is lost \u001b[31m\u009b0m\u2028"';
const HARMLESS = '"a\\n2026-01-31 error: all is lost \\u001b[31m\\u{9b}0m\\u{2028}\\""';

// README, Top: the trigger says why it ignored an event
// docs/trigger.md: while the editor listens
it.each([
	['"message.failed"', 'message.failed'],
	['"message"', 'message'],
	[HARMLESS, STEERING],
])('the event %s is ignored, and the log says why', async (quoted, event) => {
	const reason = `${quoted} ${NOT_CHOSEN}`;
	const ignored = incoming({ event });
	const { status, body, items, log } = await post(ignored);
	expect([status, body, items]).toEqual([200, { status: 'ignored' }, undefined]);
	expect(log).toEqual([`Webhook event ignored: ${reason} ${IN_PLACE}`]);

	const listening = { mode: 'manual' } as const;
	const notAccepted = { message: `The test event was ignored: ${reason}`, remedy: CHOOSE };
	expect((await post(ignored, {}, listening)).items).toEqual([{ notAccepted }]);
	expect((await post(ignored, {}, { ...listening, engineType: 'v2' })).outputs).toBeUndefined();
});

// docs/trigger.md: while the editor listens
describe('while the editor listens for a test event', () => {
	it.each(['message.sent', 'message.delivered', 'message.read'])(
		'%s leaves it listening, because others follow',
		async (event) => {
			const listening = { mode: 'manual', parameters: { events: ['flow.submitted'] } } as const;
			const { body, items } = await post(incoming({ event }), {}, listening);
			expect([body, items]).toEqual([{ status: 'ignored' }, undefined]);
		},
	);

	// SECURITY, The trigger: headers and query are never put out
	it('nothing of a refused request shows up', async () => {
		const request = { query: { token: 'wrong-token' }, headers: { cookie: 'session=1' } };
		const { items } = await post(incoming(), request, { mode: 'manual' });
		expect(JSON.stringify(items)).not.toMatch(/wrong-token|session|14155552671/);
	});
});

// docs/trigger.md: the URL in a browser
// SECURITY, The trigger: a GET
describe('a GET on the URL', () => {
	const setting = { webhookName: 'setup', parameters: { options: { ipAllowlist: '203.0.113.7' } } };
	/** From an address that is not allowed. */
	const get = async (query: object) => await callWebhook({ query, ip: '192.0.2.1' }, setting);

	it('is answered alike for all workflows, as plain text that no browser takes for a page', async () => {
		const { status, body, items, headers } = await get({});
		expect([status, items]).toEqual([200, undefined]);
		expect(body).toContain('This address receives events');
		expect(headers).toEqual({ 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' });
		const other = { webhookName: 'setup', workflowId: 'other', nodeId: 'other' };
		expect((await callWebhook({}, other)).body).toBe(body);
	});

	it.each([
		['<script>', '<script>'],
		['x'.repeat(1000), 'x'.repeat(1000)],
		['x'.repeat(1001), expect.stringContaining('This address receives events')],
		[['a', 'b'], expect.stringContaining('This address receives events')],
	])('with the challenge %p sends it back, or greets', async (challenge, expected) => {
		expect((await get({ challenge })).body).toEqual(expected);
	});
});

it.each([
	['v2', 'perEvent', [1]],
	['v2', 'single', [0]],
	['v2', undefined, [0]],
	// Here execute() spreads them: what webhook() puts on a later output is dropped by n8n.
	['v1', 'perEvent', [0]],
	[undefined, 'perEvent', [0]],
] as const)('in the engine %s and the mode %s an event leaves through %j', async (...row) => {
	const [engineType, outputMode, expected] = row;
	const setting = { engineType, parameters: { events: ['*'], outputMode } };
	const { outputs } = await post(incoming({ event: 'message.sent' }), {}, setting);
	expect(outputs?.flatMap((items, index) => items.map(() => index))).toEqual(expected);
});

// docs/update.md: an older version refuses what a newer one has saved
it('a trigger of a newer version runs nothing, and the sender delivers the event again', async () => {
	const newer = { settings: { typeVersion: 3 } };
	const why = 'This node has version 3, but this package knows none above 2';
	const { status, items, log } = await post(incoming(), {}, newer);
	expect([status, items, log]).toEqual([500, undefined, [expect.stringContaining(why)]]);
	await expect(execute([{ event: 'message.incoming' }], newer)).rejects.toThrow(why);
	expect((await post(incoming(), {}, { settings: { typeVersion: 2 } })).status).toBe(200);
});
