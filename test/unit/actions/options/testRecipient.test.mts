import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	type Audience,
	findAudience,
	readTestMessages,
} from '../../../../nodes/BusinessMessaging/actions/options/testRecipient';
import { withParameters } from '../../../support/parameters.mts';
import { sentencesOf } from '../../../support/sentencesOf.mts';

/** What n8n tells a node of its run. */
interface Told {
	mode?: string;
	beginning?: { source: string; parentExecutionId?: string };
	/** As n8n stores it: of a run under way without its beginning. */
	run?: object;
	/** What n8n finds in its database of the run that called this one. */
	caller?: object;
	/** The mode of the first run, until one has waited. */
	root?: string;
	/** Whether its workflow is published. */
	active?: boolean;
}

function contextOf({ mode, beginning, run = {}, caller, root, active = false }: Told) {
	const inN8n = {
		getMode: () => mode,
		getExecutionContext: () => beginning,
		getWorkflow: () => ({ id: 'w1', active }),
		additionalData: { rootExecutionMode: root },
		runExecutionData: run,
		async getExecutionDataById(id: string) {
			if (id !== '1' || !caller) throw new Error('n8n has deleted it.');
			return caller;
		},
	};
	return withParameters({ 'options.testRecipient': '+14155552671' }, inN8n);
}

/** As n8n tells of a run that starts by itself, or by somebody. */
const begun = (source: string): Told => ({ mode: source, beginning: { source } });
const parent = (executionId: string, source: string) => ({
	parentExecution: { executionId, executionContext: { source } },
});
/** As it tells of a run that another one calls. */
const called = (source: string, more: Told = {}): Told => ({
	mode: 'integrated',
	beginning: { source: 'integrated', parentExecutionId: '1' },
	run: parent('1', source),
	...more,
});
const BY_ASSISTANT = { root: 'webhook', caller: { manualData: { source: 'instance_ai' } } };
const OF_FAILED = {
	mode: 'error',
	beginning: { source: 'error', parentExecutionId: '1' },
	caller: { executionData: { runtimeData: { source: 'manual' } } },
};
const DELETED = { root: 'webhook', caller: parent('0', 'integrated') };

test.each<[Audience, string, Told]>([
	['testRecipient', 'Execute workflow, Execute step, a test event, the chat', begun('manual')],
	['testRecipient', 'a chat in Chat Hub', begun('chat')],
	['testRecipient', 'an evaluation', begun('evaluation')],
	['testRecipient', "the sub-workflow of n8n's assistant", called('webhook', BY_ASSISTANT)],
	['testRecipient', 'its sub-workflow after a wait, or through a tool', called('manual')],
	['testRecipient', 'its own sub-workflow', called('integrated', { root: 'manual' })],
	['testRecipient', 'an error workflow in n8n 2.30', OF_FAILED],
	['customers', 'a webhook', begun('webhook')],
	['customers', 'the command line', begun('cli')],
	['customers', "n8n's MCP server, of a published chat", { ...begun('chat'), active: true }],
	['customers', 'Retry of a run in production', { ...begun('trigger'), mode: 'retry' }],
	['customers', 'a sub-workflow of a sub-workflow of a deleted run', called('integrated', DELETED)],
	['customers', 'it after a wait', called('integrated', { caller: parent('0', 'webhook') })],
	['customers', 'the error workflow of a trigger', begun('error')],
	['nobody', 'a sub-workflow of a chat', called('chat', { root: 'chat' })],
	['nobody', 'a caller that n8n has deleted', called('integrated')],
	['nobody', 'a run of which n8n tells nothing', { mode: 'internal' }],
])('to %s: %s', async (audience, _, told) => {
	expect(await findAudience(contextOf(told))).toBe(audience);
});

it("in n8n's own Agents nothing is sent", () => {
	const context = withParameters({}, { getWorkflow: () => ({}) });
	expect(sentencesOf(() => readTestMessages(context, 'nobody'))).toContain(
		'a real conversation. Nothing was sent. Remove the option to send',
	);
});

it('a run is a test whatever its expression gives, even when it fails', async () => {
	const getNodeParameter = (...[, , , options]: [string, number, unknown, IDataObject?]) => {
		if (!options?.rawExpressions) throw new Error('invalid syntax');
		return '={{ x }}';
	};
	const context = { ...contextOf(begun('manual')), getNodeParameter };
	expect(await findAudience(context as IExecuteFunctions)).toBe('testRecipient');
});
