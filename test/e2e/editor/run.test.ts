import { startLocalApi, type LocalApi } from '../../../playground/api/server.ts';
import { CUSTOMER, NEVER_READ } from '../../../playground/api/wellKnown.ts';
import { saveAccount } from '../../../playground/n8n/account.ts';
import { actionWorkflow } from '../../support/actionWorkflow.ts';
import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest } from '../../support/n8nUnderTest.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

let api: LocalApi;
let editor: Editor;

beforeAll(async () => {
	api = await startLocalApi();
	const n8n = await n8nUnderTest();
	const credential = await saveAccount(n8n, 'Run in the editor', { baseUrl: api.url });
	const workflow = actionWorkflow(credential, {
		to: '={{ $json.phone }}',
		templateName: 'order_shipped',
		templateText: 'Hi {{1}}, your order {{2}} is on its way.',
		variable1: '={{ $json.name }}',
		variable2: 'A-17',
	});
	workflow.pinData = {
		Start: [
			{ json: { name: 'Asha', phone: CUSTOMER } },
			{ json: { name: 'Mira', phone: NEVER_READ } },
		],
	};
	editor = await openEditor(n8n, { workflow, node: 'Business Messaging' });
});

afterAll(async () => {
	await editor?.close();
	await api?.close();
});

test('the output panel says what was sent and what it cost, above the messages', async () => {
	const { output, execute, screenshot } = editor;
	await execute();
	await output.getByText('2 messages sent, cost INR 0.23.').waitFor();
	await output.getByText('Hi Asha, your order A-17 is on its way.').first().waitFor();
	await output
		.getByText([...api.messages.keys()][0])
		.first()
		.waitFor();
	await screenshot('run');
});
