import type { INodeParameters } from 'n8n-workflow';

import { startLocalApi } from '../../playground/api/server.ts';
import type { LocalApi } from '../../playground/api/server.ts';
import { FAILS, NEVER_READ, STAYS_SENT } from '../../playground/api/wellKnown.ts';
import { answer, MISBEHAVIORS, startFaultServer } from '../support/faultServer.ts';
import { ACCOUNT, runNode, SEND } from '../support/runNode.ts';

jest.mock('../../nodes/BusinessMessaging/transport/clock', () => ({
	...jest.requireActual('../../nodes/BusinessMessaging/transport/clock'),
	systemClock: jest.requireActual('../support/fastClock.ts').fastClock,
}));

const CUSTOMER = '+14155552671';
let api: LocalApi;

afterEach(async () => await api.close());

async function start(settings = {}): Promise<void> {
	api = await startLocalApi({
		apiKeys: [ACCOUNT],
		deliveredAfterMs: 0,
		readAfterMs: 0,
		...settings,
	});
}

async function sendAll(recipients: string[], options: INodeParameters = {}, settings = {}) {
	const items = recipients.map((to) => ({ to }));
	return await runNode({ baseUrl: api.url, parameters: { ...SEND, options }, items, settings });
}

async function look(parameters: INodeParameters, items = [{}], settings = {}) {
	return await runNode({
		baseUrl: api.url,
		parameters: { operation: 'getStatus', ...parameters },
		items,
		settings,
	});
}

