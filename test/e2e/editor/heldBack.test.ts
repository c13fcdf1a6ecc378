import { CUSTOMER } from '../../../playground/api/wellKnown.ts';
import { sendingEach } from '../../support/actionWorkflow.ts';
import type { Editor } from '../../support/editor.ts';
import { editorOfFile } from '../../support/editorOfFile.ts';

const opened = editorOfFile('Held back in the editor');

async function addOption({ page }: Editor, name: string) {
	await page.getByPlaceholder('Add option').click();
	await page.getByRole('option').filter({ hasText: name, visible: true }).first().click();
}

// docs/sending.md: under Options
test('the hours and the cap are filled in when they are added, and the output says what they held back', async () => {
	const { api, credential, editor } = opened();
	const { page, input, field, choose, execute, output, screenshot } = editor;
	const rows = [{ to: CUSTOMER }, { to: CUSTOMER }];
	const workflow = sendingEach(credential, rows, { category: 'marketing' });
	await editor.show(workflow, 'Business Messaging');
	await addOption(editor, 'At Most Once per Number');
	await field('hours').waitFor();
	await screenshot('held-back-cap');
	await execute();
	await output.getByText('1 skipped: too soon after another message to the number').waitFor();
	expect(api.messages.size).toBe(1);

	await addOption(editor, 'Send Between');
	expect(await input('from').inputValue()).toBe('09:00');
	expect(await input('until').inputValue()).toBe('20:00');
	expect(await field('otherTimeZone').count()).toBe(0);
	await choose('timeZone', 'Other');
	await input('otherTimeZone').fill('UTC');
	const inAnHour = (hours: number) =>
		new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
	await input('from').fill(inAnHour(1));
	await input('until').fill(inAnHour(2));
	await page.getByText('Send Between', { exact: true }).click();
	await screenshot('held-back-hours');
	await execute();
	await output.getByText('2 skipped: outside the hours of Send Between').waitFor();
	await screenshot('held-back-output');
	expect(api.messages.size).toBe(1);
});
