import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { CREDENTIAL } from '../../playground/n8n/typeNames.ts';
import { sendingEach } from '../support/actionWorkflow.ts';
import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.ts';
import { runOnce } from '../support/manualRun.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { publishTrigger } from '../support/publishedTrigger.ts';
import { accepted, incomingWith } from '../support/webhookEvents.ts';

const NODE = 'Business Messaging';
const FROM_TEXT = { variablesInput: 'templateText', templateText: 'Hello {{1}}' };

interface Sent {
	to: string;
	templateVariables?: Record<string, string>;
}

let n8n: N8nUnderTest;
let api: LocalApi;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi();
});

afterAll(async () => {
	await api?.close();
});

async function sendTo(
	baseUrl: string,
	items: object[],
	parameters: Record<string, unknown>,
	settings: Partial<WorkflowNode> = {},
) {
	const credential = await saveAccount(n8n, `Settings ${baseUrl}`, { baseUrl });
	const workflow = sendingEach(credential, items, { options: {}, ...parameters });
	const [start, action] = workflow.nodes;
	return await runOnce(n8n, { ...workflow, nodes: [start, { ...action, ...settings }] });
}

// README, Send to a spreadsheet: wrong rows leave through the error output
// README, Send to a spreadsheet: Include Input Fields
test('with the error output, a wrong row leaves there with its reason and its fields, and the others are sent with theirs', async () => {
	const execution = await sendTo(
		api.url,
		[
			{ to: CUSTOMER, row: 6 },
			{ to: 'call me', row: 7 },
		],
		{ options: { includeInputFields: true } },
		{ onError: 'continueErrorOutput' },
	);
	expect(execution.status).toBe('success');
	expect(outputOf(execution, NODE, 0)).toEqual([
		expect.objectContaining({ to: CUSTOMER, status: 'sent', input: { to: CUSTOMER, row: 6 } }),
	]);
	const error = expect.objectContaining({ outcome: 'notSent', remedy: expect.any(String) });
	expect(outputOf(execution, NODE, 1)).toEqual([expect.objectContaining({ row: 7, error })]);
});

// README, Send to a spreadsheet: the dry run says how long the run takes, and which numbers appear more than once
test('a dry run says above the output how long the messages take, and which go to the same number', async () => {
	const rows = Array.from({ length: 61 }, (_, row) => ({ to: `+1415555${1000 + row}` }));
	const execution = await sendTo(api.url, [...rows, rows[0]], { options: { dryRun: true } });
	const [{ hints = [] }] = execution.data.resultData.runData[NODE];
	expect(hints.map(({ message }) => message)).toEqual([
		'Dry run: nothing was sent. 62 messages would cost about INR 7.13 and take about 62 s at 60 a minute. 1 number appears more than once (items 0, 61).',
	]);
});

