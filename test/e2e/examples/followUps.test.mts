import { CUSTOMER, FAILS, STAYS_SENT } from '../../../playground/api/wellKnown.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { changed, imported, itemsOf, pinnedItems } from '../../support/examples.mts';

const examples = exampleRuns();

test('failed-delivery: the customer is found by the number of the failed message', async () => {
	const workflow = await examples().ready('failed-delivery');
	const [event] = pinnedItems(workflow, 'A message failed');
	const { message_id } = event.data as { message_id: string };
	const failed = { failedAt: Date.now() - 1000 };
	examples().sentEarlier(message_id, FAILS, 'appointment_reminder', failed);
	await examples().fill('Contacts', [
		{ name: 'Asha', phone: CUSTOMER, email: 'asha@example.com' },
		...pinnedItems(await imported('failed-delivery'), 'Find the contact'),
	]);
	const execution = await examples().run(workflow);
	expect(examples().calls()).toEqual({ sent: [], lookedUp: [message_id] });
	expect(outputOf(execution, 'Write the email')).toEqual([
		expect.objectContaining({ to: 'meera@example.com' }),
	]);
});

test('alarm-escalation: who has not read it, or cannot be reached, is named', async () => {
	const workflow = changed(await examples().ready('alarm-escalation'), 'Send the alarm', {
		options: { waitFor: 'read' },
		expertOptions: { waitTimeout: 8 },
	});
	await examples().fill('On duty', [
		...pinnedItems(await imported('alarm-escalation'), 'Who is on duty'),
		{ name: 'Meera', phone: FAILS },
	]);
	const execution = await examples().run(workflow);
	const alarm = { 1: 'The web shop', 2: 'payments are refused' };
	const sent = examples().calls().sent;
	expect(sent).toHaveLength(3);
	for (const to of [CUSTOMER, STAYS_SENT, FAILS]) {
		expect(sent).toContainEqual(send(to, 'alarm', alarm));
	}
	expect(itemsOf(execution, 'Nothing to do')).toEqual([expect.objectContaining({ to: CUSTOMER })]);
	const missing = itemsOf(execution, 'Say who is missing').map(({ text }) => text);
	expect(missing.sort()).toEqual([
		`Meera (${FAILS}) could not be reached: The web shop, payments are refused.`,
		`Ravi (${STAYS_SENT}) has not read the alarm: The web shop, payments are refused.`,
	]);
});
