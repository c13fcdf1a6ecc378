import { randomUUID } from 'node:crypto';
import type { Workflow, WorkflowNode } from './rest/workflows.mts';

export type NodeSettings = Partial<WorkflowNode> & Pick<WorkflowNode, 'type'>;

/** A workflow of nodes in a row, each connected to the next. */
export function chain(name: string, nodes: Record<string, NodeSettings>): Workflow {
	const names = Object.keys(nodes);
	return {
		name,
		nodes: names.map((nodeName, index) => ({
			id: randomUUID(),
			name: nodeName,
			typeVersion: 1,
			position: [220 * index, 0],
			parameters: {},
			...nodes[nodeName],
		})),
		connections: Object.fromEntries(
			names
				.slice(1)
				.map((next, index) => [names[index], { main: [[{ node: next, type: 'main', index: 0 }]] }]),
		),
		settings: { executionOrder: 'v1' },
	};
}
