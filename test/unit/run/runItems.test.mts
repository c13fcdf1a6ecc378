import fc from 'fast-check';
import type { IContextObject, IExecuteFunctions } from 'n8n-workflow';
import { getEventListeners } from 'node:events';

import type { Job } from '../../../nodes/BusinessMessaging/actions/job';
import type { Operation } from '../../../nodes/BusinessMessaging/actions/operation';
import {
	causeNamed,
	FAILURES,
	type FailureCode,
} from '../../../nodes/BusinessMessaging/errors/catalogue';
import { connectionFailure } from '../../../nodes/BusinessMessaging/errors/connectionErrors';
import {
	type Failed,
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
import { EXECUTION, LATER_ROUND, NODE } from '../../support/sendNode.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const SENT = OUTCOMES.sent;
const REFUSED = failed(connectionFailure('connectionRefused', 'notSent'));
const UNKNOWN = failed(connectionFailure('timeout', 'unknown'));
const NOT_STARTED: Result = notStarted();
const SKIPPED: Result = { kind: 'skipped', reason: 'optedOut', json: { skipped: 'optedOut' } };
const WRONG = new InputError('The recipient is empty', 'Enter a number.');
const FOUND: LookUp = { kind: 'found', json: {}, seen: { status: 'read' } };
const BEFORE: Result = { kind: 'sentBefore', json: { sentBefore: true } };
const ALL_SENT: Outcome[] = [SENT, SENT, SENT];

const addExecutionHints = jest.fn();
const customData = { set: jest.fn() };
const DAY_MS = 86_400_000;
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
		...EXECUTION,
		getInputData: () => [{ json: {} }, { json: {} }, { json: {} }],
		getNodeParameter: (name: string, _: number, fallback: unknown) =>
			name === 'expertOptions.concurrency' ? 1 : fallback,
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', apiKey: 'key' }),
		getExecutionCancelSignal: () => canceled.signal,
		getContext: () => memory,
		getTimezone: () => 'Asia/Kolkata',
		addExecutionHints,
		customData,
		logger,
		sendMessageToUI,
		...changes,
	};
	return await runItems(context as unknown as IExecuteFunctions, operation, clock);
}

/** The items of an operation that has one output. */
async function runAll(...given: Parameters<typeof runOutputs>) {
	const outputs = await runOutputs(...given);
	expect(outputs).toHaveLength(1);
	return outputs[0];
}

/** With "continue on error". */
const GOING_ON = { continueOnFail: () => true };

/** Ten at a time, in an n8n that does not tell when a run is canceled. */
const IN_PARALLEL = {
	getNodeParameter: (_: string, __: number, fallback: unknown) => fallback,
	getExecutionCancelSignal: () => undefined,
};

const itemsOf = (items: unknown[]) => ({ getInputData: () => items });

/** The output that n8n gets. */
const outputOf = (results: Result[]) =>
	results.map((result, item) => ({
		json: result.kind === 'failed' ? { error: result.failure } : result.json,
		pairedItem: { item },
	}));

/** What n8n has stored of a try that sent these items. */
const sentMessagesOf = (...items: number[]) => ({
	runIndex: 0,
	items: Object.fromEntries(items.map((item) => [item, { message: SENT.json as object }])),
});

type Perform = (itemIndex: number, ...given: Parameters<Job['perform']>) => Promise<Result>;

