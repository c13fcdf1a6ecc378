import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Rows } from '../../../nodes/BusinessMessaging/memory/rows';
import { RetryTurn } from '../../../nodes/BusinessMessaging/run/retryTurn';
import { rowTable } from '../../support/rowTable.mts';
import { NODE } from '../../support/sendNode.mts';

/** How an execution ends: at the node before, or at ours, which may have sent some of its messages by then. */
type End = 'killedBefore' | 'failedBefore' | 'killed' | 'failed' | 'succeeded';

/** `retryOf` since n8n 2.13, `establishedAt` since 2.17. */
type Tells = 'nothing' | 'retryOf' | 'all';

interface Run {
	startTime: number;
	executionStatus: string;
}

interface Execution {
	id: string;
	parent?: Execution;
	establishedAt: number;
	/** What n8n has of it in its database: from its beginning, and from its end unless it was killed. */
	stored: { context: { turn?: object; sent?: string[] }; runs: Record<string, Run>; last?: string };
	isRunning: boolean;
	sent: string[];
	/** It marks what it sends, which all that have marks find, whatever n8n has stored. */
	isMarked?: boolean;
	/** Why it may not send. */
	refused?: string;
}

const MINUTE_MS = 60_000;

/** n8n with a node that sends, behind one that reads a sheet. */
function scene(tells: Tells) {
	const executions: Execution[] = [];
	const step = async () => await new Promise<void>(setImmediate);
	const table = rowTable(step);
	const rows: Rows = {
		...table.rows,
		async remove(name: string) {
			await table.rows.remove(name);
			const [kind, lineage] = name.split(':');
			if (kind !== 'sent') return;
			for (const each of executions) {
				if (each.establishedAt === parseInt(lineage)) each.isMarked = false;
			}
		},
	};
	let now = Date.UTC(2026, 0, 31);

	function begin(parent?: Execution): Execution {
		now += 10 * MINUTE_MS;
		const {
			context,
			runs,
			last = '',
		} = structuredClone(parent?.stored ?? { context: {}, runs: {} });
		if (runs[last]?.executionStatus === 'error') delete runs[last];
		const execution: Execution = {
			id: String(executions.length + 1),
			parent,
			establishedAt: parent?.establishedAt ?? now,
			stored: { context, runs },
			isRunning: true,
			sent: [],
		};
		executions.push(execution);
		return execution;
	}

	async function run(execution: Execution, ends: End): Promise<void> {
		const { id, parent, stored } = execution;
		const live = structuredClone(stored);
		const afterEnd: Array<(execution: { status: string }) => void> = [];
		const end = (node: string, executionStatus: string) => {
			live.runs[node] ??= { startTime: now, executionStatus };
			execution.isRunning = false;
			execution.stored = { ...live, last: node };
			for (const handler of afterEnd) handler({ status: executionStatus });
		};
		if (ends === 'killedBefore') return void (execution.isRunning = false);
		live.runs.Trigger ??= { startTime: now, executionStatus: 'success' };
		if (ends === 'failedBefore') return end('Sheet', 'error');
		live.runs.Sheet ??= { startTime: now, executionStatus: 'success' };
		const turn = new RetryTurn({
			getMode: () => (parent ? 'retry' : 'trigger'),
			getNode: () => NODE,
			getWorkflow: () => ({ id: 'w' }),
			getExecutionId: () => id,
			getContext: () => live.context,
			getInputData: () => [{}, {}],
			getExecuteData: () => ({ source: { main: [] } }),
			additionalData: {
				hooks: {
					...(tells === 'nothing' ? {} : { retryOf: parent?.id }),
					addHandler: (_: string, handler: (typeof afterEnd)[number]) => afterEnd.push(handler),
				},
			},
			getExecutionContext: () =>
				tells === 'all' ? { establishedAt: execution.establishedAt } : undefined,
			async getExecutionDataById(other: string) {
				await step();
				const { runs, last } = executions[Number(other) - 1].stored;
				const runData = Object.fromEntries(
					Object.entries(runs).map(([node, one]) => [node, [one]]),
				);
				return { resultData: { runData, lastNodeExecuted: last } };
			},
		} as unknown as IExecuteFunctions);
		const open = async () => rows;
		const taken = (await turn.begin(open)) ?? (await turn.take(open));
		if (taken && 'failure' in taken) {
			execution.refused = taken.failure.message;
			return end(NODE.name, 'error');
		}
		execution.isMarked = taken !== undefined;
		assertKnowsAll(execution);
		execution.sent.push(`by ${id}`);
		live.context.sent = [...(live.context.sent ?? []), `by ${id}`];
		await step();
		if (ends === 'killed') return void (execution.isRunning = false);
		if (ends === 'succeeded') turn.forget();
		end(NODE.name, ends === 'failed' ? 'error' : 'success');
	}

	/** Who may send finds what its lineage has sent, in its own context or by marks, and nobody else of it is sending. */
	function assertKnowsAll({ id, establishedAt, stored, isMarked }: Execution) {
		const others = executions.filter(
			(each) => each.establishedAt === establishedAt && each.id !== id,
		);
		const missing = others
			.flatMap((each) => (isMarked && each.isMarked ? [] : each.sent))
			.filter((message) => !stored.context.sent?.includes(message));
		if (missing.length > 0) throw new Error(`${id} sends again what was sent ${missing.join()}`);
	}

	return { executions, begin, run };
}

