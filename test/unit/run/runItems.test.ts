import fc from 'fast-check';
import type { IContextObject, IExecuteFunctions } from 'n8n-workflow';

import type {
	Operation,
	Result,
	RunContext,
} from '../../../nodes/BusinessMessaging/actions/operation';
import {
	type Failure,
	failureFromInput,
	notStarted,
} from '../../../nodes/BusinessMessaging/errors/failure';
import { networkFailure } from '../../../nodes/BusinessMessaging/errors/networkErrors';
import {
	failureFromResponse,
	SEND_SENTENCES,
} from '../../../nodes/BusinessMessaging/errors/responseErrors';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import { runItems } from '../../../nodes/BusinessMessaging/run/runItems';
import { createVirtualClock } from '../../support/virtualClock.ts';

const SENT: Result = { json: { status: 'sent' }, sent: { cost: 0.115, currency: 'INR' } };
const REJECTED: Result = {
	failure: failureFromResponse({ status: 400, headers: {}, body: '' }, SEND_SENTENCES),
};
const NOT_STARTED: Result = notStarted();
const WRONG = new InputError('The recipient is empty', 'Enter a number.');

const addExecutionHints = jest.fn();
const customData = { set: jest.fn<void, [string, string]>() };
const logger = { warn: jest.fn<void, [string]>(), info: jest.fn<void, [string]>() };
const sendMessageToUI = jest.fn<void, [string]>();
let canceled: AbortController;
let memory: IContextObject;

beforeEach(() => {
	for (const mock of [addExecutionHints, customData.set, logger.warn, logger.info, sendMessageToUI])
		mock.mockReset();
	canceled = new AbortController();
	memory = {};
});

function contextOf(changes: object = {}) {
	return {
		getInputData: () => [{ json: {} }, { json: {} }, { json: {} }],
		getNodeParameter: (name: string, _: number, fallback: unknown) =>
			name === 'options.concurrency' ? 1 : fallback,
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', apiKey: 'key' }),
		getNode: () => ({ name: 'Send', type: 'businessMessaging' }),
		getExecutionCancelSignal: () => canceled.signal,
		getContext: () => memory,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		continueOnFail: () => false,
		getExecutionId: () => '17',
		addExecutionHints,
		customData,
		logger,
		sendMessageToUI,
		...changes,
	} as unknown as IExecuteFunctions;
}

const runAll = async (context: IExecuteFunctions, operation: Operation<unknown>) =>
	await runItems(context, operation, createVirtualClock());

/** With "continue on error". */
const goingOn = () => contextOf({ continueOnFail: () => true });

/** An operation that goes wrong at one item in this way. */
function operationWith(perform: Operation<unknown>['perform']): Operation<unknown> {
	return {
		...operationOf([]),
		perform: async (job, itemIndex, run) =>
			itemIndex === 1 ? await perform(job, itemIndex, run) : SENT,
	};
}

/** An operation with these results, one per item; the reading of the wrong ones fails. */
function operationOf(results: Result[], wrong: number[] = []) {
	const read = (_: unknown, itemIndex: number) => {
		if (wrong.includes(itemIndex)) throw WRONG;
	};
	const perform = jest.fn<Promise<Result>, [unknown, number, RunContext]>(
		async (_, itemIndex) => results[itemIndex],
	);
	return {
		read,
		perform,
		sends: true,
		highestPrice: () => 0,
		fields: [],
	} satisfies Operation<unknown>;
}

/** It ends its first item like this, while the execution is canceled. */
function canceledAfter(result: Result) {
	const operation = operationOf([SENT, SENT, SENT]);
	operation.perform.mockImplementationOnce(async () => {
		canceled.abort();
		return result;
	});
	return operation;
}

async function thrownBy(operation: Operation<unknown>): Promise<object> {
	return await runAll(contextOf(), operation).then(
		() => ({}),
		({ message, description }: Error & { description?: string }) => ({ message, description }),
	);
}

