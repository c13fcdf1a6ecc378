import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import { actionWorkflow } from '../support/actionWorkflow.ts';
import { runOnce } from '../support/manualRun.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';

let n8n: N8nUnderTest;
let api: LocalApi;
let credential: { id: string; name: string };

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi();
	credential = await saveAccount(n8n, `Publish ${api.url}`, { baseUrl: api.url });
});

afterAll(async () => {
	await api?.close();
});

/** Run by hand from Start; publishing needs a trigger that runs by itself. */
function sendWorkflow(parameters: Record<string, unknown>) {
	const workflow = actionWorkflow(credential, {
		operation: 'sendTemplate',
		to: CUSTOMER,
		templateName: 'order_update',
		variablesInput: 'none',
		...parameters,
	});
	const everyYear = {
		...workflow.nodes[0],
		id: `${workflow.nodes[0].id}-schedule`,
		name: 'Every year',
		type: 'n8n-nodes-base.scheduleTrigger',
		parameters: { rule: { interval: [{ field: 'months', monthsInterval: 12 }] } },
	};
	return {
		...workflow,
		nodes: [everyYear, ...workflow.nodes],
		connections: { ...workflow.connections, 'Every year': workflow.connections.Start },
	};
}

async function publish(parameters: Record<string, unknown>): Promise<string> {
	const saved = await n8n.client.workflows.save(sendWorkflow(parameters));
	return await n8n.client.workflows.publish(saved).then(
		async () => {
			await n8n.client.workflows.unpublish(saved.id);
			return 'published';
		},
		(error: Error) => error.message,
	);
}

const BY_EXPRESSION = { category: "={{ $json.kind ?? 'utility' }}" };

test.each([
	['the category', BY_EXPRESSION],
	['the way of filling variables', { variablesInput: "={{ $json.way ?? 'none' }}" }],
])('a workflow in which an expression chooses %s can be published', async (_, parameters) => {
	expect(await publish(parameters)).toBe('published');
});

test("with Auto chosen in the node, publishing asks for Customer's Last Message At", async () => {
	expect(await publish({ category: 'auto' })).toContain('customerLastMessageAt');
	const customerLastMessageAt = '={{ $json.timestamp }}';
	expect(await publish({ category: 'auto', customerLastMessageAt })).toBe('published');
});

test('when an expression chooses Auto, the time and the fallback that were entered count', async () => {
	const hourMs = 3_600_000;
	const items = [1, 25].map((hours) => ({
		json: { kind: 'auto', wroteAt: new Date(Date.now() - hours * hourMs).toISOString() },
	}));
	await api.customerWrites(CUSTOMER, 'Where is my order?');
	const execution = await runOnce(n8n, {
		...sendWorkflow({
			...BY_EXPRESSION,
			customerLastMessageAt: '={{ $json.wroteAt }}',
			fallbackCategory: 'marketing',
		}),
		pinData: { Start: items },
	});
	const sent = outputOf(execution, 'Business Messaging');
	expect(sent.map(({ category }) => category)).toEqual(['service', 'marketing']);
});
