import { lookUpStatus, watchMessage } from '../../../nodes/BusinessMessaging/actions/messageStatus';
import type { StatusRecord } from '../../../nodes/BusinessMessaging/api';
import type { Call, Client } from '../../../nodes/BusinessMessaging/transport/client';
import { noMemory } from '../../support/emptyRetryMemory.ts';
import { response, clientFor } from '../../support/scriptedClient.ts';

const LIMITS = { timeoutMs: 1000, requestsPerMinute: 60, retryUnknownOutcome: false };

async function callFor(messageId: string): Promise<Call<StatusRecord>> {
	const call = jest.fn(async () => ({ data: {} }));
	await lookUpStatus({ call } as unknown as Client, messageId, LIMITS, {
		kind: 'lookUp',
		deadline: 5,
	});
	return (call.mock.calls as unknown as Array<[Call<StatusRecord>]>)[0][0];
}

it('a look-up asks for one message, within the limits and the time', async () => {
	expect(await callFor('wamid.a==')).toMatchObject({
		...LIMITS,
		isIdempotent: true,
		method: 'GET',
		path: '/api/integrations/messages/status/wamid.a%3D%3D',
		kind: 'lookUp',
		deadline: 5,
	});
});

it.each(['m1\ud83c', '.', '..'])(
	'a message ID such as %j, which has no address, is not asked for',
	async (messageId) => {
		const call = jest.fn();
		const reply = await lookUpStatus({ call } as unknown as Client, messageId, LIMITS);
		expect(reply).toEqual({
			failure: expect.objectContaining({
				message: expect.stringMatching(/^The message ID ".+" can't be looked up$/),
				remedy: expect.stringContaining('dashboard'),
				outcome: null,
				retryable: false,
			}),
		});
		expect(call).not.toHaveBeenCalled();
	},
);

it.each(['m.', '.m', '...'])('the message ID %j has dots and is asked for', async (messageId) => {
	expect((await callFor(messageId)).path).toBe(`/api/integrations/messages/status/${messageId}`);
});

it.each<[unknown, boolean]>([
	[{ success: true, data: { status: 'sent' } }, true],
	[{ success: true, data: { status: 1 } }, false],
	[{ success: true, data: {} }, false],
	[{ success: true }, false],
	['', false],
])('the answer %j tells a status: %p', async (body, tells) => {
	const { read } = await callFor('m1');
	expect(read({ status: 200, headers: {}, body }) !== undefined).toBe(tells);
});

it('what a wait tells is the last look-up that told something', async () => {
	const delivered = { ...response(200), body: { success: true, data: { status: 'delivered' } } };
	const { client, clock } = clientFor([delivered, response(404)]);
	const wait = { awaited: 'read', timeoutMs: 10_000 } as const;
	const message = { messageId: 'm1', first: { status: 'sent' }, wait, limits: LIMITS };
	const run = { client, clock, signal: new AbortController().signal, ...noMemory };
	const watched = await clock.run(watchMessage(message, run));
	expect(watched).toMatchObject({
		response: delivered,
		delivery: { status: 'delivered', timedOut: true },
	});
});
