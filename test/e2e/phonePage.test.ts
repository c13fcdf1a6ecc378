import type { Browser } from 'playwright-core';
import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { eventually } from '../../playground/eventually.ts';
import { setUp, type Scene } from '../../playground/n8n/setUp.ts';
import { violationsOn } from '../support/axe.ts';
import { launchBrowser } from '../support/browser.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { openPhonePage, type PhonePage } from '../support/phonePage.ts';
import { sendTemplate } from '../support/sendTemplate.ts';
import { startWebPage } from '../support/webPage.ts';

let browser: Browser;
let api: LocalApi;
let opened: PhonePage[];

beforeAll(async () => {
	browser = await launchBrowser();
});

afterAll(async () => {
	await browser?.close();
});

beforeEach(async () => {
	opened = [];
	api = await startLocalApi({ deliveredAfterMs: 500, webhookBackoffMs: 50 });
});

afterEach(async () => {
	for (const { complaints, close } of opened) {
		await close();
		expect(complaints).toEqual([]);
	}
	await api.close();
});

async function openPhone(options?: Parameters<typeof openPhonePage>[2]) {
	const phone = await openPhonePage(browser, api, options);
	opened.push(phone);
	return phone;
}

describe('with the workflows of the demo', () => {
	let n8n: N8nUnderTest;
	let scene: Scene;

	beforeAll(async () => {
		n8n = await n8nUnderTest();
	});

	beforeEach(async () => {
		scene = await setUp(n8n, api);
	});

	afterEach(async () => {
		await n8n.client.workflows.unpublish(scene.autoReply.id);
		await n8n.client.workflows.unpublish(scene.formToCrm.id);
	});

	// README, Try it without an account: the phone, its ticks, calls and deliveries
	test('a message written by keyboard is answered there, and the ticks move to read', async () => {
		Object.assign(api.settings, { deliveredAfterMs: 3000, readAfterMs: 3000 });
		const { page, fromBusiness, fromCustomer, calls, deliveries } = await openPhone();
		for (let tabs = 0; tabs < 8; tabs += 1) {
			await page.keyboard.press('Tab');
			if (await page.locator('#text:focus').count()) break;
		}
		await page.keyboard.type('Is the blue kettle still in stock?');
		await page.keyboard.press('Enter');

		await fromCustomer.getByText('Is the blue kettle still in stock?').waitFor();
		const answer = fromBusiness.filter({ hasText: 'Thank you for your message of' });
		await answer.getByText('two hours').waitFor();
		for (const status of ['Sent', 'Delivered', 'Read']) {
			await answer.getByText(new RegExp(`^${status} \\d`)).waitFor();
		}
		expect(await answer.innerText()).toContain('message_received · service, free');
		expect(await calls.allInnerTexts()).toEqual([expect.stringMatching(/^200\s+POST/)]);
		const accepted = deliveries.filter({ hasText: 'message.incoming' });
		await accepted.filter({ hasText: '{"status":"accepted"}' }).waitFor();
	});

	test('a form is filled in, becomes a row, is confirmed, and can be changed', async () => {
		const { page, fromBusiness, fromCustomer, deliveries } = await openPhone();
		await page.getByRole('button', { name: 'Fill In a Form' }).press('Enter');
		expect(await page.getByLabel('Phone', { exact: true }).inputValue()).toBe(CUSTOMER);
		await page.getByLabel('Name').fill('Mira Shah');
		await page.getByLabel('Interest').fill('the tall teapot');
		await page.keyboard.press('Enter');

		await fromCustomer.getByText('the tall teapot').waitFor();
		await fromBusiness.getByText('Hi Mira Shah, thank you for your interest').waitFor();
		const row = await eventually('the row', async () => {
			const rows = await n8n.client.dataTables.rows(scene.tableId);
			return rows.find(({ name }) => name === 'Mira Shah');
		});
		expect(row).toMatchObject({ phone: CUSTOMER, interest: 'the tall teapot' });

		await fromCustomer.getByRole('button', { name: 'Change' }).click();
		await page.getByLabel('Interest').fill('the small teapot');
		await page.getByRole('button', { name: 'Submit' }).click();
		await fromCustomer.getByText('the small teapot').waitFor();
		expect(await fromCustomer.innerText()).toMatch(/Form, changed \d/);
		expect(await fromCustomer.count()).toBe(1);
		await deliveries.filter({ hasText: 'flow.updated' }).first().waitFor();
	});
});

