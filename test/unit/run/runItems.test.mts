import fc from 'fast-check';
import type { IContextObject, IExecuteFunctions } from 'n8n-workflow';

import type { Job, RunContext } from '../../../nodes/BusinessMessaging/actions/job';
import type { Operation } from '../../../nodes/BusinessMessaging/actions/operation';
import {
	causeNamed,
	FAILURES,
	type FailureCode,
} from '../../../nodes/BusinessMessaging/errors/catalogue';
import { connectionFailure } from '../../../nodes/BusinessMessaging/errors/connectionErrors';
import {
	type Failure,
	failureOf,
	notStarted,
	failed,
} from '../../../nodes/BusinessMessaging/errors/failure';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import { type LookUp, type Outcome, type Result } from '../../../nodes/BusinessMessaging/outcome';
import { runItems } from '../../../nodes/BusinessMessaging/run/runItems';
import { RateLimiter } from '../../../nodes/BusinessMessaging/transport/rateLimiter';
import { OUTCOMES } from '../../support/outcomes.mts';
import { sample } from '../../support/sample.mts';
import { IN_LOOP, LATER_ROUND, NODE } from '../../support/sendNode.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const SENT = OUTCOMES.sent;
const REFUSED = failed(connectionFailure('connectionRefused', 'notSent'));
const UNKNOWN = failed(connectionFailure('timeout', 'unknown'));
const NOT_STARTED: Result = notStarted();
const SKIPPED: Result = { kind: 'skipped', reason: 'optedOut', json: { skipped: 'optedOut' } };
const WRONG = new InputError('The recipient is empty', 'Enter a number.');
const FOUND: LookUp = { kind: 'found', json: {}, seen: { status: 'read' } };
const TRIED: Result = { kind: 'shown', json: {}, estimate: 0.115 };
const BEFORE: Result = { kind: 'sentBefore', json: { sentBefore: true } };
const ALL_SENT: Outcome[] = [SENT, SENT, SENT];

const addExecutionHints = jest.fn();
const customData = { set: jest.fn() };
const logger = { warn: jest.fn(), info: jest.fn() };
const sendMessageToUI = jest.fn<void, [string]>();
let canceled: AbortController;
let memory: IContextObject;

beforeEach(() => {
	jest.clearAllMocks();
	canceled = new AbortController();
	memory = {};
});

async function runOutputs(
	operation: Operation,
	changes: object = {},
	clock = createVirtualClock(),
) {
	const context = {
		getInputData: () => [{ json: {} }, { json: {} }, { json: {} }],
		getNodeParameter: (name: string, _: number, fallback: unknown) =>
			name === 'expertOptions.concurrency' ? 1 : fallback,
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', apiKey: 'key' }),
		getNode: () => NODE,
		getExecutionCancelSignal: () => canceled.signal,
		getContext: () => memory,
		getWorkflow: () => ({ id: 'w1' }),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		continueOnFail: () => false,
		getExecutionId: () => '17',
		getExecuteData: () => ({}),
		getMode: () => 'trigger',
		getParentNodes: () => [{ name: 'Loop' }],
		getChildNodes: () => [{ name: 'Sheet' }],
		getTimezone: () => 'Asia/Kolkata',
		addExecutionHints,
		customData,
		logger,
		sendMessageToUI,
		...changes,
	};
	const given = context as unknown as IExecuteFunctions;
	return await runItems(given, operation, clock);
}

/** The items of an operation that has one output. */
async function runAll(...parameters: Parameters<typeof runOutputs>) {
	const outputs = await runOutputs(...parameters);
	expect(outputs).toHaveLength(1);
	return outputs[0];
}

/** With "continue on error". */
const GOING_ON = { continueOnFail: () => true };

/** Ten at a time. */
const IN_PARALLEL = { getNodeParameter: (_: string, __: number, fallback: unknown) => fallback };

const itemsOf = (items: unknown[]) => ({ getInputData: () => items });

/** The output that n8n gets. */
const outputOf = (results: Result[]) =>
	results.map((result, item) => ({
		json: result.kind === 'failed' ? { error: result.failure } : result.json,
		pairedItem: { item },
	}));

type Perform = (itemIndex: number, ...given: Parameters<Job['perform']>) => Promise<Result>;

