import { createServer } from 'node:http';
import { retryDelayMs } from '../../../playground/api/webhooks.ts';
import { CUSTOMER } from '../../../playground/api/wellKnown.ts';
import { eventually } from '../../../playground/eventually.ts';
import { listen } from '../../support/listen.ts';
import { localApis } from './client.ts';
import { receivers } from './receiver.ts';

const start = localApis();
const receive = receivers();

describe('the delivery of an event', () => {
	test.each([
		[
			'is tried again until it is accepted',
			(count: number) => ({ status: count < 3 ? 500 : 204 }),
			[500, 500, 204],
			true,
		],
		['is given up after four refusals', () => ({ status: 500 }), [500, 500, 500, 500], false],
		[
			'does not follow a redirect',
			() => ({ status: 302, headers: { location: '/' } }),
			[302, 302, 302, 302],
			false,
		],
		['is over with any status from 200 to 299', () => ({ status: 299 }), [299], true],
	])('%s', async (_name, answer, statuses, accepted) => {
		const { url, received } = await receive(answer);
		const api = await start({ webhookBackoffMs: 1 });
		api.webhookUrls = [url];
		const emitted = await api.emit('message.read', { message_id: 'a' });
		expect(emitted.accepted).toBe(accepted);
		expect(emitted.deliveries.map(({ status }) => status)).toEqual(statuses);
		expect(emitted.deliveries.map(({ attempt }) => attempt)).toEqual(
			statuses.map((_s, index) => index + 1),
		);
		expect(new Set(received.map(({ body }) => body)).size).toBe(1);
		expect(api.deliveries).toEqual(emitted.deliveries);
	});

	test('waits twice as long before each further retry', async () => {
		expect([1, 2, 3].map((retry) => retryDelayMs(retry, 1000))).toEqual([1000, 2000, 4000]);
		const { url } = await receive(() => ({ status: 500 }));
		const api = await start({ webhookBackoffMs: 10 });
		api.webhookUrls = [url];
		const { deliveries } = await api.emit('message.read', {});
		const gaps = deliveries.slice(1).map(({ startedAt }, index) => {
			const { startedAt: before, tookMs } = deliveries[index];
			return startedAt - before - (tookMs ?? 0);
		});
		// A timer may be 1 ms early.
		[10, 20, 40].forEach((delay, index) => expect(gaps[index]).toBeGreaterThanOrEqual(delay - 1));
	});

	test('gives up an answer that comes after the deadline', async () => {
		const { url } = await receive(() => ({ afterMs: 5000 }));
		const api = await start({ webhookDeadlineMs: 20, webhookRetries: 1, webhookBackoffMs: 1 });
		api.webhookUrls = [url];
		const { accepted, deliveries } = await api.emit('message.read', {});
		const late = { status: null, error: 'no complete answer within 20 ms' };
		expect(accepted).toBe(false);
		expect(deliveries).toMatchObject([late, late]);
	});

	test('has the deadline, the retries and the delay of the document', async () => {
		const { webhookDeadlineMs, webhookRetries } = (await start()).settings;
		expect([webhookDeadlineMs, webhookRetries]).toEqual([5000, 3]);
	});

	test('is not accepted by nobody, nor by a port where nobody listens', async () => {
		const api = await start({ webhookBackoffMs: 1 });
		expect(await api.emit('message.read', {})).toMatchObject({ accepted: false, deliveries: [] });
		const gone = await start();
		api.webhookUrls = [`${gone.url}/hook`];
		await gone.close();
		const { deliveries } = await api.emit('message.read', {});
		expect(deliveries.map(({ error }) => error)).toEqual(Array(4).fill('ECONNREFUSED'));
	});

	test('carries the headers of the settings and keeps 10 kB of the answer', async () => {
		const { url, received } = await receive(() => ({ body: 'x'.repeat(50_000) }));
		const api = await start({ webhookHeaders: { 'X-Webhook-Token': 'secret' } });
		api.webhookUrls = [url];
		const { deliveries } = await api.emit('message.read', {});
		expect(received[0].headers['x-webhook-token']).toBe('secret');
		expect(deliveries[0].answer).toBe('x'.repeat(10_000));
	});

	test('ends at once when the server closes, also for those that wait their turn', async () => {
		const slow = await receive(() => ({ afterMs: 60_000 }));
		const api = await start({ webhookConcurrency: 1, webhookDeadlineMs: 60_000 });
		api.webhookUrls = [slow.url, slow.url];
		const emitted = api.emit('message.read', {});
		await eventually('the first delivery', () => slow.received.length === 1);
		await api.close();
		expect((await emitted).accepted).toBe(false);
		expect(slow.received).toHaveLength(1);
	});

	test('is not retried after the server has closed', async () => {
		const refusing = await receive(() => ({ status: 500 }));
		const api = await start({ webhookBackoffMs: 60_000 });
		api.webhookUrls = [refusing.url];
		const emitted = api.emit('message.read', {});
		await eventually('the first delivery', () => refusing.received.length === 1);
		await api.close();
		expect((await emitted).accepted).toBe(false);
		expect(refusing.received).toHaveLength(1);
	});

	test('counts with the status, even when the rest of the answer does not come', async () => {
		const hanging = createServer((_request, response) => response.writeHead(200).write('a'));
		const url = await listen(hanging);
		const api = await start({ webhookDeadlineMs: 500 });
		api.webhookUrls = [`${url}/`];
		const { accepted, deliveries } = await api.emit('message.read', {});
		hanging.closeAllConnections();
		hanging.close();
		expect(accepted).toBe(true);
		expect(deliveries).toMatchObject([
			{ status: 200, answer: 'a', error: 'no complete answer within 500 ms' },
		]);
	});
});

describe('copies of an event', () => {
	test.each([
		['one after the other', false, 1, [1, 1, 1]],
		['overlapping', true, 300, [1, 2, 3]],
	])('that come %s are the same bytes', async (_name, overlapping, afterMs, underWay) => {
		const { url, received } = await receive(() => ({ afterMs }));
		const api = await start();
		api.webhookUrls = [url];
		await api.emit('message.read', { message_id: 'a' }, { copies: 3, overlapping });
		expect(received.map((each) => each.underWay)).toEqual(underWay);
		expect(new Set(received.map(({ body }) => body)).size).toBe(1);
	});

	test('are made of every event, when the settings ask for them', async () => {
		const { url, received } = await receive();
		const api = await start({ webhookCopies: 2 });
		api.webhookUrls = [url];
		await api.customerWrites(CUSTOMER, 'Hello');
		expect(received).toHaveLength(2);
	});

	test('are never more at once than allowed', async () => {
		const { url, received } = await receive(() => ({ afterMs: 30 }));
		const api = await start({ webhookConcurrency: 2 });
		api.webhookUrls = [url];
		await api.emit('message.read', {}, { copies: 7, overlapping: true });
		expect(received).toHaveLength(7);
		expect(Math.max(...received.map((each) => each.underWay))).toBe(2);
	});
});
