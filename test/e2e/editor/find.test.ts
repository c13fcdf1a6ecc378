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

async function search(words: string) {
	await editor.page.getByTestId('node-creator-search-bar').fill(words);
	const found = creator().getByText('Business Messaging', { exact: true });
	await found.waitFor();
	return found;
}

test.each(['whatsapp', 'otp', 'template'])('the search finds the nodes by "%s"', async (words) => {
	await search(words);
	await editor.screenshot(`find-${words}`);
});

test('behind one entry there are an action for each operation and a trigger for each event', async () => {
	await (await search('template message')).click();
	await creator().getByText('On message received').waitFor();
	await creator().getByText('Actions (2)').click();
	await creator().getByText('Get the status of a message').waitFor();
	await editor.screenshot('find-actions');
	await creator().getByText('Send a template message').click();
	await editor.field('templateName').waitFor();
	expect(await editor.field('operation').getByRole('combobox').inputValue()).toBe('Send Template');
});
