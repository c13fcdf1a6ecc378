import { eventually } from '../../playground/eventually.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { actionWorkflow } from '../support/actionWorkflow.mts';
import { runOnce } from '../support/manualRun.mts';

const NODE = 'Business Messaging';
const file = accountOfFile('Message status', { deliveredAfterMs: 1000, readAfterMs: 1000 });

test('a message that was sent is looked up until it is read', async () => {
	const { n8n, api, credential } = file;
	const run = async (parameters: Record<string, unknown>) =>
		outputOf(await runOnce(n8n, actionWorkflow(credential, parameters)), NODE);
	const [message] = await run({
		operation: 'sendTemplate',
		to: '+1 202 555 0110',
		templateName: 'order_update',
		category: 'utility',
		variablesInput: 'json',
		variablesJson: '{"1": "Asha"}',
	});
	expect(message).toMatchObject({
		to: '+12025550110',
		status: 'sent',
		template_name: 'order_update',
		category: 'utility',
		cost: { amount: 0.115, currency: 'INR' },
	});

	const lookUp = { operation: 'getStatus', messageId: message.message_id };
	const read = await eventually('the message to be read', async () => {
		const [record] = await run(lookUp);
		return record.status === 'read' && record;
	});
	expect(read).toEqual({
		message_id: message.message_id,
		status: 'read',
		to: '+12025550110',
		sent_at: message.sent_at,
		delivered_at: expect.any(String),
		read_at: expect.any(String),
		template_name: 'order_update',
		cost: 0.115,
	});
	expect(api.calls.flatMap(({ violations }) => violations)).toEqual([]);
});
