import { examples } from '../../support/examples.ts';

const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt'];

interface RowParameters {
	dataTableId: { mode: string; value: string };
	filters?: { conditions: Array<{ keyName: string }> };
	columns?: { value: Record<string, unknown> };
}

interface TableParameters {
	tableName: string;
	columns: { column: Array<{ name: string }> };
}

const nodes = examples.flatMap(([example, workflow]) =>
	workflow.nodes
		.filter(({ type }) => type === 'n8n-nodes-base.dataTable')
		.map((node) => ({ example, workflow, ...node })),
);
const makers = nodes.filter(({ parameters }) => parameters.resource === 'table');
const users = nodes.filter(({ parameters }) => parameters.resource === 'row');

/** By table: the columns that an example makes. */
const made = new Map(
	makers.map(({ parameters }) => {
		const { tableName, columns } = parameters as unknown as TableParameters;
		return [tableName, columns.column.map(({ name }) => name)];
	}),
);

/** By the words of a note, such as "a Data Table **Orders** with the text columns order_id, name and phone". */
function columnsToMake(note: string, table: string): string[] | undefined {
	const [, listed] = note.match(`\\*\\*${table}\\*\\* with [^.]*?columns? ([^.]+)\\.`) ?? [];
	return listed?.split(/, | and /);
}

test.each(users)('$example: "$name" finds its table with all of its columns', (node) => {
	const { dataTableId, filters, columns } = node.parameters as unknown as RowParameters;
	const start = node.workflow.nodes.find(({ name }) => name === 'Note: start here');
	const present =
		made.get(dataTableId.value) ??
		columnsToMake(String(start?.parameters.content), dataTableId.value);
	const used = [
		...(filters?.conditions ?? []).map(({ keyName }) => keyName),
		...Object.keys(columns?.value ?? {}),
	];
	expect([...SYSTEM_COLUMNS, ...(present ?? [])]).toEqual(expect.arrayContaining(used));
	expect(dataTableId.mode).toBe('name');
});

test.each(makers)('$example: the table is made before the first row is asked for', (node) => {
	const { workflow, name, position, parameters } = node;
	expect(parameters.options).toEqual({ createIfNotExists: true });
	// Two executions may make it at the same time: the second fails, and has the table all the same.
	expect(node.onError).toBe('continueRegularOutput');
	const connections = Object.values(workflow.connections) as Array<{
		main?: Array<Array<{ node: string }>>;
	}>;
	const others = connections
		.flatMap(({ main = [] }) => main)
		.find((targets) => targets.some((target) => target.node === name))!
		.filter((target) => target.node !== name);
	const heights = others.map(
		(target) => workflow.nodes.find((each) => each.name === target.node)!.position[1],
	);
	// n8n runs the topmost of several branches first, to its end.
	expect(Math.min(...heights)).toBeGreaterThan(position[1]);
});