/** An operation with these results, one per item; the reading of the wrong ones fails. */
function operationOf(results: Result[], wrong: Record<number, InputError> = {}) {
	return {
		/** What is known of its jobs. */
		job: (() => ({})) as (itemIndex: number) => Partial<Job>,
		perform: jest.fn<Promise<Result>, Parameters<Perform>>(
			async (itemIndex) => results[itemIndex],
		) as jest.MockInstance<Promise<Result>, Parameters<Perform>> & Perform,
		read(_: unknown, itemIndex: number): Job {
			if (itemIndex in wrong) throw wrong[itemIndex];
			const perform: Job['perform'] = async (...given) => await this.perform(itemIndex, ...given);
			return { itemIndex, price: () => 0, perform, ...this.job(itemIndex) };
		},
		sends: true,
		fields: [],
	};
}

interface Thrown {
	message: string;
	description: string;
	context: { data?: { messageIds?: object } };
}

async function thrownBy(operation: Operation, changes: object = {}): Promise<Thrown> {
	const results = await runAll(operation, changes).catch((error: Thrown) => error);
	if (Array.isArray(results)) throw new Error('Nothing was thrown');
	return results;
}

describe('a run', () => {
	it.each<[string, Result[], object, number]>([
		['says what was sent', ALL_SENT, {}, 1],
		['says nothing in an n8n that has no hints', ALL_SENT, { addExecutionHints: undefined }, 0],
		['says nothing when there is no item', [], itemsOf([]), 0],
	])('gives one result per item and %s', async (_, results, changes, hints) => {
		expect(await runAll(operationOf(results), changes)).toEqual(outputOf(results));
		expect(addExecutionHints).toHaveBeenCalledTimes(hints);
		expect(logger.warn).not.toHaveBeenCalled();
	});

	it.each([
		['that has ended', {}, 2],
		['that has wrong items', { 1: WRONG }, 1],
	])('%s no longer listens for its being canceled', async (_, wrong, count) => {
		const added = jest.spyOn(canceled.signal, 'addEventListener');
		const removed = jest.spyOn(canceled.signal, 'removeEventListener');
		await runAll(operationOf(ALL_SENT, wrong)).catch(() => undefined);
		expect(added).toHaveBeenCalledTimes(count);
		const [heard, unheard] = [added, removed].map(({ mock }) => mock.calls.map((call) => call[1]));
		expect(new Set(unheard)).toEqual(new Set(heard));
		for (const [event, listener] of added.mock.calls) {
			expect(removed).toHaveBeenCalledWith(event, listener);
		}
	});

	// docs/good-to-know.md: a run that is stopped
	it('that is canceled leaves in the execution what was sent by then, and in the log what was sent in all', async () => {
		const operation = operationOf(ALL_SENT);
		operation.perform.mockImplementationOnce(async (_, __, onWaiting) => {
			onWaiting(SENT);
			await new Promise((resolve) => canceled.signal.addEventListener('abort', resolve));
			return SENT;
		});
		operation.perform.mockImplementationOnce(async (itemIndex, { inFlight }) => {
			inFlight.add(itemIndex);
			canceled.abort();
			return SENT;
		});
		expect(await runAll(operation, GOING_ON)).toEqual(outputOf([SENT, SENT, NOT_STARTED]));
		expect(customData.set.mock.calls).toEqual([
			['messages_when_stopped', '1 of 3 messages were sent: item 0. In flight: item 1.'],
		]);
		expect(logger.warn.mock.calls).toEqual([
			['Execution 17 was stopped in "Send". 2 of 3 messages were sent: items 0-1.'],
		]);
	});

	it('that is canceled stores the first items only, and logs all', async () => {
		const results = Array.from({ length: 10_060 }, (_, item) =>
			item < 10_000 ? SKIPPED : [SENT, SKIPPED, UNKNOWN, SKIPPED][item % 4],
		);
		const operation = operationOf(results);
		operation.perform.mockImplementation(async (itemIndex) => {
			if (itemIndex === results.length - 1) canceled.abort();
			return results[itemIndex];
		});
		await runAll(operation, { ...GOING_ON, ...itemsOf(results) });
		const [[, stored]] = customData.set.mock.calls as string[][];
		expect(stored.length).toBeLessThanOrEqual(512);
		expect(stored).toMatch(
			/^15 of 10,060 messages were sent: items (100\d\d, ){7}10028 and 7 more\. May have been sent: items (100\d\d, ){7}10030 and 7 more\.$/,
		);
		expect(logger.warn.mock.calls[0][0]).toContain(' 10058.');
	});

	it('remembers what went to a test recipient apart from what went to customers', async () => {
		const operation = operationOf(ALL_SENT);
		operation.perform.mockImplementation(async (itemIndex, { retryMemory }) => {
			retryMemory.remember(itemIndex, SENT);
			return itemIndex === 2 ? REFUSED : SENT;
		});
		const getNodeParameter = (name: string, _: number, fallback: unknown) =>
			name === 'options.testRecipient' ? '+14155552671' : fallback;
		const getExecutionContext = () => undefined;
		await thrownBy(operation, { getNodeParameter, getMode: () => 'manual', getExecutionContext });
		expect(Object.keys(memory)).toEqual(['ledger', 'testedItems', 'testMessages']);
	});

	it('goes on where n8n tells nothing of a cancellation', async () => {
		const untold = { getExecutionCancelSignal: () => undefined };
		expect(await runAll(operationOf(ALL_SENT), untold)).toEqual(outputOf(ALL_SENT));
	});
});

