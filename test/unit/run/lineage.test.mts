import type { IExecuteFunctions } from 'n8n-workflow';
import type { Failed } from '../../../nodes/BusinessMessaging/errors/failure';
import { Ledger } from '../../../nodes/BusinessMessaging/memory/ledger';
import { NoRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { Lineage } from '../../../nodes/BusinessMessaging/run/lineage';
import { rowTable } from '../../support/rowTable.mts';
import { IN_LOOP, LATER_ROUND, NODE } from '../../support/sendNode.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const BEGAN = Date.UTC(2026, 0, 31);
const [BEGUN, RETRIED] = ['begun', 'retried'].map((name) => `${name}:${NODE.id}:${BEGAN}`);

const ERROR = { message: 'No connection' };
const TRIGGER = { source: [], startTime: BEGAN + 29_999, executionStatus: 'success' };
const failedRun = (node: string) => ({
	lastNodeExecuted: node,
	runData: {
		Trigger: [TRIGGER],
		[node]: [{ source: [{ previousNode: 'Trigger' }], executionStatus: 'error', error: ERROR }],
	},
	error: ERROR,
});
const LATE = { ...TRIGGER, startTime: BEGAN + 30_000 };
/** As n8n notes them when it finds a run in its log. */
const SECONDS = { ...TRIGGER, startTime: BEGAN / 1000 };
const FAILED_ELSEWHERE = failedRun('Sheet');
const FAILED_HERE = failedRun(NODE.name);
const KILLED = { ...FAILED_HERE, error: { message: 'Workflow did not finish' } };

const ONE_ITEM = { getInputData: () => [{}] };
const OLD = { getExecutionContext: undefined };

function scene() {
	const { rows, entries } = rowTable();
	const clock = createVirtualClock(BEGAN);

	/** One execution. @param retryOf if it is a Retry @param changes of what n8n tells */
	function execution(id: string, retryOf?: string, changes: object = {}) {
		const handlers: Array<(execution: { status: string }) => void> = [];
		const addHandler = (event: string, handler: (typeof handlers)[number]) => {
			if (event === 'workflowExecuteAfter') handlers.push(handler);
		};
		const context: Record<string, unknown> = {};
		const n8n = {
			getMode: () => (retryOf === undefined ? 'trigger' : 'retry'),
			getNode: () => NODE,
			getWorkflow: () => ({ id: 'w' }),
			getExecutionId: () => id,
			getContext: () => context,
			getInputData: () => [{}, {}],
			getExecuteData: () => ({ source: { main: [] } }),
			getWorkflowDataProxy: () => ({}),
			getParentNodes: () => [],
			getChildNodes: () => [],
			additionalData: { hooks: { retryOf, addHandler } },
			getExecutionContext: () => ({ establishedAt: BEGAN }),
			getExecutionDataById: async () => ({ resultData: FAILED_HERE }),
			...changes,
		};
		return {
			context,
			/** The node runs, once more. */
			lineage: (more: object = {}, isRemembered = false, isTest = false) =>
				new Lineage({ ...n8n, ...more } as unknown as IExecuteFunctions, clock, {
					isRemembered,
					isTest,
				}),
			async ends(status: string) {
				for (const handler of handlers) handler({ status });
				await new Promise(setImmediate);
			},
		};
	}
	return { rows, entries, clock, open: async () => rows, execution };
}

/** Why nothing may be sent. */
function codeOf(joined: object | undefined): string | undefined {
	const { failure } = (joined ?? {}) as Partial<Failed>;
	// All places in the sentences are filled.
	expect(`${failure?.message} ${failure?.remedy}`).not.toMatch(/[{}]/);
	return failure?.code;
}

// docs/after-a-crash.md: which runs have rows
it.each<[string, object, boolean]>([
	['has several items', {}, true],
	['has one item', ONE_ITEM, false],
	['has one item, in a loop', { ...ONE_ITEM, ...IN_LOOP }, true],
	['has run before in this execution', LATER_ROUND, false],
	['is in engine v2', { getExecutionId: () => '0f8fad5b-d9cb-469f-a165-70867728950e' }, false],
	[
		'is in an n8n that does not tell when it began',
		{ getExecutionContext: () => undefined },
		false,
	],
	['is in an n8n that tells nothing of its execution', { additionalData: undefined }, false],
])('a run that %s has rows: %j', async (_, changes, hasRows) => {
	const { execution, open, entries } = scene();
	const begun = await execution('1', undefined, changes).lineage().begin(open);
	expect(begun instanceof Ledger).toBe(hasRows);
	expect(entries()).toEqual(hasRows ? { [BEGUN]: 1 } : {});
});

const MINUTE_MS = 60_000;

it.each<[string, number, boolean, object]>([
	['success', 0, false, {}],
	// n8n may have taken it for dead, and have its Retry run.
	['success', MINUTE_MS, false, { [BEGUN]: 2 }],
	['success', 0, true, { [BEGUN]: 2, [RETRIED]: 1 }],
	['error', 0, false, { [BEGUN]: 1 }],
	['waiting', 0, false, { [BEGUN]: 1 }],
])('an execution that ends with %s after %d ms, retried: %j, leaves %j', async (...row) => {
	const [status, ageMs, isRetried, left] = row;
	const { execution, open, entries, clock } = scene();
	const first = execution('1');
	await first.lineage().begin(open);
	if (isRetried) await execution('2', '1').lineage().join(open);
	clock.pass(ageMs);
	await first.ends(status);
	expect(entries()).toEqual(left);
});

it('of two executions that began in the same millisecond, neither can be retried', async () => {
	const { execution, open } = scene();
	const [first, twin] = [execution('1'), execution('2')];
	await first.lineage().begin(open);
	expect(await twin.lineage().begin(open)).toBeUndefined();
	await first.ends('error');
	for (const parent of ['1', '2']) {
		expect(codeOf(await execution('3', parent).lineage().join(open))).toBe('retriedBefore');
	}
});

it('a Retry of which nothing is known stays refused, whatever follows', async () => {
	const { execution, open } = scene();
	const retry = execution('2', '1');
	expect(codeOf(await retry.lineage().join(open))).toBe('notStored');
	const again = jest.fn();
	expect(codeOf(await retry.lineage().join(again))).toBe('notStored');
	expect(again).not.toHaveBeenCalled();
});

describe('when the database does not answer', () => {
	const refuse = async () => await Promise.reject(new Error('database is locked'));

	it('before a run knows whether n8n gives rows, it sends without any', async () => {
		expect(await scene().execution('1').lineage().begin(refuse)).toBeUndefined();
	});

	it('at the first row, nothing is sent', async () => {
		const { execution, rows } = scene();
		const open = async () => ({ ...rows, insert: refuse });
		await expect(execution('1').lineage().begin(open)).rejects.toMatchObject({
			code: 'memoryUnusable',
			message: expect.stringMatching(/sent messages.*database is locked/),
		});
	});

	it('at a Retry, nothing is sent, and another Retry may follow', async () => {
		const { execution, open } = scene();
		await execution('1').lineage().begin(open);
		const retry = execution('2', '1');
		const failure = expect.objectContaining({
			code: 'retryUnchecked',
			message: expect.stringContaining('database is locked'),
		});
		expect(await retry.lineage().join(refuse)).toEqual({ kind: 'failed', failure });
		expect(await retry.lineage().join(open)).toBeInstanceOf(Ledger);
	});
});

it('an execution without rows leaves nothing in its context when the node has ended well', async () => {
	const { execution, open } = scene();
	const [bare, first] = [execution('1', undefined, ONE_ITEM), execution('2')];
	for (const { lineage } of [bare, first]) {
		const each = lineage();
		await each.begin(open);
		each.forget();
	}
	expect([bare.context, Object.keys(first.context)]).toEqual([{}, ['ledger']]);
});

describe('where the first execution has no rows', () => {
	const retryOf = (n8n: ReturnType<typeof scene>, id: string, parent: string, more = {}) => {
		const retry = n8n.execution(id, parent, { ...OLD, ...more });
		const told = { input: '', numbers: {}, earlier: {}, salts: [] };
		retry.context.ledger = { ...told, lineage: '1', execution: '1' };
		return retry;
	};

	it('all Retries of one that has failed may send, also after one that was killed', async () => {
		const n8n = scene();
		for (const [id, parent] of ['21', '31']) {
			expect(await retryOf(n8n, id, parent).lineage().join(n8n.open)).toBeInstanceOf(Ledger);
		}
		const getExecutionDataById = async () => ({ resultData: KILLED });
		const ofKilled = retryOf(n8n, '4', '3', { getExecutionDataById });
		expect(await ofKilled.lineage().join(n8n.open)).toBeInstanceOf(Ledger);
		const named = (name: string) => `${name}:${NODE.id}:1`;
		expect(n8n.entries()).toEqual({ [named('begun')]: 1, [named('retried')]: 1 });
	});

	// docs/after-a-crash.md: when a Retry is refused
	it.each<[string, object | Error | undefined, boolean]>([
		['failed at another node', FAILED_ELSEWHERE, true],
		[
			'failed at another node, behind one whose first input got nothing',
			{
				...FAILED_ELSEWHERE,
				runData: {
					...FAILED_ELSEWHERE.runData,
					Merge: [{ ...LATE, source: [null, { previousNode: 'Trigger' }] }],
				},
			},
			true,
		],
		['failed at this node', FAILED_HERE, false],
		[
			'was killed or stopped after another node had failed and continued',
			{ ...FAILED_ELSEWHERE, error: { message: 'Workflow did not finish' } },
			false,
		],
		[
			'began at the trigger once more, after a kill',
			{ ...FAILED_ELSEWHERE, runData: { ...FAILED_ELSEWHERE.runData, Trigger: [LATE] } },
			false,
		],
		[
			'began at the trigger once more, soon after a kill of which n8n found the runs in its log',
			{
				...FAILED_ELSEWHERE,
				runData: { ...FAILED_ELSEWHERE.runData, Trigger: [SECONDS, TRIGGER] },
			},
			false,
		],
		['was deleted', new Error('gone'), false],
	])('a Retry of an execution of which n8n tells that it %s (%j) may send: %j', async (...row) => {
		const [, resultData, may] = row;
		const { execution, open, entries } = scene();
		const retry = execution('2', '1', {
			async getExecutionDataById() {
				if (resultData instanceof Error) throw resultData;
				return resultData && { resultData };
			},
		});
		const joined = await retry.lineage().join(open);
		if (may) expect(joined).toBeInstanceOf(Ledger);
		else expect(codeOf(joined)).toBe('notStored');
		expect(entries()).toEqual({ [RETRIED]: 1, ...(may ? { [BEGUN]: 1 } : {}) });
		if (!may) expect(retry.context.ledger).toMatchObject({ execution: '2', isLost: true });
	});

	it.each<[string, object]>([
		['whose lineage n8n has not stored from its beginning', { source: 'retry' }],
		['in an n8n that gives no rows', {}],
	])('a Retry %s is refused, although another node has failed', async (_, more) => {
		const { execution, open } = scene();
		const retry = execution('2', '1', {
			getExecutionDataById: async () => ({ resultData: FAILED_ELSEWHERE }),
			getExecutionContext: () => ({ establishedAt: BEGAN, ...more }),
		});
		const openRows = 'source' in more ? open : async () => await Promise.reject(new NoRows());
		expect(codeOf(await retry.lineage().join(openRows))).toBe('notStored');
	});
});

// docs/outputs.md: notSent is certain
it.each<[string, string, object, boolean]>([
	['is the first one of an execution that has failed', '1', FAILED_HERE, true],
	['is the first one of an execution that was killed', '1', KILLED, false],
	[
		'retries one that failed before it reached the node, after a kill',
		'2',
		FAILED_ELSEWHERE,
		false,
	],
])('a Retry that %s knows of all that was sent: %j', async (_, parent, resultData, isComplete) => {
	const { execution, open } = scene();
	const first = execution('1');
	await first.lineage().begin(open);
	const retry = execution('3', parent, { getExecutionDataById: async () => ({ resultData }) });
	Object.assign(retry.context, structuredClone(first.context));
	const lineage = retry.lineage();
	await lineage.join(open);
	expect(await lineage.isComplete()).toBe(isComplete);
	const second = execution('4', '3', { getExecutionDataById: async () => ({ resultData }) });
	Object.assign(second.context, structuredClone(retry.context));
	const later = second.lineage();
	await later.join(open);
	expect(await later.isComplete()).toBe(false);
});

// docs/after-a-crash.md: a loop
it('a run of the node tells rows of earlier runs from its own, unless it repeats a run that has failed', async () => {
	const { execution, open } = scene();
	const first = execution('1');
	const inRound = (previousNodeRun: number) => ({
		getExecuteData: () => ({ source: { main: [null, { previousNode: 'Loop', previousNodeRun }] } }),
	});
	await first.lineage(inRound(0)).begin(open);
	Object.assign(first.context.ledger as object, { numbers: { a: [1] }, earlier: { a: [2] } });
	await first.lineage(inRound(0), true).begin(open);
	expect(first.context.ledger).toMatchObject({ numbers: { a: [1] }, earlier: { a: [2] } });
	await first.lineage(inRound(1)).begin(open);
	expect(first.context.ledger).toMatchObject({ numbers: {}, earlier: { a: [2, 1] } });
});

// docs/after-a-crash.md: in a sub-workflow
describe('a call by a workflow that is retried', () => {
	const RAN = { Start: [TRIGGER] };
	const nextNode = (type: string) => ({ nodeExecutionStack: [{ node: { type } }] });
	const CALLER = {
		executionData: {
			...nextNode('n8n-nodes-base.httpRequest'),
			runtimeData: { establishedAt: BEGAN - 5000 },
		},
		resultData: { runData: RAN },
	};
	const ofNext = (type: string) => ({
		...CALLER,
		executionData: { ...CALLER.executionData, ...nextNode(type) },
	});
	/** @param callers by ID: those that call each other, of which the last one is retried */
	const calledBy = (callers: Record<string, object>) => ({
		getMode: () => 'integrated',
		additionalData: { hooks: {}, rootExecutionMode: 'retry' },
		runExecutionData: { parentExecution: { executionId: Object.keys(callers)[0] } },
		getExecutionDataById: async (id: string) => callers[id],
	});

	it.each<[string, object | undefined, boolean]>([
		['failed at another node', CALLER, true],
		['failed at the node that calls', ofNext('@n8n/n8n-nodes-langchain.agent'), false],
		['begins anew', { ...CALLER, resultData: { runData: {} } }, false],
		['was deleted', undefined, false],
		['has not stored when it began', { ...CALLER, executionData: nextNode('a') }, false],
	])('whose execution %s (%j) may send: %j', async (_, caller, may) => {
		const { execution, open, entries } = scene();
		const call = execution('9', undefined, calledBy({ 5: caller as object }));
		const lineage = call.lineage();
		expect(await lineage.begin(open)).toBeUndefined();
		const joined = await lineage.join(open);
		expect([codeOf(joined), lineage.isUnsure]).toEqual(
			may ? [undefined, false] : ['calledBefore', true],
		);
		const called = `called:${NODE.id}:${BEGAN - 5000}`;
		expect(entries()).toEqual(may ? { [called]: 1, [BEGUN]: 1 } : {});
		// n8n offers Retry for it, too.
		const retry = execution('10', '9');
		Object.assign(retry.context, structuredClone(call.context));
		if (!may) expect(codeOf(await retry.lineage().join(open))).toBe('notStored');
	});

	it('goes by the execution that is retried, however many calls lie between', async () => {
		const { execution, open } = scene();
		const middle = {
			...ofNext('n8n-nodes-base.executeWorkflow'),
			parentExecution: { executionId: '5' },
		};
		const call = execution('9', undefined, calledBy({ 7: middle, 5: CALLER }));
		expect(codeOf(await call.lineage().join(open))).toBeUndefined();
	});

	it('is like any other if its caller is no Retry', async () => {
		const { execution, open } = scene();
		const called = calledBy({ 5: CALLER });
		Object.assign(called.additionalData, { rootExecutionMode: 'webhook' });
		expect(await execution('9', undefined, called).lineage().begin(open)).toBeInstanceOf(Ledger);
	});
});

// docs/good-to-know.md: Execute step
describe('a run by hand', () => {
	const BY_HAND = { getMode: () => 'manual' };
	const HOUR_MS = 60 * MINUTE_MS;

	it.each<[string, string | undefined, number, object, boolean]>([
		['failed', 'error', 0, {}, true],
		['has not ended', undefined, 59, {}, true],
		['ended well', 'success', 0, {}, false],
		['waits', 'waiting', 0, {}, false],
		['failed too long ago', 'error', 121, {}, false],
		['went to the Test Recipient', 'error', 0, { isTest: true }, false],
		['was in production', 'error', 0, { getMode: () => 'trigger' }, false],
		['was called', 'error', 0, { runExecutionData: { parentExecution: {} } }, false],
	])('after one that %s (%s) %d min ago goes on: %j %j', async (...row) => {
		const [, status, minutes, changes, goesOn] = row;
		const { execution, open, clock } = scene();
		const first = execution('1', undefined, { ...BY_HAND, ...changes });
		await first.lineage({}, false, 'isTest' in changes).begin(open);
		if (status) await first.ends(status);
		clock.pass(minutes * MINUTE_MS);
		const second = execution('2', undefined, {
			...BY_HAND,
			getExecutionContext: () => ({ establishedAt: clock.now() }),
		});
		for (let rounds = 0; rounds < 2; rounds++) {
			const lineage = second.lineage();
			expect(await lineage.begin(open)).toBeInstanceOf(Ledger);
			expect([lineage.isContinued, lineage.hasPast]).toEqual([goesOn, goesOn]);
		}
	});

	it('sends to all again after one that went on and ended well, in the next hour, too', async () => {
		const { execution, open, clock } = scene();
		const ends = ['error', 'error', 'success', 'error', 'success', 'success'];
		const goesOn = [];
		for (const [id, status] of ends.entries()) {
			const run = execution(String(id), undefined, BY_HAND);
			const lineage = run.lineage();
			await lineage.begin(open);
			goesOn.push(lineage.isContinued);
			await run.ends(status);
			clock.pass(HOUR_MS / 4);
		}
		expect(goesOn).toEqual([false, true, true, false, true, false]);
	});

	it('and a Retry of it, are of one lineage, also after a long run that ended well', async () => {
		const { execution, open, clock } = scene();
		const well = execution('0', undefined, BY_HAND);
		await well.lineage().begin(open);
		clock.pass(MINUTE_MS);
		await well.ends('success');
		const first = execution('1', undefined, BY_HAND);
		await first.lineage().begin(open);
		await first.ends('error');
		const retry = execution('2', '1');
		Object.assign(retry.context, structuredClone(first.context));
		expect(await retry.lineage().join(open)).toBeInstanceOf(Ledger);
		const again = execution('3', undefined, BY_HAND);
		const lineage = again.lineage();
		await lineage.begin(open);
		expect(again.context.ledger).toMatchObject({
			lineage: (retry.context.ledger as { lineage: string }).lineage,
		});
	});
});