describe('a run', () => {
	it('gives one result per item and says what was sent', async () => {
		expect(await runAll(contextOf(), operationOf([SENT, SENT, SENT]))).toEqual(
			Array<Result>(3).fill(SENT),
		);
		expect(addExecutionHints).toHaveBeenCalledTimes(1);
	});

	it('says nothing in an n8n that has no hints', async () => {
		const context = contextOf({ addExecutionHints: undefined });
		expect(await runAll(context, operationOf([SENT, SENT, SENT]))).toHaveLength(3);
	});

	it('says nothing when there is nothing to say', async () => {
		const looked: Result = { json: {} };
		await runAll(contextOf(), operationOf([looked, looked, looked]));
		expect(addExecutionHints).not.toHaveBeenCalled();
	});

	it('that is canceled starts nothing more, and says so of each item', async () => {
		const results = await runAll(goingOn(), canceledAfter(SENT));
		expect(results).toEqual([SENT, NOT_STARTED, NOT_STARTED]);
	});

	it.each([
		['that has ended', [], 2],
		['that has wrong items', [1], 1],
	])('%s no longer listens for its being canceled', async (_, wrong, count) => {
		const added = jest.spyOn(canceled.signal, 'addEventListener');
		const removed = jest.spyOn(canceled.signal, 'removeEventListener');
		await thrownBy(operationOf([SENT, SENT, SENT], wrong));
		const [heard, unheard] = [added, removed].map(({ mock }) => mock.calls.map((call) => call[1]));
		expect(heard).toHaveLength(count);
		expect(new Set(unheard)).toEqual(new Set(heard));
	});

	// README, Good to know: a run that is stopped
	it('that is canceled leaves in the execution what was sent by then, and in the log what was sent in all', async () => {
		const operation = operationOf([SENT, SENT, SENT]);
		operation.perform.mockImplementationOnce(async () => ({
			json: {},
			later: new Promise((resolve) =>
				canceled.signal.addEventListener('abort', () => resolve(SENT)),
			),
			sent: { messageId: 'm1' },
		}));
		operation.perform.mockImplementationOnce(async () => {
			canceled.abort();
			return SENT;
		});
		await runAll(goingOn(), operation);
		expect(customData.set.mock.calls).toEqual([
			['messages_when_stopped', '1 of 3 messages were sent: item 0. Under way: item 1.'],
		]);
		expect(logger.warn.mock.calls).toEqual([
			['Execution 17 was stopped in "Send". 2 of 3 messages were sent: items 0-1.'],
		]);
	});

	it('that is canceled tells nothing of messages that were only looked up', async () => {
		await runAll(goingOn(), { ...canceledAfter(SENT), sends: false });
		expect(customData.set).not.toHaveBeenCalled();
		expect(logger.warn).not.toHaveBeenCalled();
	});
});