const START = Date.UTC(2026, 0, 31, 12);
const DAY_MS = 86_400_000;

// docs/good-to-know.md: how far a run has come
describe('each minute', () => {
	/** One item after the other; what is skipped takes no time. */
	async function runFor(results: Result[], takesMs: number, changes: object) {
		const clock = createVirtualClock(START - DAY_MS);
		clock.pass(DAY_MS);
		const operation = {
			...operationOf(results),
			async perform(itemIndex: number) {
				const result = results[itemIndex];
				if (result.kind !== 'skipped') await clock.sleep(takesMs);
				return result;
			},
			...changes,
		};
		await clock.run(runAll(operation, { ...GOING_ON, ...itemsOf(results) }, clock));
		// Nothing is told after the end.
		await clock.run(clock.sleep(120_000));
		return sendMessageToUI.mock.calls.map(([text]) => text);
	}

	it('a run tells what was sent, what is left and until when, in the log and in the browser', async () => {
		const results = Array<Result>(1250).fill(SENT);
		results[1] = REFUSED;
		results.fill(SKIPPED, 2, 1102);
		const told = [
			'90 of 1,250 left. About 90 s to go, until Sat 31 Jan 2026, 17:33 Asia/Kolkata. 59 of 1,250 messages were sent: items 0, 1102-1159.',
			'29 of 1,250 left. About 29 s to go, until Sat 31 Jan 2026, 17:33 Asia/Kolkata. 120 of 1,250 messages were sent: items 0, 1102-1220.',
		];
		expect(await runFor(results, 990, {})).toEqual(told);
		expect(logger.info.mock.calls).toEqual(told.map((text) => [`Execution 17, "Send": ${text}`]));
	});

	it('a run that goes on behind wrong items counts the others', async () => {
		const { read } = operationOf([], { 0: WRONG });
		expect(await runFor([SENT, SENT, SENT], 70_000, { read })).toEqual([
			'2 of 2 left. 0 of 3 messages were sent.',
			expect.stringMatching(/^1 of 2 left\. About .* 1 of 3 messages were sent: item 1\.$/),
		]);
	});

	it('a run of look-ups tells how many are left', async () => {
		expect(await runFor([FOUND, FOUND], 50_000, { sends: false })).toEqual([
			'1 of 2 left. About 60 s to go, until Sat 31 Jan 2026, 17:32 Asia/Kolkata.',
		]);
	});

	it('nothing is told of a run that was stopped', async () => {
		const perform = async () => {
			canceled.abort();
			return SENT;
		};
		expect(await runFor([SENT, SENT], 0, { perform })).toEqual([]);
	});

	it('nothing is told of a single item', async () => {
		expect(await runFor([SENT], 130_000, {})).toEqual([]);
	});

	it('nothing is told while messages that were sent are waited for', async () => {
		const clock = createVirtualClock();
		const operation = operationOf([]);
		operation.perform.mockImplementation(async (_, __, onWaiting) => {
			onWaiting(SENT);
			await clock.sleep(300_000);
			return SENT;
		});
		await clock.run(runAll(operation, GOING_ON, clock));
		expect(sendMessageToUI).not.toHaveBeenCalled();
	});

	it('what an earlier attempt sent is not left, nor counts for how long the rest takes', async () => {
		memory.sentMessages = { runIndex: 0, items: { 0: { message: SENT.json } } };
		const perform: Perform = async (itemIndex, { clock, retryMemory }) => {
			const before = retryMemory.outcomes.get(itemIndex);
			if (!before) await clock.sleep(50_000);
			return before ?? SENT;
		};
		expect(await runFor([SENT, SENT, SENT], 0, { perform })).toEqual([
			'1 of 2 left. About 60 s to go, until Sat 31 Jan 2026, 17:32 Asia/Kolkata. 2 of 3 messages were sent: items 0-1.',
		]);
	});
});

