import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { LocalApi } from '../../playground/api/server.mts';
import { browserOfFile, violationsOn } from './browser.mts';

/** The customer's phone in a browser, as the user sees it. */
export async function openPhonePage(
	browser: Browser,
	api: LocalApi,
	options: BrowserContextOptions = {},
) {
	const context = await browser.newContext({ viewport: { width: 1300, height: 900 }, ...options });
	const page = await context.newPage();
	const complaints: string[] = [];
	page.on('pageerror', ({ message }) => complaints.push(message));
	page.on('console', (message) => {
		if (message.type() === 'error') complaints.push(message.text());
	});
	await page.goto(`${api.url}/`);
	await page.getByText('Live', { exact: true }).waitFor();

	return {
		page,
		/** Errors of the page's scripts, and what its content security policy refused. */
		complaints,
		fromBusiness: page.getByRole('article', { name: 'Business' }),
		fromCustomer: page.getByRole('article', { name: 'Customer' }),
		calls: page.locator('#calls summary'),
		deliveries: page.locator('#deliveries summary'),
		async write(text: string) {
			await page.getByLabel('Message').fill(text);
			await page.getByLabel('Message').press('Enter');
		},
		close: async () => await context.close(),
	};
}

type PhonePage = Awaited<ReturnType<typeof openPhonePage>>;

/** In light and dark colors. */
export async function expectNoViolations(page: Page) {
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		expect(await violationsOn(page)).toEqual([]);
	}
}

/** For all tests of a file: opens the phone, with whose page neither Chromium nor axe may find a fault in the end. */
export function phonesOfFile() {
	const file = browserOfFile();
	const opened: PhonePage[] = [];

	afterEach(async () => {
		for (const { page, complaints, close } of opened.splice(0)) {
			await expectNoViolations(page);
			await close();
			expect(complaints).toEqual([]);
		}
	});

	return async (api: LocalApi) => {
		// Contrast is measured; while something fades in, there is less of it.
		const phone = await openPhonePage(file.browser, api, { reducedMotion: 'reduce' });
		opened.push(phone);
		return phone;
	};
}
