import { fillDataTable } from '../../support/dataTable.ts';
import { exampleRuns, expectAsPinned, send } from '../../support/exampleRuns.ts';
import { changed, imported, pinnedItems } from '../../support/examples.ts';

const examples = exampleRuns();

// README, Good to know: a Wait node and Get Status
test('look-later: whom the message did not reach in time, or at all, is to be called', async () => {
	const ready = await examples().ready('look-later', 'Wait four hours');
	const workflow = changed(ready, 'Wait four hours', { amount: 1, unit: 'seconds' });
	const people = pinnedItems(await imported('look-later'), 'Appointments');
	const unusable = { ...people[0], name: 'Jonas', phone: '555-01' };
	const { rows } = await fillDataTable(examples().n8n, 'Appointments', [...people, unusable]);

	const execution = await examples().run(workflow);
	expect(examples().calls().sent).toEqual(
		people.map(({ name, phone, day }) =>
			send(String(phone), 'appointment_reminder', { 1: name, 2: day }),
		),
	);
	expect(await expectAsPinned('look-later', execution)).toContain('Look it up');
	const notes = (await rows()).map(({ name, reminder }) => [name, reminder]);
	expect(notes).toEqual([
		['Asha', expect.stringMatching(/^(delivered|read)$/)],
		['Ravi', 'please call'],
		['Jonas', 'please call'],
	]);
});
