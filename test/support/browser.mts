import axe from 'axe-core';
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';

const BROWSERS = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function findBrowser() {
	const found = process.env.CHROMIUM_PATH ?? BROWSERS.find((path) => existsSync(path));
	if (found) return found;
	throw new Error('No Chromium here: install it, or set CHROMIUM_PATH to a Chromium or Chrome.');
}

export async function launchBrowser(): Promise<Browser> {
	return await chromium.launch({
		executablePath: findBrowser(),
		// Chromium has no sandbox for root, which is who runs in most containers.
		chromiumSandbox: process.getuid?.() !== 0,
	});
}

/** For all tests of a file. */
export function browserOfFile() {
	const file = {} as { browser: Browser };
	beforeAll(async () => {
		file.browser = await launchBrowser();
	});
	afterAll(async () => await file.browser?.close());
	return file;
}

/** Whether it is on the page by then. */
export async function appears(shown: Locator, timeout: number): Promise<boolean> {
	return await shown.waitFor({ timeout }).then(
		() => true,
		() => false,
	);
}

/** What axe-core finds wrong on a page as it is now: each rule with the places that break it. */
export async function violationsOn(page: Page): Promise<string[]> {
	// Not as a script of the page, whose content security policy refuses all but its own.
	await page.evaluate(axe.source);
	return await page.evaluate<string[]>(`axe.run().then(({ violations }) =>
		violations.flatMap(({ id, nodes }) =>
			nodes.map(({ target, failureSummary }) => id + ' at ' + target + ': ' + failureSummary)))`);
}
