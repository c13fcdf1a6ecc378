import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { FAILS, NEVER_READ, STAYS_SENT } from '../../playground/api/wellKnown.ts';
import {
	MISBEHAVIORS,
	answer,
	startFaultServer,
	type Misbehavior,
} from '../support/faultServer.ts';
import { localAccount } from '../support/localAccount.ts';
import { SEND, runNode } from '../support/runNode.ts';

jest.mock('../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../support/fastClock.ts'),
);

const CUSTOMER = '+14155552671';
const { api, sendTo, look } = localAccount({ deliveredAfterMs: 0, readAfterMs: 0 });

describe('Get Status', () => {
	// README, Operations: Get Status
	it('puts out the record of the API, with cost as a number, paired to its item', async () => {
		const { json: sent } = await sendTo([CUSTOMER, NEVER_READ]);
		const { items, hints } = await look({ messageId: '={{ $json.message_id }}' }, sent);
		expect(hints).toEqual(['2 messages looked up: 1 read, 1 delivered.']);
		expect(items).toMatchObject([
			{
				json: { status: 'read', cost: 0.115, read_at: expect.any(String) },
				pairedItem: { item: 0 },
			},
			{ json: { status: 'delivered', read_at: null }, pairedItem: { item: 1 } },
		]);
		expect(api().calls.flatMap(({ violations }) => violations)).toEqual([]);
	});

	it('says of an unknown message what to do', async () => {
		const { error } = await look({ messageId: 'no-such-message' });
		expect(error?.message).toBe('The API knows no message with this ID [item 0]');
		expect(error?.description).toContain('"message_id"');
	});

	it.each([
		['={{ " m1\\n" }}', 'm1'],
		['={{ 4711 }}', '4711'],
		['wamid.a==', 'wamid.a%3D%3D'],
	])('asks for the message ID %s by the path %s', async (messageId, path) => {
		await look({ messageId });
		expect(api().calls.map((call) => call.path.split('/').at(-1))).toEqual([path]);
	});

	it.each([['={{ "" }}'], ['={{ null }}'], ['={{ { id: 1 } }}']])(
		'says where the message ID comes from when it is %s',
		async (messageId) => {
			const { error } = await look({ messageId });
			expect(error?.message).toBe('Message ID is empty [item 0]');
			expect(error?.description).toMatch(/^Map "message_id" from the output of Send Template\./);
			expect(api().calls).toEqual([]);
		},
	);

	it.each([['a/b'], ['a b'], ['..']])(
		'refuses %s as message ID before any request',
		async (messageId) => {
			const { error } = await look({ messageId });
			expect(error?.message).toBe(`Message ID "${messageId}" is not the ID of a message [item 0]`);
			expect(error?.description).toMatch(/^Use the ID alone, without spaces, slashes/);
			expect(api().calls).toEqual([]);
		},
	);

	it.each([
		['m1\\ud83c', 'Message ID has half a character in it, as when an emoji is cut in two'],
		['[object Object]', 'Message ID has [object Object] in its text'],
	])('refuses %s as message ID and looks up the others', async (wrong, message) => {
		const { json: sent } = await sendTo([CUSTOMER, CUSTOMER]);
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
		const { json, hints } = await look({ messageId: 'no-such-message' }, [{}, {}], {
			onError: 'continueRegularOutput',
		});
		expect(json).toMatchObject(Array(2).fill({ error: { outcome: null, httpStatus: 404 } }));
		expect(hints).toEqual(['2 failed: 2 × The API knows no message with this ID.']);
	});

	it('names the option that is neither on nor off', async () => {
		const { error } = await look({
			messageId: 'm1',
			options: { rawResponse: '={{ $json.no }}' },
		});
		expect(error?.message).toBe('Raw Response is "undefined" [item 0]');
	});

	it('puts out the envelope on request', async () => {
		const { json: sent } = await sendTo([CUSTOMER]);
		const messageId = '={{ $json.message_id }}';
		const { json } = await look({ messageId, options: { rawResponse: true } }, sent);
		expect(json).toMatchObject([{ success: true, data: { status: 'read' }, httpStatus: 200 }]);
	});

	it('tries a look-up again after an error of the API, which a send would not be', async () => {
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

/** One run against a server that answers like this. @returns what it put out, and how many requests it made */
async function runAgainst(
	behave: (requestNumber: number, body: string) => Misbehavior,
	parameters: INodeParameters,
	items?: IDataObject[],
	settings = {},
) {
	const server = await startFaultServer(behave);
	const { json, hints } = await runNode({ baseUrl: server.url, parameters, items, settings });
	await server.close();
	return { json, hints, requests: server.received.length };
}

const GET_STATUS = { operation: 'getStatus', messageId: 'm1' };

// README, Operations: both can wait
describe('waiting', () => {
	it('for delivery adds what was seen, for many messages at once', async () => {
		const { json, error } = await sendTo([CUSTOMER, NEVER_READ], { waitFor: 'delivered' });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ status: 'sent', delivery: { status: 'read', timedOut: false } },
			{ status: 'sent', delivery: { status: 'delivered', timedOut: false, read_at: null } },
		]);
	});

	it('tells above the output how many were delivered and how many not', async () => {
		const options = { waitFor: 'delivered', waitTimeout: 60, requestsPerMinute: 0 };
		const { error, hints } = await sendTo([CUSTOMER, STAYS_SENT, CUSTOMER], options);
		expect(error).toBeUndefined();
		expect(hints).toEqual([
			'3 messages sent, 2 delivered, 1 not delivered within 60 s, cost INR 0.345. 1 number appears more than once (items 0, 2).',
		]);
	});

	it.each([
		[1, 8, 4],
		[20, 3600, 25],
	])(
		'for %d messages that a key may no longer look up says so, and not that they are late',
		async (count, waitTimeout, requests) => {
			const options = { waitFor: 'delivered', waitTimeout };
			const items = Array.from({ length: count }, (_, index) => ({ to: `+1415555267${index}` }));
			const run = await runAgainst(
				(_, body) => (body ? MISBEHAVIORS.sent : answer('401 Unauthorized', '{}')),
				{ ...SEND, options },
				items,
			);
			const problem = 'The API key is missing or not valid';
			expect(run.json).toHaveLength(count);
			for (const item of run.json) expect(item.delivery).toMatchObject({ timedOut: true, problem });
			expect(run.hints[0]).toContain(`sent, ${count} not known to be delivered (${problem}), `);
			expect(run.requests).toBe(requests);
		},
	);

	it.each([
		['sent', 'delivered'],
		['failed', 'rejected'],
	])(
		'for a message whose ID is a number, and which was %s at first, ends as %s',
		async (first, end) => {
			const says = (status: string) =>
				answer('200 OK', `{"success":true,"data":{"message_id":4711,"status":"${status}"}}`);
			const { json, requests } = await runAgainst(
				(number) => says(number === 0 ? first : 'delivered'),
				{ ...SEND, options: { waitFor: 'delivered', requestsPerMinute: 0 } },
				[{ to: CUSTOMER }],
				{ onError: 'continueRegularOutput' },
			);
			expect(requests).toBe(first === 'failed' ? 1 : 2);
			expect(json).toMatchObject([
				first === 'failed'
					? { error: { outcome: end, messageId: '4711' } }
					: { message_id: 4711, delivery: { status: end } },
			]);
		},
	);

	it('for a message whose ID has half a character ends its own item only', async () => {
		const half = '{"success":true,"data":{"message_id":"m\\ud83c","status":"sent"}}';
		const options = { waitFor: 'delivered', waitTimeout: 2, requestsPerMinute: 0 };
		const { json } = await runAgainst(
			(_, body) => (body.includes(CUSTOMER) ? answer('200 OK', half) : MISBEHAVIORS.sent),
			{ ...SEND, options },
			[{ to: CUSTOMER }, { to: '+14155552672' }],
		);
		expect(json).toMatchObject([
			{ delivery: { timedOut: true, problem: expect.stringContaining("can't be looked up") } },
			{ message_id: 'm1', delivery: { timedOut: true } },
		]);
	});

	// README, Send to a spreadsheet: could not be delivered is `rejected`
	it('ends with an error item when the delivery fails, and the message is not sent again', async () => {
		const { json, hints } = await sendTo(
			[FAILS, CUSTOMER],
			{ waitFor: 'delivered' },
			{ onError: 'continueRegularOutput', retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		);
		expect(json[0]).toMatchObject({ error: { outcome: 'rejected', remedy: expect.any(String) } });
		expect(json[1]).toMatchObject({ delivery: { timedOut: false } });
		const sends = api().calls.filter(({ method }) => method === 'POST');
		expect(sends).toHaveLength(2);
		expect(hints[0]).toMatch(
			/^2 messages sent, 1 delivered, 1 failed \(1 × The message could not .*\), cost INR 0.23\.$/,
		);
	});

	it('goes on with the last status that was seen when a look-up fails', async () => {
		const answers = [MISBEHAVIORS.sent, MISBEHAVIORS.refused400, MISBEHAVIORS.read];
		const options = { waitFor: 'delivered', rawResponse: true };
		const { json, requests } = await runAgainst((number) => answers[number], {
			...GET_STATUS,
			options,
		});
		expect(requests).toBe(3);
		expect(json).toMatchObject([
			{ data: { status: 'read' }, delivery: { status: 'read', timedOut: false } },
		]);
	});

	it('puts out what was seen last, and why there is nothing newer', async () => {
		const options = { waitFor: 'delivered', waitTimeout: 1, rawResponse: true };
		const { json } = await runAgainst(
			(number) => (number === 0 ? MISBEHAVIORS.sent : MISBEHAVIORS.refused400),
			{ ...GET_STATUS, options },
		);
		expect(json).toMatchObject([
			{
				data: { status: 'sent' },
				delivery: { status: 'sent', timedOut: true, problem: expect.stringContaining('recipient') },
			},
		]);
	});

	it('for a message whose status the API does not say begins with "sent"', async () => {
		const { json } = await runAgainst(
			(number) => (number === 0 ? MISBEHAVIORS.withoutStatus : MISBEHAVIORS.refused400),
			{ ...SEND, options: { waitFor: 'delivered', waitTimeout: 1 } },
			[{ to: CUSTOMER }],
		);
		expect(json).toMatchObject([
			{ message_id: 'm1', delivery: { status: 'sent', timedOut: true } },
		]);
	});

	it('works for Get Status as well', async () => {
		const { json: sent } = await sendTo([CUSTOMER, FAILS]);
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
