import type { IExecuteFunctions } from 'n8n-workflow';
import { type Failed, notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { Ledger, type Told } from '../../../nodes/BusinessMessaging/memory/ledger';
import { NoRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { Lineage } from '../../../nodes/BusinessMessaging/run/lineage';
import { EXECUTION, IN_LOOP, LATER_ROUND, NODE } from '../../support/sendNode.mts';
import { databaseScene } from '../../support/simulation/database.mts';

// What executions and their Retries send, wherever they are killed: interrupted.test.mts.

const MINUTE_MS = 60_000;
const BEGAN = Date.UTC(2026, 0, 31);
const [BEGUN, RETRIED] = ['begun', 'retried'].map((name) => `${name}:${NODE.id}:${BEGAN}`);

const ERROR = { message: 'No connection' };
const TRIGGER = { source: [], startTime: BEGAN + 29_999, executionStatus: 'success' };
/** @param more runs of other nodes @param error of the execution */
const failedRun = (node: string, more = {}, error = ERROR) => ({
	lastNodeExecuted: node,
	runData: { Trigger: [TRIGGER], [node]: [{ source: [{}], error: ERROR }], ...more },
	error,
});
const LATE = { ...TRIGGER, startTime: BEGAN + 30_000 };
/** As n8n notes them when it finds a run in its log. */
const SECONDS = { ...TRIGGER, startTime: BEGAN / 1000 };
const FAILED_HERE = failedRun(NODE.name);
const stored = (resultData: object) => ({ getExecutionDataById: async () => ({ resultData }) });

const ONE_ITEM = { getInputData: () => [{}] };

function scene() {
	const { clock, entries, connect } = databaseScene(() => 0, BEGAN);
	const { rows: open } = connect();
	let executions = 0;

	/** One execution. @param changes of what n8n tells @param parent if it is a Retry: what n8n has stored of it */
	function execution(changes: object = {}, parent?: { id: string; context: object }) {
		const id = String(++executions);
		const handlers: Array<(execution: { status: string }) => void> = [];
		const addHandler = (event: string, handler: (typeof handlers)[number]) => {
			if (event === 'workflowExecuteAfter') handlers.push(handler);
		};
		const context: Record<string, unknown> = structuredClone({ ...parent?.context });
		const n8n = {
			...EXECUTION,
			getMode: () => (parent ? 'retry' : 'trigger'),
			getExecutionId: () => id,
			getContext: () => context,
			getInputData: () => [{}, {}],
			getWorkflowDataProxy: () => ({}),
			additionalData: { hooks: { retryOf: parent?.id, addHandler } },
			getExecutionContext: () => ({ establishedAt: BEGAN }),
			...stored(FAILED_HERE),
			...changes,
		};
		/** The node runs, once more. */
		const lineage = (isTest = false) =>
			new Lineage(n8n as unknown as IExecuteFunctions, clock, { isRemembered: false, isTest });
		return {
			id,
			context,
			lineage,
			begin: async () => await lineage().begin(open),
			/** @returns why nothing may be sent */
			async join(openRows = open) {
				const { failure } = ((await lineage().join(openRows)) ?? {}) as Partial<Failed>;
				// All places in the sentences are filled.
				expect(`${failure?.message} ${failure?.remedy}`).not.toMatch(/[{}]/);
				return failure?.code;
			},
			async ends(status: string) {
				expect(handlers.length).toBeLessThan(2);
				for (const handler of handlers) handler({ status });
				await new Promise(setImmediate);
			},
		};
	}
	return { clock, entries, connect, open, execution };
}

const UNSTORED = { id: '1', context: {} };

// docs/after-a-crash.md: which runs have rows
it.each<[string, boolean, object]>([
	['has several items', true, {}],
	['has one item', false, ONE_ITEM],
	['has one item, in a loop', true, { ...ONE_ITEM, ...IN_LOOP }],
	['has run before in this execution', false, LATER_ROUND],
	['is in engine v2', false, { getExecutionId: () => '0f8fad5b-d9cb-469f-a165-70867728950e' }],
	['is in an n8n that tells no beginning', false, { getExecutionContext: () => undefined }],
	['is in an n8n that tells nothing of its execution', false, { additionalData: undefined }],
])('a run that %s has rows: %p', async (_, hasRows, changes) => {
	const { execution, entries } = scene();
	expect((await execution(changes).begin()) instanceof Ledger).toBe(hasRows);
	expect(entries()).toEqual(hasRows ? { [BEGUN]: 1 } : {});
});

it.each<[string, number, boolean, object]>([
	['success', 0, false, {}],
	// n8n may have taken it for dead, and have its Retry run.
	['success', 30_000, false, { [BEGUN]: 2 }],
	['success', 0, true, { [BEGUN]: 2, [RETRIED]: 1 }],
	['error', 0, false, { [BEGUN]: 1 }],
	['waiting', 0, false, { [BEGUN]: 1 }],
])('an execution that ends with %s after %d ms, retried: %j, leaves %j', async (...row) => {
	const [status, ageMs, isRetried, left] = row;
	const { execution, entries, clock } = scene();
	const first = execution();
	await first.begin();
	if (isRetried) await execution({}, UNSTORED).join();
	clock.pass(ageMs);
	await first.ends(status);
	expect(entries()).toEqual(left);
});

it('of two executions that began in the same millisecond, neither can be retried', async () => {
	const { execution } = scene();
	const twins = [execution(), execution()];
	await twins[0].begin();
	expect(await twins[1].begin()).toBeUndefined();
	for (const { id } of twins) {
		expect(await execution({}, { id, context: {} }).join()).toBe('retriedBefore');
	}
});

it('a Retry goes on in a loop, although the first execution has ended well meanwhile', async () => {
	const { execution } = scene();
	const first = execution();
	await first.begin();
	const retry = execution({}, UNSTORED);
	expect(await retry.join()).toBeUndefined();
	retry.lineage().forget();
	await first.ends('success');
	expect(await retry.join()).toBeUndefined();
});

// docs/after-a-crash.md: press Retry at any execution of the run
it('a Retry knows what its lineage was sending, and the next one waits for it', async () => {
	const { execution, open, clock } = scene();
	const { signal } = new AbortController();
	const message = {
		...{ itemIndex: 0, kind: 'a', content: 'b', apiKey: 'key' },
		sentBefore: { kind: 'sentBefore', json: {} } as const,
		interrupted: notStarted(),
	};
	const later = { getExecutionContext: () => ({ establishedAt: BEGAN + 1 }) };
	/** A Retry that sends for ever what it does not know. @returns how many messages it knows, and whether it waited */
	async function retryOf({ id }: { id: string }, changes = {}) {
		const lineage = execution(changes, { id, context: {} }).lineage();
		const ledger = (await lineage.join(open)) as Ledger;
		const beganAt = clock.ticks();
		const { size } = await clock.run(ledger.recall([message], new Map(), signal));
		const waited = clock.ticks() > beganAt;
		void ledger.withClaim(message, async () => await new Promise(() => undefined), signal);
		await new Promise(setImmediate);
		return [size, waited];
	}
	const [first, other] = [execution(), execution(later)];
	await first.begin();
	await other.begin();
	expect(await retryOf(first)).toEqual([0, false]);
	expect(await retryOf(other, later)).toEqual([0, false]);
	expect(await retryOf(first)).toEqual([1, true]);
});

it('where another version has begun, neither a Retry nor a run by hand sends', async () => {
	const { execution, open } = scene();
	const write = async (row: string) => await (await open()).create(row, 'ledger', 3);
	await write(BEGUN);
	expect(await execution({}, UNSTORED).join()).toBe('otherVersion');
	await write(`begun:${NODE.id}:hand.${BEGAN / 3_600_000}.1`);
	await expect(execution({ getMode: () => 'manual' }).begin()).rejects.toMatchObject({
		message: expect.stringContaining('another version of this package has saved it'),
	});
});

it('a Retry of which nothing is known stays refused, whatever follows', async () => {
	const { execution } = scene();
	const retry = execution({}, UNSTORED);
	expect([await retry.join(), await retry.join()]).toEqual(['notStored', 'notStored']);
	expect(retry.context.ledger).toMatchObject({ execution: '1', isLost: true });
});

it.each([
	['without rows', ONE_ITEM, []],
	['with rows', {}, ['ledger']],
])('an execution %s has in its context when the node has ended well: %j %j', async (...row) => {
	const [, changes, left] = row;
	const { execution, open } = scene();
	const first = execution(changes);
	const lineage = first.lineage();
	await lineage.begin(open);
	lineage.forget();
	expect(Object.keys(first.context)).toEqual(left);
});

it('when the database does not answer, nothing is sent, unless it is not known yet whether n8n gives rows', async () => {
	const { execution, connect, clock, open } = scene();
	const locked = async () => await Promise.reject(new Error('database is locked'));
	const first = execution().lineage();
	expect(await first.begin(locked)).toBeUndefined();
	const { rows } = connect({ fails: () => true });
	await expect(clock.run(first.begin(rows))).rejects.toMatchObject({
		code: 'memoryUnusable',
		message: expect.stringMatching(/sent messages.*no database/),
	});
	await first.begin(open);
	const retry = execution({}, UNSTORED);
	expect(await retry.lineage().join(locked)).toMatchObject({
		failure: { code: 'retryUnchecked', message: expect.stringContaining('database is locked') },
	});
	// Another one may follow.
	expect(await retry.join()).toBeUndefined();
});

describe('where the first execution has no rows', () => {
	const failedElsewhere = failedRun.bind(undefined, 'Sheet');
	const merge = { Merge: [{ ...LATE, source: [null, { previousNode: 'Trigger' }] }] };
	const UNFINISHED = { message: 'Workflow did not finish' };

	// docs/after-a-crash.md: when a Retry is refused
	it.each<[string, boolean, object | undefined]>([
		['failed at another node', true, failedElsewhere()],
		['failed behind a node whose first input got nothing', true, failedElsewhere(merge)],
		['failed at this node', false, FAILED_HERE],
		['was killed after another node failed and continued', false, failedElsewhere({}, UNFINISHED)],
		['began at the trigger once more, after a kill', false, failedElsewhere({ Trigger: [LATE] })],
		[
			'began at the trigger once more, soon after a kill of which n8n found the runs in its log',
			false,
			failedElsewhere({ Trigger: [SECONDS, TRIGGER] }),
		],
		['was stopped between two nodes', false, { ...failedElsewhere(), lastNodeExecuted: 'Trigger' }],
		['was deleted', false, undefined],
	])('a Retry of an execution that %s may send: %j', async (_, may, resultData) => {
		const { execution, entries } = scene();
		const getExecutionDataById = async () =>
			resultData ? { resultData } : await Promise.reject(new Error('gone'));
		const retry = execution({ getExecutionDataById }, UNSTORED);
		expect(await retry.join()).toBe(may ? undefined : 'notStored');
		expect(entries()).toEqual({ [RETRIED]: 1, ...(may ? { [BEGUN]: 1 } : {}) });
		expect(await retry.lineage().isComplete()).toBe(may);
	});

	it('all Retries of one that has failed may send, also after one that was killed', async () => {
		const { execution } = scene();
		const old = { ...ONE_ITEM, getExecutionContext: () => undefined };
		const first = execution(old);
		first.lineage();
		for (const changes of [old, { ...old, ...stored({ runData: {} }) }]) {
			expect(await execution(changes, first).join()).toBeUndefined();
		}
	});

	it('a Retry whose lineage n8n has not stored from its beginning is refused', async () => {
		const getExecutionContext = () => ({ establishedAt: BEGAN, source: 'retry' });
		const changes = { ...stored(failedElsewhere()), getExecutionContext };
		const { execution, entries } = scene();
		expect(await execution(changes, UNSTORED).join()).toBe('notStored');
		expect(entries()).toEqual({});
	});

	it('a Retry in an n8n that gives no rows is refused', async () => {
		const retry = scene().execution(stored(failedElsewhere()), UNSTORED);
		expect(await retry.join(async () => await Promise.reject(new NoRows()))).toBe('notStored');
	});
});

// docs/outputs.md: notSent is certain
it.each<[string, boolean, string, object]>([
	['is the first one of an execution that has failed', true, '1', FAILED_HERE],
	['is the first one of an execution that was killed', false, '1', { runData: {}, error: ERROR }],
	['retries one that failed before the node, after a kill', false, '2', failedRun('Sheet')],
])('a Retry that %s knows of all that was sent: %j', async (...row) => {
	const [, isComplete, id, resultData] = row;
	const { execution } = scene();
	const first = execution();
	await first.begin();
	const knows = [];
	for (let retries = 0; retries < 2; retries++) {
		const retry = execution(stored(resultData), { ...first, id });
		await retry.join();
		knows.push(await retry.lineage().isComplete());
	}
	expect(knows).toEqual([isComplete, false]);
});

// docs/after-a-crash.md: by another key of its account
it('all Retries of a lineage go by the keys of its first execution', async () => {
	const { execution } = scene();
	const first = execution();
	await first.begin();
	Object.assign(first.context.ledger as object, { salts: ['old key'] });
	let last = first;
	for (let retries = 0; retries < 2; retries++) {
		last = execution({}, last);
		await last.join();
		expect(last.context.ledger).toMatchObject({ inherited: ['old key'] });
		(last.context.ledger as Told).salts.push('new key');
	}
});

// docs/after-a-crash.md: in a sub-workflow
describe('a call by a workflow that is retried', () => {
	const runtimeData = { establishedAt: BEGAN - 5000 };
	/** @param type of the node that it runs next */
	const caller = (type: string, more = {}) => ({
		executionData: { nodeExecutionStack: [{ node: { type } }], runtimeData },
		resultData: { runData: { Start: [TRIGGER] } },
		...more,
	});
	const CALLER = caller('n8n-nodes-base.httpRequest');
	const NESTED = { parentExecution: { executionId: 'b' } };
	const UNSTORED_BEGINNING = { executionData: { nodeExecutionStack: [{ node: { type: 'a' } }] } };

	/** @param callers each called by the next, and found by its place */
	const calledBy = (callers: object[], rootExecutionMode = 'retry') => ({
		getMode: () => 'integrated',
		additionalData: { hooks: {}, rootExecutionMode },
		runExecutionData: { parentExecution: { executionId: 'a' } },
		getExecutionDataById: async (id: string) =>
			await Promise.resolve(callers[['a', 'b'].indexOf(id)]),
	});

	it('is unlike one by a workflow that is not', async () => {
		const call = scene().execution(calledBy([CALLER], 'webhook'));
		expect(await call.begin()).toBeInstanceOf(Ledger);
	});

	it('may be followed by another one, although that Retry has stored that it called', async () => {
		const { execution } = scene();
		for (const each of [CALLER, caller('n8n-nodes-base.executeWorkflow')]) {
			expect(await execution(calledBy([each])).join()).toBeUndefined();
		}
	});

	it.each<[string, boolean, object[]]>([
		['was called itself, by one that failed so', true, [caller('executeWorkflow', NESTED), CALLER]],
		['failed at the node that calls', false, [caller('@n8n/n8n-nodes-langchain.agent')]],
		[
			'runs nothing next',
			false,
			[caller('', { executionData: { nodeExecutionStack: [], runtimeData } })],
		],
		['was deleted', false, []],
		['has stored nothing', false, [{}]],
		['has not stored when it began', false, [caller('a', UNSTORED_BEGINNING)]],
	])('whose execution %s may send: %j', async (_, may, callers) => {
		const { execution, open, entries } = scene();
		const call = execution(calledBy(callers));
		const lineage = call.lineage();
		expect(await lineage.begin(open)).toBeUndefined();
		const joined = await lineage.join(open);
		expect([joined instanceof Ledger, lineage.isUnsure]).toEqual([may, !may]);
		const remedy = expect.stringContaining('start a new run for the rows that are left');
		if (!may) expect(joined).toMatchObject({ failure: { code: 'calledBefore', remedy } });
		const row = `called:${NODE.id}:${BEGAN - 5000}`;
		expect(entries()).toEqual(may ? { [row]: 1, [BEGUN]: 1 } : {});
		// n8n offers Retry for it, too.
		if (!may) expect(await execution({}, call).join()).toBe('notStored');
	});

	it.each([
		['the database does not answer', new Error('database is locked'), 'retryUnchecked'],
		['n8n gives no rows', new NoRows(), 'calledBefore'],
	])('sends nothing if %s', async (_, error, code) => {
		const call = scene().execution(calledBy([CALLER]));
		expect(await call.join(async () => await Promise.reject(error))).toBe(code);
	});
});

// docs/good-to-know.md: Execute step
describe('a run by hand', () => {
	const BY_HAND = { getMode: () => 'manual' };

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
		const first = execution({ ...BY_HAND, ...changes });
		await first.lineage('isTest' in changes).begin(open);
		if (status) await first.ends(status);
		clock.pass(minutes * MINUTE_MS);
		const getExecutionContext = () => ({ establishedAt: clock.now() });
		const second = execution({ ...BY_HAND, getExecutionContext });
		for (let rounds = 0; rounds < 2; rounds++) {
			const lineage = second.lineage();
			expect(await lineage.begin(open)).toBeInstanceOf(Ledger);
			expect([lineage.isContinued, lineage.hasPast]).toEqual([goesOn, goesOn]);
		}
	});

	it('sends to all again after one that went on and ended well, in the next hour, too', async () => {
		const { execution, open, clock } = scene();
		const goesOn = [];
		const [e, s] = ['error', 'success'];
		for (const status of [e, e, s, e, s, e, s, s]) {
			const run = execution(BY_HAND);
			const lineage = run.lineage();
			await lineage.begin(open);
			goesOn.push(lineage.isContinued);
			await run.ends(status);
			clock.pass(15 * MINUTE_MS);
		}
		expect(goesOn).toEqual([false, true, true, false, true, false, true, false]);
	});

	it('and a Retry of it, are of one lineage, also after a long run that ended well', async () => {
		const { execution, clock } = scene();
		const well = execution(BY_HAND);
		await well.begin();
		clock.pass(MINUTE_MS);
		await well.ends('success');
		const waiting = execution(BY_HAND);
		await waiting.begin();
		await waiting.ends('waiting');
		const first = execution(BY_HAND);
		await first.begin();
		const retry = execution({}, first);
		expect(await retry.join()).toBeUndefined();
		const again = execution(BY_HAND);
		await again.begin();
		const { lineage } = retry.context.ledger as { lineage: string };
		expect(again.context.ledger).toMatchObject({ lineage });
		expect(waiting.context.ledger).not.toMatchObject({ lineage });
	});
});
