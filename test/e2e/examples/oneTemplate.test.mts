import { randomUUID } from 'node:crypto';
import { CUSTOMER, NEVER_READ } from '../../../playground/api/wellKnown.mts';
import { chain } from '../../../playground/n8n/chain.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import type { Workflow } from '../../../playground/n8n/rest/workflows.mts';
import { agentWorkflow } from '../../support/agentWorkflow.mts';
import { saveModel, startChatModel } from '../../support/chatModel.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { runOnce } from '../../support/manualRun.mts';

const examples = exampleRuns();
const TYPES = { phone: 'any', first_name: 'string', order_number: 'string' };

let templateId: string;

beforeAll(async () => {
	templateId = (await examples().publish(await examples().ready('one-template'))).id;
});

/** As the editor stores it when the workflow is chosen and its fields appear. */
function callOf(value: Record<string, string>) {
	const schema = Object.entries(TYPES).map(([id, type]) => ({
		id,
		displayName: id,
		type,
		required: false,
		defaultMatch: false,
		display: true,
		canBeUsedToMatch: true,
	}));
	return {
		source: 'database',
		workflowId: { __rl: true, mode: 'list', value: templateId },
		workflowInputs: {
			mappingMode: 'defineBelow',
			value,
			matchingColumns: [],
			schema,
			attemptToConvertTypes: false,
			convertFieldsToString: true,
		},
	};
}

function caller(...items: object[]): Workflow {
	const parameters = callOf({
		phone: '={{ $json.phone }}',
		first_name: '={{ $json.name }}',
		order_number: '={{ $json.order }}',
	});
	const workflow = chain(`Caller ${randomUUID()}`, {
		Start: { type: 'n8n-nodes-base.manualTrigger' },
		'Tell them': {
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.4,
			parameters: { ...parameters, options: {} },
		},
	});
	return { ...workflow, pinData: { Start: items.map((json) => ({ json: { ...json } })) } };
}

const asha = { phone: '(+1) 202 555-0110', name: 'Asha', order: 'A-17' };
const meera = { phone: Number(NEVER_READ), name: 'Meera', order: 'A-18' };

test('one-template: another workflow calls it once for all of its items', async () => {
	const execution = await runOnce(examples().n8n, caller(asha, meera));
	expect(execution.data.resultData.error?.message).toBeUndefined();
	expect(examples().calls().sent).toHaveLength(2);
	const sent = (to: string, ...[name, order]: string[]) =>
		send(to, 'order_shipped', { 1: name, 2: order });
	expect(examples().calls().sent).toContainEqual(sent(CUSTOMER, 'Asha', 'A-17'));
	expect(examples().calls().sent).toContainEqual(sent(NEVER_READ, 'Meera', 'A-18'));
	expect(outputOf(execution, 'Tell them')).toEqual([
		expect.objectContaining({ message_id: expect.any(String), to: CUSTOMER }),
		expect.objectContaining({ message_id: expect.any(String), to: NEVER_READ }),
	]);
	expect(await examples().n8n.client.executions.list(templateId)).toHaveLength(1);
});

test('one-template: an AI agent fills in the three fields, and nothing else', async () => {
	const model = await startChatModel();
	try {
		model.toolArguments = { phone: CUSTOMER, first_name: 'Asha', order_number: 'A-17' };
		const credential = await saveModel(examples().n8n, model);
		const fromAI = Object.keys(TYPES).map((id) => [id, `={{ $fromAI('${id}', '', 'string') }}`]);
		const description = 'Tells a customer that an order is on its way';
		const tool = {
			type: '@n8n/n8n-nodes-langchain.toolWorkflow',
			typeVersion: 2.2,
			credentials: {},
			parameters: { description, ...callOf(Object.fromEntries(fromAI)) },
		};
		const workflow = agentWorkflow(credential, credential, {}, tool);
		const execution = await runOnce(examples().n8n, workflow);
		expect(execution.data.resultData.error?.message).toBeUndefined();
		const offered = model.requests[0].tools?.[0].function.parameters.properties ?? {};
		expect(Object.keys(offered).sort()).toEqual(Object.keys(TYPES).sort());
		expect(examples().calls().sent).toEqual([
			send(CUSTOMER, 'order_shipped', { 1: 'Asha', 2: 'A-17' }),
		]);
		const [message] = examples().api.messages.keys();
		expect(outputOf(execution, 'Agent')).toEqual([{ output: expect.stringContaining(message) }]);
	} finally {
		await model.close();
	}
});
