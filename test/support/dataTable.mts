import type { N8nUnderTest } from './n8nUnderTest.mts';

const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt'];

type Row = Record<string, unknown>;

/** A Data Table of text columns with these rows, as pinned data shows them. */
export async function fillDataTable({ client }: N8nUnderTest, name: string, pinned: Row[]) {
	const rows = pinned.map((row) =>
		Object.fromEntries(Object.entries(row).filter(([column]) => !SYSTEM_COLUMNS.includes(column))),
	);
	const { id } = await client.dataTables.save(name, Object.keys(rows[0]));
	const { id: projectId } = await client.session.call<{ id: string }>('GET', '/projects/personal');
	await client.session.call('POST', `/projects/${projectId}/data-tables/${id}/insert`, {
		data: rows,
	});
	return { rows: async () => await client.dataTables.rows(id) };
}

/** The rows of a table that a workflow makes; none before that. */
export async function rowsOf({ client }: N8nUnderTest, name: string) {
	const table = await client.dataTables.find(name);
	return table ? await client.dataTables.rows(table.id) : [];
}
