import { randomUUID } from 'node:crypto';
import { CUSTOMER, NEVER_READ } from '../../../playground/api/wellKnown.mts';
import { chain } from '../../../playground/n8n/chain.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import type { Workflow } from '../../../playground/n8n/rest/workflows.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { runOnce } from '../../support/manualRun.mts';

const examples = exampleRuns();
const TYPES = { phone: 'any', first_name: 'string', order_number: 'string' };

let templateId: string;

beforeAll(async () => {
	templateId = (await examples().publish(await examples().ready('one-template'))).id;
});

function caller(...items: object[]): Workflow {
	const value = {
		phone: '={{ $json.phone }}',
		first_name: '={{ $json.name }}',
		order_number: '={{ $json.order }}',
	};
	const schema = Object.entries(TYPES).map(([id, type]) => ({
		id,
		displayName: id,
		type,
		required: false,
		display: true,
	}));
	// As the editor stores it when the workflow is chosen and its fields appear.
	const workflowInputs = {
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		schema,
		attemptToConvertTypes: false,
		convertFieldsToString: true,
	};
	const workflowId = { __rl: true, mode: 'list', value: templateId };
	const workflow = chain(`Caller ${randomUUID()}`, {
		Start: { type: 'n8n-nodes-base.manualTrigger' },
		'Tell them': {
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.4,
			parameters: { source: 'database', workflowId, workflowInputs, options: {} },
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
