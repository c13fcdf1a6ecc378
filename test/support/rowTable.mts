import type { Rows } from '../../nodes/BusinessMessaging/memory/rows';

/**
 * Rows of n8n's database, in this process: each with its owner or mode, and how many entries it has.
 * @param before each statement
 */
export function rowTable(before: () => Promise<void> = async () => undefined) {
	const table = new Map<string, { mode: string; entries: number }>();
	async function insert(name: string, mode: string, entries = 1): Promise<boolean> {
		await before();
		if (table.has(name)) return false;
		table.set(name, { mode, entries });
		return true;
	}
	/** A look at a row that is not there makes one without entries, as in n8n. */
	const isOwn = async (name: string, mode: string, entries?: number) =>
		(await insert(name, mode, entries)) || table.get(name)?.mode === mode;
	const rows = {
		async create(name: string, owner: string, entries = 1) {
			const isOwners = await isOwn(name, owner, entries);
			const row = table.get(name);
			if (isOwners && row) row.entries = Math.max(row.entries, entries);
			return isOwners;
		},
		insert,
		hasMode: async (name: string, mode: string) => await isOwn(name, mode, 0),
		async count(name: string) {
			await before();
			return table.get(name)?.entries ?? 0;
		},
		async remove(name: string) {
			await before();
			table.delete(name);
		},
	} as unknown as Rows;
	const entries = () => Object.fromEntries([...table].map(([name, row]) => [name, row.entries]));
	return { rows, entries };
}
