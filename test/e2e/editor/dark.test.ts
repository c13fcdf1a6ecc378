import { saveAccount } from '../../../playground/n8n/account.ts';
import { actionWorkflow } from '../../support/actionWorkflow.ts';
import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest } from '../../support/n8nUnderTest.ts';
import { triggerWorkflow } from '../../support/triggerWorkflow.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

let editor: Editor;

beforeAll(async () => {
	const n8n = await n8nUnderTest();
	const credential = await saveAccount(n8n, 'In the dark');
	const workflow = actionWorkflow(credential, { templateText: 'Hi {{1}}, your code is {{2}}.' });
	const [trigger] = triggerWorkflow(
		{ events: ['message.incoming'], authentication: 'secretToken' },
		credential,
	).nodes;
	trigger.position = [0, 220];
	workflow.nodes.push(trigger);
	editor = await openEditor(n8n, { theme: 'dark', workflow });
});

afterAll(async () => {
	await editor?.close();
});

async function icon(nodeName: string) {
	return await editor.node(nodeName).locator('img').first().getAttribute('src');
}

test('the nodes have their icons for a dark theme', async () => {
	expect(await icon('Business Messaging')).toMatch(/\/businessMessaging\.dark\.svg$/);
	expect(await icon('Trigger')).toMatch(/\/businessMessagingTrigger\.dark\.svg$/);
	await editor.screenshot('dark-canvas');
	await editor.openNode('Business Messaging');
	await editor.input('variable2').waitFor();
	await editor.screenshot('dark-node');
	await editor.closeNode();
	await editor.openNode('Trigger');
	await editor.screenshot('dark-trigger');
});