// README, Send to a spreadsheet: items with the same number are sent in their order, one after the other
test('messages to one number go out in their order, each after the answer to the one before', async () => {
	const to = '+14155559998';
	api.settings.latencyMs = 300;
	const rows = Array.from({ length: 5 }, (_, row) => ({ to, name: `Row ${row}` }));
	await sendTo(api.url, rows, { ...FROM_TEXT, variable1: '={{ $json.name }}' });
	api.settings.latencyMs = 0;
	const received = api.calls.flatMap(({ body, receivedAt }) => {
		const { to: number, templateVariables } = body as Sent;
		return number === to ? { name: templateVariables?.[1], receivedAt } : [];
	});
	expect(received.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
	const times = received.map(({ receivedAt }) => receivedAt);
	const gaps = times.slice(1).map((time, row) => time - times[row]);
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(290);
});

// README, Send to a spreadsheet: what an expression made of missing data
test.each<[string, Record<string, unknown>, string]>([
	['a missing field', { variable1: '={{ "Hi " + $json.missing }}' }, 'undefined'],
	[
		'a date',
		{ variable1: '=on {{ DateTime.fromISO("31.12.").toFormat("dd MMM") }}' },
		'Invalid DateTime',
	],
	['a calculation', { variable1: '={{ $json.missing * 2 + " EUR" }}' }, 'NaN'],
	[
		'a row of a list',
		{
			variablesInput: 'list',
			variableList: { variables: [{ value: '={{ "Hi " + $json.missing }}' }] },
		},
		'undefined',
	],
	[
		'JSON',
		{ variablesInput: 'json', variablesJson: '={{ ["Hi " + $json.missing] }}' },
		'undefined',
	],
	[
		'a text of JSON',
		{ variablesInput: 'json', variablesJson: '=["{{ new Date("x").toString() }}"]' },
		'Invalid Date',
	],
])('the ruins of an expression for %s are sent to nobody', async (_, parameters, ruin) => {
	const { length } = api.calls;
	const execution = await sendTo(api.url, [{ to: CUSTOMER }], { ...FROM_TEXT, ...parameters });
	expect(execution.data.resultData.runData[NODE][0].error).toMatchObject({
		message: `The variable {{1}} ("Hello {{1}}") has "${ruin}" in it [item 0]`,
	});
	expect(api.calls).toHaveLength(length);
});

test.each<[string, Record<string, unknown>, string]>([
	['in a field', { variable1: 'undefined' }, 'undefined'],
	['as a customer', { variable1: '={{ $json.name }}' }, 'Null'],
	['beside an expression', { variable1: '=undefined is {{ $json.name }}' }, 'undefined is Null'],
	[
		'in a row',
		{ variablesInput: 'list', variableList: { variables: [{ value: 'undefined' }] } },
		'undefined',
	],
	['in JSON', { variablesInput: 'json', variablesJson: '["NaN"]' }, 'NaN'],
])('what somebody typed %s is sent as it is', async (_, parameters, sent) => {
	const customer = { to: CUSTOMER, name: 'Null' };
	const execution = await sendTo(api.url, [customer], { ...FROM_TEXT, ...parameters });
	expect(outputOf(execution, NODE)).toMatchObject([{ preview: `Hello ${sent}` }]);
});

// README, Good to know: Retry On Fail sends only the rest
test('Retry On Fail sends the refused message again, but not the one that went out', async () => {
	const { sent, refused400 } = MISBEHAVIORS;
	const server = await startFaultServer((number) => [sent, refused400, sent][number]);
	try {
		const execution = await sendTo(
			server.url,
			[{ to: '+12025550110' }, { to: '+12025550111' }],
			{ options: { concurrency: 1 } },
			{ retryOnFail: true, maxTries: 2, waitBetweenTries: 100 },
		);
		expect(execution.status).toBe('success');
		expect(outputOf(execution, NODE)).toHaveLength(2);
		const recipients = server.received.map((body) => (JSON.parse(body) as { to: string }).to);
		expect(recipients).toEqual(['+12025550110', '+12025550111', '+12025550111']);
	} finally {
		await server.close();
	}
});

test.each<[string, (id: string) => WorkflowNode['credentials'], string]>([
	['none was ever chosen', () => undefined, 'No credential is chosen'],
	['none of its kind is chosen', () => ({}), 'No credential is chosen'],
	[
		'it was deleted',
		(id) => ({ [CREDENTIAL]: { id, name: 'Deleted' } }),
		'The chosen credential does not exist',
	],
])('with no credential, because %s, the error says to choose one', async (_, chosen, message) => {
	const { id } = await saveAccount(n8n, 'Deleted');
	await n8n.client.credentials.remove(id);
	const remedy = 'Choose a credential at the top of the node.';
	const run = async (onError: WorkflowNode['onError']) =>
		await sendTo(api.url, [{ to: CUSTOMER }], {}, { credentials: chosen(id), onError });
	const stopped = await run('stopWorkflow');
	expect(stopped.data.resultData.runData[NODE][0].error).toMatchObject({
		message,
		description: remedy,
	});
	expect(outputOf(await run('continueErrorOutput'), NODE, 1)).toEqual([
		expect.objectContaining({ error: expect.objectContaining({ message, remedy }) }),
	]);
});

test.each(['auto', '={{ "AUTO" }}'])(
	'the category Auto, given as %s, is Service within the service window, else the one chosen',
	async (category) => {
		const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
		await api.customerWrites(CUSTOMER, 'Where is my order?');
		const items = [1, 25].map((hours) => ({ to: CUSTOMER, wroteAt: hoursAgo(hours) }));
		const execution = await sendTo(api.url, items, {
			category,
			customerLastMessageAt: '={{ $json.wroteAt }}',
			fallbackCategory: 'marketing',
		});
		const categories = outputOf(execution, NODE).map(({ category }) => category);
		expect(categories).toEqual(['service', 'marketing']);
	},
);

// README, React to customers: One Output per Event
test('with one output per event, each event leaves through its own', async () => {
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