/** An operation with these results, one per item; the reading of the wrong ones fails. */
function operationOf(results: Result[], wrong: Record<number, InputError> = {}) {
	return {
		/** What is known of its jobs. */
		job: (() => ({})) as (itemIndex: number) => Partial<Job>,
		perform: (async (itemIndex) => results[itemIndex]) as Perform,
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

it.each([
	['has ended', {}],
	['has wrong items', { 1: WRONG }],
])('a run that %s no longer listens for its being canceled', async (_, wrong) => {
	await runAll(operationOf(ALL_SENT, wrong)).catch(() => undefined);
	expect(getEventListeners(canceled.signal, 'abort')).toEqual([]);
	expect(logger.warn).not.toHaveBeenCalled();
});

// docs/good-to-know.md: a run that is stopped
describe('a run that is canceled', () => {
	it('leaves in the execution what was sent by then, and in the log what was sent in all', async () => {
		const perform: Perform = async (itemIndex, { inFlight }, onWaiting) => {
			if (itemIndex === 0) {
				onWaiting(SENT);
				await new Promise((resolve) => canceled.signal.addEventListener('abort', resolve));
			} else {
				inFlight.add(itemIndex);
				canceled.abort();
			}
			return SENT;
		};
		const operation = { ...operationOf(ALL_SENT), perform };
		expect(await runAll(operation, GOING_ON)).toEqual(outputOf([SENT, SENT, NOT_STARTED]));
		expect(customData.set.mock.calls).toEqual([
			['messages_when_stopped', '1 of 3 messages were sent: item 0. In flight: item 1.'],
		]);
		expect(logger.warn.mock.calls).toEqual([
			['Execution 17 was stopped in "Send". 2 of 3 messages were sent: items 0-1.'],
		]);
	});

	it('stores the first items only, and logs all', async () => {
		const results = Array.from({ length: 10_060 }, (_, item) =>
			item < 10_000 ? SKIPPED : [SENT, SKIPPED, UNKNOWN, SKIPPED][item % 4],
		);
		const perform: Perform = async (itemIndex) => {
			if (itemIndex === results.length - 1) canceled.abort();
			return results[itemIndex];
		};
		const operation = { ...operationOf(results), perform };
		await runAll(operation, { ...GOING_ON, ...itemsOf(results) });
		const [[, stored]] = customData.set.mock.calls as string[][];
		expect(stored.length).toBeLessThanOrEqual(512);
		expect(stored).toMatch(
			/^15 of 10,060 .*: items (100\d\d, ){7}10028 and 7 more\. May have been sent: items (100\d\d, ){7}10030 and 7 more\.$/,
		);
		expect(logger.warn.mock.calls[0][0]).toContain(' 10058.');
	});

	// docs/sending.md: the outcome of a look-up is null
	it('says nothing of the messages that it did not look up', async () => {
		const perform = async () => {
			canceled.abort();
			return FOUND;
		};
		const operation = { ...operationOf([]), sends: false, perform };
		const [, second] = await runAll(operation, GOING_ON);
		expect(second).toMatchObject({ json: { error: { outcome: null } } });
		expect(customData.set).not.toHaveBeenCalled();
		expect(logger.warn).not.toHaveBeenCalled();
	});
});

it('what went to a test recipient is remembered apart from what went to customers', async () => {
	const perform: Perform = async (itemIndex, { retryMemory }) => {
		retryMemory.remember(itemIndex, SENT);
		return REFUSED;
	};
	const getNodeParameter = (name: string, _: number, fallback: unknown) =>
		name === 'options.testRecipient' ? '+14155552671' : fallback;
	const operation = { ...operationOf([]), perform };
	await thrownBy(operation, { getNodeParameter, getMode: () => 'manual' });
	expect(memory).toHaveProperty('testedItems');
	expect(memory).toHaveProperty('testMessages');
});

// docs/good-to-know.md: how far a run has come
describe('each minute', () => {
	/** One item after the other. @returns what is told */
	async function toldOf(results: Result[], takesMs: number, changes: object = {}) {
		const clock = createVirtualClock();
		clock.pass(DAY_MS);
		const perform: Perform = async (itemIndex) => {
			const result = results[itemIndex];
			if (result !== SKIPPED && result !== BEFORE) await clock.sleep(takesMs);
			return result;
		};
		const operation = { ...operationOf(results), perform, ...changes };
		// As in an older n8n.
		const inN8n = { ...GOING_ON, ...itemsOf(results), customData: undefined };
		await clock.run(runAll(operation, inN8n, clock));
		// Nothing is told after the end.
		await clock.run(clock.sleep(120_000));
		return sendMessageToUI.mock.calls.map(([text]) => text);
	}

	it('a run tells what was sent, what is left and until when, in the log and in the browser', async () => {
		const results = Array<Result>(1250).fill(SENT);
		results[1] = REFUSED;
		results.fill(SKIPPED, 2, 1102);
		results[1101] = BEFORE;
		const told = [
			'90 of 1,250 left. About 90 s to go, until Sun 1 Feb 2026, 17:33 Asia/Kolkata. 59 of 1,250 messages were sent: items 0, 1102-1159. 1 were sent before: item 1101.',
			'29 of 1,250 left. About 29 s to go, until Sun 1 Feb 2026, 17:33 Asia/Kolkata. 120 of 1,250 messages were sent: items 0, 1102-1220. 1 were sent before: item 1101.',
		];
		expect(await toldOf(results, 990)).toEqual(told);
		expect(logger.info.mock.calls).toEqual(told.map((text) => [`Execution 17, "Send": ${text}`]));
	});

	it('a run counts neither wrong items nor what an earlier attempt sent', async () => {
		memory.sentMessages = sentMessagesOf(1);
		const { read } = operationOf([], { 0: WRONG });
		const perform: Perform = async (itemIndex, { clock, retryMemory }) => {
			const before = retryMemory.outcomes.get(itemIndex);
			if (!before) await clock.sleep(50_000);
			return before ?? SENT;
		};
		expect(await toldOf([SENT, SENT, SENT, SENT], 0, { read, perform })).toEqual([
			expect.stringMatching(/^1 of 2 left\. About 60 s .* 2 of 4 messages were sent: items 1-2\.$/),
		]);
	});

	it('a run of look-ups tells how many are left', async () => {
		expect(await toldOf([FOUND, FOUND], 70_000, { sends: false })).toEqual([
			'2 of 2 left.',
			'1 of 2 left. About 2 min to go, until Sun 1 Feb 2026, 17:34 Asia/Kolkata.',
		]);
	});

	const stops = async () => {
		canceled.abort();
		return SKIPPED;
	};
	const waits: Perform = async (_, { clock }, onWaiting) => {
		onWaiting(SENT);
		await clock.sleep(300_000);
		return SENT;
	};

	it('a run that was stopped before its first message says so in the log', async () => {
		await toldOf(ALL_SENT, 0, { perform: stops });
		const said = expect.stringMatching(/ 0 of 3 messages were sent\.$/);
		expect(logger.warn.mock.calls).toEqual([[said]]);
	});

	it.each<[string, Result[], object]>([
		['of a single item', [SENT], {}],
		['of a run that was stopped', ALL_SENT, { perform: stops }],
		['while messages that were sent are waited for', ALL_SENT, { perform: waits }],
	])('nothing is told %s', async (_, results, changes) => {
		expect(await toldOf(results, 130_000, changes)).toEqual([]);
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

const failing = (code: FailureCode, more: Partial<Failure> = {}) =>
	failed({ ...failureOf(causeNamed(code), 'rejected'), ...more });

it('without "continue on error" no other item is started once nothing gets through to an account', async () => {
	const results = [UNKNOWN, { ...UNKNOWN, notStarted: true as const }, SENT];
	const { description } = await thrownBy(operationOf(results), itemsOf(results));
	expect(description).toContain(' May have been sent: items 0-1. ');
	expect(description).not.toContain('were sent');
});

describe('the error of a run', () => {
	const REST = 'Retry in the list of executions does not send these again. ';
	const BEHIND = 'The nodes behind this one did not run for these items.';
	const GO_ON =
		' To go on without the items that failed, set On Error in the settings of this node to "Continue (using error output)", save the workflow, and choose "Retry with currently saved workflow" at this execution in the list of executions.';
	const CLOSED = { ...failing('windowClosed', { messageId: 'm1' }), message: SENT.json };
	const UNDELIVERED = { ...failing('undelivered', { messageId: 'm1' }), message: SENT.json };
	const EARLIER =
		'The rounds of the loop before it may have sent messages: a Retry does not send those again, but a new run does.';
	const LATER = 'Later rounds of the loop, if there are any, were not reached.';
	const OTHERS = `${EARLIER} ${LATER}`;
	const CALLED = { runExecutionData: { parentExecution: { executionId: '1' } } };

	it.each<[string, Result[], string, object?]>([
		[
			'does not promise that Retry leaves out what it may send with the fallback category',
			[CLOSED, SENT],
			` 1 of 2 messages were sent: item 1. ${REST}${BEHIND}${GO_ON}`,
		],
		['says nothing of messages where none was sent', [NOT_STARTED, NOT_STARTED], ` ${BEHIND}`],
		[
			'does not say how to go on if others would fail, nor count what was sent before or shown',
			[REFUSED, SENT, BEFORE, { kind: 'shown', json: {}, estimate: 0.115 }],
			` 1 of 4 messages were sent: item 1. 1 were sent before: item 2. ${REST}${BEHIND}`,
		],
		[
			'is about the item that failed, and says nothing of messages that were sent where only one may have been',
			[NOT_STARTED, UNKNOWN],
			` May have been sent: item 1. ${REST}${BEHIND}${GO_ON}`,
		],
		[
			'has the other failures of what ends the run',
			[REFUSED, failing('notOnNetwork'), REFUSED],
			` Item 1, row 2: ${FAILURES.notOnNetwork.message}. ${FAILURES.notOnNetwork.remedy} ${BEHIND}`,
		],
		['leaves a single item to its failure', [UNDELIVERED], ''],
		[
			'of a later round of a loop says that others may have sent, also for a single item',
			[UNDELIVERED],
			` ${OTHERS} ${BEHIND}${GO_ON}`,
			LATER_ROUND,
		],
		[
			'of look-ups in a loop says what was not reached',
			[UNDELIVERED],
			` ${LATER} ${BEHIND}${GO_ON}`,
			{ ...LATER_ROUND, sends: false },
		],
		[
			'of a sub-workflow says which Retry sends again',
			[UNKNOWN, SENT],
			` 1 of 2 messages were sent: item 1. May have been sent: item 0. A Retry of this execution does not send these again. A Retry of the workflow that calls it is refused. ${BEHIND}${GO_ON}`,
			CALLED,
		],
	])('%s', async (...row) => {
		const [, results, note, changes] = row;
		const all = { ...IN_PARALLEL, ...itemsOf(results), ...changes };
		const { description } = await thrownBy({ ...operationOf(results), ...changes }, all);
		const first = results.find((result) => !('notStarted' in result)) ?? results[0];
		expect(first).toHaveProperty('failure.remedy', description.replace(note, ''));
		expect(description.endsWith(note)).toBe(true);
	});

	it('names what ended this try, not an earlier one', async () => {
		const earlier = failing('webPage', { outcome: 'unknown' });
		const items = { 0: { failure: earlier.failure } };
		const getContext = () => ({ sentMessages: { runIndex: 0, items } });
		const operation = operationOf([earlier, REFUSED, SENT]);
		const { message } = await thrownBy(operation, { ...IN_PARALLEL, getContext });
		expect(message).toMatch(/ \[item 1, row 2\]$/);
	});

	// docs/good-to-know.md: the error lists items and has the message IDs
	it('lists what failed, each remedy once, and says what was sent', async () => {
		const wrong = failing('notOnNetwork');
		const results = [wrong, SENT, SENT, UNKNOWN, UNDELIVERED, wrong];
		const listed = (where: string, { failure }: Failed) =>
			`${where}: ${failure.message}. ${failure.remedy} `;
		expect(await thrownBy(operationOf(results), itemsOf(results))).toMatchObject({
			message: `4 of 6 items failed, the first is item 0, row 1: ${FAILURES.notOnNetwork.message}`,
			description: `${listed('Items 0, 5 (rows 1, 6)', wrong)}${listed('Item 3, row 4', UNKNOWN)}${listed('Item 4, row 5', UNDELIVERED)}2 of 6 messages were sent: items 1-2. May have been sent: item 3. ${REST}${BEHIND}${GO_ON}`,
			context: { data: { messageIds: { 1: 'm1', 2: 'm1', 4: 'm1' } } },
		});
	});

	it.each<[string, Partial<Failure>]>([
		['NodeApiError', { httpStatus: 404, outcome: null }],
		['NodeApiError', { outcome: 'notSent', retryable: true }],
		['NodeApiError', { outcome: 'unknown' }],
		['NodeOperationError', { outcome: 'notSent' }],
		['NodeOperationError', { outcome: null }],
	])('is a %s with its item, and of a response with its status: %j', async (name, more) => {
		const { failure } = failing('notOnNetwork', more);
		const error = await thrownBy(operationOf([failed(failure)]), itemsOf([{}]));
		const message = `${failure.message} [item 0]`;
		expect(error).toMatchObject({ name, message, context: { itemIndex: 0 } });
		expect(error.context.data).toEqual(failure);
		if (name === 'NodeOperationError') return;
		expect(error).toMatchObject({
			httpCode: failure.httpStatus?.toString() ?? null,
			messages: [message],
		});
	});

	const NO_ACCOUNT = { getCredentials: async () => ({}) };
	const TRIED = { getContext: () => ({ sentMessages: sentMessagesOf(0) }) };
	const SO_FAR = `1 of 3 messages were sent: item 0. ${REST}`.trim();

	it.each<[string, object, string, RegExp?]>([
		['of look-ups', { sends: false }, 'Nothing was looked up.'],
		['in a later round', LATER_ROUND, `This round of the loop has sent nothing. ${OTHERS}`],
		['in a later round', { ...LATER_ROUND, ...NO_ACCOUNT }, OTHERS],
		['of which an earlier try sent', TRIED, `Nothing more was sent. ${SO_FAR}`, /2, row 3\]$/],
		['of which an earlier try sent', { ...TRIED, ...NO_ACCOUNT }, SO_FAR, /has no Base URL$/],
	])('of a run %s that cannot start says what was done', async (...row) => {
		const [, changes, note, problem = /./] = row;
		const operation = { ...operationOf([], { 0: WRONG, 2: WRONG }), ...changes };
		const { message, description } = await thrownBy(operation, changes);
		expect(message).toMatch(problem);
		expect(description.endsWith(` ${note}`)).toBe(true);
	});

	// docs/ai-agents.md: Human review
	it('of a Human review tells the model in its message what to do, and the builder in its description', async () => {
		const getNode = () => ({ ...NODE, type: `${NODE.type}HitlTool` });
		expect(await thrownBy(operationOf([UNKNOWN]), { ...itemsOf([{}]), getNode })).toMatchObject({
			message: expect.stringMatching(/may have been sent.* Do not call this tool again/),
			description: UNKNOWN.failure.remedy,
		});
	});

	// docs/good-to-know.md: the error has the first 1,000 message IDs
	it('has the message IDs by item, up to a thousand', async () => {
		const results = Array.from({ length: 1500 }, (_, item): Result => ({
			kind: 'sent',
			json: { message_id: `m${item}` },
		}));
		results.push(REFUSED);
		const { context } = await thrownBy(operationOf(results), itemsOf(results));
		const { messageIds = {} } = context.data ?? {};
		expect(Object.keys(messageIds)).toHaveLength(1000);
		expect(messageIds).toMatchObject({ 0: 'm0', 999: 'm999' });
	});

	it('names the first five wrong items with what to do, which is said once', async () => {
		const late = new InputError('The date is in the future', 'Check the time zone');
		const others = [3, 4, 5, 7, 9, 10].map((item) => [
			item,
			new InputError(`It is ${item}`, 'Enter a number.'),
		]);
		const wrong = { 1: WRONG, 2: late, 6: WRONG, 8: late, ...Object.fromEntries(others) };
		const items = itemsOf(Array(11).fill({}));
		expect(await thrownBy(operationOf([], wrong), items)).toMatchObject({
			message: '10 of 11 items are wrong, the first is item 1, row 2: The recipient is empty',
			description:
				'Items 1, 6 (rows 2, 7): The recipient is empty. Enter a number. Items 2, 8 (rows 3, 9): The date is in the future. Check the time zone. Item 3, row 4: It is 3. Item 4, row 5: It is 4. Item 5, row 6: It is 5. And 3 more: items 7, 9-10. Nothing was sent.',
		});
	});
});

it.each<[string, Result | undefined, string, RegExp]>([
	['at once', undefined, 'notSent', /Please report it/],
	['of a look-up that waits', FOUND, 'notSent', /Please report it/],
	['behind a message that was sent', SENT, 'unknown', /may have been sent/],
])('an exception %s is the failure of its item, and of no other', async (...row) => {
	const [, soFar, outcome, remedy] = row;
	const perform: Perform = async (itemIndex, __, onWaiting) => {
		if (itemIndex > 0) return SENT;
		if (soFar) onWaiting(soFar);
		return await Promise.reject(new Error('URI malformed'));
	};
	const operation = { ...operationOf(ALL_SENT), perform };
	const [{ json }, ...others] = await runAll(operation, GOING_ON);
	const message = 'Something unforeseen went wrong: URI malformed';
	expect(json.error).toMatchObject({ message, outcome, remedy: expect.stringMatching(remedy) });
	expect(others).toEqual(outputOf(ALL_SENT).slice(1));
});

// docs/outputs.md: Sent and Skipped
it.each([
	['a node', 2, NODE.type, 'continueErrorOutput', 'continueErrorOutput', {}],
	['a tool', 1, `${NODE.type}Tool`, 'continueErrorOutput', 'continueRegularOutput', {}],
	['a tool', 1, `${NODE.type}Tool`, 'stopWorkflow', 'stopWorkflow', {}],
	["a node of n8n's own Agents", 1, NODE.type, undefined, undefined, { getWorkflow: () => ({}) }],
])('%s that skips items has %d outputs: %s, %s', async (...row) => {
	const [, count, type, onError, runsWith, changes] = row;
	const node = { ...NODE, type, onError };
	const operation = { ...operationOf([SKIPPED, SENT, SENT]), skips: true } as const;
	const outputs = await runOutputs(operation, { getNode: () => node, ...changes });
	const [skipped, ...sent] = outputOf([SKIPPED, SENT, SENT]);
	expect(outputs).toEqual(count === 1 ? [[skipped, ...sent]] : [sent, [skipped]]);
	// n8n empties the error output of a tool.
	expect(node.onError).toBe(runsWith);
});

// With "continue on error", n8n tries again when the first item failed.
it.each<[string, boolean, Result[], boolean]>([
	['the first item that was not skipped failed', true, [SKIPPED, REFUSED, SENT], true],
	['another item failed', true, [SENT, REFUSED, SENT], false],
	['no other try is set', false, [REFUSED, SENT, SENT], false],
	['all were skipped', true, [SKIPPED, SKIPPED, SKIPPED], false],
])('what a try has sent stays known with "continue on error" if %s', async (...row) => {
	const [, retryOnFail, results, stays] = row;
	memory.sentMessages = sentMessagesOf(0);
	const getNode = () => ({ ...NODE, retryOnFail });
	await runOutputs({ ...operationOf(results), skips: true }, { ...GOING_ON, getNode });
	expect('sentMessages' in memory).toBe(stays);
});

it('what an earlier try has sent is counted in the hint, unless an item shows it once more', async () => {
	memory.sentMessages = sentMessagesOf(0, 1, 4);
	Object.assign(memory.sentMessages.items, { 2: UNKNOWN });
	const shown = { kind: 'shown', json: {}, estimate: 1 } as const;
	const results = [undefined, shown, undefined, SENT, undefined];
	const perform: Perform = async (item, { retryMemory }) =>
		results[item] ?? retryMemory.outcomes.get(item)!;
	const operation = { ...operationOf([]), perform };
	await runAll(operation, { ...GOING_ON, ...itemsOf(results) });
	const [[{ message }]] = addExecutionHints.mock.calls;
	expect(message).toContain(' 3 messages sent, 2 of them in an earlier attempt, ');
});

it('what a try has sent stays known after an exception behind the last message', async () => {
	memory.sentMessages = sentMessagesOf(0);
	addExecutionHints.mockImplementationOnce(() => {
		throw new RangeError('Invalid time zone');
	});
	await expect(runAll(operationOf(ALL_SENT))).rejects.toThrow(RangeError);
	expect(memory).toHaveProperty('sentMessages');
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
	// The builder of a tool reads what the model does not.
	const { message, remedy } = REFUSED.failure;
	const hint = { message: `${message}. ${remedy}`, type: 'warning', location: 'outputPane' };
	const hints = addExecutionHints.mock.calls.flat();
	expect(hints.slice(1)).toEqual(type === NODE.type ? [] : [hint]);
});

// docs/good-to-know.md: a loop keeps slots for short runs, too
it.each([
	['its rounds before', {}, 1],
	['none for a tool, whose calls are messages of their own', { type: 'businessMessagingTool' }, 0],
])('the rate limiter knows of a run: %s', async (_, node, round) => {
	const join = jest.spyOn(RateLimiter.prototype, 'join');
	const getNode = () => ({ ...NODE, ...node });
	/** One of them asks nothing of the API. */
	const job = (item: number) => (item === 0 ? { price: () => undefined } : {});
	const operation = { ...operationOf(ALL_SENT), job };
	await runAll(operation, { ...LATER_ROUND, getNode });
	expect(join).toHaveBeenCalledWith(expect.objectContaining({ calls: 2, round }));
});
