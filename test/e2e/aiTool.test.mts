import { randomUUID } from 'node:crypto';
import { ANSWER_LOST, CUSTOMER } from '../../playground/api/wellKnown.mts';
import { eventually } from '../../playground/eventually.mts';
import { outputOf, type Execution } from '../../playground/n8n/rest/executions.mts';
import { startAgent, type AgentKind, type AgentUnderTest } from '../support/agentUnderTest.mts';
import { isN8nBefore, n8nUnderTest } from '../support/n8nUnderTest.mts';

const TO = "={{ $fromAI('to', 'Phone number of the customer', 'string') }}";

const jsonTool = {
	operation: 'sendTemplate',
	to: TO,
	// As the editor's button that lets the model choose a value writes it.
	templateName:
		"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Template_Name', `order_update or order_late`, 'string') }}",
	category: 'utility',
	variablesInput: 'json',
	variablesJson: "={{ $fromAI('variables', 'First name and order number', 'json') }}",
};

const chosen = {
	to: '+1 (202) 555-0110',
	Template_Name: 'order_update',
	variables: { 1: 'Asha', 2: 'A-17' },
};

const SECOND = '+12025550111';
const OTHER = '+12025550199';

let agent: AgentUnderTest;

beforeAll(async () => {
	agent = await startAgent(await n8nUnderTest());
});

afterAll(async () => {
	await agent?.close();
});

function sentBodies() {
	return agent.calls().map(({ body }) => body);
}

// docs/good-to-know.md: a failing tool stops the AI agent
/** Older n8n ends the run when a tool fails, with the sentence that the model reads in later ones. */
function failureOfTool(execution: Execution) {
	if (isN8nBefore(30)) return [{ error: execution.data.resultData.error?.message }];
	return agent.toolAnswer();
}

// README, What it does: a tool for AI agents
test('an agent, told what each value is for and that a message costs money, sends a template with values of its own choosing', async () => {
	const execution = await agent.run(chosen, jsonTool);
	expect(execution.status).toBe('success');
	const templateVariables = { 1: 'Asha', 2: 'A-17' };
	expect(sentBodies()).toMatchObject([
		{ to: CUSTOMER, templateName: 'order_update', templateVariables },
	]);
	expect(agent.calls()[0].violations).toEqual([]);
	expect(agent.toolAnswer()).toMatchObject([{ status: 'sent', cost: { amount: 0.115 } }]);
	expect(outputOf(execution, 'Agent')).toEqual([{ output: expect.stringContaining('"sent"') }]);

	// What the model was told before.
	const tool = agent.offeredTool();
	expect(tool?.description).toMatch(
		/^Send an approved template.* Each message costs money and reaches a person/,
	);
	// The editor's button leaves the parameter without a description.
	expect(tool?.description).toContain('A phone number needs its plus sign and country code');
	expect(tool?.parameters).toMatchObject({
		properties: {
			to: { type: 'string', description: 'Phone number of the customer' },
			Template_Name: { type: 'string', description: 'order_update or order_late' },
			variables: { description: 'First name and order number' },
		},
		required: ['to', 'Template_Name', 'variables'],
	});
});

test('each field of a pasted template text can be left to the model, and only those there are', async () => {
	await agent.run(
		{ to: CUSTOMER, first_name: 'Asha', day: 'Friday' },
		{
			operation: 'sendTemplate',
			to: TO,
			templateName: 'order_update',
			category: 'utility',
			variablesInput: 'templateText',
			templateText: 'Hi {{1}}, your order {{2}} arrives on {{3}}.',
			variable1: "={{ $fromAI('first_name', 'First name', 'string') }}",
			variable2: 'A-17',
			variable3: "={{ $fromAI('day', 'A day of the week', 'string') }}",
			// Left from another template.
			variable4: "={{ $fromAI('street', 'Street', 'string') }}",
		},
	);
	const offered = Object.keys(agent.offeredTool()?.parameters?.properties ?? {});
	expect(offered.sort()).toEqual(['day', 'first_name', 'to']);
	const templateVariables = { 1: 'Asha', 2: 'A-17', 3: 'Friday' };
	expect(sentBodies()).toMatchObject([{ templateVariables }]);
	const preview = 'Hi Asha, your order A-17 arrives on Friday.';
	expect(agent.toolAnswer()).toMatchObject([{ preview }]);
});

