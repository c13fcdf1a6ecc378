import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { CUSTOMER, DEVELOPMENT_KEY } from '../../playground/api/wellKnown.mts';
import { eventually } from '../../playground/eventually.mts';
import { setUp, type Scene } from '../../playground/n8n/setUp.mts';
import { browserOfFile, violationsOn } from '../support/browser.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { openPhonePage, type PhonePage } from '../support/phonePage.mts';
import { openLink } from '../support/questionPage.mts';
import { startWebPage } from '../support/webPage.mts';

const file = browserOfFile();
let api: LocalApi;
let opened: PhonePage[];

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

async function openPhone(options?: Parameters<typeof openPhonePage>[2], shown = api) {
	const phone = await openPhonePage(file.browser, shown, options);
	opened.push(phone);
	return phone;
}

/** As a workflow does it, without one. */
async function sendTemplate(changes: object): Promise<void> {
	const update = { templateName: 'order_update', category: 'utility' };
	await fetch(`${api.url}/api/integrations/messages/send`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': DEVELOPMENT_KEY },
		body: JSON.stringify({ to: CUSTOMER, type: 'template', ...update, ...changes }),
	});
}

describe('with the workflows of the demo', () => {
	let n8n: N8nUnderTest;
	let demo: LocalApi;
	let scene: Scene;

	beforeAll(async () => {
		n8n = await n8nUnderTest();
		demo = await startLocalApi({ deliveredAfterMs: 2000, readAfterMs: 2000 });
		scene = await setUp(n8n, demo);
	});

	afterAll(async () => {
		for (const { id } of [scene.autoReply, scene.formToCrm, scene.stop, scene.question.saved]) {
			await n8n.client.workflows.unpublish(id);
		}
		await demo.close();
	});

	// README, Try it without an account: the phone, its ticks, calls and deliveries
	test('a message written by keyboard is answered there, and the ticks move to read', async () => {
		const { page, fromBusiness, fromCustomer, calls, deliveries } = await openPhone({}, demo);
		for (let tabs = 0; tabs < 20; tabs += 1) {
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
		await accepted.filter({ hasText: '{"status":"accepted"}' }).first().waitFor();

		const runs = `${n8n.url}/workflow/${scene.autoReply.id}/executions`;
		const name = "Auto-reply to a customer's message";
		expect(await answer.getByRole('link', { name }).getAttribute('href')).toBe(runs);
		const ignored = deliveries.filter({ hasText: 'message.read' });
		await ignored.nth(2).waitFor({ state: 'attached' });
		expect(await ignored.first().isVisible()).toBe(false);
		await page.getByLabel(/Show \d+ ignored/).check();
		expect(await ignored.first().isVisible()).toBe(true);
		expect(await violationsOn(page)).toEqual([]);
	});

	test('a question comes with one click, and looks answered once it is', async () => {
		const { page, fromBusiness } = await openPhone({}, demo);
		const opens = async (link: string) => {
			const opened = page.waitForEvent('popup');
			await page.getByRole('link', { name: link }).click();
			return await opened;
		};
		await (await opens('Ask me')).close();
		const question = fromBusiness.filter({ hasText: 'we have a question' });
		await question.getByText('Sent').waitFor();
		const { link } = await openLink(demo);
		const questionPage = await opens(link);
		await question.getByText('Read').waitFor();
		expect(await question.innerText()).not.toContain('Answered');
		await questionPage.getByRole('button', { name: 'Approve' }).click();
		await page.bringToFront();
		await question.getByText('Answered').waitFor();
	});

	test('a form is filled in, becomes a row, is confirmed, and can be changed', async () => {
		const { page, fromBusiness, fromCustomer, deliveries } = await openPhone({}, demo);
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

		const form = fromCustomer.filter({ hasText: 'teapot' });
		await form.getByRole('button', { name: 'Change' }).click();
		await page.getByLabel('Interest').fill('the small teapot');
		await page.getByRole('button', { name: 'Submit' }).click();
		await fromCustomer.getByText('the small teapot').waitFor();
		expect(await form.innerText()).toMatch(/Form, changed \d/);
		expect(await form.count()).toBe(1);
		await deliveries.filter({ hasText: 'flow.updated' }).first().waitFor({ state: 'attached' });
	});
});

test('what others wrote is shown as text, a link can be opened as on a phone, and a refused call shows its answer', async () => {
	const html = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
	const link = 'https://n8n.example.com/webhook-waiting/1/2?round=1&signature=a';
	const { page, fromCustomer, fromBusiness, calls, write } = await openPhone();
	await sendTemplate({ category: 'service' });
	await calls.filter({ hasText: '"code":131047' }).waitFor();
	await sendTemplate({ templateVariables: { 1: html, 2: link } });
	const opened = fromBusiness.getByRole('link', { name: link });
	expect(await opened.getAttribute('href')).toBe(link);
	expect(await opened.getAttribute('rel')).toBe('noopener noreferrer');

	await write(html);
	await api.customerSubmits(CUSTOMER, { [html]: html });
	await sendTemplate({ templateName: html, templateVariables: { 1: html } });
	await eventually('both bubbles', async () => (await fromBusiness.count()) === 2);
	await calls.filter({ hasText: html }).waitFor();
	const bubbles = [
		...(await fromCustomer.allInnerTexts()),
		...(await fromBusiness.allInnerTexts()),
	];
	expect(bubbles).toHaveLength(4);
	for (const text of bubbles) expect(text).toContain(html);
	expect(await page.locator('img, body script').count()).toBe(0);
	expect(await page.title()).toBe("The customer's phone");
});

test.each(['light', 'dark'] as const)(
	'axe-core finds nothing wrong in %s colors, with messages of each kind and a form that was refused',
	async (colorScheme) => {
		const refusing = await startWebPage(500);
		api.webhookUrls = [`${refusing.url}/hook?token=secret`];
		// Contrast is measured; while something fades in, there is less of it.
		const phone = await openPhone({ colorScheme, reducedMotion: 'reduce' });
		const { page, write, fromBusiness, fromCustomer, calls, deliveries } = phone;
		await page.getByText('No messages yet.').waitFor();
		expect(await violationsOn(page)).toEqual([]);
		await write('Is it there?');
		await api.customerSubmits(CUSTOMER, { name: 'Mira Shah', interest: 'the tall teapot' });
		await fromCustomer.getByText('the tall teapot').waitFor();
		await sendTemplate({ templateVariables: { 1: 'Asha' } });
		await sendTemplate({ templateName: 'not_known_here', templateVariables: { 1: 'Asha' } });
		await sendTemplate({ to: 'nobody' });
		await fromBusiness
			.getByText(/^Delivered/)
			.nth(1)
			.waitFor();
		await calls.filter({ hasText: 'must match pattern' }).click();
		await deliveries
			.filter({ hasText: /^500.*Retry 3 of 3 → \/hook/ })
			.first()
			.click();
		expect(await page.content()).not.toContain('secret');
		expect(await violationsOn(page)).toEqual([]);
		await page.getByRole('button', { name: 'Fill In a Form' }).click();
		await page.getByRole('button', { name: 'Submit' }).click();
		await page.getByText('Fill in Name and Interest.').waitFor();
		expect(await violationsOn(page)).toEqual([]);
		await refusing.close();
	},
);
