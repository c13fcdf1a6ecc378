import { CUSTOMER, NEVER_READ, STAYS_SENT } from '../../../playground/api/wellKnown.mts';
import { fillDataTable } from '../../support/dataTable.mts';
import { exampleRuns, expectAsPinned, send } from '../../support/exampleRuns.mts';
import { changed, imported, isoDate, pinnedItems, withTables } from '../../support/examples.mts';
import { startMailbox, withMailbox } from '../../support/mailbox.mts';

const examples = exampleRuns();

// docs/good-to-know.md: a Wait node and Get Status
test("appointment-reminder: tomorrow's customers who have not read it get an email, and whom that does not reach is to be called", async () => {
	const mailbox = await startMailbox(['gone@example.com']);
	try {
		const ready = await examples().ready(
			'appointment-reminder',
			'Wait four hours',
			'Write an email',
		);
		const ending = ` ${Date.now()}`;
		const short = changed(withTables(ready, ending), 'Wait four hours', {
			amount: 3,
			unit: 'seconds',
		});
		const workflow = await withMailbox(examples().n8n, short, mailbox);

		const [pinned] = pinnedItems(await imported('appointment-reminder'), 'Appointments');
		const person = (name: string, phone: string, email = `${name.toLowerCase()}@example.com`) => ({
			...pinned,
			day: isoDate(1),
			time: '10:00',
			name,
			phone,
			email,
		});
		const people = [
			person('Asha', CUSTOMER),
			person('Ravi', STAYS_SENT),
			// A second appointment of one customer.
			{ ...person('Asha', CUSTOMER), time: '16:00' },
			person('Meera', NEVER_READ),
			person('Lena', STAYS_SENT, 'gone@example.com'),
			person('Jonas', '555-01'),
			{ ...person('Today', CUSTOMER), day: isoDate(0) },
			{ ...person('Later', CUSTOMER), day: isoDate(2) },
		];
		const { rows } = await fillDataTable(examples().n8n, `Appointments${ending}`, people);

		const execution = await examples().run(workflow);
		expect(examples().calls().sent).toHaveLength(5);
		const day = new Date(isoDate(1)).toLocaleDateString('en-GB', {
			day: 'numeric',
			month: 'long',
			timeZone: 'UTC',
		});
		for (const { name, phone, time } of people.slice(0, 5)) {
			const message = send(phone, 'appointment_reminder', { 1: name, 2: `${day} at ${time}` });
			expect(examples().calls().sent).toContainEqual(message);
		}
		const notes = (await rows()).map(({ name, reminder }) => [name, reminder]);
		expect(notes).toEqual([
			['Asha', 'read'],
			['Ravi', 'email'],
			['Asha', 'read'],
			['Meera', 'email'],
			['Lena', 'please call'],
			['Jonas', 'email'],
			['Today', null],
			['Later', null],
		]);
		expect(mailbox.mails.map(({ to }) => to).sort()).toEqual([
			['jonas@example.com'],
			['meera@example.com'],
			['ravi@example.com'],
		]);
		// Nobody could remind him, so he does not wait.
		expect(mailbox.mails[0].to).toEqual(['jonas@example.com']);
		expect(mailbox.mails[0].content).toContain(`we expect you on ${day} at 10:00.`);
		expect(await expectAsPinned('appointment-reminder', execution)).toContain('Look it up');

		await examples().run(workflow);
		expect(examples().calls().sent).toHaveLength(5);
		expect(mailbox.mails).toHaveLength(3);
	} finally {
		await mailbox.close();
	}
});
