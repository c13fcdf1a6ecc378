import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { openEditor, type Editor } from './editor.ts';
import { n8nUnderTest } from './n8nUnderTest.ts';

/** For all tests of a file: the panel of the action node, and a local API behind the account of that name. */
export function actionEditor(
	account: string,
	workflowFor: (credential: { id: string; name: string }) => Workflow,
) {
	// A browser starts slowly on a machine that is busy.
	jest.setTimeout(180_000);
	let api: LocalApi;
	let editor: Editor;

	beforeAll(async () => {
		api = await startLocalApi();
		const n8n = await n8nUnderTest();
		const credential = await saveAccount(n8n, account, { baseUrl: api.url });
		const workflow = workflowFor(credential);
		editor = await openEditor(n8n, { workflow, node: 'Business Messaging' });
	});

	afterAll(async () => {
		await editor?.close();
		await api?.close();
	});

	return { editor: () => editor, api: () => api };
}
