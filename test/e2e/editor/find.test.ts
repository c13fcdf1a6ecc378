import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest } from '../../support/n8nUnderTest.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor(await n8nUnderTest());
	await editor.openWorkflow('new');
	await editor.page.getByTestId('canvas-plus-button').click();
});

afterAll(async () => {
	await editor?.close();
});

function creator() {
	return editor.page.getByTestId('node-creator');
}

/** The entry of the nodes, and its place in the list that n8n has sorted, from 1. */
async function search(words: string) {
	await editor.page.getByTestId('node-creator-search-bar').fill(words);
	const found = creator().getByText('Business Messaging', { exact: true });
	await found.waitFor();
	const titles = await creator().getByTestId('node-creator-item-name').allInnerTexts();
	return { found, place: titles.indexOf('Business Messaging') + 1 };
}

test.each([
	['send message', 5],
	['text message', 5],
	['message template', 5],
	['notify customer', 5],
	['campaign', 5],
	['bulk', 5],
	['sms', 5],
	['otp', 5],
	['whatsapp', 5],
	['template', 5],
])('the search finds the nodes by "%s", among the first %i', async (words, first) => {
	const { place } = await search(words);
	await editor.screenshot(`find-${words}`);
	expect(place).toBeGreaterThan(0);
	expect(place).toBeLessThanOrEqual(first);
});

test('behind one entry there are an action for each operation and a trigger for each event', async () => {
	const { found } = await search('template message');
	await found.click();
	await creator().getByText('On message received').waitFor();
	await creator().getByText('Actions (2)').click();
	await creator().getByText('Get message status').waitFor();
	await editor.screenshot('find-actions');
	await creator().getByText('Send template', { exact: true }).click();
	await editor.field('templateName').waitFor();
	expect(await editor.field('operation').getByRole('combobox').inputValue()).toBe('Send Template');
});
