import type { IContextObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation, Result } from '../../../nodes/BusinessMessaging/actions/operation';
import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { networkFailure } from '../../../nodes/BusinessMessaging/errors/networkErrors';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import { runItems } from '../../../nodes/BusinessMessaging/run/runItems';
import { createVirtualClock } from '../../support/virtualClock.ts';

const SENT: Result = { json: { status: 'sent' }, sent: { cost: 0.115, currency: 'INR' } };
const REFUSED: Result = { failure: networkFailure('connectionRefused', 'notSent') };
const UNKNOWN: Result = { failure: networkFailure('timeout', 'unknown') };
const NOT_STARTED: Result = notStarted();
const WRONG = new InputError('The recipient is empty', 'Enter a number.');
const ALL_SENT = [SENT, SENT, SENT];

const addExecutionHints = jest.fn();
const customData = { set: jest.fn() };
const logger = { warn: jest.fn() };
let canceled: AbortController;
let memory: IContextObject;

beforeEach(() => {
	jest.clearAllMocks();
	canceled = new AbortController();
	memory = {};
});

async function runAll(operation: Operation<unknown>, changes: object = {}) {
	const context = {
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
		...{ addExecutionHints, customData, logger },
		...changes,
	};
	const given = context as unknown as IExecuteFunctions;
	return await runItems(given, operation, createVirtualClock());
}

/** With "continue on error". */
const GOING_ON = { continueOnFail: () => true };

/** An operation with these results, one per item; the reading of the wrong ones fails. */
function operationOf(results: Result[], wrong: number[] = []) {
	return {
		read(_: unknown, itemIndex: number) {
			if (wrong.includes(itemIndex)) throw WRONG;
		},
		perform: jest.fn<Promise<Result>, Parameters<Operation<unknown>['perform']>>(
			async (_, itemIndex) => results[itemIndex],
		),
		...{ sends: true, highestPrice: () => 0, fields: [] },
	} satisfies Operation<unknown>;
}

async function thrownBy(operation: Operation<unknown>): Promise<object> {
	return await runAll(operation).then(
		() => ({}),
		({ message, description }: Error & { description?: string }) => ({ message, description }),
	);
}

describe('a run', () => {
	it.each<[string, Result[], object, number]>([
		['says what was sent', ALL_SENT, {}, 1],
		['says nothing in an n8n that has no hints', ALL_SENT, { addExecutionHints: undefined }, 0],
		['says nothing when there is nothing to say', Array(3).fill({ json: {} }), {}, 0],
	])('gives one result per item and %s', async (_, results, changes, hints) => {
		expect(await runAll(operationOf(results), changes)).toEqual(results);
		expect(addExecutionHints).toHaveBeenCalledTimes(hints);
	});

	it.each([
		['that has ended', [], 2],
		['that has wrong items', [1], 1],
	])('%s no longer listens for its being canceled', async (_, wrong, count) => {
		const added = jest.spyOn(canceled.signal, 'addEventListener');
		const removed = jest.spyOn(canceled.signal, 'removeEventListener');
		await thrownBy(operationOf(ALL_SENT, wrong));
		const [heard, unheard] = [added, removed].map(({ mock }) => mock.calls.map((call) => call[1]));
		expect(heard).toHaveLength(count);
		expect(new Set(unheard)).toEqual(new Set(heard));
	});

	// README, Good to know: a run that is stopped
	it('that is canceled leaves in the execution what was sent by then, and in the log what was sent in all', async () => {
		const operation = operationOf(ALL_SENT);
		operation.perform.mockResolvedValueOnce({
			json: {},
			later: new Promise((resolve) =>
				canceled.signal.addEventListener('abort', () => resolve(SENT)),
			),
			sent: { messageId: 'm1' },
		});
		operation.perform.mockImplementationOnce(async () => {
			canceled.abort();
			return SENT;
		});
		expect(await runAll(operation, GOING_ON)).toEqual([SENT, SENT, NOT_STARTED]);
		expect(customData.set.mock.calls).toEqual([
			['messages_when_stopped', '1 of 3 messages were sent: item 0. Under way: item 1.'],
		]);
		expect(logger.warn.mock.calls).toEqual([
			['Execution 17 was stopped in "Send". 2 of 3 messages were sent: items 0-1.'],
		]);
	});
});

