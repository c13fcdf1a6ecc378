import { DEVELOPMENT_KEY, START_PLAN_KEY } from '../../../playground/api/wellKnown.ts';
import { actionEditor } from '../../support/actionEditor.ts';
import { actionWorkflow } from '../../support/actionWorkflow.ts';

const { api, editor } = actionEditor('Another account', (other) => actionWorkflow(other, {}));

function dialog() {
	return editor().page.getByTestId('credential-edit-dialog');
}

async function tryKey(apiKey: string) {
	await editor().input('apiKey').fill(apiKey);
	await editor().page.getByTestId('credential-save-button').click();
}

/** n8n folds the sentence away, but leaves it open for the next one. */
async function expectRefused(sentence: string) {
	const shown = dialog().getByText(sentence).filter({ visible: true }).first();
	const details = dialog().getByText('More details');
	await shown.or(details).first().waitFor();
	if (await details.isVisible()) await details.click();
	await shown.waitFor();
}

// README, Credentials: n8n tests it
test('a key is entered from within the node: a wrong one is explained, the right one accepted', async () => {
	const { page, input, screenshot } = editor();
	await page.getByTestId('node-credentials-select').click();
	await page.getByTestId('node-credentials-select-item-new').click();
	await input('baseUrl').fill(api().url);

	await tryKey('a-key-that-was-never-given');
	await dialog().getByText('Couldn’t connect with these settings').waitFor();
	await expectRefused('The API key is missing or not valid.');
	await screenshot('credential-wrong-key');

	await tryKey(START_PLAN_KEY);
	await expectRefused("Your account's plan has no API access.");
	await screenshot('credential-wrong-plan');

	// n8n closes the dialog of a new credential that works.
	await tryKey(DEVELOPMENT_KEY);
	await dialog().waitFor({ state: 'hidden' });
	await page.getByTestId('credential-edit-button').click();
	await dialog().getByText('Connection tested successfully').waitFor();
	await screenshot('credential-accepted');
});
