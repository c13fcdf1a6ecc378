import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { createLive } from '../../../playground/api/live.ts';
import type { PageEntry } from '../../../playground/api/pageEntries.ts';
import { createTimers } from '../../../playground/api/timers.ts';
import { CUSTOMER, FAILS } from '../../../playground/api/wellKnown.ts';
import { eventually } from '../../../playground/eventually.ts';
import { call, localApis, lookUp, send } from './client.ts';
import { openLivePage } from './livePage.ts';
import { receivers } from './receiver.ts';

const start = localApis();
const receive = receivers();
const NOW = Date.UTC(2026, 0, 1, 12);
const kindsOf = (entries: Array<{ kind: string }>) => entries.map(({ kind }) => kind);

afterEach(() => jest.restoreAllMocks());

describe('an open page', () => {
	test('is told first what there is, then what changes', async () => {
		const api = await start();
		await send(api, { templateName: 'before' });
		const page = await openLivePage(api);
		expect(page.response.headers.get('content-type')).toBe('text/event-stream');
		await eventually('the state', () => page.events.length === 1);
		expect(page.events[0].name).toBe('state');
		expect(kindsOf(page.events[0].entries)).toEqual(['account', 'call', 'message']);

		await api.customerWrites(CUSTOMER, 'Hello');
		await page.hears('customer', 1);
		expect(page.events[1]).toMatchObject({
			name: 'change',
			entries: [{ kind: 'customer', number: CUSTOMER, text: 'Hello' }],
		});
	});

	test('sees a message become delivered and read, each with its time', async () => {
		const now = jest.spyOn(Date, 'now').mockReturnValue(NOW);
		const api = await start({ deliveredAfterMs: 1000, readAfterMs: 2000 });
		const page = await openLivePage(api);
		await send(api, { templateName: 'message_received', templateVariables: { 1: 'a', 2: 'b' } });
		await page.hears('message', 1);
		now.mockReturnValue(NOW + 1000);
		await page.hears('message', 2);
		now.mockReturnValue(NOW + 3000);
		expect(await page.hears('message', 3)).toMatchObject([
			{ status: 'sent', statusAt: NOW },
			{ status: 'delivered', statusAt: NOW + 1000 },
			{ status: 'read', statusAt: NOW + 3000 },
		]);
		expect(page.heard('message')[0]).toMatchObject({
			number: CUSTOMER,
			templateText: expect.stringContaining('{{2}}'),
			variables: { 1: 'a', 2: 'b' },
			amount: 0.115,
		});
	});

	test('sees why a message failed', async () => {
		const api = await start({ deliveredAfterMs: 0 });
		const page = await openLivePage(api);
		await send(api, { to: FAILS });
		await eventually('the failure', () => page.heard('message').at(-1)?.status === 'failed');
		expect(page.heard('message').at(-1)).toMatchObject({ error: { code: 131026 } });
	});

	test('sees a call with its answer and what was wrong with it, but no key', async () => {
		const api = await start();
		const page = await openLivePage(api);
		await send(api, { to: '12025' });
		await eventually('the answer', () => page.heard('call').at(-1)?.status === 400);
		expect(page.heard('call').at(-1)).toMatchObject({
			method: 'POST',
			violations: [expect.stringContaining('body.to')],
			body: expect.stringContaining('"to":"12025"'),
			answer: expect.stringContaining('BAD_REQUEST'),
		});
		expect(JSON.stringify(page.events)).not.toContain(api.settings.apiKeys[0].key.slice(-8));
	});

	test.each([
		['/none?key=secret', 'GET /api/none is not an endpoint'],
		['/integrations/messages/status/m?key=secret', 'the endpoint takes no query'],
		['/%zz?key=secret', expect.stringContaining('/api/%zz')],
	])('sees a call of /api%s without its query', async (path, violation) => {
		const api = await start();
		const page = await openLivePage(api);
		await call(api, 'GET', `/api${path}`);
		await eventually('the answer', () => page.heard('call').some(({ status }) => status !== null));
		const { path: shown, violations } = page.heard('call').at(-1)!;
		expect(shown).toBe(`/api${path.split('?')[0]}`);
		expect(violations).toContainEqual(violation);
		expect(JSON.stringify(page.events)).not.toContain('secret');
	});

	test('sees each try of a delivery, but no token', async () => {
		const { url } = await receive((count) => ({ status: count < 2 ? 500 : 200, body: 'seen' }));
		const api = await start({ webhookBackoffMs: 1 });
		api.webhookUrls = [`${url}?token=secret`];
		const page = await openLivePage(api);
		await api.emit('message.read', {});
		await eventually('the second try', () =>
			page.heard('delivery').some(({ status }) => status === 200),
		);
		const tries = new Map(page.heard('delivery').map((each) => [each.attempt, each]));
		expect([...tries.values()]).toMatchObject([
			{ attempt: 1, attempts: 4, status: 500, receiver: url, answer: 'seen' },
			{ attempt: 2, attempts: 4, status: 200, receiver: url, answer: 'seen' },
		]);
		expect(JSON.stringify(page.events)).not.toContain('secret');
	});

	test('sees a form and its change as one entry', async () => {
		const api = await start();
		const page = await openLivePage(api);
		const { data } = await api.customerSubmits(CUSTOMER, { interest: 'tea' });
		await page.hears('customer', 1);
		const { submission_id: id } = data as { submission_id: string };
		await api.customerUpdates(id, { interest: 'coffee' });
		expect(await page.hears('customer', 2)).toMatchObject([
			{ id, formData: { interest: 'tea' } },
			{ id, formData: { interest: 'coffee' }, changedAt: expect.any(Number) },
		]);
	});

	test('is sent no more than 2,000 characters of a body', async () => {
		const api = await start();
		await send(api, { templateVariables: { 1: 'x'.repeat(5000) } });
		const page = await openLivePage(api);
		const [{ body }] = await page.hears('call', 1);
		expect(String(body)).toHaveLength(2001);
	});

	test('is sent the newest 200 of each kind', async () => {
		const api = await start({ requestsPerWindow: 0 });
		for (let count = 1; count <= 203; count += 1) await lookUp(api, `id-${count}`);
		const page = await openLivePage(api);
		const calls = await page.hears('call', 1);
		expect(calls).toHaveLength(200);
		expect(calls[0].path).toContain('/id-4');
	});
});

