import type { IExecuteFunctions } from 'n8n-workflow';
import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { Marks } from '../../../nodes/BusinessMessaging/memory/marks';
import { NoRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { failed } from '../../../nodes/BusinessMessaging/outcome';
import { RetryTurn } from '../../../nodes/BusinessMessaging/run/retryTurn';
import { rowTable } from '../../support/rowTable.mts';
import { LATER_ROUND, NODE } from '../../support/sendNode.mts';

const BEGAN = Date.UTC(2026, 0, 31);
/** Of the first lineage that began at that moment. */
const rowOf = (turn: number, line = 0) => `turn:${NODE.id}:${BEGAN}.${line}:${turn}`;

const STORED = { lineage: '1', execution: '1', round: 0 };
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

function scene() {
	const { rows, entries } = rowTable();

	/** One execution. @param retryOf if it is a Retry @param changes of what n8n tells */
	function execution(id: string, retryOf?: string, changes: object = {}) {
		const handlers: Array<(execution: { status: string }) => void> = [];
		const addHandler = (event: string, handler: (typeof handlers)[number]) => {
			if (event === 'workflowExecuteAfter') handlers.push(handler);
		};
		const context: Record<string, unknown> = {};
		const flow: Record<string, unknown> = {};
		const n8n = {
			getMode: () => (retryOf === undefined ? 'trigger' : 'retry'),
			getNode: () => NODE,
			getWorkflow: () => ({ id: 'w' }),
			getExecutionId: () => id,
			getContext: (of: 'node' | 'flow') => ({ node: context, flow })[of],
			getInputData: () => [{}, {}],
			getExecuteData: () => ({ source: { main: [] } }),
			additionalData: { hooks: { retryOf, addHandler } },
			getExecutionContext: () => ({ establishedAt: BEGAN }),
			getExecutionDataById: async () => ({ resultData: FAILED_HERE }),
			...changes,
		} as unknown as IExecuteFunctions;
		return {
			context,
			/** The node runs, once more. */
			turn: (more: object = {}) => new RetryTurn({ ...n8n, ...more } as IExecuteFunctions),
			async ends(status: string) {
				for (const handler of handlers) handler({ status });
				await new Promise(setImmediate);
			},
		};
	}
	return { rows, entries, open: async () => rows, execution };
}

/** Why nothing may be sent. */
const codeOf = (taken: object | undefined) =>
	(taken as { failure?: { code: string } } | undefined)?.failure?.code;

const ONE_ITEM = { getInputData: () => [{}] };

// docs/after-a-crash.md: what a run of several items leaves
it.each<[string, object]>([
	['has one item', ONE_ITEM],
	['is in a later round of a loop', LATER_ROUND],
	['is in engine v2', { getExecutionId: () => '0f8fad5b-d9cb-469f-a165-70867728950e' }],
	['is in an n8n that does not tell when it began', { getExecutionContext: () => undefined }],
	['is in an n8n older than that', { getExecutionContext: undefined }],
	['is in an n8n without hooks', { additionalData: {} }],
	['is in an n8n that tells nothing of its execution', { additionalData: undefined }],
])('a run that %s takes no turn', async (_, changes) => {
	const { execution, open, entries } = scene();
	expect(await execution('1', undefined, changes).turn().begin(open)).toBeUndefined();
	expect(entries()).toEqual({});
});

it('later runs of the node in an execution keep its turn, however many items they have', async () => {
	const { execution, open, entries } = scene();
	const first = execution('1');
	for (const changes of [{}, ONE_ITEM, LATER_ROUND]) {
		expect(await first.turn(changes).begin(open)).toBeInstanceOf(Marks);
	}
	expect(entries()).toEqual({ [rowOf(1)]: 1 });
	// It began in the same millisecond.
	expect(await execution('2').turn().begin(open)).toBeInstanceOf(Marks);
	expect(entries()).toEqual({ [rowOf(1)]: 1, [rowOf(1, 1)]: 1 });
});

it('a Retry finds the turn of its execution after another one of that millisecond has ended well', async () => {
	const { execution, open } = scene();
	const other = execution('1');
	await other.turn().begin(open);
	await execution('2').turn().begin(open);
	await other.ends('success');
	expect(await execution('3', '2').turn().take(open)).toBeInstanceOf(Marks);
});

it.each([
	['success', {}],
	['error', { [rowOf(1)]: 1 }],
	['waiting', { [rowOf(1)]: 1, [rowOf(2)]: 2 }],
])('an execution that ends with %s leaves %j', async (status, left) => {
	const { execution, open, entries } = scene();
	const first = execution('1');
	await first.turn().begin(open);
	await first.ends(status);
	expect(entries()).toEqual(left);
});

it('a Retry takes the next turn of its execution, and another Retry of that is refused, also when the first has ended well', async () => {
	const { execution, open, entries } = scene();
	await execution('1').turn().begin(open);
	const retry = execution('2', '1');
	// Retry On Fail and loops run the node again.
	for (let runs = 0; runs < 2; runs++) {
		const turn = retry.turn();
		expect(await turn.begin(open)).toBeUndefined();
		expect(await turn.take(open)).toBeInstanceOf(Marks);
	}
	const refused = { failure: expect.objectContaining({ code: 'retriedBefore' }) };
	expect(await execution('3', '1').turn().take(open)).toEqual(refused);
	await retry.ends('success');
	expect(entries()).toEqual({ [rowOf(1)]: 1, [rowOf(2)]: 1, [rowOf(3)]: 2 });
	expect(await execution('4', '1').turn().take(open)).toEqual(refused);
});

it('a Retry whose own Retry has taken its turn sends no more; one that has waited marks no more', async () => {
	const { execution, open } = scene();
	await execution('1').turn().begin(open);
	const [second, third] = [execution('2', '1'), execution('3', '2')];
	await second.turn().take(open);
	expect(await third.turn().take(open)).toBeInstanceOf(Marks);
	expect(await second.turn().take(open)).toMatchObject({ failure: { code: 'retriedBefore' } });
	await third.ends('waiting');
	expect(await third.turn().take(open)).toBeUndefined();
});

it('what is no Retry takes no turn after its beginning, and needs no rows for that', async () => {
	const open = jest.fn();
	expect(await scene().execution('1').turn().take(open)).toBeUndefined();
	expect(open).not.toHaveBeenCalled();
});

it('a Retry of which nothing is known stays refused, whatever follows', async () => {
	const { execution, open } = scene();
	const retry = execution('2', '1');
	expect(await retry.turn().take(open)).toMatchObject({ failure: { code: 'notStored' } });
	const again = jest.fn();
	expect(await retry.turn().take(again)).toMatchObject({ failure: { code: 'notStored' } });
	expect(again).not.toHaveBeenCalled();
});

describe('when the database does not answer', () => {
	const refuse = async () => await Promise.reject(new Error('database is locked'));

	it('before a run knows whether n8n gives rows, it sends without marks', async () => {
		expect(await scene().execution('1').turn().begin(refuse)).toBeUndefined();
	});

	it('at the first turn, nothing is sent', async () => {
		const { execution, rows } = scene();
		const begun = execution('1')
			.turn()
			.begin(async () => ({ ...rows, create: refuse }));
		await expect(begun).rejects.toMatchObject({
			code: 'memoryUnusable',
			message: expect.stringMatching(/sent messages.*database is locked/),
		});
	});

	it('at a Retry, nothing is sent, and another Retry may follow', async () => {
		const { execution, open } = scene();
		await execution('1').turn().begin(open);
		const retry = execution('2', '1');
		const failure = expect.objectContaining({
			code: 'retryUnchecked',
			message: expect.stringContaining('database is locked'),
		});
		expect(await retry.turn().take(refuse)).toEqual({ failure });
		expect(await retry.turn().take(open)).toBeInstanceOf(Marks);
	});
});

it('an execution that has ended well leaves nothing in its context; a Retry keeps its turn for the rest of a loop', () => {
	const { execution } = scene();
	const first = execution('1');
	const turn = first.turn();
	expect(first.context).toEqual({ turn: STORED });
	turn.forget();
	expect(first.context).toEqual({});
	const retry = execution('2', '1');
	retry.context.turn = STORED;
	retry.turn().forget();
	expect(retry.context).toEqual({ turn: STORED });
});

it('what a run has marked is of its own lineage in its context, and so is what a Retry has', async () => {
	const { execution, open } = scene();
	const [first, retry] = [execution('1'), execution('2', '1')];
	await first.turn().begin(open);
	await retry.turn().take(open);
	expect([first.context, retry.context]).toEqual(
		['1', '2'].map((id) => ({ turn: { lineage: id, execution: id, round: 0 } })),
	);
});

it('a Retry whose execution ends well at that moment is refused, and gives its turn back', async () => {
	const { execution, open, rows, entries } = scene();
	await execution('1').turn().begin(open);
	const create = rows.create;
	jest.spyOn(rows, 'create').mockImplementation(async (...given) => {
		await rows.remove(rowOf(1));
		return await create(...given);
	});
	const refused = await execution('2', '1').turn().take(open);
	expect(refused).toMatchObject({ failure: { code: 'retriedBefore' } });
	expect(entries()).toEqual({ [rowOf(2)]: 3 });
});

it('of two Retries at the same moment, the slower one leaves the turn of the other as it is', async () => {
	const { execution, open, rows, entries } = scene();
	await execution('1').turn().begin(open);
	const create = rows.create;
	jest.spyOn(rows, 'create').mockImplementation(async (name, owner) => {
		await create(name, 'faster');
		return await create(name, owner);
	});
	const refused = await execution('2', '1').turn().take(open);
	expect(refused).toMatchObject({ failure: { code: 'retriedBefore' } });
	expect(entries()).toEqual({ [rowOf(1)]: 1, [rowOf(2)]: 1 });
});

// docs/after-a-crash.md: killed after a loop with a Wait node had continued
it('a Retry of what has waited may send if a node has failed since, but not after a kill', async () => {
	const { execution, open, entries } = scene();
	const first = execution('1');
	await first.turn().begin(open);
	await first.ends('waiting');
	const killed = { getExecutionDataById: async () => ({ resultData: KILLED }) };
	const refused = await execution('2', '1', killed).turn().take(open);
	expect(refused).toMatchObject({ failure: { code: 'notStored' } });
	expect(await execution('3', '1').turn().take(open)).toBeInstanceOf(Marks);
	expect(entries()).toEqual({ [rowOf(1)]: 1, [rowOf(2)]: 2, [rowOf(3)]: 1 });
});

it('a Retry that has waited knows which execution it repeats', async () => {
	const { execution, open } = scene();
	const failed = { getExecutionDataById: async () => ({ resultData: FAILED_ELSEWHERE }) };
	const retry = execution('2', '1', failed);
	retry.turn();
	const later = retry.turn({ additionalData: { hooks: {} } });
	expect(await later.take(open)).toBeInstanceOf(Marks);
});

/** Its row stays, with its number. */
const GIVEN_BACK = {
	marks: { [rowOf(1)]: 1, [rowOf(2)]: 3 },
	none: { [`turn:${NODE.id}:1:1`]: 3 },
};

it.each([
	['is retried again', 'marks', '1'],
	['has such a Retry, which is retried', 'marks', '2'],
	['has such a Retry, which is retried, in an n8n without marks', 'none', '2'],
] as const)(
	'a Retry that is refused gives its turn back, so that another one may send: its execution %s',
	async (_, has, parent) => {
		const { execution, open, entries } = scene();
		const stored = has === 'none' ? STORED : undefined;
		if (!stored) await execution('1').turn().begin(open);
		const retry = (id: string, of: string) => {
			const one = execution(id, of);
			if (stored) one.context.turn = stored;
			return one;
		};
		const refused = retry('2', '1');
		const turn = refused.turn();
		expect(codeOf(await turn.take(open))).toBeUndefined();
		expect(entries()).not.toEqual(GIVEN_BACK[has]);
		await turn.giveBack();
		expect(refused.context.turn).toEqual(stored);
		// It goes on with error items.
		await refused.ends('success');
		expect(entries()).toEqual(GIVEN_BACK[has]);
		expect(codeOf(await retry('3', parent).turn().take(open))).toBeUndefined();
		for (const other of ['1', '2']) {
			expect(codeOf(await retry('4', other).turn().take(open))).toBe('retriedBefore');
		}
	},
);

it('Retry On Fail takes a turn of its own after one that was given back', async () => {
	const { execution, open, entries } = scene();
	await execution('1').turn().begin(open);
	const retry = execution('2', '1');
	const first = retry.turn();
	await first.take(open);
	await first.giveBack();
	expect(await retry.turn().take(open)).toBeInstanceOf(Marks);
	expect(entries()).toEqual({ ...GIVEN_BACK.marks, [rowOf(3)]: 1 });
});

it.each([1, 2, 3])(
	'a turn that is given back before the look number %d of another Retry keeps nobody from sending',
	async (number) => {
		const { execution, open, rows } = scene();
		await execution('1').turn().begin(open);
		const refused = execution('2', '1').turn();
		await refused.take(open);
		const { hasMode } = rows;
		let looks = 0;
		jest.spyOn(rows, 'hasMode').mockImplementation(async (...given) => {
			if (++looks === number) await refused.giveBack();
			return await hasMode(...given);
		});
		const codes = [];
		for (const id of ['3', '4']) codes.push(codeOf(await execution(id, '1').turn().take(open)));
		expect(looks).toBeGreaterThanOrEqual(number);
		expect(codes.filter((code) => code === undefined)).toHaveLength(1);
	},
);

it('a run is sure of what was sent if it is no Retry, or has its turn', async () => {
	const { execution, open } = scene();
	const [first, ...retries] = [execution('1'), execution('2', '1'), execution('3', '1')].map(
		(each) => each.turn(),
	);
	await first.begin(open);
	expect([first, ...retries].map(({ isUnsure }) => isUnsure)).toEqual([false, true, true]);
	for (const retry of retries) await retry.take(open);
	expect(retries.map(({ isUnsure }) => isUnsure)).toEqual([false, true]);
});

describe('where n8n does not tell when a lineage began', () => {
	const OLD = { getExecutionContext: undefined };
	const retryOf = (n8n: ReturnType<typeof scene>, id: string, parent: string) => {
		const retry = n8n.execution(id, parent, OLD);
		retry.context.turn = STORED;
		return retry;
	};

	it('one Retry of an execution may send, each time that it runs the node', async () => {
		const n8n = scene();
		const [retry, other] = [retryOf(n8n, '2', '1'), retryOf(n8n, '3', '1')];
		for (let runs = 0; runs < 2; runs++) {
			expect(await retry.turn().take(n8n.open)).toBeUndefined();
		}
		expect(await other.turn().take(n8n.open)).toEqual({
			failure: expect.objectContaining({
				code: 'retriedBefore',
				remedy: expect.stringContaining('start a new run for the rows that are left'),
			}),
		});
		expect(other.context.turn).toEqual(STORED);
		expect(n8n.entries()).toEqual({ [`turn:${NODE.id}:1:1`]: 1 });
	});

	it('a Retry of one that was killed is refused: what it has sent is not known', async () => {
		const n8n = scene();
		await retryOf(n8n, '2', '1').turn().take(n8n.open);
		const retry = retryOf(n8n, '3', '2');
		expect(await retry.turn().take(n8n.open)).toMatchObject({ failure: { code: 'notStored' } });
		expect(retry.context.turn).toEqual({ ...STORED, execution: '3', isLost: true });
	});

	it('so is one of a Retry that was killed after it had waited, although n8n has stored its wait', async () => {
		const n8n = scene();
		await retryOf(n8n, '2', '1').turn().take(n8n.open);
		const getExecutionDataById = async () => ({ resultData: KILLED });
		const retry = n8n.execution('3', '2', { ...OLD, getExecutionDataById });
		retry.context.turn = { ...STORED, execution: '2' };
		expect(codeOf(await retry.turn().take(n8n.open))).toBe('notStored');
	});
});

it('a Retry goes by its own execution, whatever began in the same millisecond', async () => {
	const { execution, open } = scene();
	await execution('9').turn().begin(open);
	const retry = execution('2', '1');
	retry.context.turn = STORED;
	expect(await retry.turn().take(open)).toBeUndefined();
	const untold = execution('3', '', {
		additionalData: { hooks: {} },
		getExecutionDataById: async () => ({ resultData: FAILED_ELSEWHERE }),
	});
	expect(codeOf(await untold.turn().take(open))).toBe('notStored');
});

it('a Retry in an n8n without hooks has the marks of its execution', async () => {
	const { execution, open } = scene();
	await execution('1').turn().begin(open);
	const retry = execution('2', '1', { additionalData: undefined });
	retry.context.turn = STORED;
	expect(await retry.turn().take(open)).toBeInstanceOf(Marks);
});

// docs/after-a-crash.md: loops
it.each<[string, string, number, boolean]>([
	['repeats the node with the same items', '1', 0, false],
	['has read its items anew, because its execution failed before the node', '2', 0, true],
	['repeats the node in another round', '1', 1, true],
])('a Retry that %s knows whether it has other items', async (_, parent, round, isOther) => {
	const { execution, open } = scene();
	const item = (kind: string) => {
		const outcome = { kind: 'sent', json: {} } as const;
		return {
			itemIndex: 0,
			message: { kind, content: '', sentBefore: outcome, interrupted: failed(notStarted()) },
		};
	};
	await (await execution('1').turn().begin(open))?.recall([item('one')]);
	const retry = execution('3', parent);
	retry.context.turn = { ...STORED, round };
	const marks = await retry.turn().take(open);
	if (!(marks instanceof Marks)) throw new Error('It is refused');
	await marks.recall([item('another')]);
	expect(marks.hadOtherItems).toBe(isOther);
});

it('a Retry whose context has what was sent needs no marks, wherever its execution failed', async () => {
	const { execution, open, entries } = scene();
	const getExecutionDataById = async () => ({ resultData: FAILED_ELSEWHERE });
	const retry = execution('2', '1', { getExecutionDataById });
	retry.context.turn = STORED;
	expect(await retry.turn().take(open)).toBeUndefined();
	expect(entries()).toEqual({ [`turn:${NODE.id}:1:1`]: 1 });
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
	['has stored no end', { ...FAILED_ELSEWHERE, error: undefined }, false],
	[
		'began at the trigger once more, after a kill',
		{ ...FAILED_ELSEWHERE, runData: { ...FAILED_ELSEWHERE.runData, Trigger: [LATE] } },
		false,
	],
	[
		'began at the trigger once more, soon after a kill of which n8n found the runs in its log',
		{ ...FAILED_ELSEWHERE, runData: { ...FAILED_ELSEWHERE.runData, Trigger: [SECONDS, TRIGGER] } },
		false,
	],
	['failed before a node ran', { runData: {}, error: ERROR }, false],
	[
		'was killed in its node, of which n8n keeps no run since it began to repeat it',
		{ ...KILLED, runData: { Trigger: [TRIGGER], [NODE.name]: [] } },
		false,
	],
	[
		'was stopped after its last node had succeeded',
		{ ...KILLED, lastNodeExecuted: 'Trigger', runData: { Trigger: [TRIGGER] } },
		false,
	],
	['has no data', undefined, false],
	['was deleted', new Error('gone'), false],
])('a Retry of an execution without a turn that %s (%j) may send: %j', async (...row) => {
	const [, resultData, may] = row;
	const { execution, open, entries } = scene();
	const retry = execution('2', '1', {
		async getExecutionDataById() {
			if (resultData instanceof Error) throw resultData;
			return resultData && { resultData };
		},
	});
	const taken = await retry.turn().take(open);
	if (may) expect(taken).toBeInstanceOf(Marks);
	else expect(taken).toMatchObject({ failure: { code: 'notStored' } });
	expect(entries()).toEqual(may ? { [rowOf(1)]: 1 } : {});
	const lost = { lineage: '2', execution: '2', round: 0, isLost: true };
	if (!may) expect(retry.context.turn).toEqual(lost);
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
	expect(codeOf(await retry.turn().take(openRows))).toBe('notStored');
});
