import type { Session } from './session.mts';

interface Page<T> {
	count: number;
	data: T[];
}

export type DataTableRow = Record<string, unknown> & { id: number };

export async function dataTables(session: Session) {
	const { id: projectId } = await session.call<{ id: string }>('GET', '/projects/personal');
	const path = `/projects/${projectId}/data-tables`;

	async function find(name: string) {
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const { data } = await session.call<Page<{ id: string; name: string }>>(
			'GET',
			`${path}?filter=${filter}`,
		);
		return data.find((table) => table.name === name);
	}

	return {
		find,

		/** Where the editor shows it. */
		url(id: string) {
			return `${session.url}/projects/${projectId}/datatables/${id}`;
		},

		/** Makes a table of text columns, unless one of that name exists. */
		async save(name: string, columns: string[]): Promise<{ id: string }> {
			const existing = await find(name);
			if (existing) return existing;
			return await session.call('POST', path, {
				name,
				columns: columns.map((column) => ({ name: column, type: 'string' })),
			});
		},

		async insert(id: string, rows: Array<Record<string, string>>): Promise<void> {
			await session.call('POST', `${path}/${id}/insert`, { data: rows, returnType: 'count' });
		},

		/** The newest 100, oldest first. */
		async rows(id: string): Promise<DataTableRow[]> {
			const query = 'take=100&sortBy=id:desc';
			const { data } = await session.call<Page<DataTableRow>>('GET', `${path}/${id}/rows?${query}`);
			return data.reverse();
		},
	};
}
