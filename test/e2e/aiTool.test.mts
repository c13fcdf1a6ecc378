import { randomUUID } from 'node:crypto';
import { ANSWER_LOST, CUSTOMER } from '../../playground/api/wellKnown.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { startAgent, type AgentKind, type AgentUnderTest } from '../support/agentUnderTest.mts';
import { publishMcp } from '../support/mcpClient.mts';
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

const OTHER = '+12025550199';

const AGENT_3 = isN8nBefore(11) ? 3 : 3.1;
const CAP = { messages: 1, period: 1, unit: 'hours', name: randomUUID() };
const CONTINUES = { onError: 'continueRegularOutput' } as const;
/** Whom it goes to is the item's, and only the answer is the model's. */
const FIXED = {
	...jsonTool,
	to: '={{ $json.phone }}',
	templateName: 'order_update',
	variablesJson: "={{ [$fromAI('answer', 'The answer', 'string')] }}",
};

interface WithVariables {
	templateVariables: Record<number, string>;
}

const differentCalls = (count: number) =>
	Array.from({ length: count }, (_, number) => ({
		...chosen,
		variables: { 1: 'Asha', 2: number },
	}));

let agent: AgentUnderTest;

beforeAll(async () => {
	agent = await startAgent(await n8nUnderTest());
	agent.api.settings.requestsPerWindow = 0;
});

afterAll(async () => {
	await agent?.close();
});

function sentBodies() {
	return agent.calls().map(({ body }) => body);
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
		isN8nBefore(30)
			? /^=Send an approved template.* Each message costs money and reaches a person/
			: /^Send an approved template.* Each message costs money and reaches a person/,
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
	expect(agent.offeredTool()?.description).toContain(
		isN8nBefore(30)
			? 'The customer reads:", $rawParameter.templateText' // N8N.md: tool-description
			: 'The template is order_update. Its category is utility. Prices in INR: authentication 0.115, utility 0.115, marketing 0.8631, service 0. __1__ is the value of {{1}}, and so on. The customer reads: Hi {{1}}, your order {{2}} arrives on {{3}}.',
	);
	const templateVariables = { 1: 'Asha', 2: 'A-17', 3: 'Friday' };
	expect(sentBodies()).toMatchObject([{ templateVariables }]);
	const preview = 'Hi Asha, your order A-17 arrives on Friday.';
	expect(agent.toolAnswer()).toMatchObject([{ preview }]);
});

// docs/ai-agents.md: the model looks first
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

// docs/ai-agents.md: a tool does not fail
test.each([
	[2.2, 'stopWorkflow'],
	[2.2, 'continueErrorOutput'],
	[AGENT_3, 'continueErrorOutput'],
] as const)(
	'the model of agent %d reads what is wrong, and what it can do: %s',
	async (agentVersion, onError) => {
		const kind = { agentVersion };
		await agent.run({ ...chosen, to: 'call me' }, jsonTool, { onError }, kind);
		const message = expect.stringMatching(
			/"call me" is not a phone number.* Call this tool again with another value for to:/,
		);
		expect(agent.toolAnswer()).toMatchObject([{ error: { message } }]);
		expect(agent.calls()).toEqual([]);
		await agent.run([{ ...chosen, to: ANSWER_LOST }, chosen], jsonTool, { onError }, kind);
		expect(agent.toolSentences()).toEqual([
			expect.stringMatching(/may have been sent.* Do not call this tool again/),
			expect.stringContaining('"status":"sent"'),
		]);
		expect(sentBodies()).toHaveLength(2);
	},
);

const KINDS: Array<[string, AgentKind]> = [
	['agent 2.2', { agentVersion: 2.2 }],
	['agent 3', { agentVersion: AGENT_3 }],
	['an agent 2.2 that is a tool', { agentToolVersion: 2.2 }],
	['an agent 3 that is a tool', { agentToolVersion: 3 }],
];