function hasSucceeded({ runs, last = '' }: Execution['stored']): boolean {
	return runs[last]?.executionStatus === 'success';
}

const ENDS: End[] = ['killedBefore', 'failedBefore', 'killed', 'failed', 'succeeded'];

// README: retries never resend a message
it.each<Tells>(['nothing', 'retryOf', 'all'])(
	'whatever is retried, also at the same time, who may send knows what was sent (n8n tells %s)',
	async (tells) => {
		const ends = fc.constantFrom(...ENDS);
		const act = fc.record({ retries: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), ends });
		await fc.assert(
			fc.asyncProperty(ends, fc.array(act, { maxLength: 8 }), async (first, acts) => {
				const { executions, begin, run } = scene(tells);
				await run(begin(), first);
				for (const { retries, ends: last } of acts) {
					// n8n retries no execution that has succeeded.
					const open = executions.filter(({ stored }) => !hasSucceeded(stored));
					if (open.length === 0) break;
					const begun = retries.map((choice) => begin(open[choice % open.length]));
					await Promise.all(begun.map(async (each) => await run(each, last)));
				}
			}),
			{ numRuns: 200 },
		);
	},
);

it.each<[Tells, End[], string | undefined]>([
	['nothing', ['failed', 'failed', 'failed'], undefined],
	['all', ['failed', 'failedBefore', 'failed'], undefined],
	['all', ['failedBefore', 'failedBefore', 'failed', 'killedBefore'], undefined],
	['retryOf', ['failedBefore'], 'has not stored'],
	['retryOf', ['failed', 'killed'], 'has not stored'],
	['all', ['killedBefore'], 'has not stored'],
	['all', ['failed', 'killed', 'killed'], undefined],
	['all', ['failedBefore', 'killed'], undefined],
	['all', ['killed', 'failedBefore'], 'was retried already'],
	['nothing', ['killed'], 'has not stored'],
])(
	'where n8n tells %s, a Retry of the latest after %j is refused: %s',
	async (tells, ends, why) => {
		const { executions, begin, run } = scene(tells);
		for (const each of [...ends, 'succeeded' as const]) await run(begin(executions.at(-1)), each);
		const { refused } = executions[executions.length - 1];
		if (why === undefined) expect(refused).toBeUndefined();
		else expect(refused).toContain(why);
	},
);
