import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { FAILS, STAYS_SENT } from '../../playground/api/wellKnown.ts';
import { eventually } from '../../playground/eventually.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import { actionWorkflow } from '../support/actionWorkflow.ts';
import { runActionNode, runOnce } from '../support/manualRun.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';

let n8n: N8nUnderTest;
let api: LocalApi;
let credential: { id: string; name: string };

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi({ deliveredAfterMs: 1000, readAfterMs: 1000 });
	credential = await saveAccount(n8n, 'Message status', { baseUrl: api.url });
});

afterAll(async () => {
	await api.close();
});

async function send(to: string) {
	const execution = await runActionNode(n8n, credential, {
		operation: 'sendTemplate',
		to,
		templateName: 'order_update',
		category: 'utility',
		variablesInput: 'json',
		variablesJson: '{"1": "Asha"}',
	});
	return outputOf(execution, 'Business Messaging')[0];
}

async function getStatus(messageId: string) {
	return await runActionNode(n8n, credential, { operation: 'getStatus', messageId });
}

/** Looks until the status is the wanted one, and returns every record seen. */
async function statusesUntil(wanted: string, messageId: string) {
	const seen: Array<Record<string, unknown>> = [];
	await eventually(`status ${wanted}`, async () => {
		const [record] = outputOf(await getStatus(messageId), 'Business Messaging');
		seen.push(record);
		return record.status === wanted ? record : undefined;
	});
	return seen;
}

test('a message that was sent is looked up until it is read', async () => {
	const message = await send('+1 202 555 0110');
	expect(message).toMatchObject({
		to: '+12025550110',
		status: 'sent',
		template_name: 'order_update',
		category: 'utility',
		cost: { amount: 0.115, currency: 'INR' },
	});

	const seen = await statusesUntil('read', String(message.message_id));
	const order = ['sent', 'delivered', 'read'];
	const steps = seen.map(({ status }) => order.indexOf(String(status)));
	expect(steps).toEqual([...steps].sort());
	expect(seen.at(-1)).toEqual({
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

test('a message that cannot be delivered ends as failed', async () => {
	const message = await send(FAILS);
	const seen = await statusesUntil('failed', String(message.message_id));
	expect(seen.at(-1)).toMatchObject({ status: 'failed', delivered_at: null, read_at: null });
});

test('an unknown message fails the run with a sentence', async () => {
	const { status, data } = await getStatus('no-such-message');
	expect(status).toBe('error');
	expect(data.resultData.error?.message).toMatch(/message|not found/i);
});

/** Runs the node for several items, and goes on after an error. */
async function runFor(items: Array<Record<string, unknown>>, parameters: Record<string, unknown>) {
	const workflow = actionWorkflow(credential, parameters);
	const [start, action] = workflow.nodes;
	const execution = await runOnce(n8n, {
		...workflow,
		nodes: [start, { ...action, onError: 'continueRegularOutput' }],
		pinData: { Start: items.map((json) => ({ json })) },
	});
	const [{ hints = [] }] = execution.data.resultData.runData['Business Messaging'];
	return {
		output: outputOf(execution, 'Business Messaging'),
		hints: hints.map(({ message }) => message),
	};
}

test('what was delivered in time and what was not stands above the output', async () => {
	const to = ['+12025550110', STAYS_SENT, '+12025550111'];
	const { output, hints } = await runFor(
		to.map((number) => ({ to: number })),
		{
			operation: 'sendTemplate',
			to: '={{ $json.to }}',
			templateName: 'order_update',
			variablesInput: 'none',
			options: { waitFor: 'delivered', waitTimeout: 5 },
		},
	);
	expect(hints).toEqual([
		'3 messages sent, 2 delivered, 1 not delivered within 5 s, cost INR 0.345.',
	]);
	const { hints: lookedUp } = await runFor(output, {
		operation: 'getStatus',
		messageId: '={{ $json.message_id }}',
		options: { waitFor: 'read', waitTimeout: 5 },
	});
	expect(lookedUp).toEqual(['3 messages looked up: 2 read, 1 not read within 5 s.']);
});

test('a message ID with half a character fails alone, and of its message nothing is said', async () => {
	const { message_id: id } = await send('+12025550110');
	const { output, hints } = await runFor([{ id: 'half' }, { id }], {
		operation: 'getStatus',
		messageId: '={{ $json.id === "half" ? "\\ud83c" : $json.id }}',
	});
	expect(output).toEqual([
		{
			error: expect.objectContaining({
				message: expect.stringContaining('half a character'),
				outcome: null,
			}),
		},
		expect.objectContaining({ message_id: id }),
	]);
	expect(hints).toEqual([
		expect.stringMatching(/^1 message looked up: .+ 1 failed: 1 × Message ID/),
	]);
});
