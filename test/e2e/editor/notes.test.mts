import { editorOfFile } from '../../support/editorOfFile.mts';
import { examples, STICKY_NOTE } from '../../support/examples.mts';

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
	/** Where the text of a note ends; of another node, nothing. */
	textEnd: number | null;
}

const SHOWN = `document.fonts.ready.then(() => {
	const pane = document.querySelector('.vue-flow__transformationpane');
	const scale = new DOMMatrix(getComputedStyle(pane).transform).a;
	return [...document.querySelectorAll('.vue-flow__node')].map((node) => {
		const { left, top, right, bottom } = node.getBoundingClientRect();
		const lines = [...node.querySelectorAll('[data-test-id=sticky] :is(p, li)')];
		const textEnd = lines.at(-1)?.getBoundingClientRect().bottom ?? null;
		const lengths = Object.entries({ left, top, right, bottom, textEnd });
		const at100 = lengths.map(([name, length]) => [name, length && length / scale]);
		return { id: node.dataset.id, ...Object.fromEntries(at100) };
	});
})`;

const opened = editorOfFile('Notes');

test('examples: each note has room for its text and one line more, and no node lies on the text', async () => {
	const { n8n, editor } = opened();
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
	await editor.openWorkflow(id);
	const last = nodes.length - 1;
	await editor.page.locator('.vue-flow__node').nth(last).waitFor();
	const shown = await editor.page.evaluate<Shown[]>(SHOWN);
	const nameOf = ({ id }: Pick<Shown, 'id'>) => nodes.find((node) => node.id === id)?.name;
	const notes = shown.flatMap((each) => {
		const { textEnd } = each;
		return textEnd === null ? [] : { ...each, textEnd };
	});
	expect(notes).toHaveLength(nodes.filter(({ type }) => type === STICKY_NOTE).length);
	const short = notes.filter(({ bottom, textEnd }) => bottom - textEnd < LINE);
	expect(short.map(nameOf)).toEqual([]);
	const covered = notes.filter((note) =>
		shown.some(
			(node) =>
				node.textEnd === null &&
				node.left - AROUND_A_NODE < note.right &&
				node.right + AROUND_A_NODE > note.left &&
				node.top - AROUND_A_NODE < note.textEnd &&
				node.bottom + AROUND_A_NODE > note.top,
		),
	);
	expect(covered.map(nameOf)).toEqual([]);
});