// docs/sending.md: items with one number go out in their order, never in parallel
describe('items of one number', () => {
	const items = fc.array(
		fc.record({
			number: fc.integer({ min: 0, max: 3 }).map(String),
			takesMs: fc.integer({ min: 1, max: 100 }),
			result: fc.constantFrom<Result>(SENT, REFUSED),
		}),
		{ maxLength: 15 },
	);

	it('go out one after the other, even after a failure, and keep no other item waiting', async () => {
		await fc.assert(
			fc.asyncProperty(items, fc.integer({ min: 1, max: 4 }), async (all, concurrency) => {
				const clock = createVirtualClock();
				const inFlight = new Set<number>();
				const notStarted = new Set(all.keys());
				const numberOf = (item: number) => all[item].number;
				const operation = {
					...operationOf([]),
					job: (item: number) => ({ recipient: { to: numberOf(item), customer: '' } }),
					async perform(item: number) {
						const ofNumber = [...inFlight, ...notStarted].filter(
							(other) => numberOf(other) === numberOf(item),
						);
						expect(Math.min(...ofNumber)).toBe(item);
						notStarted.delete(item);
						inFlight.add(item);
						// Items start and end at even times.
						await clock.sleep(2 * all[item].takesMs - 1);
						const { size } = inFlight;
						expect(size).toBeLessThanOrEqual(concurrency);
						// What is not in flight although there is room has to wait for its number.
						const busy = new Set([...inFlight].map(numberOf));
						const waiting = [...notStarted].filter((other) => !busy.has(numberOf(other)));
						if (size < concurrency) expect(waiting).toEqual([]);
						await clock.sleep(1);
						inFlight.delete(item);
						return all[item].result;
					},
				};
				const getNodeParameter = (name: string, _: number, fallback: unknown) =>
					name === 'expertOptions.concurrency' ? concurrency : fallback;
				const inN8n = { ...GOING_ON, ...itemsOf(all), getNodeParameter };
				const results = await clock.run(runAll(operation, inN8n, clock));
				expect(results).toEqual(outputOf(all.map(({ result }) => result)));
			}),
			sample(40),
		);
	});
});

/** A failure of the catalogue. */
const failing = (code: FailureCode, more: Partial<Failure> = {}) =>
	failed({ ...failureOf(causeNamed(code), 'rejected'), ...more });

describe('without "continue on error"', () => {
	const results = (code: FailureCode, more?: Partial<Failure>) => [
		SENT,
		...Array<Result>(6).fill(failing(code, more)),
		SENT,
	];

	// README, Top: a row that the API refuses stops no other
	it.each<[FailureCode, Partial<Failure>]>([
		['windowClosed', {}],
		['undelivered', { messageId: 'm1' }],
		// What the API has accepted says nothing of what it accepts next.
		['noTemplate', { messageId: 'm1' }],
		['timeout', { outcome: 'unknown' }],
		['apiBroken', { outcome: null }],
	])('%s concerns its own item: the others go on, however many fail', async (code, more) => {
		const all = results(code, more);
		const operation = operationOf(all);
		const { message } = await thrownBy(operation, itemsOf(all));
		expect(operation.perform).toHaveBeenCalledTimes(8);
		expect(message).toMatch(/^6 of 8 items failed, the first is item 1, row 2: /);
	});

	it.each<[FailureCode]>([
		['keyRejected'],
		['noTemplate'],
		['connectionRefused'],
		['memoryUnusable'],
		['overLimit'],
	])('%s concerns others, too: no other item is started', async (code) => {
		const all = [failing('notOnNetwork'), ...results(code)];
		const operation = operationOf(all);
		const { message, description } = await thrownBy(operation, itemsOf(all));
		expect(operation.perform).toHaveBeenCalledTimes(3);
		const { remedy } = FAILURES[code];
		expect(message).toBe(`${FAILURES[code].message} [item 2, row 3]`);
		expect(description).toContain(
			`${remedy} Item 0, row 1: ${FAILURES.notOnNetwork.message}. ${FAILURES.notOnNetwork.remedy}`,
		);
	});

	it('no other item is started once nothing gets through to an account', async () => {
		const untried = { ...UNKNOWN, notStarted: true as const };
		const all = [UNKNOWN, UNKNOWN, untried, SENT];
		const operation = operationOf(all);
		const { message, description } = await thrownBy(operation, itemsOf(all));
		expect(operation.perform).toHaveBeenCalledTimes(3);
		expect(message).toMatch(/^2 of 4 items failed, the first is item 0, row 1: /);
		expect(description).toMatch(/^Items 0-1 \(rows 1-2\): The API did not answer in time\./);
	});

	it('the error is about the item that failed, not about one that was not started', async () => {
		const { message } = await thrownBy(operationOf([NOT_STARTED, REFUSED, REFUSED]), IN_PARALLEL);
		expect(message).toMatch(/ \[item 1, row 2\]$/);
	});

	it('a wrong item of a look-up is found before anything is looked up', async () => {
		const operation = { ...operationOf(ALL_SENT, { 1: WRONG }), sends: false };
		expect(await thrownBy(operation)).toMatchObject({
			message: 'The recipient is empty [item 1, row 2]',
			description: 'Enter a number. Nothing was looked up.',
		});
		expect(operation.perform).not.toHaveBeenCalled();
	});
});

