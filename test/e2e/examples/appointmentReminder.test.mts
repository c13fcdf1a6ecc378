import { CUSTOMER, NEVER_READ, STAYS_SENT } from '../../../playground/api/wellKnown.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { changed, isoDate } from '../../support/examples.mts';
import { mailboxOfFile } from '../../support/mailbox.mts';

const examples = exampleRuns();
const mailbox = mailboxOfFile(['gone@example.com']);

// docs/good-to-know.md: a Wait node and Get Status
test("appointment-reminder: tomorrow's customers who have not read it get an email, and whom that does not reach is to be called", async () => {
	const example = await examples().ready(
		'appointment-reminder',
		'Wait four hours',
		'Write an email',
	);
	const short = changed(example, 'Wait four hours', { amount: 3, unit: 'seconds' });
	const workflow = await mailbox.connect(examples().n8n.client, short);
	const person = (name: string, phone: string, more: object = {}) => ({
		...{ name, phone, email: `${name.toLowerCase()}@example.com` },
		...{ day: isoDate(1), time: '10:00', reminder: null },
		...more,
	});
	const people = [
		person('Asha', CUSTOMER),
		person('Ravi', STAYS_SENT),
		// A second appointment of one customer.
		person('Asha', CUSTOMER, { time: '16:00' }),
		person('Meera', NEVER_READ),
		person('Lena', STAYS_SENT, { email: 'gone@example.com' }),
		person('Jonas', '555-01'),
		person('Today', CUSTOMER, { day: isoDate(0) }),
		person('Later', CUSTOMER, { day: isoDate(2) }),
	];
	await examples().fill('Appointments', people);

	await examples().run(workflow);
	expect(examples().calls().sent).toHaveLength(5);
	const format = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
	const day = new Date(isoDate(1)).toLocaleDateString('en-GB', format);
	for (const { name, phone, time } of people.slice(0, 5)) {
		const message = send(phone, 'appointment_reminder', { 1: name, 2: `${day} at ${time}` });
		expect(examples().calls().sent).toContainEqual(message);
	}
	const rows = await examples().rows('Appointments');
	expect(rows.map(({ name, reminder }) => [name, reminder])).toEqual([
		['Asha', 'read'],
		['Ravi', 'email'],
		['Asha', 'read'],
		['Meera', 'email'],
		['Lena', 'please call'],
		['Jonas', 'email'],
		['Today', null],
		['Later', null],
	]);
	// Nobody could remind him, so he does not wait.
	const [first, ...later] = mailbox.mails;
	expect(first.to).toEqual(['jonas@example.com']);
	expect(first.content).toContain(`we expect you on ${day} at 10:00.`);
	const addresses = later.map(({ to }) => to);
	expect(addresses.sort()).toEqual([['meera@example.com'], ['ravi@example.com']]);

	await examples().run(workflow);
	expect(examples().calls().sent).toHaveLength(5);
	expect(mailbox.mails).toHaveLength(3);
});
