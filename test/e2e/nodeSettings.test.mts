import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.mts';
import { CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { runOnce } from '../support/manualRun.mts';

const NODE = 'Business Messaging';

const file = accountOfFile('Settings');

async function sendTo(
	items: object[],
	parameters: Record<string, unknown>,
	settings: Partial<WorkflowNode> = {},
) {
	const { n8n, credential } = file;
	return await runOnce(n8n, sendingEach(credential, items, parameters, settings));
}

// docs/sending.md: wrong rows leave through the error output
// docs/sending.md: Include Input Fields
// docs/outputs.md: Sent and Skipped
test.each([
	['the error output', 'continueErrorOutput', [[2], [0], [1]]],
	['the first output for errors', 'continueRegularOutput', [[1, 2], [0], []]],
] as const)(
	'sent, skipped and wrong rows leave apart with their fields, with %s',
	async (_, onError, expected) => {
		const HOUR_MS = 3_600_000;
		const utc = (hours: number) =>
			new Date(Date.now() + hours * HOUR_MS).toISOString().slice(11, 16);
		const zone = { timeZone: 'other', otherTimeZone: 'UTC' };
		const sendBetween = { hours: { from: utc(2), until: utc(3), ...zone } };
		const items = [
			{ to: CUSTOMER, row: 6, category: 'marketing' },
			{ to: 'call me', row: 7, category: 'marketing' },
			{ to: CUSTOMER, row: 8, category: 'authentication' },
		];
		const parameters = {
			category: '={{ $json.category }}',
			options: { includeInputFields: true, requestsPerMinute: 0, sendBetween },
		};
		const execution = await sendTo(items, parameters, { onError });
		expect(execution.status).toBe('success');
		const outputs = execution.data.resultData.runData[NODE][0].data?.main ?? [];
		const left = [0, 1, 2].map((output) => outputs[output] ?? []);
		const paired = left.map((those) => those.map(({ pairedItem }) => pairedItem?.item));
		expect(paired).toEqual(expected);
		const [sent, [skipped], failed] = left.map((those) => those.map(({ json }) => json));
		expect(skipped).toMatchObject({ skipped: 'quietHours', input: items[0] });
		expect(sent.at(-1)).toMatchObject({ to: CUSTOMER, status: 'sent', input: items[2] });
		// To what leaves through the error output, n8n adds the input.
		const error = expect.objectContaining({ outcome: 'notSent', remedy: expect.any(String) });
		expect(failed).toMatchObject(failed.map(() => ({ ...items[1], error })));
	},
);

test.each<[string, (id: string) => WorkflowNode['credentials'], string]>([
	['none was ever chosen', () => undefined, 'No credential is chosen'],
	[
		'it was deleted',
		(id) => ({ [CREDENTIAL]: { id, name: 'Deleted' } }),
		'The chosen credential does not exist',
	],
])('with no credential, because %s, the error says to choose one', async (_, chosen, message) => {
	const { id } = await saveAccount(file.n8n, 'Deleted');
	await file.n8n.client.credentials.remove(id);
	const remedy = 'Choose a credential at the top of the node.';
	const run = async (onError: WorkflowNode['onError']) =>
		await sendTo([{ to: CUSTOMER }], {}, { credentials: chosen(id), onError });
	const stopped = await run('stopWorkflow');
	expect(stopped.data.resultData.runData[NODE][0].error).toMatchObject({
		message,
		description: remedy,
	});
	expect(outputOf(await run('continueErrorOutput'), NODE, 2)).toEqual([
		expect.objectContaining({ error: expect.objectContaining({ message, remedy }) }),
	]);
});

test('n8n runs a node of a version that it lacks as the newest one, and the node refuses', async () => {
	const before = file.api.messages.size;
	const parameters = { newInVersion7: true, holdBack: ['weekdays'] };
	const newer = await sendTo([{ to: CUSTOMER }], parameters, { typeVersion: 7 });
	expect(newer.data.resultData.error?.message).toContain('This node has version 7');
	const heldBack = await sendTo([{ to: CUSTOMER }], parameters);
	expect(heldBack.data.resultData.error?.message).toContain('Hold Back has "["weekdays"]"');
	expect(file.api.messages.size).toBe(before);
});
