import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { LocalApi } from '../../playground/api/server.mts';
import { browserOfFile } from './browser.mts';

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

export type PhonePage = Awaited<ReturnType<typeof openPhonePage>>;

/** For all tests of a file: opens the phone, whose page must complain of nothing until the end of the test. */
export function phonesOfFile() {
	const file = browserOfFile();
	const opened: PhonePage[] = [];

	afterEach(async () => {
		for (const { complaints, close } of opened.splice(0)) {
			await close();
			expect(complaints).toEqual([]);
		}
	});

	return async (api: LocalApi, options?: BrowserContextOptions) => {
		const phone = await openPhonePage(file.browser, api, options);
		opened.push(phone);
		return phone;
	};
}
