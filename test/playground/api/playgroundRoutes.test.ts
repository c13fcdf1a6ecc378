import { startLocalApi } from '../../../playground/api/server.ts';
import { CUSTOMER, RECIPIENTS, REFUSALS } from '../../../playground/api/wellKnown.ts';
import { call, localApis, send } from './client.ts';
import { receivers } from './receiver.ts';

const start = localApis();
const receive = receivers();

describe('playing over HTTP', () => {
	test('the customer writes, submits a form and changes it', async () => {
		const { url, received } = await receive();
		const api = await start();
		expect((await call(api, 'PUT', '/playground/webhooks', { urls: [url] })).status).toBe(200);
		expect(api.webhookUrls).toEqual([url]);

		const message = { from: CUSTOMER, text: 'Hello' };
		const written = await call(api, 'POST', '/playground/customer/messages', message);
		expect(written.json).toMatchObject({ event: 'message.incoming', accepted: true });
		expect((await send(api, { category: 'service' })).status).toBe(200);

		const form = { from: CUSTOMER, formData: { a: 1 } };
		const submitted = await call(api, 'POST', '/playground/customer/forms', form);
		const path = `/playground/customer/forms/${submitted.json.data.submission_id}`;
		expect((await call(api, 'PUT', path, { formData: { a: 2 } })).status).toBe(200);
		const names = received.map(({ body }) => JSON.parse(body).event);
		const customers = names.filter((name) => name !== 'message.sent');
		expect(customers).toEqual(['message.incoming', 'flow.submitted', 'flow.updated']);
	});

	test('any event can be emitted, in copies', async () => {
		const { url, received } = await receive();
		const api = await start();
		api.webhookUrls.push(url);
		const body = { event: 'message.archived', data: { a: 1 }, copies: 3, overlapping: true };
		const { json } = await call(api, 'POST', '/playground/events', body);
		expect(json).toMatchObject({ event: 'message.archived', data: { a: 1 }, accepted: true });
		expect(received).toHaveLength(3);
	});

	test.each([
		['POST', '/customer/messages', { from: '2025550110', text: 'a' }, 400],
		['POST', '/customer/messages', { from: CUSTOMER }, 400],
		['POST', '/customer/messages', { from: CUSTOMER, text: 1 }, 400],
		['POST', '/customer/messages', { from: CUSTOMER, text: 'a', more: 1 }, 400],
		['POST', '/customer/messages', '{', 400],
		['POST', '/customer/forms', { from: CUSTOMER, formData: [] }, 400],
		['PUT', '/customer/forms/none', { formData: {} }, 404],
		['PUT', '/webhooks', { urls: 'http://a' }, 400],
		['PUT', '/webhooks', { urls: ['file:///etc/passwd'] }, 400],
		['PUT', '/webhooks', { urls: ['http://a b'] }, 400],
		['POST', '/events', { event: '', data: {} }, 400],
		['POST', '/events', { event: 'a', data: 'b' }, 400],
		['POST', '/events', { event: 'a', data: {}, copies: 0 }, 400],
		['POST', '/events', { event: 'a', data: {}, copies: '2' }, 400],
		['PATCH', '/settings', { latencyMs: '5' }, 400],
		['PATCH', '/settings', { latencyMs: -1 }, 400],
		['PATCH', '/settings', { errorShape: 'xml' }, 400],
		['PATCH', '/settings', { port: 80 }, 400],
		['PATCH', '/settings', { apiKeys: ['a'] }, 400],
		['GET', '/log?newest=-1', undefined, 400],
	])('%s %s with %j is refused', async (method, path, body, status) => {
		const api = await start();
		const before = structuredClone(api.settings);
		const answer = await call(api, method, `/playground${path}`, body);
		expect(answer.status).toBe(status);
		expect(api.settings).toEqual(before);
		expect(api.webhookUrls).toEqual([]);
	});

	test('every setting but host and port can be changed', async () => {
		const api = await start();
		const { host, port, ...rest } = api.settings;
		expect((await call(api, 'PATCH', '/playground/settings', rest)).json).toEqual({
			host,
			port,
			...rest,
		});
		await call(api, 'PATCH', '/playground/settings', { errorShape: 'flat' });
		expect((await send(api, { category: 'service' })).json).toMatchObject({ code: 131047 });
	});

	test('the log shows requests, deliveries and messages, but no key', async () => {
		const { url } = await receive();
		const api = await start();
		await send(api, { templateName: 'first' });
		await send(api, { templateName: 'second' });
		api.webhookUrls = [url];
		await api.emit('message.read', {});
		const { text } = await call(api, 'GET', '/playground/log?newest=1');
		expect(JSON.parse(text)).toMatchObject({
			calls: [{ method: 'POST', answeredStatus: 200, body: { templateName: 'second' } }],
			deliveries: [{ url, event: 'message.read', status: 200 }],
			messages: [{ template_name: 'second', status: 'sent', template_variables: { '1': 'Asha' } }],
		});
		expect(JSON.parse(text).calls).toHaveLength(1);
		expect(text).not.toContain(api.settings.apiKeys[0].key);
	});
});

describe('the overview', () => {
	test('lists keys, numbers, template names, and commands', async () => {
		const api = await start();
		const { text, headers } = await call(api, 'GET', '/');
		expect(headers['content-type']).toContain('application/json');
		const page = JSON.parse(text);
		expect(page.apiKeys).toEqual(api.settings.apiKeys);
		const { recipients, templates } = page;
		expect(Object.keys(recipients)).toEqual(expect.arrayContaining(Object.keys(RECIPIENTS)));
		for (const { recipient, templateName, code } of REFUSALS) {
			expect(recipients[recipient]).toContain(String(code));
			expect(templates[templateName]).toContain(String(code));
		}
		expect(page.commands['write as the customer']).toContain(
			`${api.url}/playground/customer/messages`,
		);
	});

	test('leads to the description', async () => {
		const api = await start();
		const { description } = JSON.parse((await call(api, 'GET', '/')).text);
		expect(await (await fetch(description)).json()).toMatchObject({ openapi: '3.1.0' });
	});
});

test('the server listens on this machine only', async () => {
	await expect(startLocalApi({ host: '0.0.0.0' })).rejects.toThrow('loopback');
	expect((await start()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});