describe('several pages', () => {
	test('hear the same, and one that goes away leaves the others', async () => {
		const api = await start();
		const pages = await Promise.all([1, 2, 3].map(async () => await openLivePage(api)));
		pages[0].leave();
		await eventually('its end', pages[0].hasEnded);
		await api.customerWrites(CUSTOMER, 'Hello');
		const heard = await Promise.all(
			pages.slice(1).map(async (page) => await page.hears('customer', 1)),
		);
		expect(heard[0]).toEqual(heard[1]);
		expect(pages[0].heard('customer')).toEqual([]);
	});

	test('end when the server closes', async () => {
		const api = await start();
		const pages = await Promise.all([1, 2].map(async () => await openLivePage(api)));
		await api.close();
		await eventually('the end of all', () => pages.every(({ hasEnded }) => hasEnded()));
	});
});

describe('looking for changes', () => {
	const entries = jest.fn((): PageEntry[] => []);

	beforeEach(() => {
		jest.useFakeTimers();
		entries.mockReset().mockReturnValue([]);
	});
	afterEach(() => jest.useRealTimers());

	/** An answer that nobody reads. */
	function unreadPage() {
		return Object.assign(new PassThrough(), { writeHead: jest.fn() });
	}

	test('begins with the first page and ends with the last', async () => {
		const live = createLive(entries, createTimers());
		expect([entries.mock.calls.length, jest.getTimerCount()]).toEqual([0, 0]);
		const pages = [unreadPage(), unreadPage()];
		for (const page of pages) live.open(page as unknown as ServerResponse);
		expect(jest.getTimerCount()).toBe(1);
		for (const page of pages) page.destroy();
		await jest.advanceTimersByTimeAsync(1000);
		expect([live.pages.size, jest.getTimerCount()]).toEqual([0, 0]);
	});

	test('goes on with one timer when a page is loaded again', async () => {
		const live = createLive(entries, createTimers());
		const first = unreadPage();
		live.open(first as unknown as ServerResponse);
		first.destroy();
		await jest.advanceTimersByTimeAsync(0);
		live.open(unreadPage() as unknown as ServerResponse);
		expect([live.pages.size, jest.getTimerCount()]).toEqual([1, 1]);
	});

	test('cuts off a page that does not read', async () => {
		const live = createLive(entries, createTimers());
		const page = unreadPage();
		live.open(page as unknown as ServerResponse);
		for (let id = 1; id <= 6; id += 1) {
			expect(page.destroyed).toBe(false);
			entries.mockReturnValue([{ kind: 'call', id: String(id), body: 'x'.repeat(1_000_000) }]);
			await jest.advanceTimersByTimeAsync(200);
			if (page.destroyed) break;
		}
		expect([page.destroyed, live.pages.size]).toEqual([true, 0]);
	});

	test('does not begin while the server closes', () => {
		const timers = createTimers();
		const live = createLive(entries, timers);
		timers.stop();
		const page = unreadPage();
		live.open(page as unknown as ServerResponse);
		expect([page.writableEnded, jest.getTimerCount()]).toEqual([true, 0]);
	});
});
