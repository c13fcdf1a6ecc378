import { once } from 'node:events';
import { readdirSync } from 'node:fs';

import { startLocalApi, type LocalApi } from '../../../playground/api/server.mts';
import { CUSTOMER, RECIPIENTS, REFUSALS } from '../../../playground/api/wellKnown.mts';
import { eventually } from '../../../playground/eventually.mts';
import { call, launch, receive, send, start } from './client.mts';

describe('npm run api', () => {
	const run = (parameters: string[], nodeOptions?: string[]) =>
		launch('api/main.mts', parameters, nodeOptions);

	test('says where it listens, or that the port is in use, and stops with Ctrl-C', async () => {
		const hook = 'http://127.0.0.1:1/hook';
		const { child, ended } = run(['--port', '0', '--webhook', hook]);
		const line = String(await once(child.stdout, 'data'));
		const [url, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? [];
		const overview = await (await fetch(`${url}/`)).json();
		expect(overview).toMatchObject({ webhookUrls: [hook] });
		const inUse = expect.stringMatching(new RegExp(`^Port ${port} is in use: .*\n$`));
		expect(await run(['--port', port]).ended).toEqual({ exitCode: 1, output: inUse });
		child.kill('SIGINT');
		expect(await ended).toEqual({ exitCode: 0, output: line });
	});

	// playground/api/README.md: with Node.js 22.18 or newer
	test.each<[string[], RegExp, string[]?]>([
		[['--webhook', 'nowhere'], /^--webhook nowhere is not an http address\.\n$/],
		[['--port', '66000'], /^--port 66000 is not a port: use a number from 0 to 65535\.\n$/],
		[['--unknown'], /^.*--unknown.*\n\nnpm run api \[-- options\]\n(?!.* {4}at )/],
		[[], /^This needs Node\.js 22\.18 .*, and this is [\d.]+\. .*\n$/, ['--no-strip-types']],
	])('%j is answered with what it takes', async (...[parameters, expected, nodeOptions]) => {
		const { exitCode, output } = await run(parameters, nodeOptions).ended;
		expect(output).toMatch(expected);
		expect(exitCode).toBe(1);
	});
});

test('the server listens on this computer only', async () => {
	await expect(startLocalApi({ host: '0.0.0.0' })).rejects.toThrow('loopback');
	expect((await start()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

describe('over HTTP', () => {
	test.each([
		['POST', '/customer/messages', { from: '2025550110', text: 'a' }, 400],
		['POST', '/customer/messages', { from: CUSTOMER }, 400],
		['PUT', '/customer/forms/none', { formData: {} }, 404],
		['POST', '/deliveries/none/redeliver', {}, 404],
		['PUT', '/webhooks', { urls: ['file:///etc/passwd'] }, 400],
		['PUT', '/demo', { editor: 'javascript:alert(1)', login: '', workflows: [] }, 400],
		['PATCH', '/settings', { failNext: [418] }, 400],
		['PATCH', '/settings', { latencyMs: '5' }, 400],
		['PATCH', '/settings', { port: 80 }, 400],
	])('%s %s with %j is refused', async (method, path, body, status) => {
		const api = await start();
		const before = structuredClone(api.settings);
		expect((await call(api, method, `/playground${path}`, body)).status).toBe(status);
		expect(api.settings).toEqual(before);
		expect(api.webhookUrls).toEqual([]);
	});

	test('every setting but host and port can be changed', async () => {
		const api = await start();
		const { host: _host, port: _port, ...rest } = api.settings;
		expect((await call(api, 'PATCH', '/playground/settings', rest)).json).toMatchObject(rest);
		await call(api, 'PATCH', '/playground/settings', { errorShape: 'flat' });
		expect((await send(api, { category: 'service' })).json).toMatchObject({ code: 131047 });
	});

	test.each([
		[204, (url: string) => url],
		[403, () => 'https://example.com'],
	])('answers %i to a browser, by its page', async (status, originOf) => {
		const { url } = await start();
		const headers = { origin: originOf(url) };
		const answered = await fetch(`${url}/playground/reset`, { method: 'POST', headers });
		expect(answered.status).toBe(status);
	});

	test('a reset forgets all but the webhook URLs, and ends what is still to come', async () => {
		const { url, received } = await receive(() => 500);
		const before = { requestsPerWindow: 3, webhookBackoffMs: 60_000, deliveredAfterMs: 60_000 };
		const api = await start(before);
		await api.customerWrites(CUSTOMER, 'Hello');
		api.webhookUrls = [url];
		const submitted = api.customerSubmits(CUSTOMER, {});
		await call(api, 'PATCH', '/playground/settings', { latencyMs: 60_000, failNext: [500, 500] });
		const answers = [send(api), send(api), send(api)];
		await eventually('both events', () => api.calls.length === 3 && received.length === 2);

		expect((await call(api, 'POST', '/playground/reset')).status).toBe(204);
		expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([500, 500, 200]);
		expect((await submitted).accepted).toBe(false);
		expect(api.settings).toMatchObject({ ...before, latencyMs: 0, failNext: [] });
		const { json } = await call(api, 'GET', '/playground/log');
		expect(json).toEqual({ calls: [], deliveries: [], messages: [] });
		expect((await send(api, { category: 'service' })).json.error.code).toBe(131047);
		expect((await send(api)).headers['x-ratelimit-remaining']).toBe('1');
		await eventually('the event of the new message', () => received.length === 3);
		expect(JSON.parse(received[2].body)).toMatchObject({ event: 'message.sent' });
		expect(api.deliveries).toHaveLength(1);
	});
});

describe('the pages', () => {
	const browser = { accept: 'text/html,application/xhtml+xml' };

	test('the overview lists keys, numbers, templates and commands, and leads to the description', async () => {
		const api = await start();
		const { recipients, templates, ...page } = (await call(api, 'GET', '/')).json;
		expect(page.apiKeys).toEqual(api.settings.apiKeys);
		expect(Object.keys(recipients)).toEqual(expect.arrayContaining(Object.keys(RECIPIENTS)));
		const help = await call(api, 'GET', '/help');
		for (const { recipient, templateName, code } of REFUSALS) {
			expect(recipients[recipient]).toContain(String(code));
			expect(templates[templateName]).toContain(String(code));
			expect(help.text).toContain(recipient);
		}
		expect(page.commands['write as the customer']).toContain(`${api.url}/playground/customer`);
		expect(await (await fetch(page.description)).json()).toMatchObject({ openapi: '3.1.0' });
	});

	test('the phone page loads files of its own only, and runs nothing that stands in it', async () => {
		const api = await start();
		const { text, headers } = await call(api, 'GET', '/', undefined, browser);
		expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
		expect(text).not.toMatch(/<script(?! type="module" src=)|<style|\sstyle=|\son\w+=/);
		const addresses = [...text.matchAll(/(?:src|href)="(.+?)"/g)].map(([, address]) => address);
		expect(addresses).toContain('/phone/main.js');
		const files = readdirSync('playground/api/phone').map((name) => `/phone/${name}`);
		for (const address of [...addresses, ...files]) {
			expect(address).toMatch(/^\/\w/);
			expect((await call(api, 'GET', address)).status).toBe(200);
		}
		expect((await call(api, 'GET', '/phone/..%2Fserver.mts')).status).toBe(404);
	});

	/** An open phone page, as far as the server sees it. */
	async function openPage(api: LocalApi) {
		const { body } = await fetch(`${api.url}/playground/live`);
		const page = { text: '', hasEnded: false };
		const read = async () => {
			for await (const chunk of body!.pipeThrough(new TextDecoderStream())) page.text += chunk;
			page.hasEnded = true;
		};
		void read();
		return page;
	}

	test('a page is told first what there is, then what changes, but no key and no token', async () => {
		const { url } = await receive();
		const api = await start();
		api.webhookUrls = [`${url}?token=secret`];
		await send(api, { templateName: 'before' });
		const page = await openPage(api);
		await eventually('the state', () => page.text.includes('"before"'));
		await call(api, 'GET', '/api/none?key=secret');
		await api.customerWrites(CUSTOMER, 'Hello');
		const delivered = /event: state\n[^]*event: change\n[^]*"message\.incoming"[^}]*"status":200/;
		await eventually('the delivery', () => delivered.test(page.text));
		expect(page.text).toContain('"text":"Hello"');
		expect(page.text).toContain('GET /api/none is not an endpoint');
		expect(page.text).not.toContain('secret');
		expect(page.text).not.toContain(api.settings.apiKeys[0].key);
		// The browser connects again by itself.
		await call(api, 'POST', '/playground/reset');
		await eventually('the end', () => page.hasEnded);
		const emptied = await openPage(api);
		await eventually('the state', () => emptied.text.includes('event: state'));
		expect(emptied.text).not.toMatch(/"kind":"(?!account)/);
		await api.close();
		await eventually('the end', () => emptied.hasEnded);
	});
});