describe('the error of a run', () => {
	const REST = 'Retry in the list of executions does not send these again. ';
	const BEHIND = 'The nodes behind this one did not run for these items.';
	const GO_ON =
		' To go on without the items that failed, set On Error in the settings of this node to "Continue (using error output)", save the workflow, and choose "Retry with currently saved workflow" at this execution in the list of executions.';
	const CLOSED = failing('windowClosed', { messageId: 'm1' });
	const UNDELIVERED = { ...failing('undelivered', { messageId: 'm1' }), message: SENT.json };

	it.each<[string, Result[], string]>([
		[
			'does not promise that Retry leaves out what it may send with the fallback category',
			[{ ...CLOSED, message: SENT.json }, SENT],
			` 1 of 2 messages were sent: item 1. ${REST}${BEHIND}${GO_ON}`,
		],
		['says nothing of messages where none was sent', [NOT_STARTED, NOT_STARTED], ` ${BEHIND}`],
		[
			'does not say how to go on without an item if others would fail, too',
			[REFUSED, SENT],
			` 1 of 2 messages were sent: item 1. ${REST}${BEHIND}`,
		],
		[
			'says which may have been sent',
			[UNKNOWN, SENT],
			` 1 of 2 messages were sent: item 1. May have been sent: item 0. ${REST}${BEHIND}${GO_ON}`,
		],
		[
			'does not count as sent now what an earlier execution sent, nor a dry run',
			[REFUSED, SENT, BEFORE, TRIED],
			` 1 of 4 messages were sent: item 1. 1 were sent before: item 2. ${REST}${BEHIND}`,
		],
		['leaves a single item to its failure', [UNDELIVERED], ''],
	])('%s', async (_, results, note) => {
		const all = { ...IN_PARALLEL, ...itemsOf(results) };
		const { description } = await thrownBy(operationOf(results), all);
		const [first] = results;
		expect(first).toHaveProperty('failure.remedy', description.replace(note, ''));
		expect(description.endsWith(note)).toBe(true);
	});

	it('lists what failed, each remedy once, and says what was sent', async () => {
		const { remedy } = failing('notOnNetwork').failure;
		const results = [
			failing('notOnNetwork'),
			SENT,
			SENT,
			UNKNOWN,
			UNDELIVERED,
			failing('notOnNetwork'),
		];
		const error = await thrownBy(operationOf(results), itemsOf(results));
		expect(error).toMatchObject({
			message: `4 of 6 items failed, the first is item 0, row 1: ${FAILURES.notOnNetwork.message}`,
			description: `Items 0, 5 (rows 1, 6): ${FAILURES.notOnNetwork.message}. ${remedy} Item 3, row 4: ${UNKNOWN.failure.message}. ${UNKNOWN.failure.remedy} Item 4, row 5: ${FAILURES.undelivered.message}. ${FAILURES.undelivered.remedy} 2 of 6 messages were sent: items 1-2. May have been sent: item 3. ${REST}${BEHIND}${GO_ON}`,
			context: { data: { messageIds: { 1: 'm1', 2: 'm1', 4: 'm1' } } },
		});
	});

	it('has the failure and, of a response, its status', async () => {
		const refused = failing('noTemplate', { httpStatus: 400 });
		expect(await thrownBy(operationOf([refused]), itemsOf([{}]))).toMatchObject({
			name: 'NodeApiError',
			httpCode: '400',
			message: `${FAILURES.noTemplate.message} [item 0]`,
			context: { itemIndex: 0, data: refused.failure },
		});
		const wrong = await thrownBy(operationOf([], { 1: WRONG }));
		expect(wrong).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 1 } });
	});

	// docs/ai-agents.md: Human review
	it('of a Human review tells the model in its message what to do, and the builder in its description', async () => {
		const getNode = () => ({ ...NODE, type: `${NODE.type}HitlTool` });
		expect(await thrownBy(operationOf([UNKNOWN]), { ...itemsOf([{}]), getNode })).toMatchObject({
			message: expect.stringMatching(
				/^The API did not answer in time\. The message may have been sent.* Do not call this tool again/,
			),
			description: UNKNOWN.failure.remedy,
		});
	});

	it('in a loop says that its later rounds were not reached, also for a single item', async () => {
		const results = [failing('notOnNetwork')];
		const { description } = await thrownBy(operationOf(results), {
			...IN_LOOP,
			...itemsOf(results),
		});
		const rounds = ' Later rounds of the loop, if there are any, were not reached.';
		expect(description).toBe(`${FAILURES.notOnNetwork.remedy}${rounds} ${BEHIND}${GO_ON}`);
	});

	it('of a sub-workflow says which Retry sends again', async () => {
		const runExecutionData = { parentExecution: { executionId: '1' } };
		const { description } = await thrownBy(operationOf([SENT, REFUSED]), { runExecutionData });
		const rest = 'A Retry of the workflow that calls it is refused.';
		expect(description).toContain(` A Retry of this execution does not send these again. ${rest}`);
	});

	// docs/after-a-crash.md: loops
	it.each<[string, Operation, object, string | undefined]>([
		[
			'with a wrong item',
			operationOf([], { 1: WRONG }),
			{},
			'This round of the loop has sent nothing. ',
		],
		['that cannot start', operationOf([]), { getCredentials: async () => ({}) }, ''],
		['that fails', operationOf([REFUSED]), {}, ''],
		['of look-ups', { ...operationOf([REFUSED]), sends: false }, {}, undefined],
	])('of a later round of a loop %s says that others may have sent', async (...row) => {
		const [, operation, changes, ofRound] = row;
		const { description } = await thrownBy(operation, { ...LATER_ROUND, ...changes });
		const earlier =
			'The rounds of the loop before it may have sent messages: a Retry does not send those again, but a new run does.';
		if (ofRound === undefined) expect(description).not.toContain('rounds of the loop before');
		else expect(description).toContain(` ${ofRound}${earlier}`);
		const { description: first } = await thrownBy(operation, changes);
		expect(first).not.toContain('loop');
	});

	it.each<[number[], string]>([
		[[0, 1, 2, 3, 4, 7], '6 of 100 messages were sent: items 0-4, 7.'],
		[Array.from({ length: 49 }, (_, item) => item * 2), ' 36, 38 and 29 more.'],
	])('shows the items %j in ranges', async (items, text) => {
		const results: Result[] = Array(100).fill(SKIPPED);
		for (const item of items) results[item] = SENT;
		results[99] = REFUSED;
		const { description } = await thrownBy(operationOf(results), itemsOf(results));
		expect(description).toContain(text);
	});

	// docs/good-to-know.md: the error has the first 1,000 message IDs
	it('has the message IDs by item, up to a thousand', async () => {
		const results = Array.from({ length: 1500 }, (_, item): Result => ({
			kind: 'sent',
			json: { message_id: `m${item}` },
		}));
		results.push(REFUSED);
		const { messageIds = {} } =
			(await thrownBy(operationOf(results), itemsOf(results))).context.data ?? {};
		expect(Object.keys(messageIds)).toHaveLength(1000);
		expect(messageIds).toMatchObject({ 0: 'm0', 999: 'm999' });
		const { context } = await thrownBy(operationOf([SKIPPED, REFUSED]));
		expect(context.data).not.toHaveProperty('messageIds');
	});

	it('names the first five wrong items with what to do, which is said once', async () => {
		const late = new InputError('The date is in the future', 'Check the time zone');
		expect(await thrownBy(operationOf([], { 1: WRONG, 2: late }))).toMatchObject({
			description:
				'Item 1, row 2: The recipient is empty. Enter a number. Item 2, row 3: The date is in the future. Check the time zone. Nothing was sent.',
		});
		const others = Object.fromEntries(
			[3, 4, 5, 7, 9, 10].map((item) => [item, new InputError(`It is ${item}`, 'Enter a number.')]),
		);
		const wrong = { 1: WRONG, 2: late, 6: WRONG, 8: late, ...others };
		const items = itemsOf(Array(11).fill({}));
		expect(await thrownBy(operationOf([], wrong), items)).toMatchObject({
			message: '10 of 11 items are wrong, the first is item 1, row 2: The recipient is empty',
			description:
				'Items 1, 6 (rows 2, 7): The recipient is empty. Enter a number. Items 2, 8 (rows 3, 9): The date is in the future. Check the time zone. Item 3, row 4: It is 3. Item 4, row 5: It is 4. Item 5, row 6: It is 5. And 3 more: items 7, 9-10. Nothing was sent.',
		});
	});
});

