import type { Browser } from 'playwright-core';
import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { violationsOn } from '../support/axe.ts';
import { launchBrowser } from '../support/browser.ts';
import { openPhonePage, type PhonePage } from '../support/phonePage.ts';
import { sendTemplate } from '../support/sendTemplate.ts';
import { startWebPage } from '../support/webPage.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

let browser: Browser;
let api: LocalApi;
let phone: PhonePage;

beforeAll(async () => {
	browser = await launchBrowser();
});

afterAll(async () => {
	await browser?.close();
});

beforeEach(async () => {
	api = await startLocalApi({ deliveredAfterMs: 20, readAfterMs: 20, webhookBackoffMs: 20 });
});

afterEach(async () => {
	await phone?.close();
	await api.close();
});

describe.each(['light', 'dark'] as const)(
	'axe-core finds nothing wrong in %s colors:',
	(scheme) => {
		async function open() {
			// Contrast is measured; while something fades in, there is less of it.
			const options = { colorScheme: scheme, reducedMotion: 'reduce' } as const;
			phone = await openPhonePage(browser, api, options);
			return phone;
		}

		async function expectNothingWrong() {
			expect(await violationsOn(phone.page)).toEqual([]);
		}

		test('messages of each kind, with calls and deliveries that failed', async () => {
			const refusing = await startWebPage(500);
			try {
				api.webhookUrls = [refusing.url];
				const { write, fromBusiness, fromCustomer, calls, deliveries } = await open();
				await write('Is it there?');
				await api.customerSubmits(CUSTOMER, { name: 'Mira Shah', interest: 'the tall teapot' });
				await fromCustomer.getByText('the tall teapot').waitFor();
				await sendTemplate(api, { templateName: 'order_update', templateVariables: { 1: 'Asha' } });
				await sendTemplate(api, {
					templateName: 'not_known_here',
					templateVariables: { 1: 'Asha' },
				});
				await sendTemplate(api, { to: 'nobody' });
				await fromBusiness.getByText(/^Read/).nth(1).waitFor();
				await calls.filter({ hasText: 'must match pattern' }).click();
				await deliveries.filter({ hasText: 'Retry 3 of 3' }).first().click();
				await expectNothingWrong();
			} finally {
				await refusing.close();
			}
		});

		test('no messages yet, the form that was refused, and the choice of another number', async () => {
			const { page } = await open();
			await page.getByText('No messages yet.').waitFor();
			await expectNothingWrong();
			await page.getByRole('button', { name: 'Fill In a Form' }).click();
			await page.getByRole('button', { name: 'Submit' }).click();
			await page.getByText('Fill in Name and Interest.').waitFor();
			await expectNothingWrong();
			await page.getByRole('button', { name: 'Cancel' }).click();
			await page.getByLabel('Number', { exact: true }).selectOption('Another number …');
			await expectNothingWrong();
		});

		test('a page whose server is gone', async () => {
			const { page, write } = await open();
			await api.close();
			await page.getByText('The local API does not answer').waitFor();
			await write('Meanwhile');
			await page.getByRole('alert').getByText('Not sent').waitFor();
			await expectNothingWrong();
		});
	},
);
