import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../support/fastClock.ts';
import { incoming, post } from '../../support/triggerPost.ts';
import type { WebhookRequest } from '../../support/webhookDouble.ts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.ts'),
);

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
