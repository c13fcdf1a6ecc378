import { eventually } from '../../../playground/eventually.mts';
import { chain } from '../../../playground/n8n/chain.mts';
import { appears } from '../../support/browser.mts';
import { editorOfFile } from '../../support/editorOfFile.mts';

const opened = editorOfFile('Find');

function creator() {
	return opened().editor.page.getByTestId('node-creator');
}

/** As a first step n8n offers triggers, after one it offers all. */
async function openSearch(of: 'first steps' | 'next steps') {
	const { n8n, editor } = opened();
	const { page } = editor;
	const start = { Start: { type: 'n8n-nodes-base.manualTrigger' } };
	const isFirst = of === 'first steps';
	const { id } = isFirst ? { id: 'new' } : await n8n.client.workflows.save(chain('Find', start));
	await editor.openWorkflow(id);
	// A click is lost while n8n still builds the canvas.
	await eventually('the list of nodes', async () => {
		await page.getByTestId(isFirst ? 'canvas-plus-button' : 'node-creator-plus-button').click();
		return await appears(page.getByTestId('node-creator-search-bar'), 5000);
	});
}

/** The entry of the nodes, and its place in the list that n8n has sorted, from 1. */
async function search(words: string) {
	const bar = opened().editor.page.getByTestId('node-creator-search-bar');
	const found = creator().getByText('Business Messaging', { exact: true });
	// n8n searches a moment after typing: until then it shows what was found before.
	await bar.fill('no node is called so');
	await found.waitFor({ state: 'detached' });
	await bar.fill(words);
	await found.waitFor({ timeout: 5000 });
	const titles = await creator().getByTestId('node-creator-item-name').allInnerTexts();
	return { found, place: titles.indexOf('Business Messaging') + 1 };
}

describe('the search finds the nodes', () => {
	beforeAll(async () => await openSearch('next steps'));

	test.each([
		['send message', 5],
		['sms', 5],
		['otp', 5],
		['send whatsapp', 5],
		['incoming message', 5],
		['appointment', 5],
		// Other nodes of this name come first.
		['form', Infinity],
	])('by "%s", among the first %d', async (words, last) => {
		const { place } = await search(words);
		expect(place).toBeGreaterThan(0);
		expect(place).toBeLessThanOrEqual(last);
	});
});

test('behind one entry there are an action for each operation and a trigger for each event', async () => {
	const { editor } = opened();
	await openSearch('first steps');
	const { found } = await search('template message');
	await found.click();
	await creator().getByText('On message received').waitFor();
	await creator().getByText('Actions (3)').click();
	await creator().getByText('Get message status').waitFor();
	await creator().getByText('Send template message and wait for response').first().waitFor();
	await creator().getByText('Send template message', { exact: true }).click();
	await editor.field('templateName').waitFor();
	expect(await editor.field('operation').getByRole('combobox').inputValue()).toBe('Send Template');
});
