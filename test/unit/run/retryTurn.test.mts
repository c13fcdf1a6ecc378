import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Rows } from '../../../nodes/BusinessMessaging/memory/rows';
import { RetryTurn } from '../../../nodes/BusinessMessaging/run/retryTurn';
import { rowTable } from '../../support/rowTable.mts';
import { NODE } from '../../support/sendNode.mts';

/**
 * How an execution ends: at the node before, or at ours, which may have sent some of its messages by then, unless it is
 * refused before its first request.
 */
type End = 'killedBefore' | 'failedBefore' | 'refused' | 'killed' | 'failed' | 'succeeded';

/** `retryOf` since n8n 2.13, `establishedAt` since 2.17. */
type Tells = 'nothing' | 'retryOf' | 'all';

interface Run {
	startTime: number;
	executionStatus: string;
	source: unknown[];
	error?: { message: string };
}

interface Beginning {
	establishedAt: number;
	source: string;
}

interface Execution {
	id: string;
	parent?: Execution;
	/** The execution of which all others are Retries. */
	lineage: string;
	/** What n8n has of it in its database: from its beginning, and from its end unless it was killed. */
	stored: {
		context: { turn?: object; sent?: string[] };
		runs: Record<string, Run[]>;
		last?: string;
		error?: { message: string };
		beginning?: Beginning;
	};
	/** What n8n tells of its beginning. */
	beginning: Beginning;
	isRunning: boolean;
	sent: string[];
	/** It marks what it sends, which all that have marks find, whatever n8n has stored. */
	isMarked?: boolean;
	/** Why it may not send. */
	refused?: string;
}

const MINUTE_MS = 60_000;

const FAILED = { message: 'No connection' };

/**
 * n8n with a node that sends, behind one that reads a sheet.
 * @param recovers n8n finds in its log which nodes ran in an execution that was killed
 * @param storesBeginning from the beginning on; a sub-workflow's is stored at its end only
 * @param gapMs how long after an execution its Retry begins
 */
