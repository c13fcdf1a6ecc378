import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { startAsking, type Asking } from '../../support/askedWorkflow.mts';
import { launchBrowser, violationsOn } from '../../support/browser.mts';
import { n8nUnderTest } from '../../support/n8nUnderTest.mts';
import { ARABIC, GERMAN } from '../../support/pageTexts.mts';

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

/** At which side of its paragraph each line of the question begins. */
async function sidesOfLines(page: Page) {
	return await page.evaluate<string[]>(`(() => {
		const text = document.querySelector('.question').firstChild;
		const { left, right } = text.parentElement.getBoundingClientRect();
		let start = 0;
		return text.data.split('\\n').map((line) => {
			const range = document.createRange();
			range.setStart(text, start);
			range.setEnd(text, start + line.length);
			start += line.length + 1;
			const box = range.getBoundingClientRect();
			return box.left - left < right - box.right ? 'left' : 'right';
		});
	})()`);
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

// docs/ask-and-wait.md: the language of the page
test.each([
	[
		'German',
		'light' as const,
		GERMAN,
		'ltr',
		'Dürfen wir am Freitag liefern?\nهل يناسبك يوم الجمعة؟',
		['Ja', 'Nein'],
	],
	[
		'Arabic',
		'dark' as const,
		ARABIC,
		'rtl',
		'هل يناسبك يوم الجمعة؟\nOrder A-17, Friday.',
		['نعم', 'لا'],
	],
])(
	'in %s and %s, on a small phone, each page fits and has no fault that axe finds',
	async (_, colorScheme, texts, direction, message, [approveLabel, disapproveLabel]) => {
		const { link, run } = await asking.ask({
			message,
			variablesJson: ['Asha', '[link]', '[code]'],
			approvalOptions: { values: { approveLabel, disapproveLabel } },
			options: { pageTexts: { texts: { lang: texts.lang } } },
		});
		const [, , code] = Object.values([...asking.api.messages.values()].at(-1)!.templateVariables);
		const viewport = { width: 320, height: 640 };
		const { page, complaints, close } = await open(link, { colorScheme, viewport });
		const isGood = async (heading: string) => {
			await page.getByRole('heading', { name: heading, exact: true }).waitFor();
			expect(await page.locator('html').getAttribute('dir')).toBe(direction);
			expect(await violationsOn(page)).toEqual([]);
			expect(await widthOverflow(page)).toBe(0);
		};
		await isGood(texts.heading);
		// Each line of the customer's question begins where its own language does.
		expect(await sidesOfLines(page)).toEqual(
			direction === 'rtl' ? ['right', 'left'] : ['left', 'right'],
		);
		await page.getByLabel(texts.codeLabel).fill('00000');
		const decline = page.getByRole('button', { name: disapproveLabel, exact: true });
		await decline.tap();
		await page.getByRole('alert').getByText(texts.wrongCode).waitFor();
		await isGood(texts.heading);
		const colorOf = async (selector: string) =>
			await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).color`);
		expect(await colorOf('[role=alert]')).not.toBe(await colorOf('h1'));
		await page.getByLabel(texts.codeLabel).fill(code);
		await page.getByLabel(texts.reasonLabel.replace('[button]', disapproveLabel)).fill('x');
		await decline.tap();
		const [thanks] = texts.thanks.split('\n');
		await isGood(thanks);
		await page.getByText(texts.close).waitFor();
		expect(complaints.filter((text) => !text.includes('403'))).toEqual([]);
		await close();
		expect(outputOf(await run('success'), 'After')).toMatchObject([{ approved: false }]);
	},
);

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
