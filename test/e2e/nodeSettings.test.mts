import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain } from '../../playground/n8n/chain.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.mts';
import { CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.mts';
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
	['the error output', 'continueErrorOutput'],
	['the first output for errors', 'continueRegularOutput'],
] as const)(
	'sent, skipped and wrong rows leave apart with their fields, with %s',
	async (_, onError) => {
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
		const workflow = sendingEach(file.credential, items, parameters, { onError });
		const { data, status } = await runOnce(file.n8n, withBranches(workflow));
		expect(status).toBe('success');
		const itemsOf = (name: string) =>
			(data.resultData.runData[name] ?? []).flatMap(({ data: ran }) => ran?.main[0] ?? []);
		const rows = (name: string) => itemsOf(name).map(({ json }) => json.row);
		const inOrder = onError === 'continueErrorOutput' ? [[8], [6], [7]] : [[7, 8], [6], []];
		expect([rows('Sent'), rows('Skipped'), rows('Error')]).toEqual(inOrder);
		const [{ json: skipped }] = itemsOf('Skipped');
		expect(skipped).toMatchObject({ skipped: 'quietHours', input: items[0] });
		const sent = itemsOf('Sent').at(-1)?.json;
		expect(sent).toMatchObject({ to: CUSTOMER, status: 'sent', input: items[2] });
		if (onError !== 'continueErrorOutput') return;
		const error = expect.objectContaining({ outcome: 'notSent', remedy: expect.any(String) });
		expect(itemsOf('Error').map(({ json }) => json)).toMatchObject([{ ...items[1], error }]);
	},
);

/** In a loop, with a node behind each output, which takes the row from the item that its item is paired with. */
function withBranches(workflow: Workflow): Workflow {
	const [start, action] = workflow.nodes;
	const names = ['Sent', 'Skipped', 'Error'];
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	const value = "={{ $('Start').item.json.row }}";
	const row = { id: 'row', name: 'row', value, type: 'number' };
	const branch = {
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { includeOtherFields: true, assignments: { assignments: [row] } },
	};
	const { nodes, connections } = chain(workflow.name, {
		Start: start,
		Loop: { type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
		[NODE]: action,
		...Object.fromEntries(names.map((name) => [name, branch])),
	});
	const back = Object.fromEntries(names.map((name) => [name, { main: [to('Loop')] }]));
	return {
		...workflow,
		nodes,
		connections: {
			Start: connections.Start,
			Loop: { main: [[], to(NODE)] },
			...back,
			[NODE]: { main: names.map(to) },
		},
	};
}

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

test('a credential that is deleted in mid-run: what was not requested was not sent', async () => {
	const { n8n } = file;
	const server = await startFaultServer((number) => (socket) => {
		const deleted = number === 0 ? n8n.client.credentials.remove(credential.id) : Promise.resolve();
		void deleted.then(() => MISBEHAVIORS.sent(socket));
	});
	const credential = await saveAccount(n8n, 'Deleted in mid-run', { baseUrl: server.url });
	const items = ['+12025550110', '+12025550111'].map((to) => ({ to }));
	const settings = { onError: 'continueRegularOutput' as const };
	const execution = await runOnce(n8n, sendingEach(credential, items, {}, settings));
	await server.close();

	expect(server.received).toHaveLength(1);
	const [sent, { error }] = outputOf(execution, NODE);
	expect(sent).toMatchObject({ message_id: 'm1' });
	expect(error).toMatchObject({
		message: expect.stringContaining('The credential could not be used'),
		remedy: expect.stringContaining('run the failed items again'),
		outcome: 'notSent',
		retryable: false,
	});
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
