import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.mts';
import { CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.mts';
import { runOnce } from '../support/manualRun.mts';
import { publishTrigger } from '../support/publishedTrigger.mts';
import { accepted, incomingWith } from '../support/webhookEvents.mts';

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
test('with the error output, a wrong row leaves there with its reason and its fields, and the others are sent with theirs', async () => {
	const items = [
		{ to: CUSTOMER, row: 6 },
		{ to: 'call me', row: 7 },
	];
	const options = { includeInputFields: true };
	const execution = await sendTo(items, { options }, { onError: 'continueErrorOutput' });
	expect(execution.status).toBe('success');
	expect(outputOf(execution, NODE, 0)).toEqual([
		expect.objectContaining({ to: CUSTOMER, status: 'sent', input: { to: CUSTOMER, row: 6 } }),
	]);
	const error = expect.objectContaining({ outcome: 'notSent', remedy: expect.any(String) });
	expect(outputOf(execution, NODE, 1)).toEqual([expect.objectContaining({ row: 7, error })]);
});

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
	expect(outputOf(await run('continueErrorOutput'), NODE, 1)).toEqual([
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

// docs/trigger.md: One Output per Event
test('with one output per event, each event leaves through its own', async () => {
	const { n8n } = file;
	const trigger = await publishTrigger(n8n, {
		events: ['message.read', 'message.incoming', '*'],
		authentication: 'none',
		outputMode: 'perEvent',
	});
	const outputs = { 'message.read': 3, 'message.incoming': 0, 'message.edited': 7 };
	for (const [runs, [event, output]] of Object.entries(outputs).entries()) {
		expect(await trigger.post(incomingWith({ event }))).toEqual(accepted);
		await trigger.expectRuns(runs + 1);
		const [execution] = await n8n.client.executions.list(trigger.id, 1);
		const events = Array.from({ length: 8 }, (_, index) => outputOf(execution, 'Trigger', index));
		expect(events.map((items) => items.map((item) => item.event))).toEqual(
			events.map((_, index) => (index === output ? [event] : [])),
		);
	}
});
