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
const bye = { ...chosen, variables: { 1: 'Bela', 2: 'A-17' } };
const lost = { ...chosen, to: ANSWER_LOST };

const OTHER = '+12025550199';
const AGENT_3 = isN8nBefore(11) ? 3 : 3.1;
/** Whom it goes to is the item's, and only the answer is the model's. */
const FIXED = {
	...jsonTool,
	to: '={{ $json.phone }}',
	templateName: 'order_update',
	variablesJson: "={{ [$fromAI('answer', 'The answer', 'string')] }}",
};

let agent: AgentUnderTest;

beforeAll(async () => {
	agent = await startAgent(await n8nUnderTest());
	agent.api.settings.requestsPerWindow = 0;
});

afterAll(async () => {
	await agent?.close();
});

function sentBodies() {
	type Body = { to: string; templateVariables: Record<number, string> };
	return agent.calls().map(({ body }) => body as Body);
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

// docs/ai-agents.md: the model looks first
test('a model fills in the fields of a pasted text, and only those there are; told to look first, it sees the text and the price', async () => {
	const tool = {
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
		options: { dryRun: "={{ $fromAI('dry_run', 'Whether to look without sending', 'boolean') }}" },
	};
	const words = { to: CUSTOMER, first_name: 'Asha', day: 'Friday' };
	await agent.run({ ...words, dry_run: true }, tool);
	const { description, parameters } = agent.offeredTool()!;
	const offered = Object.keys(parameters?.properties ?? {});
	expect(offered.sort()).toEqual(['day', 'dry_run', 'first_name', 'to']);
	expect(description).toMatch(/a dry run, call with true first/);
	expect(description).toContain(
		isN8nBefore(30)
			? 'The customer reads:", $rawParameter.templateText' // N8N.md: tool-description
			: 'The template is order_update. Its category is utility. Prices in INR: authentication 0.115, utility 0.115, marketing 0.8631, service 0. __1__ is the value of {{1}}, and so on. The customer reads: Hi {{1}}, your order {{2}} arrives on {{3}}.',
	);
	const preview = 'Hi Asha, your order A-17 arrives on Friday.';
	const estimatedCost = { amount: 0.115, currency: 'INR' };
	expect(agent.toolAnswer()).toMatchObject([{ skipped: 'dryRun', preview, estimatedCost }]);
	expect(agent.calls()).toEqual([]);
	await agent.run({ ...words, dry_run: false }, tool);
	expect(sentBodies()).toMatchObject([
		{ templateVariables: { 1: 'Asha', 2: 'A-17', 3: 'Friday' } },
	]);
	expect(agent.toolAnswer()).toMatchObject([{ preview }]);
});

// docs/ai-agents.md: a tool does not fail
test.each([
	[2.2, 'stopWorkflow'],
	[2.2, 'continueErrorOutput'],
	[AGENT_3, 'continueErrorOutput'],
] as const)(
	'the model of agent %d reads what is wrong, and what it can do: %s',
	async (agentVersion, onError) => {
		const words = [{ ...chosen, to: 'call me' }, lost, chosen];
		await agent.run(words, jsonTool, { onError }, { agentVersion });
		expect(agent.toolSentences()).toEqual([
			expect.stringMatching(
				/\\"call me\\" is not a phone number.* Call this tool again with another value for to:/,
			),
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

// n8n 1.x has no agent 3 that is a tool.
describe.each(KINDS.slice(0, isN8nBefore(11) ? 3 : 4))('%s', (_, kind) => {
	// SECURITY, Tools of AI agents: what a model says to an agent that is its tool
	test('sends to nobody whom a model puts into the input', async () => {
		const words = { answer: 'On its way', phone: OTHER };
		const settings = { onError: 'continueRegularOutput' } as const;
		await agent.run(words, FIXED, settings, { ...kind, items: [{ phone: CUSTOMER }] });
		expect(sentBodies().filter(({ to }) => to !== CUSTOMER)).toEqual([]);
	});

	// docs/ai-agents.md: the same message is sent once in an execution
	// docs/ai-agents.md: an unknown outcome is not repeated for an agent
	test('sends once what the model orders twice or may have sent, in one step and the next, with Retry On Fail', async () => {
		const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
		const settings = { onError: 'continueRegularOutput', ...retries } as const;
		const words = [chosen, chosen, lost, bye, chosen, lost];
		// An agent that is a tool is called twice as well.
		await agent.run(words, jsonTool, settings, { ...kind, toolCalls: words.length + 1 });
		const sent = sentBodies().map((body) => `${body.to} ${body.templateVariables[1]}`);
		expect(sent.sort()).toEqual([`${CUSTOMER} Asha`, `${CUSTOMER} Bela`, `${ANSWER_LOST} Asha`]);
	});
});

// docs/ai-agents.md: the model fills in the fields with $fromAI and nothing else
// docs/ai-agents.md: to MCP clients once an hour
test('MCP Server Trigger: a client gives what the tool asks for, and each message goes once, also of calls at once', async () => {
	const n8n = await n8nUnderTest();
	const callOf = await publishMcp(n8n, (path) => agent.mcpWorkflow(path, jsonTool));
	const call = async (words: object) => await callOf('Tool', words);
	expect(await call({ ...chosen, category: 'marketing' })).toContain('message_id');
	expect(sentBodies()).toMatchObject([{ to: CUSTOMER, category: 'utility' }]);
	const atOnce = await Promise.all([call(chosen), call(bye), call(chosen), call(bye)]);
	expect(atOnce.filter((read) => read.includes('sentBefore'))).toHaveLength(3);
	expect(sentBodies()).toHaveLength(2);
	const reads = [await call(lost), await call({ ...lost, variables: bye.variables })];
	for (const read of reads) expect(read).toContain('may have');
	expect(sentBodies()).toHaveLength(3);
});
