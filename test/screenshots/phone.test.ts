import type { Browser } from 'playwright-core';
import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { setUp, type Scene } from '../../playground/n8n/setUp.ts';
import { launchBrowser } from '../support/browser.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { openPhonePage } from '../support/phonePage.ts';
import { THEMES, takePicture } from './pictures.ts';

jest.setTimeout(180_000);

let n8n: N8nUnderTest;
let api: LocalApi;
let scene: Scene;
let browser: Browser;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi({ readAfterMs: 500 });
	scene = await setUp(n8n, api);
	browser = await launchBrowser();
});

afterAll(async () => {
	await browser?.close();
	await n8n.client.workflows.unpublish(scene.autoReply.id);
	await n8n.client.workflows.unpublish(scene.formToCrm.id);
	await api?.close();
});

it.each(THEMES)('a message on the phone page, and its answer, %s', async (theme) => {
	const phone = await openPhonePage(browser, api, {
		viewport: { width: 1100, height: 760 },
		colorScheme: theme,
	});
	const answers = await phone.fromBusiness.count();
	await phone.write('Is the blue kettle still in stock?');
	await phone.fromBusiness.nth(answers).getByText('Read').waitFor();
	await takePicture(phone.page, 'phone', theme);
	await phone.close();
});
