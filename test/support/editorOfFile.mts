import { accountOfFile } from './accountOfFile.mts';
import { openEditor, type Editor } from './editor.mts';

/** For all tests of a file: one browser, and an API of its own behind the account of that name. */
export function editorOfFile(
	account: string,
	data: Record<string, string> = {},
	looks: Parameters<typeof openEditor>[1] = {},
) {
	// A browser starts slowly on a machine that is busy.
	jest.setTimeout(180_000);
	const file = accountOfFile(account, {}, data);
	let editor: Editor;

	beforeAll(async () => {
		editor = await openEditor(file.n8n, looks);
	});

	afterAll(async () => {
		await editor?.close();
	});

	beforeEach(() => {
		file.api.calls.length = 0;
		file.api.messages.clear();
	});

	return () => ({ ...file, editor });
}
