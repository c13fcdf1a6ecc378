import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { startAsking, type Asking } from '../../support/askedWorkflow.mts';
import { launchBrowser, violationsOn } from '../../support/browser.mts';
import { n8nUnderTest } from '../../support/n8nUnderTest.mts';

jest.setTimeout(120_000);

let asking: Asking;
let browser: Browser;

beforeAll(async () => {
	asking = await startAsking(await n8nUnderTest());
	browser = await launchBrowser();
});

afterAll(async () => {
	await browser?.close();
	await asking?.api.close();
});

/** The page on a phone. What the browser says against it is collected. */
async function open(link: string, options: BrowserContextOptions = {}) {
	const viewport = { width: 390, height: 844 };
	const context = await browser.newContext({ viewport, hasTouch: true, ...options });
	const page = await context.newPage();
	const complaints: string[] = [];
	page.on('console', (message) => complaints.push(message.text()));
	page.on('pageerror', (error) => complaints.push(error.message));
	await page.goto(link);
	return { page, complaints, close: async () => await context.close() };
}

async function widthOverflow(page: Page) {
	return await page.evaluate<number>(
		'document.documentElement.scrollWidth - document.documentElement.clientWidth',
	);
}

const ANSWERS = { values: [{ label: 'On Friday' }, { label: 'Never' }] };

test.each([
	['an approval, light,', 'light' as const, { variablesJson: ['Asha', '[link]'] }],
	['a choice, dark,', 'dark' as const, { responseType: 'answers', answers: ANSWERS }],
	['a free text, dark,', 'dark' as const, { responseType: 'freeText' }],
	['a long word, light,', 'light' as const, { message: 'W'.repeat(200) }],
])('on a phone %s has no fault that axe finds, and fits', async (_, colorScheme, parameters) => {
	const { link } = await asking.ask(parameters);
	const { page, complaints, close } = await open(link, { colorScheme });
	expect(await violationsOn(page)).toEqual([]);
	expect(await widthOverflow(page)).toBe(0);
	const field = page.locator('textarea[name=text]');
	if (await field.count()) await field.fill('At the door');
	await page.getByRole('button').first().tap();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	expect(await violationsOn(page)).toEqual([]);
	expect(await widthOverflow(page)).toBe(0);
	expect(complaints).toEqual([]);
	await close();
});

// docs/ask-and-wait.md: no script needed
test('without scripts a press of a button answers as well', async () => {
	const { link, run } = await asking.ask();
	const { page, close } = await open(link, { javaScriptEnabled: false });
	await page.getByLabel('Reason').fill('We are away');
	await page.getByRole('button', { name: 'Decline' }).tap();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	await page.getByText('We are away', { exact: true }).waitFor();
	expect(outputOf(await run('success'), 'After')).toMatchObject([
		{ approved: false, reason: 'We are away' },
	]);
	await close();
});

test('Enter in the field of a code presses no button', async () => {
	const { link, run } = await asking.ask({ variablesJson: ['Asha', '[link]', '[code]'] });
	const { templateVariables } = [...asking.api.messages.values()].at(-1)!;
	const { page, close } = await open(link);
	expect(await violationsOn(page)).toEqual([]);
	const field = page.getByLabel('Code in the message');
	await field.fill('00000');
	await field.press('Enter');
	await page.getByRole('button', { name: 'Decline' }).tap();
	await page.getByText('That is not the code of this message').waitFor();
	expect(await violationsOn(page)).toEqual([]);
	await field.fill(templateVariables[3]);
	await field.press('Enter');
	await run('waiting');
	await page.getByRole('button', { name: 'Decline' }).tap();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	expect(outputOf(await run('success'), 'After')).toMatchObject([{ approved: false }]);
	await close();
});