/** Each field reads the item, and only the answer is the model's. */
const FIXED = {
	operation: 'sendTemplate',
	to: '={{ $json.phone }}',
	templateName: '={{ $json.template }}',
	category: '={{ $json.category }}',
	fallbackCategory: '={{ $json.fallback }}',
	customerLastMessageAt: '={{ $json.at }}',
	variablesInput: 'json',
	variablesJson: "={{ [$json.name, $fromAI('answer', 'The answer', 'string')] }}",
};
const OPTIONS = {
	defaultCountry: '={{ $json.country }}',
	dryRun: '={{ $json.dry }}',
	sendOnceKey: '={{ $json.key }}',
	spendingLimit: '={{ $json.limit }}',
};
const inputOf = (phone: string) => ({
	phone,
	template: 'order_update',
	category: 'auto',
	fallback: 'utility',
	at: '2026-01-01T12:00:00Z',
	name: 'Asha',
	country: 'US',
	dry: false,
	key: `${phone} ${randomUUID()}`,
	limit: 1,
	optedOut: [OTHER],
});
const CONTINUES = { onError: 'continueRegularOutput' } as const;

// SECURITY, Tools of AI agents: a value that no $fromAI names
test('a model that would replace what 11 fields read sends nothing, and is told what to say', async () => {
	const tool = { ...FIXED, options: { ...OPTIONS, doNotSendTo: '={{ $json.optedOut }}' } };
	const replaced = {
		...inputOf(OTHER),
		category: 'marketing',
		dry: true,
		limit: 1000,
		optedOut: [],
	};
	const answer = 'Your order is on its way';
	await agent.run({ answer, ...replaced }, tool, CONTINUES, { items: [inputOf(CUSTOMER)] });
	expect(agent.toolAnswer()).toEqual([
		{
			error: expect.objectContaining({
				message: `The tool does not ask for ${Object.keys(replaced).join(', ')}`,
				remedy: 'Call it again with these values only: answer. Nothing was sent.',
			}),
		},
	]);
	expect(agent.calls()).toEqual([]);
});

test('of two calls in one step, for each item of the input, what the item has goes out where the model says no more', async () => {
	const honest = { answer: 'On its way' };
	const items = [inputOf(CUSTOMER), inputOf(SECOND)];
	await agent.run([honest, { ...honest, name: 'Eve' }], { ...FIXED, options: OPTIONS }, CONTINUES, {
		items,
	});
	const sent = [CUSTOMER, SECOND].map((to) => ({
		to,
		type: 'template',
		templateName: 'order_update',
		templateVariables: { 1: 'Asha', 2: 'On its way' },
		category: 'utility',
	}));
	// n8n 1.x runs the tools of its items in another order.
	expect(sentBodies()).toHaveLength(sent.length);
	expect(sentBodies()).toEqual(expect.arrayContaining(sent));
	expect(agent.toolSentences()).toEqual([
		expect.stringContaining('"status":"sent"'),
		expect.stringContaining('The tool does not ask for name'),
	]);
});

// docs/good-to-know.md: a value that $fromAI names
test.each([
	['={{ $json.phone }}', "={{ [$fromAI('phone', 'Their number', 'string')] }}", { phone: OTHER }],
	[
		'={{ $json.data.from }}',
		"={{ $fromAI('data', 'The values', 'json') }}",
		{ data: { from: OTHER } },
	],
])(
	'To must not read what the model gives for another field: %s',
	async (to, variablesJson, words) => {
		const items = [{ ...inputOf(CUSTOMER), data: { from: CUSTOMER } }];
		await agent.run(words, { ...FIXED, to, variablesJson }, CONTINUES, { items });
		expect(agent.toolSentence()).toContain("such as {{ $('Trigger').first().json");
		expect(agent.calls()).toEqual([]);
	},
);

// docs/good-to-know.md: the model looks first
test('a model that may fill in Dry Run is told to look first, and sees the text and the price', async () => {
	const dryRun = "={{ $fromAI('dry_run', 'Whether to look without sending', 'boolean') }}";
	const tool = { ...jsonTool, options: { dryRun } };
	await agent.run({ ...chosen, dry_run: true }, tool);
	expect(agent.offeredTool()?.description).toMatch(/a dry run, call with true first/);
	expect(agent.toolAnswer()).toEqual([
		expect.objectContaining({
			skipped: 'dryRun',
			estimatedCost: { amount: 0.115, currency: 'INR' },
		}),
	]);
	expect(agent.calls()).toEqual([]);
	await agent.run({ ...chosen, dry_run: false }, tool);
	expect(sentBodies()).toHaveLength(1);
});

// docs/outputs.md: a tool has one output
test('a message that is skipped: the model reads that it was not sent, and from when on it may be', async () => {
	const hour = (fromNow: number) =>
		new Date(Date.now() + fromNow * 3_600_000).toISOString().slice(11, 16);
	const hours = { from: hour(2), until: hour(3), timeZone: 'other', otherTimeZone: 'UTC' };
	await agent.run(chosen, { ...jsonTool, options: { sendBetween: { hours } } });
	const sendAfter = expect.stringMatching(/:00\.000Z$/);
	expect(agent.toolAnswer()).toEqual([{ skipped: 'quietHours', to: CUSTOMER, sendAfter }]);
	expect(agent.calls()).toEqual([]);
});

