import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RELOADING } from '../../playground/demo/rebuild.mts';
import { eventually } from '../../playground/eventually.mts';
import { chain } from '../../playground/n8n/chain.mts';
import { ACTION } from '../../playground/n8n/typeNames.mts';
import { appears } from '../support/browser.mts';
import { openEditor } from '../support/editor.mts';
import { startOwnN8n } from '../support/ownN8n.mts';

jest.setTimeout(300_000);

// CONTRIBUTING.md, One day's work: npm run dev
test('n8n shows a changed field in the open editor', async () => {
	const { n8n, userFolder } = await startOwnN8n('reload', RELOADING);
	const editor = await openEditor(n8n);
	try {
		await editor.show(chain('Reload', { Send: { type: ACTION } }), 'Send');
		const built =
			'.n8n/nodes/node_modules/n8n-nodes-business-messaging/dist/nodes/BusinessMessaging/BusinessMessaging.node.js';
		const file = join(userFolder, built);
		const code = readFileSync(file, 'utf8');
		const changed = code.replace('displayName: "Template Name"', 'displayName: "Name of the Text"');
		expect(changed).not.toBe(code);
		const shown = editor.page.getByText('Name of the Text', { exact: true }).first();
		// n8n begins to watch its files some time after it says that it is ready.
		const isShown = async () => {
			writeFileSync(file, changed);
			return await appears(shown, 20_000);
		};
		await eventually('the changed field', isShown, 120_000);
	} finally {
		await editor.close();
		await n8n.stop();
	}
});
