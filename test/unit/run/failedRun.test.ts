import type { IExecuteFunctions } from 'n8n-workflow';

import type { Result } from '../../../nodes/BusinessMessaging/actions/operation';
import { failureFromInput, notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { networkFailure } from '../../../nodes/BusinessMessaging/errors/networkErrors';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import {
	refuseRun,
	tellWhenStopped,
	throwFirstFailure,
} from '../../../nodes/BusinessMessaging/run/failedRun';
import type { Plan } from '../../../nodes/BusinessMessaging/run/plan';
import { emptyRetryMemory } from '../../support/emptyRetryMemory.ts';
import { NODE } from '../../support/sendNode.ts';

const UNKNOWN: Result = {
	failure: networkFailure('timeout', 'unknown'),
};
const NOT_STARTED: Result = notStarted();
const REST = 'Retry in the list of executions does not send these again.';

function sent(messageId?: string): Result {
	return { json: {}, sent: { messageId } };
}

interface Thrown {
	message: string;
	description: string;
	context: { itemIndex?: number; data?: { messageIds?: object } };
}

function thrownBy(work: () => void): Thrown {
	try {
		work();
	} catch (error) {
		return error as Thrown;
	}
	throw new Error('Nothing was thrown');
}

const context = { getNode: () => NODE } as IExecuteFunctions;
const errorOf = (results: Result[]) =>
	thrownBy(() => throwFirstFailure(context, results, emptyRetryMemory));

describe('the error of a run', () => {
	it.each<[string, Result[], string]>([
		['says nothing of messages where none was sent', [NOT_STARTED, NOT_STARTED], ''],
		[
			'says which items were sent',
			[sent(), sent(), NOT_STARTED, sent()],
			` 3 of 4 messages were sent: items 0-1, 3. ${REST}`,
		],
		['says which may have been', [NOT_STARTED, UNKNOWN], ` May have been sent: item 1. ${REST}`],
		[
			'says both',
			[sent(), UNKNOWN, UNKNOWN],
			` 1 of 3 messages were sent: item 0. May have been sent: items 1-2. ${REST}`,
		],
		['leaves a single item to its failure', [UNKNOWN], ''],
		[
			'counts a message that was sent and could not be delivered as sent',
			[NOT_STARTED, { ...NOT_STARTED, sent: { messageId: 'm1' } }],
			` 1 of 2 messages were sent: item 1. ${REST}`,
		],
	])('%s', (_, results, note) => {
		const { message, description } = errorOf(results);
		const failed = results.flatMap((result) => ('failure' in result ? [result.failure] : []));
		const failure = failed.find((each) => message.startsWith(each.message));
		expect(description).toBe(`${failure?.remedy}${note}`);
	});

	it.each<[number[], string]>([
		[[0, 1, 2, 3, 4, 7], '6 of 100 messages were sent: items 0-4, 7.'],
		[[0, 2, 3], '3 of 100 messages were sent: items 0, 2-3.'],
		[Array.from({ length: 49 }, (_, item) => item * 2), ' 36, 38 and 29 more.'],
	])('shows the items %j in ranges', (items, text) => {
		const results = Array.from({ length: 100 }, (_, item) =>
			items.includes(item) ? sent() : NOT_STARTED,
		);
		expect(errorOf(results).description).toContain(text);
	});

	// README, Good to know: the error has the first 1,000 message IDs
	it('has the message IDs by item, up to a thousand', () => {
		const results = Array.from({ length: 1500 }, (_, item) => sent(`m${item}`));
		const { messageIds = {} } = errorOf([NOT_STARTED, ...results]).context.data ?? {};
		expect(Object.keys(messageIds)).toHaveLength(1000);
		expect(messageIds).toMatchObject({ 1: 'm0', 1000: 'm999' });
		expect(errorOf([NOT_STARTED, sent()]).context.data).toBeUndefined();
	});
});

describe('a run with wrong items', () => {
	function refusal(items: Array<[message: string, remedy: string] | undefined>) {
		const parsedItems = items.map((item) =>
			item ? { failure: failureFromInput(new InputError(...item)) } : { job: {} },
		);
		const plan = { parsedItems, accounts: { close: () => undefined } } as unknown as Plan;
		const data = { ...context, getInputData: () => items } as unknown as IExecuteFunctions;
		const { message, description } = thrownBy(() => refuseRun(data, plan, true, emptyRetryMemory));
		return { message, description };
	}

	const EMPTY: [string, string] = ['The recipient is empty', 'Enter a number.'];

	it('is refused with the failure of a single one', () => {
		expect(refusal([undefined, EMPTY])).toEqual({
			message: 'The recipient is empty [item 1]',
			description: 'Enter a number. Nothing was sent.',
		});
	});

	it('names the first five with what to do, which is said once, and the others by number', () => {
		const late: [string, string] = ['The date is in the future', 'Check the time zone'];
		expect(refusal([undefined, EMPTY, late, EMPTY, EMPTY, EMPTY, EMPTY, undefined, late])).toEqual({
			message: '7 of 9 items are wrong, the first is item 1: The recipient is empty',
			description:
				'Item 1: The recipient is empty. Enter a number. Item 2: The date is in the future. Check the time zone. Item 3: The recipient is empty. Item 4: The recipient is empty. Item 5: The recipient is empty. And 2 more: items 6, 8. Nothing was sent.',
		});
	});
});

// README, Good to know: a run that is stopped
describe('a run that somebody stops', () => {
	const customData = { set: jest.fn<void, [string, string]>() };
	const logger = { warn: jest.fn<void, [string]>() };
	let canceled: AbortController;

	beforeEach(() => {
		for (const mock of [customData.set, logger.warn]) mock.mockReset();
		canceled = new AbortController();
	});

	function tell(
		results: Result[],
		inFlight: number[] = [],
		signal: AbortSignal | undefined = canceled.signal,
	) {
		const inN8n = {
			...{ customData, logger },
			getExecutionCancelSignal: () => signal,
			getNode: () => ({ name: 'Send' }),
			getExecutionId: () => '17',
		} as unknown as IExecuteFunctions;
		return tellWhenStopped(inN8n, { results, inFlight });
	}

	it.each<[string, Result[], number[], string]>([
		['everything was sent', [sent()], [], '1 of 1 messages were sent: item 0.'],
		['nothing was sent', [NOT_STARTED, NOT_STARTED], [], '0 of 2 messages were sent.'],
		[
			'some may have been sent, and some are in flight',
			[sent(), UNKNOWN, NOT_STARTED, NOT_STARTED],
			[3, 2],
			'1 of 4 messages were sent: item 0. May have been sent: item 1. Under way: items 2-3.',
		],
	])('stores in the execution what was sent when %s', (_, results, inFlight, text) => {
		tell(results, inFlight);
		canceled.abort();
		expect(customData.set.mock.calls).toEqual([['messages_when_stopped', text]]);
	});

	it('cuts what is too long for the data of an execution, and logs the whole', () => {
		const results = Array<Result>(10_200).fill(NOT_STARTED);
		for (let item = 10_000; item < results.length; item += 4) {
			results[item] = sent();
			results[item + 2] = UNKNOWN;
		}
		const told = tell(results);
		canceled.abort();
		told.end();
		const [[, stored]] = customData.set.mock.calls;
		expect(stored).toHaveLength(255);
		expect(logger.warn.mock.calls[0][0]).toContain(stored);
	});

	it('tells nothing if it had ended before, or n8n tells nothing of a cancellation', () => {
		tell([sent()]).end();
		canceled.abort();
		tell([sent()], [], null as never).end();
		expect(customData.set).not.toHaveBeenCalled();
		expect(logger.warn).not.toHaveBeenCalled();
	});
});
