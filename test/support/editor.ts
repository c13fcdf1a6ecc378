import { existsSync } from 'node:fs';
import { chromium, selectors, type Browser, type Page } from 'playwright-core';
import { owner } from '../../playground/n8n/rest/session.ts';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

selectors.setTestIdAttribute('data-test-id');

function findBrowser() {
	const found = process.env.CHROMIUM_PATH ?? BROWSERS.find((path) => existsSync(path));
	if (found) return found;
	throw new Error('No Chromium here: install it, or set CHROMIUM_PATH to a Chromium or Chrome.');
}

/** n8n's editor in a browser, with its owner logged in. */
export async function openEditor(n8nUrl: string) {
	const browser = await chromium.launch({
		executablePath: findBrowser(),
		// Chromium has no sandbox for root, which is who runs in most containers.
		chromiumSandbox: process.getuid?.() !== 0,
	});
	try {
		return { page: await logIn(browser, n8nUrl), close: async () => await browser.close() };
	} catch (error) {
		await browser.close();
		throw error;
	}
}

async function logIn(browser: Browser, n8nUrl: string): Promise<Page> {
	const context = await browser.newContext({ viewport: { width: 1400, height: 1000 } });
	await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: n8nUrl });
	const page = await context.newPage();
	await page.goto(`${n8nUrl}/signin`);
	await page.getByLabel('Email').fill(owner.email);
	await page.getByLabel('Password').fill(owner.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL(/home/);
	return page;
}

/** As a user does it: through the clipboard. */
export async function paste(page: Page, text: string) {
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
	await page.keyboard.press('ControlOrMeta+V');
}