// docs/good-to-know.md: set On Error to Continue
test('a wrong number: the model reads what is wrong and what to do, when the tool continues on errors', async () => {
	await agent.run({ ...chosen, to: 'call me' }, jsonTool, { onError: 'continueRegularOutput' });
	const error = expect.objectContaining({
		message: expect.stringContaining('"call me" is not a phone number'),
		remedy: expect.stringContaining('country code'),
		outcome: 'notSent',
	});
	expect(agent.toolAnswer()).toEqual([{ error }]);
	expect(agent.calls()).toEqual([]);
});

test('an answer that got lost: the model reads that the message may have been sent', async () => {
	const execution = await agent.run({ ...chosen, to: ANSWER_LOST }, jsonTool);
	const error = expect.stringContaining('may have been sent');
	expect(failureOfTool(execution)).toEqual([{ error }]);
	expect(sentBodies()).toHaveLength(1);
});

const KINDS: Array<[string, AgentKind]> = [
	['agent 2.2', { agentVersion: 2.2 }],
	['agent 3', { agentVersion: isN8nBefore(11) ? 3 : 3.1 }],
	['an agent 2.2 that is a tool', { agentToolVersion: 2.2 }],
	['an agent 3 that is a tool', { agentToolVersion: 3 }],
];

describe.each(
	// n8n 1.x has no agent 3 that is a tool.
	KINDS.slice(0, isN8nBefore(11) ? 3 : 4),
)('%s, whose tool has Retry On Fail,', (_, kind) => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

	// docs/good-to-know.md: an unknown outcome is not repeated for an agent
	test('sends once although the model calls the tool again after an answer got lost', async () => {
		const lost = { ...chosen, to: ANSWER_LOST };
		await agent.run(lost, jsonTool, settings, { ...kind, toolCalls: 2 });
		expect(sentBodies()).toHaveLength(1);
	});

	// SECURITY, Tools of AI agents: what a model says to an agent that is its tool
	test('sends to nobody whom a model puts into the input', async () => {
		const words = { answer: 'On its way', phone: OTHER };
		const tool = { ...FIXED, options: OPTIONS };
		await agent.run(words, tool, CONTINUES, { ...kind, items: [inputOf(CUSTOMER)] });
		expect(sentBodies().filter((body) => (body as { to: string }).to !== CUSTOMER)).toEqual([]);
	});

	// docs/good-to-know.md: an agent can order again
	test('sends twice what the model orders twice', async () => {
		await agent.run(chosen, jsonTool, settings, { ...kind, toolCalls: 2 });
		// An agent that is a tool is called twice as well.
		expect(sentBodies()).toHaveLength('agentToolVersion' in kind ? 4 : 2);
	});

	// docs/sending.md: Numbers that get nothing
	test('sends to nobody in a column that was dragged into Do Not Send To', async () => {
		const items = ['+12025550199', '', CUSTOMER].map((phone) => ({ phone }));
		const tool = { ...jsonTool, options: { doNotSendTo: "={{ $('Start').item.json.phone }}" } };
		await agent.run(chosen, tool, settings, { ...kind, items });
		expect(agent.toolSentence()).toContain('optedOut');
		expect(sentBodies()).toEqual([]);
	});
});

// docs/good-to-know.md: the model fills in the fields with $fromAI and nothing else
test('MCP Server Trigger: a client gives what the tool asks for, and n8n drops the rest', async () => {
	const n8n = await n8nUnderTest();
	const path = randomUUID();
	await n8n.client.workflows.publish(
		await n8n.client.workflows.save(agent.mcpWorkflow(path, jsonTool)),
	);
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		accept: 'application/json, text/event-stream',
	};
	const post = async (method: string, params: object, id?: number) => {
		const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
		const response = await fetch(`${n8n.url}/mcp/${path}`, { method: 'POST', headers, body });
		const session = response.headers.get('mcp-session-id');
		if (session) headers['mcp-session-id'] = session;
		return await response.text();
	};
	const clientInfo = { name: 'Test', version: '1' };
	const hello = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
	await eventually('the MCP server', async () =>
		(await post('initialize', hello, 1)).includes('serverInfo'),
	);
	await post('notifications/initialized', {});
	const words = { ...chosen, category: 'marketing' };
	expect(await post('tools/call', { name: 'Tool', arguments: words }, 2)).toContain('sent');
	expect(sentBodies()).toMatchObject([{ to: CUSTOMER, category: 'utility' }]);
});
