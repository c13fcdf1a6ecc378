import type { Rows } from '../../nodes/BusinessMessaging/memory/rows';

/** Rows of n8n's database, in this process: each with its owner or mode, and how many entries it has. */
export function rowTable() {
	const table = new Map<string, { mode: string; entries: number }>();
	const insert = (name: string, mode: string, entries = 1) => {
		if (table.has(name)) return false;
		table.set(name, { mode, entries });
		return true;
	};
	const hasMode = (name: string, mode: string) => table.get(name)?.mode === mode;
	const rows = {
		create: async (name: string, owner: string, entries?: number) =>
			insert(name, owner, entries) || hasMode(name, owner),
		claim: async (name: string, mode: string) => insert(name, mode),
		hasMode: async (name: string, mode: string) => hasMode(name, mode),
		count: async (name: string) => table.get(name)?.entries ?? 0,
		end: async (name: string, mode: string) => void table.set(name, { mode, entries: 2 }),
		remove: async (name: string) => void table.delete(name),
	} as unknown as Rows;
	return {
		rows,
		table,
		entries: () => Object.fromEntries([...table].map(([name, row]) => [name, row.entries])),
	};
}
