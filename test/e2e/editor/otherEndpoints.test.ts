import { startLocalApi, type LocalApi } from '../../../playground/api/server.ts';
import { saveAccount } from '../../../playground/n8n/account.ts';
import { chain } from '../../../playground/n8n/chain.ts';
import { actionWorkflow } from '../../support/actionWorkflow.ts';
import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest, type N8nUnderTest } from '../../support/n8nUnderTest.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

let n8n: N8nUnderTest;
let api: LocalApi;
let credential: { id: string; name: string };
let editor: Editor | undefined;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi();
	credential = await saveAccount(n8n, 'Other endpoints', { baseUrl: api.url });
});

afterEach(async () => await editor?.close());
afterAll(async () => await api?.close());

// README, Operations: other endpoints by HTTP Request
test('HTTP Request offers the credential as a predefined one, and reaches the API with it', async () => {
	const workflow = chain('Other endpoints', {
		Start: { type: 'n8n-nodes-base.manualTrigger' },
		'HTTP Request': {
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url: `${api.url}/api/integrations/contacts` },
		},
	});
	editor = await openEditor(n8n, { workflow, node: 'HTTP Request' });
	const { page, choose, field, execute, output, screenshot } = editor;
	await choose('authentication', 'Predefined Credential Type');
	await field('nodeCredentialType').click();
	await page.keyboard.type('Business Mess');
	await page.getByRole('option').filter({ hasText: 'Business Messaging API' }).first().click();
	await page.getByTestId('node-credentials-select').click();
	await page
		.getByRole('option')
		.filter({ hasText: credential.name, visible: true })
		.first()
		.click();
	await screenshot('other-endpoints');
	await execute();
	// The local API has no such endpoint; without the key it would say 401.
	await output.getByText('could not be found').filter({ visible: true }).first().waitFor();
	expect(api.calls.map(({ path, answeredStatus }) => [path, answeredStatus])).toEqual([
		['/api/integrations/contacts', 404],
	]);
});

test('the Custom API Call in the list of operations leads to HTTP Request', async () => {
	const workflow = actionWorkflow(credential, {});
	editor = await openEditor(n8n, { workflow, node: 'Business Messaging' });
	const { page, choose, field, screenshot } = editor;
	await choose('operation', 'Custom API Call');
	await page.getByTestId('node-parameters').getByText('HTTP Request').first().waitFor();
	await screenshot('custom-api-call');
	expect(await field('to').count()).toBe(0);
});
