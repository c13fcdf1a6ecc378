import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe-core finds wrong on a page as it is now: each rule with the places that break it. */
export async function violationsOn(page: Page): Promise<string[]> {
	// Not as a script of the page, whose content security policy refuses all but its own.
	await page.evaluate(axe.source);
	return await page.evaluate<string[]>(`axe.run().then(({ violations }) =>
		violations.flatMap(({ id, nodes }) =>
			nodes.map(({ target, failureSummary }) => id + ' at ' + target + ': ' + failureSummary)))`);
}