describe('Get Status', () => {
	// README, Operations: Get Status
	it('puts out the record of the API, with cost as a number, paired to its item', async () => {
		await start();
		const { json: sent } = await sendAll([CUSTOMER, NEVER_READ]);
		const { items } = await look({ messageId: '={{ $json.message_id }}' }, sent);
		expect(items).toMatchObject([
			{
				json: { status: 'read', cost: 0.115, read_at: expect.any(String) },
				pairedItem: { item: 0 },
			},
			{ json: { status: 'delivered', read_at: null }, pairedItem: { item: 1 } },
		]);
		expect(api.calls.flatMap(({ violations }) => violations)).toEqual([]);
	});

	it('says of an unknown message what to do', async () => {
		await start();
		const { error } = await look({ messageId: 'no-such-message' });
		expect(error?.message).toBe('The API knows no message with this ID [item 0]');
		expect(error?.description).toContain('"message_id"');
	});

	it.each([
		['={{ " m1\\n" }}', 'm1'],
		['={{ 4711 }}', '4711'],
		['wamid.a==', 'wamid.a%3D%3D'],
	])('asks for the message ID %s by the path %s', async (messageId, path) => {
		await start();
		await look({ messageId });
		expect(api.calls.map((call) => call.path.split('/').at(-1))).toEqual([path]);
	});

	it.each([['={{ "" }}'], ['={{ null }}'], ['={{ true }}'], ['={{ { id: 1 } }}']])(
		'says where the message ID comes from when it is %s',
		async (messageId) => {
			await start();
			const { error } = await look({ messageId });
			expect(error?.message).toBe('Message ID is empty [item 0]');
			expect(error?.description).toMatch(/^Map "message_id" from the output of Send Template\./);
			expect(api.calls).toEqual([]);
		},
	);

	it.each([
		['a/b'],
		['../send'],
		['https://example.com'],
		['a b'],
		['.'],
		['..'],
		['a#b'],
		['a?b'],
	])('refuses %s as message ID before any request', async (messageId) => {
		await start();
		const { error } = await look({ messageId });
		expect(error?.message).toBe(`Message ID "${messageId}" is not the ID of a message [item 0]`);
		expect(error?.description).toMatch(/^Use the ID alone, without spaces, slashes/);
		expect(api.calls).toEqual([]);
	});

	it.each([
		['m1\\ud83c', 'Message ID has half a character in it, as when an emoji is cut in two'],
		['[object Object]', 'Message ID has [object Object] in its text'],
	])('refuses %s as message ID and looks up the others', async (wrong, message) => {
		await start();
		const { json: sent } = await sendAll([CUSTOMER, CUSTOMER]);
		const messageId = `={{ $itemIndex === 0 ? "${wrong}" : $json.message_id }}`;
		const { json } = await look({ messageId }, sent, { onError: 'continueRegularOutput' });
		expect(json).toMatchObject([
			{ error: { message, remedy: expect.any(String), outcome: null } },
			{ status: 'read' },
		]);
		const stopped = await look({ messageId }, sent);
		expect(stopped.error?.message).toBe(`${message} [item 0]`);
		expect(stopped.error?.description).toMatch(/Nothing was looked up\.$/);
	});

	// README, Send to a spreadsheet: the outcome of a look-up is null
	it('says nothing of what became of a message that it could not look up', async () => {
		await start();
		const { json, hints } = await look({ messageId: 'no-such-message' }, [{}, {}], {
			onError: 'continueRegularOutput',
		});
		expect(json).toMatchObject(Array(2).fill({ error: { outcome: null, httpStatus: 404 } }));
		expect(hints).toEqual(['2 failed: 2 × The API knows no message with this ID.']);
	});

	it('tells above the output what was seen', async () => {
		await start();
		const { json: sent } = await sendAll([CUSTOMER, NEVER_READ, CUSTOMER, FAILS]);
		const { hints } = await look({ messageId: '={{ $json.message_id }}' }, sent);
		expect(hints).toEqual(['4 messages looked up: 2 read, 1 delivered, 1 not deliverable.']);
	});

	it('names the option that is neither on nor off', async () => {
		await start();
		const { error } = await look({ messageId: 'm1', options: { rawResponse: '={{ $json.no }}' } });
		expect(error?.message).toBe('Raw Response is "undefined" [item 0]');
	});

	it('puts out the envelope on request', async () => {
		await start();
		const { json: sent } = await sendAll([CUSTOMER]);
		const messageId = '={{ $json.message_id }}';
		const { json } = await look({ messageId, options: { rawResponse: true } }, sent);
		expect(json).toMatchObject([{ success: true, data: { status: 'read' }, httpStatus: 200 }]);
	});

	it('tries a look-up again after an error of the API, which a send would not be', async () => {
		await start();
		const server = await startFaultServer((number) =>
			number === 0 ? MISBEHAVIORS.error500Empty : MISBEHAVIORS.sent,
		);
		const { json } = await runNode({
			baseUrl: server.url,
			parameters: { operation: 'getStatus', messageId: 'm1' },
		});
		await server.close();
		expect(json).toEqual([{ message_id: 'm1', status: 'sent' }]);
		expect(server.received).toHaveLength(2);
	});
});

