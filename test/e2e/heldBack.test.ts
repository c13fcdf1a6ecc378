import { randomUUID } from 'node:crypto';
import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { chain } from '../../playground/n8n/chain.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.ts';
import { sendingEach } from '../support/actionWorkflow.ts';
import { runOnce } from '../support/manualRun.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { customersOf, messagesByCustomer } from '../support/sendOnceSheet.ts';

const LONGEST_RUN_MS = 180_000;
const NODE = 'Business Messaging';
const INDIAN = '+919876543210';

jest.setTimeout(LONGEST_RUN_MS + 30_000);

let n8n: N8nUnderTest;
let api: LocalApi;
let account: { id: string; name: string };

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi({ requestsPerWindow: 0 });
	account = await saveAccount(n8n, `Held back ${api.url}`, { baseUrl: api.url });
});

afterAll(async () => {
	await api?.close();
});

// docs/sending.md: at most one message
test('a sheet in which each number stands twice, sent by two nodes with one name for the cap: each customer gets one message', async () => {
	const customers = customersOf(40);
	const rows = [...customers, ...customers].map((to) => ({ to }));
	const workflow = sendingEach(account, rows);
	const [start, send] = workflow.nodes;
	const atMostOnce = { cap: { hours: 24, name: 'marketing' } };
	send.parameters = { ...send.parameters, options: { requestsPerMinute: 0, atMostOnce } };
	// Another node of the workflow, with the same name for the cap.
	const second = { ...send, id: randomUUID(), name: 'Second' };
	const both = {
		...workflow,
		nodes: [start, send, second],
		connections: {
			Start: { main: [[NODE, 'Second'].map((node) => ({ node, type: 'main', index: 0 }))] },
		},
	};
	const execution = await runOnce(n8n, both, 'Start', LONGEST_RUN_MS);
	expect(messagesByCustomer(api)).toEqual(new Map(customers.map((to) => [to, 1])));
	// n8n decides which of the two runs first.
	const skippedBy = (node: string) =>
		outputOf(execution, node, 0).filter(({ skipped }) => skipped === 'sentRecently').length;
	expect([skippedBy(NODE), skippedBy('Second')].sort()).toEqual([40, 80]);
	const hints = [NODE, 'Second'].flatMap(
		(node) => execution.data.resultData.runData[node][0].hints ?? [],
	);
	expect(hints.map(({ message }) => message).join()).toMatch(
		/80 skipped: too soon after another message to the number, until \d{4}-/,
	);
});

// docs/sending.md: for a Wait node
test('a message outside the hours is skipped, waits in a Wait node, and is then sent', async () => {
	const zone = 'Asia/Kolkata';
	const timeOf = (ms: number) =>
		new Date(ms).toLocaleTimeString('en-GB', {
			timeZone: zone,
			hour: '2-digit',
			minute: '2-digit',
		});
	const opensAt = Date.now() + 90_000;
	const hours = { from: timeOf(opensAt), until: timeOf(opensAt + 3_600_000) };
	const sender = (timeZone: string) => ({
		type: ACTION,
		credentials: { [CREDENTIAL]: account },
		parameters: {
			resource: 'message',
			operation: 'sendTemplate',
			to: '={{ $json.to }}',
			templateName: 'order_update',
			category: 'marketing',
			variablesInput: 'none',
			options: { sendBetween: { hours: { ...hours, timeZone } } },
		},
	});
	const workflow = chain(`Night ${randomUUID()}`, {
		Start: { type: 'n8n-nodes-base.manualTrigger' },
		Night: sender('workflow'),
		Wait: {
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			webhookId: randomUUID(),
			parameters: { resume: 'specificTime', dateTime: '={{ $json.sendAfter }}' },
		},
		Morning: sender('recipient'),
	});
	const execution = await runOnce(
		n8n,
		{
			...workflow,
			settings: { ...workflow.settings, timezone: zone },
			pinData: { Start: [{ json: { to: INDIAN } }] },
		},
		'Start',
		LONGEST_RUN_MS,
	);
	const opens = new Date(Math.floor(opensAt / 60_000) * 60_000).toISOString();
	expect(outputOf(execution, 'Night', 0)).toEqual([
		{ skipped: 'quietHours', to: INDIAN, sendAfter: opens },
	]);
	const [sent] = outputOf(execution, 'Morning', 0);
	expect(sent).toMatchObject({ to: INDIAN, status: 'sent' });
	expect(Date.parse(String(sent.sent_at))).toBeGreaterThanOrEqual(Date.parse(opens));
});
