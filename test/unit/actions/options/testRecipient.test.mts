import type { IContextObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	type Audience,
	findAudience,
	readTestMessages,
} from '../../../../nodes/BusinessMessaging/actions/options/testRecipient';
import { withParameters } from '../../../support/parameters.mts';
import { refusal } from '../../../support/refusal.mts';

let memory: IContextObject;

beforeEach(() => {
	memory = {};
});

/** What n8n tells a node of the run that it is in, or stores of another; of a run under way it stores no beginning. */
interface Told {
	mode?: string;
	/** Whether its workflow is published. */
	active?: boolean;
	beginning?: { source: string; parentExecutionId?: string };
	/** The mode of the run that called this one, and its ID. */
	caller?: string;
	callerId?: string;
	manualSource?: string;
	/** The mode of the first run, until one has waited. */
	root?: string;
	/** What n8n finds in its database, by ID. */
	stored?: Record<string, Told>;
}

function runData({ beginning, caller, callerId, manualSource }: Told) {
	const executionContext = caller && { source: caller };
	return {
		...(beginning && { executionData: { runtimeData: beginning } }),
		...(callerId && { parentExecution: { executionId: callerId, executionContext } }),
		...(manualSource && { manualData: { source: manualSource } }),
	};
}

function contextOf({ stored = {}, ...told }: Told) {
	return withParameters(
		{ 'options.testRecipient': '+14155552671' },
		{
			getMode: () => told.mode,
			getExecutionContext: () => told.beginning,
			getContext: () => memory,
			getWorkflow: () => ({ id: 'w1', active: told.active ?? false }),
			additionalData: { rootExecutionMode: told.root },
			runExecutionData: runData(told),
			async getExecutionDataById(id: string) {
				if (!(id in stored)) throw new Error('n8n has deleted it.');
				return runData(stored[id]);
			},
		},
	);
}

/** As n8n tells of a run that starts by itself, or by somebody. */
const begun = (mode: string): Told => ({ mode, beginning: { source: mode } });

/** As it tells of a run that another one calls. */
const called = (caller: string, more: Partial<Told> = {}): Told => ({
	mode: 'integrated',
	beginning: { source: 'integrated', parentExecutionId: '1' },
	caller,
	callerId: '1',
	...more,
});

/** As n8n stores run 1, which run 0 has called. */
const calledBy = (caller: string): Told['stored'] => ({ 1: { caller, callerId: '0' } });

const WAYS: Array<[way: string, audience: Audience, told: Told]> = [
	['Execute workflow, Execute step, a test event, the chat', 'testRecipient', begun('manual')],
	['a chat in Chat Hub', 'testRecipient', begun('chat')],
	['an evaluation', 'testRecipient', begun('evaluation')],
	[
		"the sub-workflow of n8n's assistant, in the mode of the trigger",
		'testRecipient',
		called('webhook', { root: 'webhook', stored: { 1: { manualSource: 'instance_ai' } } }),
	],
	['its sub-workflow after a wait, or through a tool', 'testRecipient', called('manual')],
	['a sub-workflow of its sub-workflow', 'testRecipient', called('integrated', { root: 'manual' })],
	[
		'an error workflow in n8n 2.30, which is told the run that failed by its ID',
		'testRecipient',
		{
			mode: 'error',
			beginning: { source: 'error', parentExecutionId: '1' },
			stored: { 1: { beginning: { source: 'manual' } } },
		},
	],
	['a webhook', 'customers', begun('webhook')],
	['the command line', 'customers', begun('cli')],
	[
		"n8n's MCP server, of a published workflow with a chat",
		'customers',
		{ ...begun('chat'), active: true },
	],
	['a sub-workflow of that, or of a chat in Chat Hub', 'nobody', called('chat', { root: 'chat' })],
	['Retry of a run in production', 'customers', { ...begun('webhook'), mode: 'retry' }],
	[
		'a sub-workflow of its sub-workflow, when n8n has deleted the first run',
		'customers',
		called('integrated', { root: 'webhook', stored: calledBy('integrated') }),
	],
	['the same after a wait', 'customers', called('integrated', { stored: calledBy('webhook') })],
	['the error workflow of a trigger', 'customers', begun('error')],
	['a sub-workflow of that', 'customers', called('error', { root: 'error', stored: { 1: {} } })],
	['a caller that n8n has deleted', 'nobody', called('integrated')],
	["a tool of n8n's own agents", 'nobody', { mode: 'internal' }],
];

test.each(WAYS)('%s: to %s', async (_, audience, told) => {
	expect(await findAudience(contextOf(told))).toBe(audience);
});

it('a run is a test whatever its expression gives, even when it fails', async () => {
	const getNodeParameter = (_: string, __: number, ___: unknown, options?: IDataObject) => {
		if (!options?.rawExpressions) throw new Error('invalid syntax');
		return '={{ x }}';
	};
	const context = { ...contextOf(begun('manual')), getNodeParameter };
	expect(await findAudience(context as IExecuteFunctions)).toBe('testRecipient');
});

// docs/ai-agents.md: n8n's own Agents
test.each([
	['w1', /gives no sign whether this run is manual/, /remove Test Recipient/],
	[
		undefined,
		/^Test Recipient can't be used in n8n's own Agents/,
		/call that workflow as its tool/,
	],
])('a run in the workflow %s of which n8n does not tell is refused', (id, message, remedy) => {
	const context = withParameters({}, { getWorkflow: () => ({ id }) });
	const read = () => readTestMessages(context, 'nobody');
	expect(read).toThrow(message);
	expect(read).toThrow(refusal('', /^Nothing was sent\. /));
	expect(read).toThrow(refusal('', remedy));
});

test.each([
	['The default country "XX" is', '4155552671', 'XX'],
	['Test Recipient of the first item "12" is', '12', 'US'],
])('it is refused: %s …', (problem, testRecipient, defaultCountry) => {
	const options = {
		'options.testRecipient': testRecipient,
		'options.defaultCountry': defaultCountry,
	};
	expect(() => readTestMessages(withParameters(options), 'testRecipient')).toThrow(problem);
});

// docs/sending.md: the first customer would get all messages
test.each<[boolean, string]>([
	[true, '{{ $json.phone }}'],
	[true, "{{ $('Rows').item.json.phone }}"],
	[true, "{{ $fromAI('number') }}"],
	[false, "{{ $('Settings').first().json.items }}"],
	[false, "{{ $('item list').first().json.phone.replace(/ $/, '') }}"],
	[false, '{{ $execution.mode === "test" ? $vars.me : $env.ME }}'],
])('that it reads the item is %p: %s', (isRefused, expression) => {
	const context = withParameters(
		{ 'options.testRecipient': '+14155552671' },
		{
			getContext: () => memory,
			getWorkflow: () => ({ id: 'w1' }),
			getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		},
		{ 'options.testRecipient': `=${expression}` },
	);
	const read = () => readTestMessages(context, 'testRecipient');
	if (!isRefused) expect(read()).toMatchObject({ recipient: '+14155552671', areOver: false });
	else expect(read).toThrow(`The expression ${expression} in Test Recipient reads the item`);
});