describe('without "continue on error"', () => {
	it('the error is about the item that failed, not about one that was not started', async () => {
		const getNodeParameter = (_: string, __: number, fallback: unknown) => fallback;
		const run = runAll(operationOf([NOT_STARTED, REFUSED, REFUSED]), { getNodeParameter });
		await expect(run).rejects.toThrow(/ \[item 1\]$/);
	});

	it('a wrong item of a look-up is found before anything is looked up', async () => {
		const operation = { ...operationOf(ALL_SENT, [1]), sends: false };
		expect(await thrownBy(operation)).toEqual({
			message: 'The recipient is empty [item 1]',
			description: 'Enter a number. Nothing was looked up.',
		});
		expect(operation.perform).not.toHaveBeenCalled();
	});
});

it('a look-up that is canceled or fails says nothing of what became of the message', async () => {
	const operation = { ...operationOf([SENT, REFUSED]), sends: false };
	operation.perform.mockImplementationOnce(async () => {
		canceled.abort();
		return REFUSED;
	});
	const [first] = await runAll(operation, GOING_ON);
	expect(first).toMatchObject({ failure: { outcome: null } });
	expect(customData.set).not.toHaveBeenCalled();
	expect(logger.warn).not.toHaveBeenCalled();
});

describe('an exception at one item', () => {
	const broken = async () => await Promise.reject(new Error('URI malformed'));

	it.each<[string, Operation<unknown>['perform'], object]>([
		['at once', broken, { outcome: 'notSent' }],
		['later', async () => ({ json: {}, later: broken() }), { outcome: 'notSent' }],
		[
			'while a message that was sent is waited for',
			async () => ({ json: {}, later: broken(), sent: { messageId: 'm1' } }),
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
		const [{ failure }, ...others] = (await runAll(operation, GOING_ON)) as never[];
		process.off('unhandledRejection', unhandled);
		const message = 'Something unforeseen went wrong: URI malformed';
		expect(failure).toMatchObject({ message, retryable: false, ...outcome });
		expect(others).toEqual([SENT, SENT]);
		expect(unhandled).not.toHaveBeenCalled();
	});
});

describe('the second try of a run that stopped', () => {
	/** An operation whose results are remembered, as those of Send Template are. */
	function remembering(results: Result[], wrong: number[] = []): Operation<unknown> {
		return {
			...operationOf([], wrong),
			async perform(_, itemIndex, { retryMemory }) {
				const known = retryMemory.find(itemIndex, {});
				if (known) return known;
				const result = results[itemIndex];
				if (result !== REFUSED) retryMemory.remember(itemIndex, {}, result);
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
		const operation = remembering([UNKNOWN, SENT, REFUSED]);
		await expect(runAll(operation)).rejects.toThrow(/ \[item 0\]$/);
		await expect(runAll(operation)).rejects.toThrow(/ \[item 2\]$/);
	});

	it.each([
		['it finds wrong items, but not among those', remembering(ALL_SENT, [0, 2]), {}, ' [item 2]'],
		['it cannot start', operationOf([]), { getCredentials: async () => ({}) }, 'no Base URL'],
	])('says what was sent when %s', async (_, operation, changes, problem) => {
		await thrownBy(remembering([SENT, REFUSED, SENT]));
		await expect(runAll(operation, changes)).rejects.toMatchObject({
			message: expect.stringContaining(problem),
			description: expect.stringContaining(' 1 of 3 messages were sent: item 0. '),
		});
	});

	// With "continue on error", n8n tries again when the first item failed.
	it.each<[string, boolean, Result[], boolean]>([
		['the first item failed', true, [REFUSED, SENT, SENT], true],
		['another item failed', true, [SENT, REFUSED, SENT], false],
		['no other try is set', false, [REFUSED, SENT, SENT], false],
		['there is no item', true, [], false],
	])(
		'finds what went with "continue on error" where %s',
		async (_, retryOnFail, results, finds) => {
			const node = { name: 'Send', type: 'businessMessaging', retryOnFail };
			const inN8n = { ...GOING_ON, getNode: () => node, getInputData: () => results };
			expect(await runAll(remembering(results), inN8n)).toEqual(results);
			expect(Object.keys(memory)).toHaveLength(finds ? 1 : 0);
		},
	);
});
