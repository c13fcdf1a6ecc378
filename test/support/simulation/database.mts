import { openRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { contextOn, ProcessedData, type Statement } from '../processedData.mts';
import { createVirtualClock } from '../virtualClock.mts';

export const NEVER = new Promise<never>(() => undefined);

/** A process of n8n, and what happens to its statements. */
interface Process {
	node?: string;
	/** Of its clock. */
	aheadMs?: number;
	/** After so many statements it is killed. */
	diesAfter?: number;
	fails?: (statement: Statement) => boolean;
	/** What else happens before each statement is carried out, and after it, before its answer is there. */
	before?: (statement: Statement) => Promise<unknown>;
	after?: (statement: Statement) => Promise<unknown>;
}

/** Of a row's name, in the table. */
const PREFIX = 'workflow n:'.length;

/** @param latencyMs of each statement there, and of its answer back */
export function databaseScene(latencyMs: () => number = () => 5, startMs?: number) {
	const clock = createVirtualClock(startMs);
	const table = new ProcessedData();
	const travel = async () => {
		const ms = latencyMs();
		if (ms > 0) await clock.sleep(ms);
	};
	function connect({ node, aheadMs = 0, diesAfter = Infinity, ...met }: Process = {}) {
		let statements = 0;
		const own = new ProcessedData(
			async (statement) => {
				await travel();
				if (statements++ >= diesAfter) await NEVER;
				if (met.fails?.(statement)) throw new Error('no database');
				await met.before?.(statement);
			},
			async (statement) => {
				await travel();
				await met.after?.(statement);
			},
			table,
		);
		const { context } = contextOn(own, node);
		const ownClock = { ...clock, now: () => clock.now() + aheadMs };
		return { context, clock: ownClock, rows: async () => await openRows(context, ownClock) };
	}
	/** How many entries each row has, by its name. */
	const entries = () =>
		Object.fromEntries([...table.rows].map(([name, row]) => [name.slice(PREFIX), row.data.length]));
	return { clock, table, entries, connect };
}

// Each process tries out once whether n8n gives rows, and no test means these statements.
beforeAll(async () => {
	const { clock, connect } = databaseScene();
	await clock.run(connect().rows());
});