// docs/sending.md: the outcome of a look-up is null
it('a look-up that is canceled or fails says nothing of what became of the message', async () => {
	const operation = { ...operationOf([FOUND, REFUSED]), sends: false };
	operation.perform.mockImplementationOnce(async () => {
		canceled.abort();
		return REFUSED;
	});
	const [first] = await runAll(operation, GOING_ON);
	expect(first).toMatchObject({ json: { error: { outcome: null } } });
	expect(customData.set).not.toHaveBeenCalled();
	expect(logger.warn).not.toHaveBeenCalled();
});

it('a look-up says that the message was not delivered', async () => {
	const undelivered = failed({ ...REFUSED.failure, outcome: 'rejected' });
	const operation = { ...operationOf([undelivered, FOUND, FOUND]), sends: false };
	expect(await runAll(operation, GOING_ON)).toEqual(outputOf([undelivered, FOUND, FOUND]));
});

describe('an exception at one item', () => {
	const broken = async () => await Promise.reject(new Error('URI malformed'));

	const reported = { outcome: 'notSent', remedy: expect.stringContaining('Please report it') };

	const waiting =
		(soFar: Result): Perform =>
		async (_, __, onWaiting) => {
			onWaiting(soFar);
			return await broken();
		};

	it.each<[string, Perform, object]>([
		['at once', broken, reported],
		['later', waiting(FOUND), reported],
		[
			'while a message that was sent is waited for',
			waiting(SENT),
			{ outcome: 'unknown', remedy: expect.stringContaining('may have been sent') },
		],
	])('%s is the failure of that item, and of no other', async (_, perform, outcome) => {
		const unhandled = jest.fn();
		process.on('unhandledRejection', unhandled);
		const operation = operationOf(ALL_SENT);
		operation.perform.mockImplementationOnce(perform);
		operation.perform.mockImplementationOnce(async () => {
			// Node tells of a rejection that nobody handles after the current turn.
			await new Promise(setImmediate);
			return SENT;
		});
		const [{ json }, ...others] = await runAll(operation, GOING_ON);
		process.off('unhandledRejection', unhandled);
		const message = 'Something unforeseen went wrong: URI malformed';
		expect(json.error).toMatchObject({ message, retryable: false, ...outcome });
		expect(others).toEqual(outputOf(ALL_SENT).slice(1));
		expect(unhandled).not.toHaveBeenCalled();
	});
});

