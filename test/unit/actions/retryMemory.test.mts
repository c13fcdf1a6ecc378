import type { IContextObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Result } from '../../../nodes/BusinessMessaging/actions/operation';
import { openRetryMemory } from '../../../nodes/BusinessMessaging/actions/retryMemory';
import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { NODE } from '../../support/sendNode.mts';

const MESSAGE = { message_id: 'm1', cost: { amount: 0.115, currency: 'INR' } };
const PRICED = { messageId: 'm1', cost: 0.115, currency: 'INR' };
const SENT: Result = { json: MESSAGE, sent: PRICED };
const NOT_SENT = notStarted();
const UNKNOWN = { failure: { ...NOT_SENT.failure, outcome: 'unknown' } } satisfies Result;

interface Attempt {
	runIndex?: number;
	isTest?: boolean;
	type?: string;
}

function open(store: IContextObject, { runIndex, isTest = false, type = NODE.type }: Attempt = {}) {
	const context = {
		getContext: () => store,
		getWorkflow: () => ({ id: 'w1' }),
		getNode: () => ({ ...NODE, type }),
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	} as unknown as IExecuteFunctions;
	return openRetryMemory(context, isTest);
}

/** What n8n stores and reads again after an attempt with these results. */
function storedAfter(results: Result[], attempt?: Attempt): IContextObject {
	const store = {};
	const memory = open(store, attempt);
	for (const [itemIndex, result] of results.entries()) memory.remember(itemIndex, {}, result);
	return structuredClone(store);
}

describe('what an earlier attempt of the node sent', () => {
	it('does not count for another run, as a loop makes them, and is gone after it', () => {
		const store = storedAfter([SENT]);
		expect(open(store, { runIndex: 1 }).find(0, {})).toBeUndefined();
		expect(store).toEqual({});
	});

	it('is found again by its item in the same run, after several attempts', () => {
		const store = storedAfter([SENT], { runIndex: 1 });
		const second = open(store, { runIndex: 1 });
		second.remember(1, {}, UNKNOWN);
		second.rememberSpent(0.23);
		const third = open(structuredClone(store), { runIndex: 1 });
		const found = [0, 1, 2].map((itemIndex) => third.find(itemIndex, {}));
		expect(found).toEqual([SENT, UNKNOWN, undefined]);
		expect(third.spent).toBe(0.23);
	});

	it('keeps what holds other messages back from a number, for a message of unknown outcome', () => {
		const unknown = { ...UNKNOWN, claim: { owner: 'me', rows: ['cap:a:1'] } };
		expect(open(storedAfter([SENT, unknown])).find(1, {})).toEqual(unknown);
	});

	it.each([SENT, UNKNOWN, { ...UNKNOWN, sent: PRICED }])(
		'keeps that an earlier request may have sent it too: %j',
		(result) => {
			const store = storedAfter([SENT]);
			const earlier = { ...result, earlierUnknown: UNKNOWN.failure };
			open(store).remember(0, {}, earlier);
			expect(open(structuredClone(store)).find(0, {})).toEqual(earlier);
		},
	);

	it.each<[string, Result, Result]>([
		['sent, no longer unknown, once it went out after all', UNKNOWN, SENT],
		['unknown, no longer sent, after a fallback of unknown outcome', SENT, UNKNOWN],
	])('is %s', (_, first, second) => {
		const store = storedAfter([first]);
		open(store).remember(0, {}, second);
		expect(open(structuredClone(store)).find(0, {})).toEqual(second);
		const { sent, unknown } = store.sentMessages as Record<string, object>;
		expect([...Object.keys(sent), ...Object.keys(unknown)]).toEqual(['0']);
	});

	it('does not count for the customer when it went to a test recipient, and the other way round', () => {
		const store = storedAfter([SENT]);
		const test = open(store, { isTest: true });
		expect(test.find(0, {})).toBeUndefined();
		test.remember(1, {}, SENT);
		expect([...open(store).results.keys()]).toEqual([0]);
		expect([...open(store, { isTest: true }).results.keys()]).toEqual([1]);
	});

	it('keeps its output as it was, whatever n8n adds to it', () => {
		const store = storedAfter([SENT]);
		Object.assign((open(store).find(0, {}) as { json: IDataObject }).json, { added: true });
		expect(open(store).find(0, {})).toEqual(SENT);
	});

	it('takes no more room in the execution than it needs, and none before a message and after the run', () => {
		const store = storedAfter([]);
		open(store).rememberSpent(0);
		expect(store).toEqual({});
		open(store).remember(0, {}, SENT);
		expect(store.sentMessages).toStrictEqual({ runIndex: 0, sent: { 0: MESSAGE }, unknown: {} });
		open(store).forget();
		expect(store).toEqual({});
	});
});

describe('what an agent has sent, in a later call of the tool,', () => {
	const CONTENT = { to: '+14155552671' };
	const OTHER = { to: '+14155552672' };
	const tool = { type: 'businessMessagingTool' };

	// SECURITY, What is stored: a digest of each content of unknown outcome
	it('is known by its content to the end of the execution if its outcome is unknown', () => {
		const store: Record<string, object> = {};
		const memory = open(store, tool);
		const twice = { ...UNKNOWN, earlierUnknown: UNKNOWN.failure };
		memory.remember(0, CONTENT, UNKNOWN);
		memory.remember(0, OTHER, twice);
		memory.rememberSpent(1);
		memory.forget();
		const later = open(store, { ...tool, runIndex: 1 });
		const found = [CONTENT, { ...OTHER }, {}].map((content) => later.find(3, content));
		expect(found).toEqual([UNKNOWN, twice, undefined]);
		expect(later).toMatchObject({ spent: 0, results: new Map() });
		expect(Object.keys(store)).toEqual(['unknownOutcomes']);
		for (const digest of Object.keys(store.unknownOutcomes))
			expect(digest).toMatch(/^[\da-f]{64}$/);
	});

	it.each([SENT, NOT_SENT])('may be sent again if its outcome is known: %j', (result) => {
		const store = {};
		open(store, tool).remember(0, CONTENT, result);
		expect(store).toEqual({});
	});
});
