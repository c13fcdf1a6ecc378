import { readdirSync } from 'node:fs';
import { REFUSALS } from '../../../playground/api/wellKnown.ts';
import { call, localApis } from './client.ts';

const start = localApis();
const browser = { accept: 'text/html,application/xhtml+xml' };
const FILES = readdirSync('playground/api/phone');

test('a browser gets the phone page, and curl the overview, at the same address', async () => {
	const api = await start();
	const page = await call(api, 'GET', '/', undefined, browser);
	expect(page.headers['content-type']).toContain('text/html');
	expect(page.text).toContain("<title>The customer's phone</title>");
	const overview = await call(api, 'GET', '/', undefined, { accept: '*/*' });
	expect(overview.json).toMatchObject({ baseUrl: api.url });
	expect(overview.headers.vary).toBe('accept');
});

test('the phone page loads files of its own only, and runs nothing that stands in it', async () => {
	const api = await start();
	const { text, headers } = await call(api, 'GET', '/', undefined, browser);
	expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
	expect(text).not.toMatch(/<script(?! type="module" src=)|<style|\sstyle=|\son\w+=/);
	const addresses = [...text.matchAll(/(?:src|href)="(.+?)"/g)].map(([, address]) => address);
	expect(addresses).toContain('/phone/main.js');
	for (const address of addresses) expect((await call(api, 'GET', address)).status).toBe(200);
});

test.each(FILES)('the file %s is served with its type', async (name) => {
	const api = await start();
	const { status, headers } = await call(api, 'GET', `/phone/${name}`);
	expect(status).toBe(200);
	const extension = name.split('.').at(-1)!;
	const type = { html: 'html', css: 'css', js: 'javascript', svg: 'svg' }[extension];
	expect(headers['content-type']).toContain(type);
	expect(headers['x-content-type-options']).toBe('nosniff');
});

test.each(['/phone/', '/phone/..%2Fserver.ts', '/phone/%2e%2e/server.ts', '/phone/none.js'])(
	'%s is not served',
	async (path) => {
		expect((await call(await start(), 'GET', path)).status).toBe(404);
	},
);

test('the help is readable and shows what is in the overview as text', async () => {
	const api = await start();
	api.webhookUrls = ['http://127.0.0.1/?a=<script>&b="'];
	const { text, headers } = await call(api, 'GET', '/help');
	expect(headers['content-type']).toContain('text/html');
	expect(text).not.toContain('<script');
	expect(text).toContain('&#60;message_id&#62;');
	for (const { recipient, templateName } of REFUSALS) {
		expect(text).toContain(recipient);
		expect(text).toContain(templateName);
	}
});
