import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { CREDENTIAL } from '../../playground/n8n/typeNames.ts';
import { accountOfFile } from '../support/accountOfFile.ts';
import { sendingEach } from '../support/actionWorkflow.ts';
import { runOnce } from '../support/manualRun.ts';
import { publishTrigger } from '../support/publishedTrigger.ts';
import { accepted, incomingWith } from '../support/webhookEvents.ts';

const NODE = 'Business Messaging';
const FROM_TEXT = { variablesInput: 'templateText', templateText: 'Hello {{1}}', options: {} };

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

// docs/sending.md: the dry run says how long the run takes, and which numbers appear more than once
test('a dry run says above the output how long the messages take, and which go to the same number', async () => {
	const rows = Array.from({ length: 61 }, (_, row) => ({ to: `+1415555${1000 + row}` }));
	const execution = await sendTo([...rows, rows[0]], { options: { dryRun: true } });
	const [{ hints = [] }] = execution.data.resultData.runData[NODE];
	expect(hints.map(({ message }) => message)).toEqual([
		'Dry run: nothing was sent. 62 messages would cost about INR 7.13 and take about 62 s at 60 a minute. 1 number appears more than once (items 0, 61).',
	]);
});

// docs/sending.md: what an expression made of missing data
test.each<[string, Record<string, unknown>, string]>([
	['a missing field', { variable1: '={{ "Hi " + $json.missing }}' }, 'undefined'],
	[
		'a date',
		{ variable1: '=on {{ DateTime.fromISO("31.12.").toFormat("dd MMM") }}' },
		'Invalid DateTime',
	],
	['a calculation', { variable1: '={{ $json.missing * 2 + " EUR" }}' }, 'NaN'],
	[
		'a text of JSON',
		{ variablesInput: 'json', variablesJson: '=["{{ new Date("x").toString() }}"]' },
		'Invalid Date',
	],
])('the ruins of an expression for %s are sent to nobody', async (_, parameters, ruin) => {
	const { length } = file.api.calls;
	const execution = await sendTo([{ to: CUSTOMER }], { ...FROM_TEXT, ...parameters });
	expect(execution.data.resultData.runData[NODE][0].error).toMatchObject({
		message: `The variable {{1}} ("Hello {{1}}") has "${ruin}" in it [item 0]`,
	});
	expect(file.api.calls).toHaveLength(length);
});

test('a name that is the ruin of an expression is sent as it is', async () => {
	const customer = { to: CUSTOMER, name: 'Null' };
	const variable1 = '=undefined is {{ $json.name }}';
	const execution = await sendTo([customer], { ...FROM_TEXT, variable1 });
	expect(outputOf(execution, NODE)).toMatchObject([{ preview: 'Hello undefined is Null' }]);
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
