import { stat } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const MAX_BYTES = 150_000;

/** Writes a picture for the documents. @throws when it is too large for a README */
export async function takePicture(target: Locator | Page, name: string, theme: Theme) {
	const path = `docs/${name}${theme === 'dark' ? '-dark' : ''}.png`;
	await target.screenshot({ path, animations: 'disabled' });
	const { size } = await stat(path);
	if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes: show less in it`);
}
