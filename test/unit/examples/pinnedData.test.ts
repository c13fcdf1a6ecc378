import { readFileSync } from 'node:fs';

import { deliveryItem, readDelivery } from '../../../nodes/BusinessMessaging/events/delivery';
import type { ReceivedDelivery } from '../../../nodes/BusinessMessaging/events/delivery';
import type { Workflow, WorkflowNode } from '../../../playground/n8n/rest/workflows.ts';
import { ACTION, TRIGGER } from '../../../playground/n8n/typeNames.ts';
import { examples, ownNodes, pinnedItems, STICKY_NOTE } from '../../support/examples.ts';

/** They neither leave the machine nor need anything set up. */
const RUNS_ANYWHERE = ['manualTrigger', 'filter', 'if', 'set', 'code', 'noOp'].map(
	(name) => `n8n-nodes-base.${name}`,
);

/** What an agent uses does not run when the agent's own output is pinned. */
function servesAgent({ connections }: Workflow, { name }: WorkflowNode): boolean {
	return Object.keys(connections[name] ?? {}).some((output) => output.startsWith('ai_'));
}

function schemaFields(path: string): string[] {
	const file = `nodes/BusinessMessaging/__schema__/${path}.json`;
	const { properties } = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
	return Object.keys(properties);
}

describe.each(examples)('%s', (_, workflow) => {
	const own = (type: string) => ownNodes(workflow).filter((node) => node.type === type);

	it('has it for every node that needs an account or something set up', () => {
		const needy = workflow.nodes.filter(
			(node) =>
				node.type !== STICKY_NOTE &&
				!RUNS_ANYWHERE.includes(node.type) &&
				!servesAgent(workflow, node),
		);
		const pinned = Object.entries(workflow.pinData ?? {}).filter(([, items]) => items.length > 0);
		expect(pinned.map(([name]) => name).sort()).toEqual(needy.map(({ name }) => name).sort());
	});

	it('shows events as the trigger puts them out, of the kinds that it listens to', () => {
		for (const { name, parameters } of own(TRIGGER)) {
			for (const item of pinnedItems(workflow, name)) {
				const { event, timestamp, data, receivedAt } = item;
				const body = Buffer.from(JSON.stringify({ event, timestamp, data }));
				const delivery = readDelivery(body) as ReceivedDelivery;
				expect(item).toEqual(deliveryItem(delivery, new Date(String(receivedAt))));
				expect(schemaFields('v2.0.0')).toEqual(expect.arrayContaining(Object.keys(item)));
				const chosen = parameters.events as unknown[];
				expect(chosen.some((each) => each === event || each === '*')).toBe(true);
			}
		}
	});

	it('shows results with the fields of the operation and its options', () => {
		for (const { name, parameters } of own(ACTION)) {
			const { resource, operation } = parameters as Record<string, string>;
			const { dryRun, waitFor } = parameters.options as Record<string, unknown>;
			const documented = schemaFields(`v1.0.0/${resource}/${operation}`);
			for (const item of pinnedItems(workflow, name)) {
				expect(item.dryRun).toBe(dryRun);
				expect('delivery' in item).toBe(waitFor !== undefined);
				expect('preview' in item).toBe(parameters.variablesInput === 'templateText');
				const ofDryRun = dryRun ? ['dryRun', 'estimatedCost', 'request'] : [];
				expect([...documented, ...ofDryRun, 'delivery']).toEqual(
					expect.arrayContaining(Object.keys(item)),
				);
			}
		}
	});
});