// README, Operations: both can wait
describe('waiting', () => {
	it('for delivery adds what was seen, for many messages at once', async () => {
		await start();
		const { json, error } = await sendAll([CUSTOMER, NEVER_READ], { waitFor: 'delivered' });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ status: 'sent', delivery: { status: 'read', timedOut: false } },
			{ status: 'sent', delivery: { status: 'delivered', timedOut: false, read_at: null } },
		]);
	});

	it('that is over in time is a result, not an error', async () => {
		await start();
		const { json, error } = await sendAll([STAYS_SENT], { waitFor: 'read', waitTimeout: 30 });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ delivery: { status: 'sent', timedOut: true } }]);
	});

	it('tells above the output how many were delivered and how many not', async () => {
		await start();
		const { hints } = await sendAll([CUSTOMER, STAYS_SENT, CUSTOMER, CUSTOMER, CUSTOMER], {
			waitFor: 'delivered',
			waitTimeout: 60,
			requestsPerMinute: 0,
		});
		expect(hints).toEqual([
			'5 messages sent, 4 delivered, 1 not delivered within 60 s, cost INR 0.575.',
		]);
	});

	it('for a message whose ID has half a character ends its own item only', async () => {
		await start();
		const half = '{"success":true,"data":{"message_id":"m\\ud83c","status":"sent"}}';
		const server = await startFaultServer((_, body) =>
			body.includes(CUSTOMER) ? answer('200 OK', half) : MISBEHAVIORS.sent,
		);
		const { json } = await runNode({
			baseUrl: server.url,
			parameters: {
				...SEND,
				options: { waitFor: 'delivered', waitTimeout: 2, requestsPerMinute: 0 },
			},
			items: [{ to: CUSTOMER }, { to: '+14155552672' }],
		});
		await server.close();
		expect(json).toMatchObject([
			{ delivery: { timedOut: true, problem: expect.stringContaining("can't be looked up") } },
			{ message_id: 'm1', delivery: { timedOut: true } },
		]);
	});

	// README, Send to a spreadsheet: could not be delivered is `rejected`
	it('ends with an error item when the delivery fails, and the message is not sent again', async () => {
		await start();
		const { json, hints } = await sendAll(
			[FAILS, CUSTOMER],
			{ waitFor: 'delivered' },
			{
				onError: 'continueRegularOutput',
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 1,
			},
		);
		expect(json[0]).toMatchObject({ error: { outcome: 'rejected', remedy: expect.any(String) } });
		expect(json[1]).toMatchObject({ delivery: { timedOut: false } });
		const sends = api.calls.filter(({ method }) => method === 'POST');
		expect(sends).toHaveLength(2);
		expect(hints[0]).toMatch(
			/^2 messages sent, 1 delivered, 1 failed \(1 × The message could not .*\), cost INR 0.23\.$/,
		);
	});

	it('goes on with the last status that was seen when a look-up fails', async () => {
		await start();
		const answers = [MISBEHAVIORS.sent, MISBEHAVIORS.refused400, MISBEHAVIORS.read];
		const server = await startFaultServer((number) => answers[number]);
		const { json } = await runNode({
			baseUrl: server.url,
			parameters: {
				operation: 'getStatus',
				messageId: 'm1',
				options: { waitFor: 'delivered', rawResponse: true },
			},
		});
		await server.close();
		expect(server.received).toHaveLength(3);
		expect(json).toMatchObject([
			{ data: { status: 'read' }, delivery: { status: 'read', timedOut: false } },
		]);
	});

	it('puts out what was seen last, and why there is nothing newer', async () => {
		await start();
		const server = await startFaultServer((number) =>
			number === 0 ? MISBEHAVIORS.sent : MISBEHAVIORS.refused400,
		);
		const options = { waitFor: 'delivered', waitTimeout: 1, rawResponse: true };
		const { json } = await runNode({
			baseUrl: server.url,
			parameters: { operation: 'getStatus', messageId: 'm1', options },
		});
		await server.close();
		expect(json).toMatchObject([
			{
				data: { status: 'sent' },
				delivery: { status: 'sent', timedOut: true, problem: expect.stringContaining('recipient') },
			},
		]);
	});

	it('for a message whose status the API does not say begins with "sent"', async () => {
		await start();
		const server = await startFaultServer((number) =>
			number === 0 ? MISBEHAVIORS.withoutStatus : MISBEHAVIORS.refused400,
		);
		const { json } = await runNode({
			baseUrl: server.url,
			parameters: { ...SEND, options: { waitFor: 'delivered', waitTimeout: 1 } },
			items: [{ to: CUSTOMER }],
		});
		await server.close();
		expect(json).toMatchObject([
			{ message_id: 'm1', delivery: { status: 'sent', timedOut: true } },
		]);
	});

	it('works for Get Status as well', async () => {
		await start();
		const { json: sent } = await sendAll([CUSTOMER, FAILS]);
		const { json } = await look(
			{ messageId: '={{ $json.message_id }}', options: { waitFor: 'read' } },
			sent,
			{ onError: 'continueRegularOutput' },
		);
		expect(json).toMatchObject([
			{ status: 'read', delivery: { status: 'read', timedOut: false } },
			{ error: { message: expect.stringContaining('could not be delivered') } },
		]);
	});
});