// docs/outputs.md: Sent and Skipped
it.each([
	['a node', {}],
	['a tool', { getNode: () => ({ ...NODE, type: `${NODE.type}Tool` }) }],
	["a node of n8n's own Agents", { getWorkflow: () => ({}) }],
])(
	'%s of an operation that skips has one output more, unless a model reads it',
	async (whose, changes) => {
		const results = [SKIPPED, SENT, REFUSED];
		const outputs = await runOutputs(
			{ ...operationOf(results), skips: true },
			{ ...GOING_ON, ...changes },
		);
		const [skipped, ...others] = outputOf(results);
		const [sent, { pairedItem }] = others;
		// A model reads an error in words of its own.
		const refused = { pairedItem, json: { error: expect.anything() as object } };
		expect(outputs).toEqual(whose === 'a node' ? [others, [skipped]] : [[skipped, sent, refused]]);
	},
);

describe('the second try of a run that stopped', () => {
	/** An operation whose results are remembered, as those of Send Template are. */
	function remembering(results: Outcome[], wrong = {}) {
		return {
			...operationOf([], wrong),
			async perform(itemIndex: number, { retryMemory }: RunContext) {
				const known = retryMemory.outcomes.get(itemIndex);
				if (known) return known;
				const result = results[itemIndex];
				if (result !== REFUSED) retryMemory.remember(itemIndex, result);
				return result;
			},
		};
	}

	it('fails because of an item whose outcome is unknown', async () => {
		const first = remembering([SENT, UNKNOWN, SENT]);
		const error = {
			message: expect.stringMatching(/ \[item 1, row 2\]$/),
			description: expect.stringContaining('sent: items 0, 2. May have been sent: item 1.'),
		};
		expect(await thrownBy(first)).toMatchObject(error);
		expect(await thrownBy(first)).toMatchObject(error);
	});

	it('goes on behind an item of unknown outcome whose template does not exist', async () => {
		const unknown = failing('noTemplate', { outcome: 'unknown' });
		const operation = remembering([unknown, REFUSED, SENT]);
		expect((await thrownBy(operation)).message).toMatch(/ \[item 0, row 1\]$/);
		expect((await thrownBy(operation)).message).toMatch(/ \[item 1, row 2\]$/);
	});

	it.each([
		[
			'it finds wrong items, but not among those',
			remembering(ALL_SENT, { 0: WRONG, 2: WRONG }),
			{},
			' [item 2, row 3]',
		],
		['it cannot start', operationOf([]), { getCredentials: async () => ({}) }, 'no Base URL'],
	])('says what was sent when %s', async (_, operation, changes, problem) => {
		await thrownBy(remembering([SENT, REFUSED, SENT]));
		expect(await thrownBy(operation, changes)).toMatchObject({
			message: expect.stringContaining(problem),
			description: expect.stringContaining(' 1 of 3 messages were sent: item 0. '),
		});
	});

	// With "continue on error", n8n tries again when the first item failed.
	it.each<[string, boolean, Outcome[], boolean]>([
		['the first item failed', true, [REFUSED, SENT, SENT], true],
		['the first item that was not skipped failed', true, [SKIPPED, REFUSED, SENT], true],
		['another item failed', true, [SENT, REFUSED, SENT], false],
		['no other try is set', false, [REFUSED, SENT, SENT], false],
	])(
		'finds what went with "continue on error" where %s',
		async (_, retryOnFail, results, finds) => {
			const getNode = () => ({ ...NODE, retryOnFail });
			const inN8n = { ...GOING_ON, getNode, ...itemsOf(results) };
			const outputs = await runOutputs({ ...remembering(results), skips: true }, inN8n);
			const items = outputOf(results);
			expect(outputs).toEqual([
				items.filter(({ json }) => !('skipped' in json)),
				items.filter(({ json }) => 'skipped' in json),
			]);
			expect(Object.keys(memory)).toHaveLength(finds ? 1 : 0);
		},
	);
});

