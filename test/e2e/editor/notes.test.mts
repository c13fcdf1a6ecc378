import { openEditor } from '../../support/editor.mts';
import { examples, STICKY_NOTE } from '../../support/examples.mts';
import { n8nUnderTest } from '../../support/n8nUnderTest.mts';

jest.setTimeout(180_000);

const LINE = 19;
/** Below a node are its name and what it does. */
const AROUND_A_NODE = 40;

/** In pixels at 100 %, from the top left of the window. */
interface Shown {
	id: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
	/** Where the text of a note ends. */
	textEnd?: number;
}

const SHOWN = `document.fonts.ready.then(() => {
	const pane = document.querySelector('.vue-flow__transformationpane');
	const scale = new DOMMatrix(getComputedStyle(pane).transform).a;
	return [...document.querySelectorAll('.vue-flow__node')].map((node) => {
		const { left, top, right, bottom } = node.getBoundingClientRect();
		const lines = node.querySelector('[data-test-id=sticky]')?.querySelectorAll('p, li');
		const textEnd = [...(lines ?? [])].at(-1)?.getBoundingClientRect().bottom;
		const lengths = { left, top, right, bottom, ...(textEnd && { textEnd }) };
		const at100 = Object.entries(lengths).map(([name, length]) => [name, length / scale]);
		return { id: node.dataset.id, ...Object.fromEntries(at100) };
	});
})`;

test('examples: each note has room for its text and one line more, and no node lies on the text', async () => {
	const n8n = await n8nUnderTest();
	// In one workflow, one example below the other, because the editor takes seconds to open.
	const nodes = examples.flatMap(([example, workflow], index) =>
		workflow.nodes.map(({ position: [x, y], ...node }) => ({
			...node,
			name: `${example}: ${node.name}`,
			position: [x, y + index * 3000] as [number, number],
		})),
	);
	const all = { name: 'All examples', nodes, connections: {} };
	const { id } = await n8n.client.workflows.save(all);
	const editor = await openEditor(n8n);
	try {
		await editor.openWorkflow(id);
		await editor.page
			.locator('.vue-flow__node')
			.nth(nodes.length - 1)
			.waitFor();
		const shown = await editor.page.evaluate<Shown[]>(SHOWN);
		const nameOf = ({ id }: Shown) => nodes.find((node) => node.id === id)?.name;
		const notes = shown.filter((each) => each.textEnd !== undefined) as Array<Required<Shown>>;
		expect(notes).toHaveLength(nodes.filter(({ type }) => type === STICKY_NOTE).length);
		const short = notes.filter(({ bottom, textEnd }) => bottom - textEnd < LINE);
		expect(short.map(nameOf)).toEqual([]);
		const covered = notes.filter((note) =>
			shown.some(
				(node) =>
					node.textEnd === undefined &&
					node.left - AROUND_A_NODE < note.right &&
					node.right + AROUND_A_NODE > note.left &&
					node.top - AROUND_A_NODE < note.textEnd &&
					node.bottom + AROUND_A_NODE > note.top,
			),
		);
		expect(covered.map(nameOf)).toEqual([]);
	} finally {
		await editor.close();
	}
});