function scene(
	tells: Tells,
	{ recovers = false, storesBeginning = true, items = 2, gapMs = 10 * MINUTE_MS } = {},
) {
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
				if (each.beginning.establishedAt === parseInt(lineage)) each.isMarked = false;
			}
		},
	};
	let now = Date.UTC(2026, 0, 31);

	function begin(parent?: Execution): Execution {
		now += gapMs;
		const before: Execution['stored'] = structuredClone(
			parent?.stored ?? { context: {}, runs: {} },
		);
		const { context, runs, last = '', error } = before;
		if (runs[last]?.at(-1)?.error) runs[last].pop();
		const beginning = before.beginning ?? {
			establishedAt: now,
			source: parent ? 'retry' : 'trigger',
		};
		const execution: Execution = {
			id: String(executions.length + 1),
			parent,
			lineage: parent?.lineage ?? String(executions.length + 1),
			beginning,
			// n8n repeats the node that has failed.
			stored: {
				context,
				runs,
				last: error?.message === FAILED.message ? last : undefined,
				beginning: storesBeginning ? beginning : before.beginning,
			},
			isRunning: true,
			sent: [],
		};
		executions.push(execution);
		return execution;
	}

	/** n8n is killed. When it starts again, it may find in its log which nodes have run. */
	function killed(execution: Execution, ...nodes: string[]): void {
		execution.isRunning = false;
		const { runs } = execution.stored;
		if (!recovers) return;
		for (const [index, node] of nodes.entries()) {
			const isLast = index === nodes.length - 1;
			const error = isLast ? { error: { message: 'Node crashed' } } : {};
			const startTime = Math.floor(now / 1000);
			const status = isLast ? 'crashed' : 'success';
			runs[node] ??= [{ startTime, executionStatus: status, source: [null], ...error }];
		}
		execution.stored = { ...execution.stored, last: nodes.at(-1), error: { message: 'Crashed' } };
	}

	async function run(execution: Execution, ends: End): Promise<void> {
		const { id, parent, stored } = execution;
		const live = structuredClone(stored);
		const beginsAt = live.last ?? 'Trigger';
		const afterEnd: Array<(execution: { status: string }) => void> = [];
		const ran = (node: string, executionStatus: string) => {
			const source = node === 'Trigger' ? [] : [{ previousNode: 'Trigger' }];
			const error = executionStatus === 'error' ? { error: FAILED } : {};
			(live.runs[node] ??= []).push({ startTime: now, executionStatus, source, ...error });
		};
		const end = (node: string, executionStatus: string) => {
			ran(node, executionStatus);
			execution.isRunning = false;
			const error = executionStatus === 'error' ? { error: FAILED } : {};
			const { beginning } = execution;
			execution.stored = {
				context: live.context,
				runs: live.runs,
				last: node,
				beginning,
				...error,
			};
			for (const handler of afterEnd) handler({ status: executionStatus });
		};
		if (ends === 'killedBefore') return killed(execution, 'Trigger', 'Sheet');
		if (beginsAt === 'Trigger') ran('Trigger', 'success');
		if (ends === 'failedBefore' && beginsAt !== NODE.name) return end('Sheet', 'error');
		if (beginsAt !== NODE.name) ran('Sheet', 'success');
		const turn = new RetryTurn({
			getMode: () => (parent ? 'retry' : 'trigger'),
			getNode: () => NODE,
			getWorkflow: () => ({ id: 'w' }),
			getExecutionId: () => id,
			getContext: () => live.context,
			getInputData: () => Array(items).fill({}),
			getExecuteData: () => ({ source: { main: [] } }),
			additionalData: {
				hooks: {
					...(tells === 'nothing' ? {} : { retryOf: parent?.id }),
					addHandler: (_: string, handler: (typeof afterEnd)[number]) => afterEnd.push(handler),
				},
			},
			getExecutionContext: () => (tells === 'all' ? execution.beginning : undefined),
			async getExecutionDataById(other: string) {
				await step();
				const { runs: runData, last, error } = executions[Number(other) - 1].stored;
				return { resultData: { runData, lastNodeExecuted: last, error } };
			},
		} as unknown as IExecuteFunctions);
		const open = async () => rows;
		const taken = (await turn.begin(open)) ?? (await turn.take(open));
		if (taken && 'failure' in taken) {
			execution.refused = taken.failure.message;
			return end(NODE.name, 'error');
		}
		if (ends === 'refused') {
			await step();
			await turn.giveBack();
			return end(NODE.name, 'error');
		}
		execution.isMarked = taken !== undefined;
		assertKnowsAll(execution);
		execution.sent.push(`by ${id}`);
		live.context.sent = [...(live.context.sent ?? []), `by ${id}`];
		await step();
		if (ends === 'killed') return killed(execution, 'Trigger', 'Sheet', NODE.name);
		if (ends === 'succeeded') turn.forget();
		end(NODE.name, ends.startsWith('failed') ? 'error' : 'success');
	}

	/** Who may send finds what its lineage has sent, in its own context or by marks, and nobody else of it is sending. */
	function assertKnowsAll({ id, lineage, beginning, stored, isMarked }: Execution) {
		const others = executions.filter((each) => each.lineage === lineage && each.id !== id);
		const isFound = (each: Execution) =>
			isMarked && each.isMarked && each.beginning.establishedAt === beginning.establishedAt;
		const missing = others
			.flatMap((each) => (isFound(each) ? [] : each.sent))
			.filter((message) => !stored.context.sent?.includes(message));
		if (missing.length > 0) throw new Error(`${id} sends again what was sent ${missing.join()}`);
	}

	return { executions, begin, run };
}

function hasSucceeded({ runs, last = '' }: Execution['stored']): boolean {
	return runs[last]?.at(-1)?.executionStatus === 'success';
}

const anyN8n = fc.record({
	items: fc.constantFrom(1, 2),
	recovers: fc.boolean(),
	storesBeginning: fc.boolean(),
	gapMs: fc.constantFrom(MINUTE_MS / 2, 10 * MINUTE_MS),
});
const ENDS: End[] = ['killedBefore', 'failedBefore', 'refused', 'killed', 'failed', 'succeeded'];

// README: retries never resend a message
it.each<Tells>(['nothing', 'retryOf', 'all'])(
	'whatever is retried, also at the same time, who may send knows what was sent (n8n tells %s)',
	async (tells) => {
		const ends = fc.constantFrom(...ENDS);
		const act = fc.record({ retries: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), ends });
		await fc.assert(
			fc.asyncProperty(ends, fc.array(act, { maxLength: 8 }), anyN8n, async (first, acts, n8n) => {
				const { executions, begin, run } = scene(tells, n8n);
				await run(begin(), first);
				for (const { retries, ends: last } of acts) {
					// n8n retries no execution that has succeeded.
					const open = executions.filter(({ stored }) => !hasSucceeded(stored));
					if (open.length === 0) break;
					const begun = retries.map((choice) => begin(open[choice % open.length]));
					await Promise.all(begun.map(async (each) => await run(each, last)));
				}
			}),
			{ numRuns: 500 },
		);
	},
);

it.each<[Tells, End[], string | undefined]>([
	['nothing', ['failed', 'failed', 'failed'], undefined],
	['all', ['failed', 'failed', 'failed'], undefined],
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
