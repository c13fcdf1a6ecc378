import { lookUpStatus } from '../../../nodes/BusinessMessaging/actions/statusCall';
import type { StatusRecord } from '../../../nodes/BusinessMessaging/api';
import type { Call, Client } from '../../../nodes/BusinessMessaging/transport/client';

const LIMITS = { timeoutMs: 1000, requestsPerMinute: 60, retryUnknownOutcome: false };

async function callFor(messageId: string): Promise<Call<StatusRecord>> {
	const call = jest.fn();
	await lookUpStatus({ call } as unknown as Client, messageId, LIMITS, 5);
	return (call.mock.calls as Array<[Call<StatusRecord>]>)[0][0];
}

it('a look-up asks for one message, within the limits and the time', async () => {
	expect(await callFor('wamid.a==')).toMatchObject({
		...LIMITS,
		purpose: 'status',
		method: 'GET',
		path: '/api/integrations/messages/status/wamid.a%3D%3D',
		giveUpAt: 5,
	});
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
