import { readFileSync } from 'node:fs';

/** What docs/update.md offers an administrator. */
const [, REMOVE_OLD_ROWS] = /```sql\n([^`]+)```/.exec(readFileSync('docs/update.md', 'utf8')) ?? [];

const REMOVABLE = ['begun', 'called', 'cap', 'lock', 'retried', 'sent'];
/** The last one is n8n's own Remove Duplicates node. */
const OTHERS = ['budget', 'event', 'once', '5c5e3b88-aa45-4b18-b252-5198c3d44db4'];

/**
 * On the database of an n8n that has retried killed runs.
 * @param runSql gives the first column of each row
 */
export async function expectOldRowsToGo(runSql: (statement: string) => Promise<string[]>) {
	const kinds = async () => {
		const names = await runSql('SELECT "context" FROM processed_data');
		return [...new Set(names.map((name) => name.split(':')[1]))].sort();
	};
	expect(await kinds()).toEqual(expect.arrayContaining(['begun', 'retried', 'sent']));
	// Which of the others there are is chance.
	for (const kind of [...REMOVABLE, ...OTHERS]) {
		await runSql(`INSERT INTO processed_data
			("workflowId", "context", "createdAt", "updatedAt", "value")
			SELECT "workflowId", 'n:${kind}:of-this-test', "createdAt", "updatedAt", "value"
			FROM processed_data LIMIT 1`);
	}
	const all = [...REMOVABLE, ...OTHERS].sort();
	await runSql(REMOVE_OLD_ROWS);
	expect(await kinds()).toEqual(all);
	await runSql(`UPDATE processed_data SET "updatedAt" = '2026-01-30 23:59:59.999'`);
	await runSql(REMOVE_OLD_ROWS);
	expect(await kinds()).toEqual([...OTHERS].sort());
}
