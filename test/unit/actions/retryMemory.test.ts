import type { IContextObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Result } from '../../../nodes/BusinessMessaging/actions/operation';
import { openRetryMemory } from '../../../nodes/BusinessMessaging/actions/retryMemory';
import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { NODE } from '../../support/sendNode.ts';

const MESSAGE: IDataObject = {
	message_id: 'm1',
	to: '+14155552671',
	cost: { amount: 0.115, currency: 'INR' },
	preview: 'Hi',
};
const PRICE = { cost: 0.115, currency: 'INR' };
const SENT: Result = { json: MESSAGE, sent: { messageId: 'm1', ...PRICE } };
const NOT_SENT = notStarted();
const UNKNOWN: Result = { failure: { ...NOT_SENT.failure, outcome: 'unknown' } };

interface Attempt {
	runIndex?: number;
	isTest?: boolean;
	type?: string;
}

function open(store: IContextObject, { runIndex, isTest = false, type = NODE.type }: Attempt = {}) {
	const context = {
		getContext: () => store,
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
	it('is found again by its item in the same run', () => {
		const memory = open(storedAfter([SENT, UNKNOWN], { runIndex: 1 }), { runIndex: 1 });
		const found = [0, 1, 2].map((itemIndex) => memory.find(itemIndex, {}));
		expect(found).toEqual([SENT, UNKNOWN, undefined]);
		expect([...memory.results.keys()].sort()).toEqual([0, 1]);
	});

	it('does not count for another run, as a loop makes them, and is gone after it', () => {
		const store = storedAfter([SENT]);
		expect(open(store, { runIndex: 1 }).find(0, {})).toBeUndefined();
		expect(store).toEqual({});
	});

	it('is all there after several attempts', () => {
		const store = storedAfter([SENT]);
		const second = open(store);
		second.remember(1, {}, SENT);
		second.rememberSpent(0.23);
		const { results, spent } = open(structuredClone(store));
		expect([...results.keys()]).toEqual([0, 1]);
		expect(spent).toBe(0.23);
	});

	it('keeps what holds other messages back from a number, for a message of unknown outcome', () => {
		const unknown = { ...UNKNOWN, claim: { owner: 'me', rows: ['cap:a:1'] } };
		expect(open(storedAfter([SENT, unknown])).find(1, {})).toEqual(unknown);
	});

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

	it('knows ID and price of a message that was put out as a raw response', () => {
		const json = { success: true, data: MESSAGE, httpStatus: 200 };
		const store = storedAfter([{ json, sent: {} }]);
		expect(open(store).find(0, {})).toEqual({ json, sent: { messageId: 'm1', ...PRICE } });
	});

	it('takes no room in the execution before something was sent, or after the run', () => {
		const store = storedAfter([]);
		open(store).rememberSpent(0);
		expect(store).toEqual({});
		open(store).remember(0, {}, SENT);
		open(store).forget();
		expect(store).toEqual({});
	});
});

describe('what an agent has sent, in a later call of the tool,', () => {
	const CONTENT = { to: '+14155552671' };
	const tool = { type: 'businessMessagingTool' };

	it.each<[string, Result, object, Result | undefined]>([
		['is known if its outcome is unknown', UNKNOWN, { ...CONTENT }, UNKNOWN],
		['may be sent again after it was sent', SENT, CONTENT, undefined],
		['may be sent again after it was not sent', NOT_SENT, CONTENT, undefined],
		['is another one with another content', UNKNOWN, { to: '+14155552672' }, undefined],
	])('%s', (_, result, content, found) => {
		const store = {};
		open(store, tool).remember(0, CONTENT, result);
		expect(open(store, { ...tool, runIndex: 1 }).find(3, content)).toEqual(found);
		if (result !== UNKNOWN) expect(store).toEqual({});
	});

	// SECURITY, What is stored: a digest of each content of unknown outcome
	it('is known to the end of the execution, in which a digest is stored', () => {
		const store = {};
		const memory = open(store, tool);
		memory.remember(0, CONTENT, UNKNOWN);
		memory.remember(0, { to: '+14155552672' }, UNKNOWN);
		memory.rememberSpent(1);
		memory.forget();
		expect(open(store, tool).find(0, CONTENT)).toEqual(UNKNOWN);
		expect(open(store, tool)).toMatchObject({ spent: 0, results: new Map() });
		expect(JSON.stringify(store)).not.toContain(CONTENT.to);
	});
});
