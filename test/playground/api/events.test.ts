import { eventViolations } from '../../../playground/api/contract.ts';
import { CUSTOMER, FAILS, NEVER_READ } from '../../../playground/api/wellKnown.ts';
import { eventually } from '../../../playground/eventually.ts';
import { localApis, lookUp, send } from './client.ts';
import { receivers } from './receiver.ts';

const start = localApis();
const receive = receivers();
// Far enough apart to arrive in order on a busy machine.
const fast = { deliveredAfterMs: 100, readAfterMs: 100 };
const utcTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('events', () => {
	test('of a message that arrives come in order, as documented', async () => {
		const { url, received } = await receive();
		const api = await start(fast);
		api.webhookUrls = [url];
		const { message_id, sent_at } = (await send(api)).json.data;
		await eventually('all events', () => received.length === 3);

		const message = { message_id, recipient: CUSTOMER };
		expect(received.map(({ body }) => JSON.parse(body))).toEqual([
			{ event: 'message.sent', timestamp: utcTime, data: { ...message, status: 'sent', sent_at } },
			{
				event: 'message.delivered',
				timestamp: utcTime,
				data: { ...message, status: 'delivered', delivered_at: utcTime },
			},
			{
				event: 'message.read',
				timestamp: utcTime,
				data: { ...message, status: 'read', read_at: utcTime },
			},
		]);
		for (const { method, headers, body } of received) {
			expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
			expect(eventViolations(body)).toEqual([]);
		}
		expect((await lookUp(api, message_id)).json.data.status).toBe('read');
	});

	test.each([
		[FAILS, ['message.sent', 'message.failed']],
		[NEVER_READ, ['message.sent', 'message.delivered']],
	])('of a message to %s are %j', async (to, events) => {
		const { url, received } = await receive();
		const api = await start(fast);
		api.webhookUrls = [url];
		await send(api, { to });
		await eventually('all events', () => received.length === events.length);
		expect(received.map(({ body }) => JSON.parse(body).event)).toEqual(events);
		expect(received.flatMap(({ body }) => eventViolations(body))).toEqual([]);
	});

	test('of a customer come as documented', async () => {
		const { url, received } = await receive();
		const api = await start();
		api.webhookUrls = [url];
		const written = await api.customerWrites(CUSTOMER, 'Hello');
		const submitted = await api.customerSubmits(CUSTOMER, { city: 'Pune' });
		const { submission_id } = submitted.data as { submission_id: string };
		await api.customerUpdates(submission_id, { city: 'Delhi' });

		expect(written).toMatchObject({ accepted: true, deliveries: [{ attempt: 1, status: 200 }] });
		expect(received.map(({ body }) => JSON.parse(body))).toEqual([
			{
				event: 'message.incoming',
				timestamp: utcTime,
				data: { from: CUSTOMER, message_id: expect.stringMatching(/^msg_/), text: 'Hello' },
			},
			{
				event: 'flow.submitted',
				timestamp: utcTime,
				data: { submission_id, from: CUSTOMER, form_data: { city: 'Pune' } },
			},
			{
				event: 'flow.updated',
				timestamp: utcTime,
				data: { submission_id, form_data: { city: 'Delhi' } },
			},
		]);
		expect(received.flatMap(({ body }) => eventViolations(body))).toEqual([]);
		await expect(api.customerUpdates('sub_none', {})).rejects.toThrow('sub_none');
	});
});
