import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import { accountOfFile } from '../support/accountOfFile.ts';
import { actionWorkflow } from '../support/actionWorkflow.ts';
import { runOnce } from '../support/manualRun.ts';

const file = accountOfFile('Publish');

/** Run by hand from Start; publishing needs a trigger that runs by itself. */
function sendWorkflow(parameters: Record<string, unknown>) {
	const workflow = actionWorkflow(file.credential, {
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

async function publish(parameters: Record<string, unknown>): Promise<void> {
	const saved = await file.n8n.client.workflows.save(sendWorkflow(parameters));
	await file.n8n.client.workflows.publish(saved);
	await file.n8n.client.workflows.unpublish(saved.id);
}

const BY_EXPRESSION = { category: "={{ $json.kind ?? 'utility' }}" };

test.each([
	['the category', BY_EXPRESSION],
	['the way of filling variables', { variablesInput: "={{ $json.way ?? 'none' }}" }],
])('a workflow in which an expression chooses %s can be published', async (_, parameters) => {
	await publish(parameters);
});

test("with Auto chosen in the node, publishing asks for Customer's Last Message At", async () => {
	await expect(publish({ category: 'auto' })).rejects.toThrow('customerLastMessageAt');
	await publish({ category: 'auto', customerLastMessageAt: '={{ $json.timestamp }}' });
});

test('when an expression chooses Auto, the time and the fallback that were entered count', async () => {
	const hourMs = 3_600_000;
	const items = [1, 25].map((hours) => ({
		json: { kind: 'auto', wroteAt: new Date(Date.now() - hours * hourMs).toISOString() },
	}));
	await file.api.customerWrites(CUSTOMER, 'Where is my order?');
	const execution = await runOnce(file.n8n, {
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
