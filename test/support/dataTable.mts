import type { N8nUnderTest } from './n8nUnderTest.mts';

const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt'];

export type Row = Record<string, unknown>;

/** A Data Table of text columns with these rows and no others, as pinned data shows them. */
export async function fillDataTable(
	{ client }: N8nUnderTest,
	name: string,
	pinned: Row[],
	columns = Object.keys(pinned[0]),
) {
	const own = columns.filter((column) => !SYSTEM_COLUMNS.includes(column));
	const data = pinned.map((row) => Object.fromEntries(own.map((column) => [column, row[column]])));
	const { id: projectId } = await client.session.call<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${projectId}/data-tables`;
	const earlier = await client.dataTables.find(name);
	if (earlier) await client.session.call('DELETE', `${tables}/${earlier.id}`);
	const { id } = await client.dataTables.save(name, own);
	if (data.length > 0) await client.session.call('POST', `${tables}/${id}/insert`, { data });
}

/** The rows of a table that a workflow makes; none before that. */
export async function rowsOf({ client }: N8nUnderTest, name: string) {
	const table = await client.dataTables.find(name);
	return table ? await client.dataTables.rows(table.id) : [];
}
