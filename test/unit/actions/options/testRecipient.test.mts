import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	type Audience,
	findAudience,
	readTestMessages,
} from '../../../../nodes/BusinessMessaging/actions/options/testRecipient';
import { withParameters } from '../../../support/parameters.mts';
import { sentencesOf } from '../../../support/sentencesOf.mts';

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
const begun = (mode: string, more: Told = {}): Told => ({
	mode,
	beginning: { source: mode },
	...more,
});

/** As it tells of a run that another one calls. */
const called = (caller: string, more: Told = {}): Told => ({
	mode: 'integrated',
	beginning: { source: 'integrated', parentExecutionId: '1' },
	caller,
	callerId: '1',
	...more,
});

/** As n8n stores run 1, which run 0 has called. */
const calledBy = (caller: string): Told['stored'] => ({ 1: { caller, callerId: '0' } });
const BY_ASSISTANT = { root: 'webhook', stored: { 1: { manualSource: 'instance_ai' } } };
const OF_FAILED = {
	beginning: { source: 'error', parentExecutionId: '1' },
	stored: { 1: begun('manual') },
};

test.each<[Audience, string, Told]>([
	['testRecipient', 'Execute workflow, Execute step, a test event, the chat', begun('manual')],
	['testRecipient', 'a chat in Chat Hub', begun('chat')],
	['testRecipient', 'an evaluation', begun('evaluation')],
	['testRecipient', "the sub-workflow of n8n's assistant", called('webhook', BY_ASSISTANT)],
	['testRecipient', 'its sub-workflow after a wait, or through a tool', called('manual')],
	['testRecipient', 'its own sub-workflow', called('integrated', { root: 'manual' })],
	['testRecipient', 'an error workflow in n8n 2.30', begun('error', OF_FAILED)],
	['customers', 'a webhook', begun('webhook')],
	['customers', 'the command line', begun('cli')],
	['customers', "n8n's MCP server, of a published chat", begun('chat', { active: true })],
	['customers', 'Retry of a run in production', { ...begun('trigger'), mode: 'retry' }],
	[
		'customers',
		'a sub-workflow of its sub-workflow, when n8n has deleted the first run',
		called('integrated', { root: 'webhook', stored: calledBy('integrated') }),
	],
	['customers', 'it after a wait', called('integrated', { stored: calledBy('webhook') })],
	['customers', 'the error workflow of a trigger', begun('error')],
	['nobody', 'a sub-workflow of a chat', called('chat', { root: 'chat' })],
	['nobody', 'a caller that n8n has deleted', called('integrated')],
	['nobody', 'a run of which n8n tells nothing', { mode: 'internal' }],
])('to %s: %s', async (audience, _, told) => {
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

it.each<[Audience, object, string]>([
	['nobody', {}, 'no sign whether this run is manual. Nothing was sent. To send to the customers,'],
	['nobody', { id: undefined }, 'a real conversation. Nothing was sent. Remove the option to send'],
	['testRecipient', { 'options.defaultCountry': 'XX' }, 'The default country "XX" is'],
])('a run to %s with %j is refused', (audience, more, sentences) => {
	const options = { 'options.testRecipient': '4155552671', ...more };
	const context = withParameters(options, { getWorkflow: () => ({ id: 'w1', ...more }) });
	expect(sentencesOf(() => readTestMessages(context, audience))).toContain(sentences);
});
