import type { IContextObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { openRetryMemory } from '../../../nodes/BusinessMessaging/actions/retryMemory';
import { causeNamed } from '../../../nodes/BusinessMessaging/errors/catalogue';
import { failed, failureOf } from '../../../nodes/BusinessMessaging/errors/failure';
import { KEY_OUTCOME_UNKNOWN } from '../../../nodes/BusinessMessaging/memory/sendOnce';
import type { Outcome } from '../../../nodes/BusinessMessaging/outcome';
import { OUTCOMES } from '../../support/outcomes.mts';
import { NODE } from '../../support/sendNode.mts';

const PRICE = { cost: { amount: 0.115, currency: 'INR' } };
const { sent: SENT, unknown: UNKNOWN, undelivered: UNDELIVERED } = OUTCOMES;
const SENT_BEFORE: Outcome = { kind: 'sentBefore', json: { sentBefore: true } };
const INTERRUPTED = failed(failureOf(causeNamed('interrupted'), 'unknown'));

function open(store: IContextObject, $runIndex = 0, isTest = false, type = NODE.type) {
	const context = {
		getContext: () => store,
		getWorkflow: () => ({ id: 'w1' }),
		getNode: () => ({ ...NODE, type }),
		getWorkflowDataProxy: () => ({ $runIndex }),
	} as unknown as IExecuteFunctions;
	return openRetryMemory(context, isTest);
}

/** What n8n stores and reads again after an attempt with these outcomes. */
function storedAfter(outcomes: Outcome[], runIndex = 0): IContextObject {
	const store = {};
	const memory = open(store, runIndex);
	for (const [itemIndex, outcome] of outcomes.entries()) memory.remember(itemIndex, outcome);
	return structuredClone(store);
}

describe('what an earlier attempt of the node sent', () => {
	it('does not count for another run, as a loop makes them, and is gone after it', () => {
		const store = storedAfter([SENT]);
		// n8n may add fields to the output.
		Object.assign((open(store).outcomes.get(0) as { json: IDataObject }).json, { added: true });
		expect(open(store).outcomes.get(0)).toEqual(SENT);
		expect(open(store, 1).outcomes.get(0)).toBeUndefined();
		expect(store).toEqual({});
	});

	it('is found again by its item in the same run, after several attempts', () => {
		const store = storedAfter([SENT, UNDELIVERED], 1);
		const second = open(store, 1);
		second.remember(1, UNKNOWN);
		second.remember(2, SENT_BEFORE);
		second.remember(3, { kind: 'skipped', reason: 'optedOut', json: {} });
		second.rememberSpent(0.23);
		const third = open(structuredClone(store), 1);
		const found = [0, 1, 2, 3].map((itemIndex) => third.outcomes.get(itemIndex));
		// A fallback of unknown outcome keeps the message before it.
		const fallback = { ...UNKNOWN, message: UNDELIVERED.message };
		expect(found).toStrictEqual([SENT, fallback, SENT_BEFORE, undefined]);
		expect(third.spent).toBe(0.23);
	});

	it('that was interrupted counts for the limit, with the price of each message', () => {
		const store = {};
		const memory = open(store);
		// Only that it was not delivered is known, not its message.
		const { message: _, ...notDelivered } = UNDELIVERED;
		memory.recall(0, SENT, 0.115);
		memory.recall(1, notDelivered, 0);
		memory.recall(2, INTERRUPTED, 0.115);
		memory.recall(3, KEY_OUTCOME_UNKNOWN, 0);
		expect(memory.spent).toBe(0.23);
		memory.rememberSpent(0.3);
		// The next one may find out what became of it.
		const later = open(structuredClone(store));
		expect([...later.outcomes.values()]).toStrictEqual([SENT, notDelivered]);
		expect(later.spent).toBe(0.185);
	});

	it('does not count for the customer when it went to a test recipient, and the other way round', () => {
		const store = storedAfter([SENT]);
		const test = open(store, 0, true);
		expect(test.outcomes.get(0)).toBeUndefined();
		test.remember(1, SENT);
		expect([...open(store).outcomes.keys()]).toEqual([0]);
		expect([...open(store, 0, true).outcomes.keys()]).toEqual([1]);
		// STATE.md
		expect(Object.keys(store)).toEqual(['sentMessages', 'testMessages']);
		// An agent may call it again with other words: see ToolLedger.
		expect(open(store, 0, false, `${NODE.type}Tool`).outcomes.size).toBe(0);
	});

	// SECURITY, What is stored: no phone number, template or text
	it.each([
		['of the message', (fields: IDataObject) => fields],
		['of a raw response', (data: IDataObject) => ({ success: true, data, httpStatus: 200 })],
	])('is stored without what the item says, which completes it %s', (_, shaped) => {
		const [to, intendedTo] = ['+14155552671', '+14155552672'];
		const fields = { to, preview: 'Hi Asha', intendedTo, template_name: 'welcome' };
		const json = shaped({ message_id: 'm1', ...fields, ...PRICE });
		const store = {};
		open(store).remember(0, { kind: 'sent', json });
		expect(JSON.stringify(store)).not.toMatch(/4155|Asha|welcome/);
		const later = (given: IDataObject) => {
			const memory = open(structuredClone(store));
			for (const item of [0, 9]) memory.complete(item, given);
			return JSON.stringify((memory.outcomes.get(0) as { json: IDataObject }).json);
		};
		expect(later(fields)).toBe(JSON.stringify(json));
		// Without what is not what was sent.
		const { preview: __, ...others } = fields;
		const incomplete = JSON.stringify(shaped({ message_id: 'm1', ...others, ...PRICE }));
		expect(later({ ...fields, preview: 'Hi Bela' })).toBe(incomplete);
	});

	it('has the number as it is entered, if the API has left out the plus sign', () => {
		const store = {};
		const raw = { to: '14155552671', data: 'ok', cost: { to: '14155552671' } };
		open(store).remember(0, { kind: 'sent', json: raw });
		const memory = open(structuredClone(store));
		memory.complete(0, { to: '+14155552671' });
		expect(memory.outcomes.get(0)).toEqual({ kind: 'sent', json: { ...raw, to: '+14155552671' } });
		const { items } = (store as { sentMessages: { items: object } }).sentMessages;
		expect(items).toMatchObject({ 0: { message: { to: expect.stringMatching(/^.{4}$/) } } });
	});
});
