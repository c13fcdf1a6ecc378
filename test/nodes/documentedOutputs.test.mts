import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { AskedQuestion } from '../../nodes/BusinessMessaging/actions/sendAndWait/question';
import { receiveAnswer } from '../../nodes/BusinessMessaging/actions/sendAndWait/webhook';
import { systemClock } from '../../nodes/BusinessMessaging/clock';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { visit } from '../support/asked.mts';
import { useDeduplicator } from '../support/deduplicator.mts';
import { documentedItems } from '../support/documentedItems.mts';
import { localAccount } from '../support/localAccount.mts';
import { BY_HAND, CONTINUE } from '../support/runNode.mts';
import { post } from '../support/webhookDouble.mts';

jest.mock('../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../support/fastClock.mts'),
);

const TEXT: INodeParameters = {
	variablesInput: 'templateText',
	templateText: 'Hi {{1}}, your order {{2}} arrives on {{3}}.',
	variable1: 'Asha',
	variable2: 'A-17',
	variable3: 'Friday',
};
const { api, send, look } = localAccount({ deliveredAfterMs: 0, readAfterMs: 1_000_000 });

beforeAll(async () => {
	await useDeduplicator();
});

/** What differs from run to run, by its form: IDs, moments and durations. The order of the fields counts. */
function comparable(item: unknown): string {
	return JSON.stringify(item, null, 1)
		.replace(/msg_[\da-f-]{36}/g, 'ID')
		.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'MOMENT')
		.replace(/:[\da-f]{64}"/g, ':KEY"')
		.replace(/"\d{13}"/, '"RESET"')
		.replace(/("waitedSeconds": )[\d.]+/, '$1SECONDS');
}

/** An item as it is documented: with the same fields in the same order. */
function expectShown(items: unknown[] | undefined, documented: unknown[]) {
	expect(items?.map(comparable)).toEqual(documented.map(comparable));
}

const sendIt = async (parameters: INodeParameters, settings = {}) =>
	(await send({ ...TEXT, ...parameters }, [{ to: CUSTOMER }], settings)).json;

/** No hour at all but for the minute that begins in half a day. */
const at = (minutes: number) =>
	new Date(systemClock.now() + (720 + minutes) * 60_000).toISOString().slice(11, 16);
const hours = { from: at(0), until: at(1), timeZone: 'other', otherTimeZone: 'UTC' };
const time = { end: 'dateTime', dateTime: '2026-01-31T12:00:00Z' };
const doNotSendTo = '+1 202 555 0110';

describe('docs/outputs.md shows what comes out of', () => {
	const [sent, awaited, raw, included, before] = documentedItems('Send Template');
	const { preview: _preview, ...data } = sent;
	const [optedOut, quiet, recent, late, tested, dryRun] = documentedItems(
		'An item that was skipped',
	);

	it.each<[string, INodeParameters, object]>([
		['Send Template', {}, sent],
		['Send Template that waits', { waitFor: 'delivered' }, { ...sent, ...awaited }],
		['a dry run', { dryRun: true, doNotSendTo }, dryRun],
		['Raw Response', { rawResponse: true }, { ...raw, data }],
		['a Send Once Key that was used', { sendOnceKey: 'order-17-shipped' }, before],
		['a number that gets nothing', { doNotSendTo }, optedOut],
		['a message that is too late', { sendUntil: { time } }, late],
		['a message outside the hours', { sendBetween: { hours } }, quiet],
		[
			'a number that has its messages',
			{ frequencyCap: { cap: { messages: 1, period: 24, unit: 'hours' } } },
			recent,
		],
	])('%s', async (_, options, item) => {
		// They come of a second message.
		if (item === before || item === recent) await sendIt({ options });
		expectShown(await sendIt({ options }), [item]);
	});

	it('Send Template with the fields of its input', async () => {
		const options = { includeInputFields: true };
		const { json } = await send({ ...TEXT, options }, [included.input as IDataObject]);
		expectShown(json, [{ ...sent, ...included }]);
	});

	it('a message that the test recipient gets no more', async () => {
		const options = { testRecipient: tested.to as string, testMessages: 1 };
		const rows = [{ to: '+14155552671' }, { to: tested.intendedTo as string }];
		const { json } = await send({ ...TEXT, options }, rows, {}, BY_HAND);
		expectShown(json.slice(1), [tested]);
	});

	it('Get Status', async () => {
		api().settings.readAfterMs = 0;
		const { json } = await look({ messageId: '={{ $json.message_id }}' }, await sendIt({}));
		expectShown(json, documentedItems('Get Status'));
	});

	it('an answered question', async () => {
		const { run } = await send({
			operation: 'sendAndWait',
			variablesInput: 'json',
			variablesJson: '["[link]"]',
			message: 'May we?',
			to: CUSTOMER,
		});
		const asked = run.data.executionData?.contextData['node:Node']
			.asked as unknown as AskedQuestion;
		const { context } = visit(asked, { body: { choice: '0' } });
		const { workflowData } = await receiveAnswer(context, systemClock);
		const [answer] = documentedItems('Send Template and Wait for Response');
		expectShown(
			workflowData?.[0].map(({ json }) => json),
			[{ ...answer, message: data }],
		);
	});

	it('an item that failed', async () => {
		const failed = await sendIt({ templateName: 'always_133004' }, CONTINUE);
		expectShown(failed, documentedItems('An item that failed'));
	});

	it('the trigger', async () => {
		const { event, timestamp, data } = await api().customerWrites(CUSTOMER, 'Hello');
		const { items } = await post({ event, timestamp, data });
		expectShown(items, documentedItems('Business Messaging Trigger'));
	});
});
