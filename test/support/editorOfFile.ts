import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { openEditor, type Editor } from './editor.ts';
import { n8nUnderTest, type N8nUnderTest } from './n8nUnderTest.ts';

interface Opened {
	n8n: N8nUnderTest;
	api: LocalApi;
	credential: { id: string; name: string };
	editor: Editor;
}

/** For all tests of a file: one browser, and an API of its own behind the account of that name. */
export function editorOfFile(account: string, data: Record<string, string> = {}): () => Opened {
	// A browser starts slowly on a machine that is busy.
	jest.setTimeout(180_000);
	let opened: Opened;

	beforeAll(async () => {
		const api = await startLocalApi();
		const n8n = await n8nUnderTest();
		const credential = await saveAccount(n8n, account, { baseUrl: api.url, ...data });
		opened = { n8n, api, credential, editor: await openEditor(n8n) };
	});

	afterAll(async () => {
		await opened?.editor.close();
		await opened?.api.close();
	});

	beforeEach(() => {
		opened.api.calls.length = 0;
		opened.api.messages.clear();
	});

	return () => opened;
}
