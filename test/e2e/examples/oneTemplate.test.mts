import { randomUUID } from 'node:crypto';
import { CUSTOMER, NEVER_READ } from '../../../playground/api/wellKnown.mts';
import { chain } from '../../../playground/n8n/chain.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { runOnce } from '../../support/manualRun.mts';
import { callWith } from '../../support/nativeNodes.mts';

const examples = exampleRuns();

test('one-template: another workflow calls it once for all of its items', async () => {
	const { n8n, calls } = examples();
	const example = await examples().ready('one-template');
	const { id } = await examples().publish(example);
	const value = {
		phone: '={{ $json.phone }}',
		first_name: '={{ $json.name }}',
		order_number: '={{ $json.order }}',
	};
	const caller = chain(`Caller ${randomUUID()}`, {
		Start: { type: 'n8n-nodes-base.manualTrigger' },
		'Tell them': callWith({ ...example, id }, value),
	});
	const asha = { phone: '(+1) 202 555-0110', name: 'Asha', order: 'A-17' };
	const meera = { phone: Number(NEVER_READ), name: 'Meera', order: 'A-18' };
	const pinData = { Start: [{ json: asha }, { json: meera }] };
	const execution = await runOnce(n8n, { ...caller, pinData });
	expect(execution.data.resultData.error?.message).toBeUndefined();
	expect(calls().sent).toHaveLength(2);
	const toAsha = send(CUSTOMER, 'order_shipped', { 1: 'Asha', 2: 'A-17' });
	const toMeera = send(NEVER_READ, 'order_shipped', { 1: 'Meera', 2: 'A-18' });
	expect(calls().sent).toEqual(expect.arrayContaining([toAsha, toMeera]));
	const message_id = expect.any(String);
	expect(outputOf(execution, 'Tell them')).toMatchObject([
		{ message_id, to: CUSTOMER },
		{ message_id, to: NEVER_READ },
	]);
	expect(await n8n.client.executions.list(id)).toHaveLength(1);
});
