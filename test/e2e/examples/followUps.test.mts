import { CUSTOMER, FAILS, STAYS_SENT } from '../../../playground/api/wellKnown.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { fillDataTable } from '../../support/dataTable.mts';
import { exampleRuns, expectAsPinned, send } from '../../support/exampleRuns.mts';
import { changed, imported, itemsOf, pinnedItems } from '../../support/examples.mts';

const examples = exampleRuns();

test('failed-delivery: the customer is found by the number of the failed message', async () => {
	const workflow = await examples().ready('failed-delivery');
	const [event] = pinnedItems(workflow, 'A message failed');
	const { message_id } = event.data as { message_id: string };
	examples().sentEarlier(message_id, FAILS, 'appointment_reminder', {
		failedAt: Date.now() - 1000,
	});
	await fillDataTable(examples().n8n, 'Contacts', [
		{ name: 'Asha', phone: CUSTOMER, email: 'asha@example.com' },
		...pinnedItems(await imported('failed-delivery'), 'Find the contact'),
	]);
	const execution = await examples().run(workflow);
	expect(examples().calls()).toEqual({ sent: [], lookedUp: [message_id] });
	expect(outputOf(execution, 'Write the email')).toEqual([
		expect.objectContaining({ to: 'meera@example.com' }),
	]);
	expect(await expectAsPinned('failed-delivery', execution)).toHaveLength(4);
});

test('alarm-escalation: who has not read it, or cannot be reached, is named', async () => {
	const example = await examples().ready('alarm-escalation');
	const workflow = changed(example, 'Send the alarm', {
		options: { waitFor: 'read' },
		expertOptions: { waitTimeout: 8 },
	});
	await fillDataTable(examples().n8n, 'On duty', [
		...pinnedItems(await imported('alarm-escalation'), 'Who is on duty'),
		{ name: 'Meera', phone: FAILS },
	]);
	const execution = await examples().run(workflow);
	expect(examples().calls().sent).toHaveLength(3);
	for (const to of [CUSTOMER, STAYS_SENT, FAILS]) {
		expect(examples().calls().sent).toContainEqual(
			send(to, 'alarm', { 1: 'The web shop', 2: 'payments are refused' }),
		);
	}
	expect(itemsOf(execution, 'Nothing to do')).toEqual([expect.objectContaining({ to: CUSTOMER })]);
	const alarm = 'The web shop, payments are refused.';
	expect(
		itemsOf(execution, 'Say who is missing')
			.map(({ text }) => text)
			.sort(),
	).toEqual([
		`Meera (${FAILS}) could not be reached: ${alarm}`,
		`Ravi (${STAYS_SENT}) has not read the alarm: ${alarm}`,
	]);
	expect(await expectAsPinned('alarm-escalation', execution)).toHaveLength(4);
});
