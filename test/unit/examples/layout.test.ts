import type { WorkflowNode } from '../../../playground/n8n/rest/workflows.ts';
import { examples, STICKY_NOTE } from '../../support/examples.ts';

/** With the name below it, in the editor's pixels. */
const NODE_WIDTH = 100;
const NODE_HEIGHT = 140;

function boxOf({ position: [left, top], type, parameters }: WorkflowNode) {
	const isNote = type === STICKY_NOTE;
	const width = isNote ? Number(parameters.width) : NODE_WIDTH;
	const height = isNote ? Number(parameters.height) : NODE_HEIGHT;
	return { left, top, right: left + width, bottom: top + height };
}

function overlap(one: WorkflowNode, other: WorkflowNode): boolean {
	const [a, b] = [boxOf(one), boxOf(other)];
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

describe.each(examples)('%s', (_, { nodes, connections }) => {
	it('is explained by sticky notes', () => {
		const notes = nodes.filter(({ type }) => type === STICKY_NOTE);
		expect(notes.length).toBeGreaterThanOrEqual(2);
		for (const { parameters } of notes) expect(parameters.content).toMatch(/^## .+\n\S/);
	});

	it('has no node or note on another', () => {
		const pairs = nodes.flatMap((one, index) =>
			nodes
				.slice(index + 1)
				.flatMap((other) => (overlap(one, other) ? [[one.name, other.name]] : [])),
		);
		expect(pairs).toEqual([]);
	});

	it('runs from left to right', () => {
		const columns = new Map(nodes.map(({ name, position: [left] }) => [name, left]));
		const steps = Object.entries(connections).flatMap(([name, outputs]) => {
			const { main = [] } = outputs as { main?: Array<Array<{ node: string }>> };
			return main.flat().map(({ node }) => [name, node]);
		});
		const backward = steps.filter(([from, to]) => columns.get(from)! >= columns.get(to)!);
		expect(backward).toEqual([]);
		expect(steps.length).toBeGreaterThan(0);
	});
});
