import { eventViolations } from '../../../playground/api/contract.mts';
import { retryDelayMs } from '../../../playground/api/webhooks.mts';
import { CUSTOMER, FAILS, NEVER_READ } from '../../../playground/api/wellKnown.mts';
import { eventually } from '../../../playground/eventually.mts';
import { call, receive, send, start } from './client.mts';

const utcTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const namesOf = (received: Array<{ body: string }>) =>
	received.map(({ body }) => (JSON.parse(body) as { event: string }).event);

describe('events', () => {
	test('of a message that arrives come in order, as documented', async () => {
		const { url, received } = await receive();
		// Far enough apart to arrive in order on a busy machine.
		const api = await start({ deliveredAfterMs: 100, readAfterMs: 100 });
		api.webhookUrls = [url];
		const { message_id, sent_at } = (await send(api)).json.data;
		await eventually('all events', () => received.length === 3);
		const times = { sent: { sent_at }, delivered: { delivered_at: utcTime } };
		const expected = { ...times, read: { read_at: utcTime } };
		expect(received.map(({ body }) => JSON.parse(body))).toEqual(
			Object.entries(expected).map(([status, time]) => ({
				event: `message.${status}`,
				timestamp: utcTime,
				data: { message_id, recipient: CUSTOMER, status, ...time },
			})),
		);
		expect(received.flatMap(({ body }) => eventViolations(body))).toEqual([]);
	});

	test.each([
		[FAILS, ['message.sent', 'message.failed']],
		[NEVER_READ, ['message.sent', 'message.delivered']],
	])('of a message to %s are %j', async (to, events) => {
		const { url, received } = await receive();
		const api = await start({ deliveredAfterMs: 100, readAfterMs: 0 });
		api.webhookUrls = [url];
		await send(api, { to });
		await eventually('all events', () => received.length === events.length);
		expect(namesOf(received)).toEqual(events);
		expect(received.flatMap(({ body }) => eventViolations(body))).toEqual([]);
	});

	test('of a customer come as documented, and any other can be emitted', async () => {
		const { url, received } = await receive();
		const api = await start();
		const ask = async (method: string, path: string, body: object) =>
			(await call(api, method, `/playground/${path}`, body)).json;
		await ask('PUT', 'webhooks', { urls: [url] });
		await ask('POST', 'customer/messages', { from: CUSTOMER, text: 'Hello' });
		const form = { from: CUSTOMER, formData: { city: 'Pune' } };
		const { submission_id } = (await ask('POST', 'customer/forms', form)).data;
		await ask('PUT', `customer/forms/${submission_id}`, { formData: { city: 'Delhi' } });
		expect(namesOf(received)).toEqual(['message.incoming', 'flow.submitted', 'flow.updated']);
		expect(received.map(({ body }) => JSON.parse(body).data)).toEqual([
			{ from: CUSTOMER, message_id: expect.stringMatching(/^msg_/), text: 'Hello' },
			{ submission_id, from: CUSTOMER, form_data: { city: 'Pune' } },
			{ submission_id, form_data: { city: 'Delhi' } },
		]);
		expect(received.flatMap(({ body }) => eventViolations(body))).toEqual([]);
		const event = { event: 'message.archived', data: { a: 1 } };
		const emitted = await ask('POST', 'events', { ...event, copies: 2, overlapping: true });
		expect(emitted).toMatchObject({ ...event, accepted: true });
		expect(namesOf(received).slice(3)).toEqual(['message.archived', 'message.archived']);
	});
});

describe('the delivery of an event', () => {
	test.each([
		['is tried again until accepted', (count: number) => (count < 3 ? 500 : 204), [500, 500, 204]],
		['is given up after four refusals', () => 500, [500, 500, 500, 500]],
		['does not follow a redirect', () => 302, [302, 302, 302, 302]],
		['is over with any status from 200 to 299', () => 299, [299]],
	])('%s', async (_name, statusOf, statuses) => {
		const { url, received } = await receive(statusOf);
		const webhookHeaders = { 'X-Webhook-Token': 'secret' };
		const api = await start({ webhookBackoffMs: 1, webhookHeaders });
		api.webhookUrls = [url];
		const { accepted, deliveries } = await api.emit('message.read', { message_id: 'a' });
		expect(accepted).toBe(statuses.at(-1)! < 300);
		expect(deliveries.map(({ status }) => status)).toEqual(statuses);
		expect(api.deliveries).toEqual(deliveries);
		expect(new Set(received.map(({ body }) => body)).size).toBe(1);
		expect(received[0].headers).toMatchObject({
			'content-type': 'application/json',
			'x-webhook-token': 'secret',
		});
	});

	test('waits twice as long before each further retry, and has the deadline of the document', async () => {
		expect([1, 2, 3].map((retry) => retryDelayMs(retry, 1000))).toEqual([1000, 2000, 4000]);
		const { settings } = await start();
		expect(settings).toMatchObject({ webhookDeadlineMs: 5000, webhookRetries: 3 });
	});

	test('gives up an answer that comes after the deadline', async () => {
		const { url } = await receive(() => undefined);
		const api = await start({ webhookDeadlineMs: 20, webhookRetries: 1, webhookBackoffMs: 1 });
		api.webhookUrls = [url];
		const { accepted, deliveries } = await api.emit('message.read', {});
		const late = { status: null, error: 'no complete answer within 20 ms' };
		expect(accepted).toBe(false);
		expect(deliveries).toMatchObject([late, late]);
	});

	test('ends at once when the server closes, also of those that wait their turn', async () => {
		const { url, received } = await receive(() => undefined);
		const api = await start({ webhookDeadlineMs: 60_000, webhookConcurrency: 1 });
		api.webhookUrls = [url, url];
		const emitted = api.emit('message.read', { message_id: 'a' });
		await eventually('the first delivery', () => received.length === 1);
		await api.close();
		expect((await emitted).accepted).toBe(false);
		expect(received).toHaveLength(1);
	});
});