test('a delivery that is refused shows each retry with its status', async () => {
	const refusing = await startWebPage(500);
	try {
		api.webhookUrls = [`${refusing.url}/hook?token=secret`];
		const { page, deliveries, write } = await openPhone();
		await write('Anybody there?');
		await deliveries.filter({ hasText: 'Retry 3 of 3' }).waitFor();
		await eventually('all answers', async () => {
			const tries = await deliveries.allInnerTexts();
			return tries.every((each) => each.startsWith('500')) ? tries : undefined;
		});
		const tries = (await deliveries.allInnerTexts()).map((each) => each.replace(/\s+/g, ' '));
		expect(tries).toEqual([
			expect.stringContaining('Retry 3 of 3 → /hook'),
			expect.stringContaining('Retry 2 of 3 → /hook'),
			expect.stringContaining('Retry 1 of 3 → /hook'),
			expect.stringContaining('First try → /hook'),
		]);
		await deliveries.first().press('Enter');
		await page.locator('#deliveries pre').getByText('"text": "Anybody there?"').first().waitFor();
		expect(await page.content()).not.toContain('secret');
	} finally {
		await refusing.close();
	}
});

test('a link in a value can be opened, as on a phone, and a call that is refused shows its answer', async () => {
	const { calls, fromBusiness } = await openPhone();
	const link = 'https://n8n.example.com/webhook-waiting/1/2?round=1&signature=a';
	await sendTemplate(api, { templateVariables: { 1: 'Asha', 2: link } });
	const opened = fromBusiness.getByRole('link', { name: link });
	expect(await opened.getAttribute('href')).toBe(link);
	expect(await opened.getAttribute('rel')).toBe('noopener noreferrer');
	await sendTemplate(api, { category: 'service' });
	await calls.filter({ hasText: '"code":131047' }).waitFor();
});

test('what others wrote is shown as text, wherever it is shown', async () => {
	const html = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
	const { page, fromCustomer, fromBusiness, calls, write } = await openPhone();
	await write(html);
	await api.customerSubmits(CUSTOMER, { [html]: html });
	await sendTemplate(api, { templateName: html, templateVariables: { 1: html } });
	await sendTemplate(api, { templateVariables: { 1: html } });
	await eventually('both bubbles', async () => (await fromBusiness.count()) === 2 || undefined);
	await calls.filter({ hasText: html }).waitFor();
	expect(await fromCustomer.allInnerTexts()).toEqual([
		expect.stringContaining(html),
		expect.stringContaining(html),
	]);
	for (const text of await fromBusiness.allInnerTexts()) expect(text).toContain(html);
	expect(await page.locator('img, body script').count()).toBe(0);
	expect(await page.title()).toBe("The customer's phone");
});

test.each(['light', 'dark'] as const)(
	'axe-core finds nothing wrong in %s colors, with messages of each kind and a form that was refused',
	async (colorScheme) => {
		const refusing = await startWebPage(500);
		api.webhookUrls = [refusing.url];
		// Contrast is measured; while something fades in, there is less of it.
		const phone = await openPhone({ colorScheme, reducedMotion: 'reduce' });
		const { page, write, fromBusiness, fromCustomer, calls, deliveries } = phone;
		await page.getByText('No messages yet.').waitFor();
		expect(await violationsOn(page)).toEqual([]);
		await write('Is it there?');
		await api.customerSubmits(CUSTOMER, { name: 'Mira Shah', interest: 'the tall teapot' });
		await fromCustomer.getByText('the tall teapot').waitFor();
		await sendTemplate(api, { templateVariables: { 1: 'Asha' } });
		await sendTemplate(api, { templateName: 'not_known_here', templateVariables: { 1: 'Asha' } });
		await sendTemplate(api, { to: 'nobody' });
		await fromBusiness
			.getByText(/^Delivered/)
			.nth(1)
			.waitFor();
		await calls.filter({ hasText: 'must match pattern' }).click();
		await deliveries.filter({ hasText: 'Retry 3 of 3' }).first().click();
		expect(await violationsOn(page)).toEqual([]);
		await page.getByRole('button', { name: 'Fill In a Form' }).click();
		await page.getByRole('button', { name: 'Submit' }).click();
		await page.getByText('Fill in Name and Interest.').waitFor();
		expect(await violationsOn(page)).toEqual([]);
		await refusing.close();
	},
);

test('the page says that the server is gone, keeps what was written, and finds it again', async () => {
	const { page, complaints, write } = await openPhone();
	await write('Before');
	await api.close();
	await page.getByText('The local API does not answer').waitFor();
	await write('Meanwhile');
	await page.getByRole('alert').getByText('Not sent').waitFor();
	expect(await page.getByLabel('Message').inputValue()).toBe('Meanwhile');
	api = await startLocalApi({ port: Number(new URL(api.url).port) });
	await page.getByText('Live', { exact: true }).waitFor();
	await page.getByText('Before').waitFor({ state: 'hidden' });
	await page.getByLabel('Message').press('Enter');
	await page.getByRole('article').getByText('Meanwhile').waitFor();
	// The browser notes each connection that failed.
	complaints.length = 0;
});
