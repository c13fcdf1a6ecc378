import { selectors, type Locator, type Page } from 'playwright-core';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { launchBrowser } from './browser.mts';
import type { N8nUnderTest } from './n8nUnderTest.mts';

selectors.setTestIdAttribute('data-test-id');

// A browser starts slowly on a machine that is busy.
const DEADLINE_MS = 60_000;

/** n8n's editor in a browser, with its owner logged in. */
export async function openEditor(
	{ url, client }: Pick<N8nUnderTest, 'url' | 'client'>,
	{ theme = 'light', scale = 1 }: { theme?: 'light' | 'dark'; scale?: number } = {},
) {
	const browser = await launchBrowser();
	try {
		const context = await browser.newContext({
			viewport: { width: 1400, height: 1000 },
			deviceScaleFactor: scale,
		});
		context.setDefaultTimeout(DEADLINE_MS);
		await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
		await context.addCookies(cookiesOf(client.session.cookie, url));
		await context.addInitScript(`localStorage.setItem('N8N_THEME', '${theme}')`);
		const page = await context.newPage();
		const editor = editorOn(page, url);
		return {
			...editor,
			/** Saves a workflow and opens a node of it. */
			async show(workflow: Workflow, node: string): Promise<string> {
				const { id } = await client.workflows.save(workflow);
				await editor.openWorkflow(id);
				await editor.openNode(node);
				return id;
			},
			close: async () => await browser.close(),
		};
	} catch (error) {
		await browser.close();
		throw error;
	}
}

export type Editor = Awaited<ReturnType<typeof openEditor>>;

/** The session's own: n8n allows five logins a minute. */
function cookiesOf(cookie: string, url: string) {
	return cookie.split('; ').map((pair) => {
		const [name, ...value] = pair.split('=');
		return { name, value: value.join('='), url };
	});
}

function editorOn(page: Page, url: string) {
	const node = (name: string) => page.getByTestId('canvas-node').filter({ hasText: name }).first();
	const field = (name: string) => page.getByTestId(`parameter-input-${name}`);

	return {
		page,
		node,
		field,
		input: (name: string) => field(name).getByRole('textbox'),
		output: page.getByTestId('output-panel'),

		/** @param id `new` for an empty one */
		async openWorkflow(id: string): Promise<void> {
			await page.goto(`${url}/workflow/${id}`);
			await page.getByTestId('canvas-wrapper').waitFor();
		},

		async openNode(name: string): Promise<void> {
			await node(name).dblclick();
			await page.getByTestId('node-parameters').waitFor();
		},

		async closeNode(): Promise<void> {
			await page.getByTestId('ndv-close-button').click();
		},

		async execute(): Promise<void> {
			await page.getByTestId('node-execute-button').first().click();
		},

		async choose(parameter: string, option: string): Promise<void> {
			await field(parameter).click();
			await page.getByRole('option').filter({ hasText: option, visible: true }).first().click();
		},

		async addOption(name: string): Promise<void> {
			await page.getByPlaceholder('Add option').click();
			await page.getByRole('option').filter({ hasText: name, visible: true }).first().click();
		},

		/** As a user does it: through the clipboard, over what is there. */
		async paste(target: Locator, text: string): Promise<void> {
			await target.click();
			await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
			await page.keyboard.press('ControlOrMeta+A');
			await page.keyboard.press('ControlOrMeta+V');
		},

		/** What n8n says in its corner. */
		async notification(title: string): Promise<string> {
			const shown = page.getByRole('alert').filter({ hasText: title });
			await shown.waitFor();
			return await shown.innerText();
		},
	};
}
