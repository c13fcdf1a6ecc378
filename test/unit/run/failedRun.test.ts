import type { IExecuteFunctions } from 'n8n-workflow';

import type { Result } from '../../../nodes/BusinessMessaging/actions/operation';
import { failureFromInput, notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import {
	refuseRun,
	tellWhenStopped,
	throwFirstFailure,
} from '../../../nodes/BusinessMessaging/run/failedRun';
import type { Plan } from '../../../nodes/BusinessMessaging/run/plan';
import { emptyRetryMemory } from '../../support/emptyRetryMemory.ts';
import { NODE } from '../../support/sendNode.ts';

const NOT_STARTED = notStarted();
const MAYBE_SENT: Result = { failure: { ...NOT_STARTED.failure, outcome: 'unknown' } };
const sent = (messageId?: string): Result => ({ json: {}, sent: { messageId } });

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
			'says which items were sent, delivered or not, and which may have been',
			[NOT_STARTED, sent(), sent(), MAYBE_SENT, { ...NOT_STARTED, sent: { messageId: 'm1' } }],
			' 3 of 5 messages were sent: items 1-2, 4. May have been sent: item 3. Retry in the list of executions does not send these again.',
		],
		['leaves a single item to its failure', [MAYBE_SENT], ''],
	])('%s', (_, results, note) => {
		expect(errorOf(results).description).toBe(`${NOT_STARTED.failure.remedy}${note}`);
	});

	it.each<[number[], string]>([
		[[0, 1, 2, 3, 4, 7], '6 of 100 messages were sent: items 0-4, 7.'],
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

it('of wrong items the first five are named with what to do, which is said once', () => {
	const empty = new InputError('The recipient is empty', 'Enter a number.');
	const late = new InputError('The date is in the future', 'Check the time zone');
	const items = [undefined, empty, late, empty, empty, empty, empty, undefined, late];
	const parsedItems = items.map((error) =>
		error ? { failure: failureFromInput(error) } : { job: {} },
	);
	const plan = { parsedItems, accounts: { close: () => undefined } } as unknown as Plan;
	const data = { ...context, getInputData: () => items } as unknown as IExecuteFunctions;
	expect(thrownBy(() => refuseRun(data, plan, true, emptyRetryMemory))).toMatchObject({
		message: '7 of 9 items are wrong, the first is item 1: The recipient is empty',
		description:
			'Item 1: The recipient is empty. Enter a number. Item 2: The date is in the future. Check the time zone. Item 3: The recipient is empty. Item 4: The recipient is empty. Item 5: The recipient is empty. And 2 more: items 6, 8. Nothing was sent.',
	});
});

// README, Good to know: a run that is stopped
describe('a run that somebody stops', () => {
	/** What it stores in the execution, and logs. */
	function tell(results: Result[], { inFlight = [] as number[], early = false } = {}) {
		const customData = { set: jest.fn<void, [string, string]>() };
		const logger = { warn: jest.fn<void, [string]>() };
		const canceled = new AbortController();
		const inN8n = {
			...{ customData, logger, getNode: () => NODE, getExecutionId: () => '17' },
			getExecutionCancelSignal: () => canceled.signal,
		} as unknown as IExecuteFunctions;
		const told = tellWhenStopped(inN8n, { results, inFlight });
		if (early) told.end();
		canceled.abort();
		if (!early) told.end();
		return { stored: customData.set.mock.calls, logged: logger.warn.mock.calls };
	}

	it.each<[Result[], number[], string]>([
		[[NOT_STARTED, NOT_STARTED], [], '0 of 2 messages were sent.'],
		[
			[sent(), MAYBE_SENT, NOT_STARTED, NOT_STARTED],
			[3, 2],
			'1 of 4 messages were sent: item 0. May have been sent: item 1. Under way: items 2-3.',
		],
	])('stores in the execution what was sent of %j', (results, inFlight, text) => {
		expect(tell(results, { inFlight }).stored).toEqual([['messages_when_stopped', text]]);
	});

	it('cuts what is too long for the data of an execution, and logs the whole', () => {
		const results = Array.from({ length: 10_200 }, (_, item) =>
			item < 10_000 || item % 2 ? NOT_STARTED : MAYBE_SENT,
		);
		const { stored, logged } = tell(results);
		expect(stored[0][1]).toHaveLength(255);
		expect(logged[0][0]).toContain(stored[0][1]);
	});

	it('tells nothing if the run had ended before, or n8n tells nothing of a cancellation', () => {
		expect(tell([sent()], { early: true })).toEqual({ stored: [], logged: [] });
		const untold = { getExecutionCancelSignal: () => undefined } as unknown as IExecuteFunctions;
		expect(() => tellWhenStopped(untold, { results: [], inFlight: [] }).end()).not.toThrow();
	});
});