describe.each(
	// n8n 1.x has no agent 3 that is a tool.
	KINDS.slice(0, isN8nBefore(11) ? 3 : 4),
)('%s, whose tool has Retry On Fail,', (_, kind) => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

	// SECURITY, Tools of AI agents: what a model says to an agent that is its tool
	test('sends to nobody whom a model puts into the input', async () => {
		const words = { answer: 'On its way', phone: OTHER };
		await agent.run(words, FIXED, CONTINUES, { ...kind, items: [{ phone: CUSTOMER }] });
		expect(sentBodies().filter((body) => (body as { to: string }).to !== CUSTOMER)).toEqual([]);
	});

	// docs/ai-agents.md: the same message is sent once in an execution
	test('sends once what the model orders twice, one after the other and in one step', async () => {
		const bye = { ...chosen, variables: { 1: 'Bela', 2: 'A-17' } };
		const words = [chosen, chosen, bye, chosen, chosen];
		// An agent that is a tool is called twice as well.
		await agent.run(words, jsonTool, settings, { ...kind, toolCalls: words.length + 1 });
		const names = sentBodies().map((body) => (body as WithVariables).templateVariables[1]);
		expect(names.sort()).toEqual(['Asha', 'Bela']);
	});

	// docs/ai-agents.md: an unknown outcome is not repeated for an agent
	test('sends once although the model calls the tool again after an answer got lost', async () => {
		const lost = { ...chosen, to: ANSWER_LOST };
		await agent.run([lost, lost], jsonTool, settings, { ...kind, toolCalls: 4 });
		expect(sentBodies()).toHaveLength(1);
	});
});

// docs/sending.md: exact for all runs
test.each<[string, object, number]>([
	['a Frequency Cap allows two to a number', { frequencyCap: { cap: { ...CAP, messages: 2 } } }, 2],
	// A message takes 0.12.
	['a Budget allows four', { budget: { budget: { amount: 0.5, period: 'day' } } }, 4],
])('%s, of ten calls in one step', async (_, options, messages) => {
	const words = differentCalls(10);
	const tool = { ...jsonTool, options, expertOptions: { requestsPerMinute: 0 } };
	await agent.run(words, tool, CONTINUES);
	expect(sentBodies()).toHaveLength(messages);
});

// docs/ai-agents.md: the model fills in the fields with $fromAI and nothing else
test('MCP Server Trigger: a client gives what the tool asks for, and n8n drops the rest', async () => {
	const call = await startMcp(jsonTool);
	expect(await call({ ...chosen, category: 'marketing' })).toContain('sent');
	expect(sentBodies()).toMatchObject([{ to: CUSTOMER, category: 'utility' }]);
});

// docs/ai-agents.md: to MCP clients once an hour
test('MCP Server Trigger: calls one after the other and at once', async () => {
	const call = await startMcp(jsonTool);
	const bye = { ...chosen, variables: { 1: 'Bela', 2: 'A-17' } };
	expect(await call(chosen)).toContain('message_id');
	const atOnce = await Promise.all([call(chosen), call(bye), call(chosen), call(bye)]);
	expect(atOnce.filter((read) => read.includes('sentBefore'))).toHaveLength(3);
	expect(sentBodies()).toHaveLength(2);
	const lost = { ...chosen, to: ANSWER_LOST };
	const reads = [await call(lost), await call({ ...lost, variables: bye.variables })];
	for (const read of reads) expect(read).toContain('may have');
	expect(sentBodies()).toHaveLength(3);
});

// docs/sending.md: exact for all runs
test('MCP Server Trigger: of five calls one is sent, and the others are held back by the cap', async () => {
	const call = await startMcp({ ...jsonTool, options: { frequencyCap: { cap: CAP } } });
	const [first, ...others] = differentCalls(5);
	expect(await call(first)).toContain('message_id');
	for (const read of await Promise.all(others.map(call))) expect(read).toContain('sentRecently');
	expect(sentBodies()).toHaveLength(1);
});

/** A client's connection to a published tool. @returns calls the tool */
async function startMcp(tool: Record<string, unknown>) {
	const callOf = await publishMcp(await n8nUnderTest(), (path) => agent.mcpWorkflow(path, tool));
	return async (words: object) => await callOf('Tool', words);
}
