import type { INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { localAccount } from '../support/localAccount.ts';
import type { NodeRun } from '../support/runNode.ts';

const { api, bodies, send } = localAccount();

const TESTER = '+14155552600';
const ITEMS = [{ to: '+14155552671' }, { to: '+14155552672' }];
const byHand = { mode: 'manual' as WorkflowExecuteMode };

// README, Send to a spreadsheet: Test Recipient
describe('with a test recipient', () => {
	const options = { testRecipient: '(415) 555-2600', defaultCountry: 'US' };

	it('every message of a run by hand goes there, and the output says so', async () => {
		const { json, hints } = await send({ options }, ITEMS, {}, byHand);
		expect(bodies()).toMatchObject([{ to: TESTER }, { to: TESTER }]);
		expect(json).toMatchObject(ITEMS.map(({ to }) => ({ to: TESTER, intendedTo: to })));
		expect(hints).toEqual([
			`Run by hand: everything goes to the Test Recipient ${TESTER}, nothing to the customers. 2 messages sent, cost INR 0.23.`,
		]);
	});

	it('a run in production goes to the customers', async () => {
		const { json, hints } = await send({ options }, ITEMS);
		expect(bodies()).toMatchObject(ITEMS);
		expect(json[0]).not.toHaveProperty('intendedTo');
		expect(hints).toEqual(['2 messages sent, cost INR 0.23.']);
	});

	it('a dry run by hand shows both numbers', async () => {
		const { json } = await send({ options: { ...options, dryRun: true } }, ITEMS, {}, byHand);
		expect(json[0]).toMatchObject({ to: TESTER, intendedTo: ITEMS[0].to, request: { to: TESTER } });
	});

	it('To is checked all the same', async () => {
		const { error } = await send({ options }, [{ to: 'call me' }], {}, byHand);
		expect(error?.message).toContain('The recipient "call me" is not a phone number');
		expect(api().calls).toEqual([]);
	});

	it('that is no number nothing is sent by hand, even with "continue on error"', async () => {
		const { json } = await send(
			{ options: { testRecipient: '={{ $json.me }}' } },
			ITEMS,
			{ onError: 'continueRegularOutput' },
			byHand,
		);
		const error = expect.objectContaining({ message: 'The test recipient is empty' });
		expect(json).toEqual([{ error }, { error }]);
		expect(api().calls).toEqual([]);
	});

	it('nothing is sent where n8n does not tell whether the run is by hand', async () => {
		const mode = { mode: 'integrated' as WorkflowExecuteMode };
		const { error } = await send({ options }, ITEMS, {}, mode);
		expect(error?.message).toContain('n8n does not tell if this run is by hand');
		expect(error?.description).toMatch(/^Nothing was sent\. .*remove Test Recipient under Options/);
		expect(api().calls).toEqual([]);
	});
});

// No text may pass for an option that was not added.
it.each<[string, INodeParameters, Pick<NodeRun, 'mode'>]>([
	['The test recipient "not set"', { testRecipient: 'not set' }, byHand],
	['Spending Limit is "not set"', { spendingLimit: '={{ "not set" }}' }, {}],
])('%s is refused', async (message, options, mode) => {
	const { error } = await send({ options }, ITEMS, {}, mode);
	expect(error?.message).toContain(message);
	expect(api().calls).toEqual([]);
});
