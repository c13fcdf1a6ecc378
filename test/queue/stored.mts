import { runSql } from '../../playground/cluster/postgres.mts';

// n8n overwrites what an execution began with when it fails before its first node.
const KEEP_WHAT_IS_STORED = `
	CREATE TABLE IF NOT EXISTS kept_beginning (execution integer, data text);
	CREATE OR REPLACE FUNCTION keep_beginning() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			INSERT INTO kept_beginning VALUES (NEW."executionId", NEW.data);
			RETURN NULL;
		END $$;
	CREATE OR REPLACE TRIGGER keep_beginning AFTER INSERT ON execution_data
		FOR EACH ROW EXECUTE FUNCTION keep_beginning();`;

/** Keeps from now on, in the database itself, with what data each execution was stored. */
export async function keepWhatIsStored(postgresUrl: string) {
	await runSql(postgresUrl, KEEP_WHAT_IS_STORED);
	return {
		async count(): Promise<number> {
			const [count] = await runSql(postgresUrl, 'SELECT count(*) FROM kept_beginning');
			return Number(count);
		},
		/** Which of these messages n8n stored in an execution that it lists as failed or crashed. */
		async failed(workflowId: string, messages: string[]): Promise<Set<string>> {
			const list = messages.map(quoted).join(', ');
			const rows = await runSql(
				postgresUrl,
				`SELECT DISTINCT message FROM unnest(ARRAY[${list}]::text[]) AS message
					JOIN kept_beginning ON strpos(data, message) > 0
					JOIN execution_entity ON id = execution
					WHERE "workflowId" = ${quoted(workflowId)} AND "deletedAt" IS NULL
						AND status IN ('error', 'crashed')`,
			);
			return new Set(rows);
		},
	};
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