// docs/after-a-crash.md: what sends nothing, and an agent's tool, have no lineage
it.each([
	['that sends', true, NODE.type, true],
	['that looks up', false, NODE.type, false],
	['that an agent calls', true, `${NODE.type}Tool`, false],
])('a node %s keeps its lineage when it fails: %j', async (_, sends, type, keeps) => {
	const operation = { ...operationOf([REFUSED, SENT, SENT]), sends };
	await runAll(operation, { getNode: () => ({ ...NODE, type }) }).catch(() => undefined);
	expect('ledger' in memory).toBe(keeps);
});

it('what was sent is still known after an exception behind the last message', async () => {
	const items = { 0: { message: SENT.json } };
	memory.sentMessages = { runIndex: 0, items };
	const operation = operationOf([SENT, SENT, SENT]);
	const broken = jest.fn<string, []>(() => {
		throw new RangeError('Invalid time zone');
	});
	await expect(runAll(operation, { addExecutionHints: broken })).rejects.toThrow(RangeError);
	expect(memory).toHaveProperty('sentMessages.items', items);
	await runAll(operation);
	expect(memory).not.toHaveProperty('sentMessages.items');
});

// docs/good-to-know.md: a loop keeps slots for short runs, too
it.each([
	['its rounds before', {}, 1],
	['none for a tool, whose calls are messages of their own', { type: 'businessMessagingTool' }, 0],
])('the rate limiter knows of a run: %s', async (_, node, round) => {
	const join = jest.spyOn(RateLimiter.prototype, 'join');
	const getNode = () => ({ ...NODE, ...node });
	await runAll(operationOf(ALL_SENT), { ...LATER_ROUND, getNode });
	expect(join).toHaveBeenCalledWith(expect.objectContaining({ calls: 3, round }));
});
