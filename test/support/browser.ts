import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

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
