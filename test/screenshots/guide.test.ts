import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { actionWorkflow } from '../support/actionWorkflow.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { THEMES, takePicture } from './pictures.ts';

jest.setTimeout(180_000);

const SHIPPED = 'Hi {{1}}, your order {{2}} arrives on {{3}}.';

let n8n: N8nUnderTest;
let api: LocalApi;
let credential: { id: string; name: string };

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi({ readAfterMs: 0 });
	credential = await saveAccount(n8n, 'My account', { baseUrl: api.url });
});

afterAll(async () => {
	await api?.close();
});

describe.each(THEMES)('from key to first message, %s', (theme) => {
	let editor: Editor;

	beforeAll(async () => {
		const workflow = actionWorkflow(credential, {
			to: CUSTOMER,
			templateName: 'order_update',
		});
		const { id } = await n8n.client.workflows.save(workflow);
		editor = await openEditor(n8n, { theme });
		await editor.page.setViewportSize({ width: 1200, height: 820 });
		await editor.openWorkflow(id);
		await editor.openNode('Business Messaging');
	});

	afterAll(async () => {
		await editor?.close();
	});

	it('the template, with a field for each placeholder', async () => {
		const { page, input, field } = editor;
		await editor.paste(field('templateText').getByRole('textbox'), SHIPPED);
		await input('variable1').fill('Asha');
		await input('variable2').fill('A-17');
		await input('variable3').fill('Friday');
		await page.getByText('Template Text', { exact: true }).click();
		await takePicture(page.getByTestId('node-parameters'), 'template-fields', theme);
	});

	it('the message, sent', async () => {
		await editor.execute();
		await editor.output.getByText('1 message sent').waitFor();
		await editor.page.locator('.el-notification__closeBtn').click();
		await takePicture(editor.page, 'result', theme);
	});

	it('the credential, tested', async () => {
		const { page } = editor;
		const dialog = page.getByTestId('credential-edit-dialog');
		await page.getByTestId('credential-edit-button').click();
		await dialog.getByText('Connection tested successfully').waitFor();
		await takePicture(dialog, 'credential', theme);
	});
});
