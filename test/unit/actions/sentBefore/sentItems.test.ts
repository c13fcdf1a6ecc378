import type { IContextObject, IDataObject } from 'n8n-workflow';

import type { Result } from '../../../../nodes/BusinessMessaging/actions/result';
import { rememberItems } from '../../../../nodes/BusinessMessaging/actions/sentBefore/sentItems';
import { notStarted } from '../../../../nodes/BusinessMessaging/errors/failure';

const MESSAGE: IDataObject = {
	message_id: 'm1',
	to: '+14155552671',
	cost: { amount: 0.115, currency: 'INR' },
	preview: 'Hi',
};
const PRICE = { cost: 0.115, currency: 'INR' };
const SENT: Result = { json: MESSAGE, sent: { messageId: 'm1', ...PRICE } };
const UNKNOWN: Result = { failure: notStarted('send').failure };

/** What n8n stores of it and reads again. */
function stored(context: IContextObject): IContextObject {
	return JSON.parse(JSON.stringify(context)) as IContextObject;
}

function rememberedOf(results: Result[], runIndex = 0): IContextObject {
	const context = {};
	const { remember } = rememberItems(context, runIndex);
	for (const [itemIndex, result] of results.entries()) remember(itemIndex, {}, result);
	return stored(context);
}

describe('what an earlier try of the node sent', () => {
	it('is found again by its item in the same run', () => {
		const { find, results } = rememberItems(rememberedOf([SENT, UNKNOWN], 1), 1);
		expect([0, 1, 2].map((itemIndex) => find(itemIndex, {}))).toEqual([SENT, UNKNOWN, undefined]);
		expect([...results.keys()].sort()).toEqual([0, 1]);
	});

	it('does not count for another run, as a loop makes them, and is gone after it', () => {
		const context = rememberedOf([SENT]);
		expect(rememberItems(context, 1).find(0, {})).toBeUndefined();
		expect(context).toEqual({});
	});

	it('is all there after several tries', () => {
		const context = rememberedOf([SENT]);
		rememberItems(context, 0).remember(1, {}, SENT);
		expect([...rememberItems(stored(context), 0).results.keys()]).toEqual([0, 1]);
	});

	it('is sent, no longer unknown, once it went out after all', () => {
		const context = rememberedOf([UNKNOWN]);
		rememberItems(context, 0).remember(0, {}, SENT);
		expect(rememberItems(stored(context), 0).find(0, {})).toEqual(SENT);
		expect(JSON.stringify(context)).not.toContain('canceled');
	});

	it('is unknown, no longer sent, once it was sent in another category and nobody can tell', () => {
		const context = rememberedOf([SENT]);
		rememberItems(context, 0).remember(0, {}, UNKNOWN);
		expect(rememberItems(stored(context), 0).find(0, {})).toEqual(UNKNOWN);
	});

	it('does not count for the customer when it went to a test recipient, and the other way round', () => {
		const context = rememberedOf([SENT]);
		const test = rememberItems(context, 0, true);
		expect(test.find(0, {})).toBeUndefined();
		test.remember(1, {}, SENT);
		expect([...rememberItems(stored(context), 0).results.keys()]).toEqual([0]);
		expect([...rememberItems(stored(context), 0, true).results.keys()]).toEqual([1]);
	});

	it('keeps nothing in the execution once the run has ended well', () => {
		const context = rememberedOf([SENT]);
		rememberItems(context, 0).forget();
		expect(context).toEqual({});
	});

	it('keeps nothing in the execution before something was sent', () => {
		const context = {};
		rememberItems(context, 0);
		expect(context).toEqual({});
	});

	it('knows ID and price of a message that was put out as a raw response', () => {
		const json = { success: true, data: MESSAGE, httpStatus: 200 };
		const context = rememberedOf([{ json, sent: {} }]);
		expect(rememberItems(context, 0).find(0, {})).toEqual({
			json,
			sent: { messageId: 'm1', ...PRICE },
		});
	});
});
