import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { askingOfFile } from '../../support/askedWorkflow.mts';
import { browserOfFile, violationsOn } from '../../support/browser.mts';

jest.setTimeout(120_000);

const file = browserOfFile();
const asking = askingOfFile();

/** The page on a phone. What the browser says against it is collected. */
async function open(link: string, options: BrowserContextOptions) {
	const viewport = { width: 390, height: 844 };
	const context = await file.browser.newContext({ viewport, hasTouch: true, ...options });
	const page = await context.newPage();
	const complaints: string[] = [];
	page.on('console', (message) => complaints.push(message.text()));
	page.on('pageerror', (error) => complaints.push(error.message));
	await page.goto(link);
	return { page, complaints, close: async () => await context.close() };
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

/** By axe and by its width. */
async function expectGood(page: Page) {
	expect(await violationsOn(page)).toEqual([]);
	const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
	expect(await page.evaluate(overflow)).toBe(0);
}

const ANSWERS = { values: [{ label: 'On Friday' }, { label: 'Never' }] };

test.each<[string, object, BrowserContextOptions]>([
	['an approval, light,', {}, { colorScheme: 'light' }],
	['a choice, dark,', { responseType: 'answers', answers: ANSWERS }, { colorScheme: 'dark' }],
	['a free text, dark,', { responseType: 'freeText' }, { colorScheme: 'dark' }],
	['a long word, light,', { message: 'W'.repeat(200) }, { colorScheme: 'light' }],
])('on a phone %s has no fault that axe finds, and fits', async (_, parameters, options) => {
	const { link } = await asking.ask(parameters);
	const { page, complaints, close } = await open(link, options);
	await expectGood(page);
	const field = page.locator('textarea[name=text]');
	if (await field.count()) await field.fill('At the door');
	await page.getByRole('button').first().tap();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	await expectGood(page);
	expect(complaints).toEqual([]);
	await close();
});

const QUESTION = 'هل يناسبك يوم الجمعة؟';

// docs/ask-and-wait.md: the language of the page
test.each([
	{
		lang: 'de',
		colorScheme: 'light' as const,
		direction: 'ltr',
		message: `Dürfen wir am Freitag liefern?\n${QUESTION}`,
		labels: ['Ja', 'Nein'],
		sides: ['left', 'right'],
	},
	{
		lang: 'ar',
		colorScheme: 'dark' as const,
		direction: 'rtl',
		message: `${QUESTION}\nOrder A-17, Friday.`,
		labels: ['نعم', 'لا'],
		sides: ['right', 'left'],
	},
])(
	'in $lang and $colorScheme, on a small phone, each page fits and has no fault that axe finds, and Enter in the field of the code presses no button',
	async ({ lang, colorScheme, direction, message, labels, sides }) => {
		const path = `nodes/BusinessMessaging/actions/sendAndWait/languages/${lang}.json`;
		const texts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
		const [approveLabel, disapproveLabel] = labels;
		const { link, run } = await asking.ask({
			message,
			variablesJson: ['Asha', '[link]', '[code]'],
			approvalOptions: { values: { approveLabel, disapproveLabel } },
			options: { pageTexts: { texts: { lang } } },
		});
		const [, , code] = Object.values([...asking.api.messages.values()].at(-1)!.templateVariables);
		const viewport = { width: 320, height: 640 };
		const { page, complaints, close } = await open(link, { colorScheme, viewport });
		const isGood = async (heading: string) => {
			await page.getByRole('heading', { name: heading, exact: true }).waitFor();
			expect(await page.locator('html').getAttribute('dir')).toBe(direction);
			await expectGood(page);
		};
		await isGood(texts.heading);
		// Each line of the customer's question begins where its own language does.
		expect(await sidesOfLines(page)).toEqual(sides);
		const decline = page.getByRole('button', { name: disapproveLabel, exact: true });
		const enter = async (text: string) => {
			await page.getByLabel(texts.codeLabel).fill(text);
			await page.getByLabel(texts.codeLabel).press('Enter');
		};
		await enter('00000');
		await decline.tap();
		await page.getByRole('alert').getByText(texts.wrongCode).waitFor();
		await isGood(texts.heading);
		const colorOf = async (selector: string) =>
			await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).color`);
		expect(await colorOf('[role=alert]')).not.toBe(await colorOf('h1'));
		await page.getByLabel(texts.reasonLabel.replace('[button]', disapproveLabel)).fill('x');
		await enter(code);
		await run('waiting');
		await decline.tap();
		await isGood(texts.thanks.split('\n')[0]);
		await page.getByText(texts.close).waitFor();
		expect(complaints.filter((text) => !text.includes('403'))).toEqual([]);
		await close();
		expect(outputOf(await run('success'), 'After')).toMatchObject([
			{ approved: false, reason: 'x' },
		]);
	},
);

// docs/ask-and-wait.md: no script needed
test('without scripts a press of a button answers as well', async () => {
	const { link, run } = await asking.ask();
	const { page, close } = await open(link, { javaScriptEnabled: false });
	await page.getByLabel('Reason').fill('We are away');
	await page.getByRole('button', { name: 'Decline' }).tap();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	await close();
	const answered = { approved: false, reason: 'We are away' };
	expect(outputOf(await run('success'), 'After')).toMatchObject([answered]);
});