// README, Good to know: how far a run has come
describe('each minute', () => {
	/** One item after the other; what is skipped takes no time. */
	async function runFor(results: Result[], takesMs: number, changes: Partial<Operation<unknown>>) {
		const clock = createVirtualClock();
		const operation: Operation<unknown> = {
			...operationOf(results),
			async perform(_, itemIndex) {
				const result = results[itemIndex];
				if (!result.skipped) await clock.sleep(takesMs);
				return result;
			},
			...changes,
		};
		const context = contextOf({
			getInputData: () => results.map(() => ({ json: {} })),
			continueOnFail: () => true,
		});
		await clock.run(runItems(context, operation, clock));
		// Nothing is told after the end.
		await clock.run(clock.sleep(120_000));
		return sendMessageToUI.mock.calls.map(([text]) => text);
	}

	it('a run tells what was sent, what is left and until when, in the log and in the browser', async () => {
		const results = Array<Result>(1250).fill(SENT);
		results[1] = REJECTED;
		results.fill({ json: {}, skipped: 'sentBefore' }, 2, 1102);
		const told = [
			'59 sent, 1,100 skipped, 1 failed, 90 of 1,250 left. About 90 s to go, until 2026-01-31 12:02 UTC.',
			'120 sent, 1,100 skipped, 1 failed, 29 of 1,250 left. About 29 s to go, until 2026-01-31 12:02 UTC.',
		];
		expect(await runFor(results, 990, {})).toEqual(told);
		expect(logger.info.mock.calls).toEqual(told.map((text) => [`Execution 17, "Send": ${text}`]));
	});

	it('a run of look-ups tells how many were made', async () => {
		const lookedUp: Result = { json: {}, seen: { status: 'read' } };
		expect(await runFor([lookedUp, lookedUp], 50_000, { sends: false })).toEqual([
			'1 looked up, 1 of 2 left. About 60 s to go, until 2026-01-31 12:02 UTC.',
		]);
	});

	it('a run tells that it has done nothing yet, and not how long that takes', async () => {
		expect(await runFor([SENT, SENT], 70_000, {})).toEqual([
			'2 of 2 left.',
			'1 sent, 1 of 2 left. About 2 min to go, until 2026-01-31 12:04 UTC.',
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
		operation.perform.mockImplementation(async () => ({
			...SENT,
			later: clock.sleep(300_000).then(() => SENT),
		}));
		await clock.run(runItems(goingOn(), operation, clock));
		expect(sendMessageToUI).not.toHaveBeenCalled();
	});

	it('what an earlier attempt sent counts as sent, but not for how long the rest takes', async () => {
		memory.sentMessages = { runIndex: 0, sent: { 0: { status: 'sent' } }, unknown: {} };
		const perform: Operation<unknown>['perform'] = async (_, itemIndex, { clock, retryMemory }) => {
			const before = retryMemory.results.get(itemIndex);
			if (!before) await clock.sleep(50_000);
			return before ?? SENT;
		};
		expect(await runFor([SENT, SENT, SENT], 0, { perform })).toEqual([
			'2 sent, 1 of 3 left. About 60 s to go, until 2026-01-31 12:02 UTC.',
		]);
	});
});

describe('without "continue on error"', () => {
	it('nothing more is started after an item that failed', async () => {
		const operation = operationOf([REJECTED, SENT, SENT]);
		expect(await thrownBy(operation)).toEqual({
			message: expect.stringMatching(/ \[item 0\]$/),
			description: (REJECTED as { failure: Failure }).failure.remedy,
		});
		expect(operation.perform).toHaveBeenCalledTimes(1);
	});

	it('the error is about the item that failed, not about one that was not started', async () => {
		const getNodeParameter = (_: string, __: number, fallback: unknown) => fallback;
		const context = contextOf({ getNodeParameter });
		const run = runAll(context, operationOf([NOT_STARTED, REJECTED, REJECTED]));
		await expect(run).rejects.toThrow(/ \[item 1\]$/);
	});

	it('of a look-up that has wrong items nothing is said to be unsent', async () => {
		const operation = { ...operationOf([], [1]), sends: false };
		const { description } = (await thrownBy(operation)) as { description: string };
		expect(description).toBe('Enter a number. Nothing was looked up.');
	});

	it('a wrong item is found before anything is sent', async () => {
		const operation = operationOf([SENT, SENT, SENT], [1]);
		expect(await thrownBy(operation)).toEqual({
			message: 'The recipient is empty [item 1]',
			description: 'Enter a number. Nothing was sent.',
		});
		expect(operation.perform).not.toHaveBeenCalled();
	});
});

// README, Send to a spreadsheet: items with one number go out in their order, never in parallel
describe('items of one number', () => {
	const items = fc.array(
		fc.record({
			number: fc.integer({ min: 0, max: 3 }).map(String),
			takesMs: fc.integer({ min: 1, max: 100 }),
			result: fc.constantFrom<Result>(SENT, REJECTED),
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
				const operation: Operation<unknown> = {
					...operationOf([]),
					read: (_, itemIndex) => itemIndex,
					recipient: (item) => ({ to: numberOf(item as number), customer: '' }),
					async perform(_, item) {
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
				const context = contextOf({
					getInputData: () => all.map(() => ({ json: {} })),
					getNodeParameter: (name: string, _: number, fallback: unknown) =>
						name === 'options.concurrency' ? concurrency : fallback,
					continueOnFail: () => true,
				});
				const results = await clock.run(runItems(context, operation, clock));
				expect(results).toEqual(all.map(({ result }) => result));
			}),
			{ numRuns: 100 },
		);
	});

	it('are named above the output, but not those that were skipped', async () => {
		const numbers = ['a', 'b', 'a', 'c', 'a', 'b', 'c'];
		const results = numbers.map(() => SENT);
		results[6] = { json: {}, skipped: 'sentBefore' };
		const operation: Operation<unknown> = {
			...operationOf(results),
			read: (_, itemIndex) => itemIndex,
			recipient: (item) => ({ to: 'test recipient', customer: numbers[item as number] }),
		};
		await runAll(contextOf({ getInputData: () => numbers.map(() => ({ json: {} })) }), operation);
		expect(addExecutionHints).toHaveBeenCalledWith({
			message:
				'6 messages sent, cost INR 0.69. 2 numbers appear more than once (items 0, 2, 4; items 1, 5). 1 skipped: sent before with the same Send Once Key.',
			type: 'info',
			location: 'outputPane',
		});
	});
});

it('with "continue on error" the wrong items fail and the others run', async () => {
	const failure = failureFromInput(WRONG);
	expect(await runAll(goingOn(), operationOf([SENT, SENT, REJECTED], [0]))).toEqual([
		{ failure },
		SENT,
		REJECTED,
	]);
});

describe('an exception at one item', () => {
	const UNFORESEEN = 'Something unforeseen went wrong: URI malformed';
	const broken = async () => await Promise.reject(new Error('URI malformed'));

	it.each<[string, Operation<unknown>['perform'], object]>([
		['at once', broken, { outcome: 'notSent' }],
		['later', async () => ({ json: {}, later: broken() }), { outcome: 'notSent' }],
		[
			'while a message that was sent is waited for',
			async () => ({ json: {}, later: broken(), sent: { messageId: 'm1' } }),
			{ outcome: 'unknown', remedy: expect.stringContaining('may have been sent') },
		],
	])('%s is the failure of that item', async (_, perform, failure) => {
		const results = await runAll(goingOn(), operationWith(perform));
		expect(results).toEqual([
			SENT,
			expect.objectContaining({
				failure: expect.objectContaining({ message: UNFORESEEN, retryable: false, ...failure }),
			}),
			SENT,
		]);
	});

	it('of a look-up says nothing of what became of the message', async () => {
		const operation = { ...operationWith(broken), sends: false };
		const results = await runAll(goingOn(), operation);
		expect(results[1]).toMatchObject({ failure: { outcome: null } });
	});

	it('that comes before the others have been sent rejects nothing unhandled', async () => {
		const unhandled = jest.fn();
		process.on('unhandledRejection', unhandled);
		const operation = operationOf([]);
		operation.perform.mockImplementation(async (_, itemIndex) => {
			// Node tells of a rejection that nobody handles after the current turn.
			if (itemIndex > 0) await new Promise(setImmediate);
			return itemIndex === 0 ? { json: {}, later: broken() } : SENT;
		});
		await runAll(goingOn(), operation);
		process.off('unhandledRejection', unhandled);
		expect(unhandled).not.toHaveBeenCalled();
	});
});

describe('the second try of a run that stopped', () => {
	const UNKNOWN: Result = {
		failure: networkFailure('timeout', 'unknown'),
	};

	/** An operation whose results are remembered, as those of Send Template are. */
	function remembering(results: Result[], wrong: number[] = []): Operation<unknown> {
		return {
			...operationOf([], wrong),
			async perform(_, itemIndex, { retryMemory }) {
				const known = retryMemory.find(itemIndex, {});
				if (known) return known;
				const result = results[itemIndex];
				if (result !== REJECTED) retryMemory.remember(itemIndex, {}, result);
				return result;
			},
		};
	}

	it('goes on behind an item whose outcome is unknown, and fails because of it', async () => {
		const first = remembering([SENT, UNKNOWN, SENT]);
		expect(await thrownBy(first)).toMatchObject({
			description: expect.stringContaining('sent: item 0. May have been sent: item 1.'),
		});
		expect(await thrownBy(first)).toMatchObject({
			message: expect.stringMatching(/ \[item 1\]$/),
			description: expect.stringContaining('sent: items 0, 2. May have been sent: item 1.'),
		});
	});

	it('tells of the item that failed in this try, not of an earlier one', async () => {
		const operation = remembering([UNKNOWN, SENT, REJECTED]);
		await expect(runAll(contextOf(), operation)).rejects.toThrow(/ \[item 0\]$/);
		await expect(runAll(contextOf(), operation)).rejects.toThrow(/ \[item 2\]$/);
	});

	it('says what was sent when it finds wrong items, but not among those', async () => {
		await thrownBy(remembering([SENT, REJECTED, SENT]));
		expect(await thrownBy(remembering([SENT, SENT, SENT], [0, 2]))).toEqual({
			message: 'The recipient is empty [item 2]',
			description: expect.stringMatching(
				/^Enter a number. Nothing more was sent. 1 of 3 messages were sent: item 0\. /,
			),
		});
	});

	it('says what was sent when it cannot start at all', async () => {
		await thrownBy(remembering([SENT, REJECTED, SENT]));
		const getCredentials = async () => await Promise.resolve({ baseUrl: '' });
		await expect(runAll(contextOf({ getCredentials }), operationOf([]))).rejects.toMatchObject({
			message: 'The credential has no Base URL',
			description: expect.stringContaining('1 of 3 messages were sent: item 0.'),
		});
	});

	it('leaves nothing in the execution when it goes well', async () => {
		await thrownBy(remembering([SENT, REJECTED, SENT]));
		expect(memory).not.toEqual({});
		expect(await runAll(contextOf(), remembering([SENT, SENT, SENT]))).toHaveLength(3);
		expect(memory).toEqual({});
	});

	// With "continue on error", n8n tries again when the first item failed.
	it.each<[string, boolean, Result[], boolean]>([
		['the first item failed', true, [REJECTED, SENT, SENT], true],
		['another item failed', true, [SENT, REJECTED, SENT], false],
		['no other try is set', false, [REJECTED, SENT, SENT], false],
	])('finds what went with "continue on error" where %s: %p', async (_, isSet, results, finds) => {
		const node = { name: 'Send', type: 'businessMessaging', retryOnFail: isSet };
		await runAll({ ...goingOn(), getNode: () => node } as never, remembering(results));
		expect(Object.keys(memory)).toHaveLength(finds ? 1 : 0);
	});

	it('of nothing does nothing', async () => {
		const getNode = () => ({ name: 'Send', type: 'businessMessaging', retryOnFail: true });
		const context = { ...goingOn(), getNode, getInputData: () => [] } as never;
		expect(await runAll(context, operationOf([]))).toEqual([]);
	});
});
