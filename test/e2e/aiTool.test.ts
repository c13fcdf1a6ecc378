import { ANSWER_LOST, CUSTOMER } from '../../playground/api/wellKnown.ts';
import { outputOf, type Execution } from '../../playground/n8n/rest/executions.ts';
import { startAgent, type AgentKind, type AgentUnderTest } from '../support/agentUnderTest.ts';
import { isN8nBefore, n8nUnderTest } from '../support/n8nUnderTest.ts';

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

// README, Compatibility: a tool that fails in older n8n
/** Older n8n ends the run when a tool fails, with the sentence that the model reads in later ones. */
function failureOfTool(execution: Execution) {
	if (isN8nBefore(30)) return [{ error: execution.data.resultData.error?.message }];
	return agent.toolAnswer();
}

// README, Operations: a tool for AI agents
test('an agent sends a template with number, name and variables of its own choosing', async () => {
	const execution = await agent.run(chosen, jsonTool);
	expect(execution.status).toBe('success');
	expect(sentBodies()).toEqual([
		{
			to: CUSTOMER,
			type: 'template',
			templateName: 'order_update',
			templateVariables: { 1: 'Asha', 2: 'A-17' },
			category: 'utility',
		},
	]);
	expect(agent.calls()[0].violations).toEqual([]);

	expect(agent.toolAnswer()).toEqual([
		expect.objectContaining({
			message_id: expect.any(String),
			status: 'sent',
			cost: expect.objectContaining({ amount: 0.115 }),
		}),
	]);
	expect(outputOf(execution, 'Agent')).toEqual([{ output: expect.stringContaining('"sent"') }]);
});

test('the model is told what each value is for, and that a message costs money', async () => {
	await agent.run(chosen, jsonTool);
	const tool = agent.offeredTool();
	expect(tool?.description).toMatch(
		/^Send an approved template.* Each message costs money and reaches a person/,
	);
	expect(tool?.parameters).toMatchObject({
		properties: {
			to: { type: 'string', description: 'Phone number of the customer' },
			Template_Name: { type: 'string', description: 'order_update or order_late' },
			variables: { description: 'First name and order number' },
		},
		required: ['to', 'Template_Name', 'variables'],
	});
});

test('the model is told of a look-up that it costs nothing', async () => {
	await agent.run(
		{ id: 'message-1' },
		{ operation: 'getStatus', messageId: "={{ $fromAI('id', 'ID of the message', 'string') }}" },
		{ onError: 'continueRegularOutput' },
	);
	expect(agent.offeredTool()?.description).toMatch(/^Look up .* Costs nothing\.$/);
});

test('the model is told what the user wrote instead', async () => {
	const toolDescription = 'Tells a customer that the order is late.';
	await agent.run(chosen, { ...jsonTool, toolDescription });
	expect(agent.offeredTool()?.description).toBe(toolDescription);
});

test.each([
	['a list', ['Asha', 'A-17']],
	['JSON in a text', '{"1": "Asha", "2": "A-17"}'],
])('the variables may come as %s', async (_, variables) => {
	await agent.run({ ...chosen, variables }, jsonTool);
	expect(sentBodies()).toEqual([
		expect.objectContaining({ templateVariables: { 1: 'Asha', 2: 'A-17' } }),
	]);
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
	expect(Object.keys(agent.offeredTool()?.parameters?.properties ?? {}).sort()).toEqual([
		'day',
		'first_name',
		'to',
	]);
	expect(sentBodies()).toEqual([
		expect.objectContaining({ templateVariables: { 1: 'Asha', 2: 'A-17', 3: 'Friday' } }),
	]);
	expect(agent.toolAnswer()).toEqual([
		expect.objectContaining({ preview: 'Hi Asha, your order A-17 arrives on Friday.' }),
	]);
});

// README, Good to know: the model looks first
test('a model that may fill in Dry Run is told to look first, and sees the text and the price', async () => {
	const dryRun = "={{ $fromAI('dry_run', 'Whether to look without sending', 'boolean') }}";
	const tool = { ...jsonTool, options: { dryRun } };
	await agent.run({ ...chosen, dry_run: true }, tool);
	expect(agent.offeredTool()?.description).toMatch(/a dry run, call with true first/);
	expect(agent.toolAnswer()).toEqual([
		expect.objectContaining({ dryRun: true, estimatedCost: { amount: 0.115, currency: 'INR' } }),
	]);
	expect(agent.calls()).toEqual([]);
	await agent.run({ ...chosen, dry_run: false }, tool);
	expect(sentBodies()).toHaveLength(1);
});

test('a wrong number: the model reads what is wrong and what to do, and nothing is sent', async () => {
	const execution = await agent.run({ ...chosen, to: 'call me' }, jsonTool);
	const [{ error }] = failureOfTool(execution);
	expect(error).toMatch(/"call me" is not a phone number\. .*country code.*Nothing was sent\./);
	expect(agent.calls()).toEqual([]);
});

// README, Compatibility: unless On Error says to continue
test('a wrong number is as clear to the model when the tool continues on errors', async () => {
	await agent.run({ ...chosen, to: 'call me' }, jsonTool, { onError: 'continueRegularOutput' });
	expect(agent.toolAnswer()).toEqual([
		{
			error: expect.objectContaining({
				message: expect.stringContaining('"call me" is not a phone number'),
				remedy: expect.stringContaining('country code'),
				outcome: 'notSent',
			}),
		},
	]);
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

	test('sends once when the answer got lost', async () => {
		await agent.run({ ...chosen, to: ANSWER_LOST }, jsonTool, settings, kind);
		expect(sentBodies()).toHaveLength(1);
	});

	// README, Good to know: an unknown outcome is not repeated for an agent
	test('sends once although the model calls the tool again after an answer got lost', async () => {
		const twice = { ...kind, toolCalls: 2 };
		await agent.run({ ...chosen, to: ANSWER_LOST }, jsonTool, settings, twice);
		expect(sentBodies()).toHaveLength(1);
	});

	// README, Good to know: an agent can order again
	test('sends twice what the model orders twice', async () => {
		await agent.run(chosen, jsonTool, settings, { ...kind, toolCalls: 2 });
		// An agent that is a tool is called twice as well.
		expect(sentBodies()).toHaveLength('agentToolVersion' in kind ? 4 : 2);
	});
});
