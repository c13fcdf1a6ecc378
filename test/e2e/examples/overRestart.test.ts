import { startLocalApi, type LocalApi } from '../../../playground/api/server.ts';
import { CUSTOMER, NEVER_READ } from '../../../playground/api/wellKnown.ts';
import { eventually } from '../../../playground/eventually.ts';
import { saveAccount } from '../../../playground/n8n/account.ts';
import { readExample, withCredential } from '../../../playground/n8n/examples.ts';
import { publish, withToken } from '../../../playground/n8n/publish.ts';
import type { Workflow } from '../../../playground/n8n/rest/workflows.ts';
import { fillDataTable } from '../../support/dataTable.ts';
import { changed } from '../../support/examples.ts';
import { startMailbox, withMailbox } from '../../support/mailbox.ts';
import { startOwnN8n } from '../../support/ownN8n.ts';

jest.setTimeout(300_000);

const SECRET = 'restart-secret';
/** A shorter wait n8n keeps in memory. */
const WAIT_S = 66;

let own: Awaited<ReturnType<typeof startOwnN8n>>;
let api: LocalApi;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;

beforeAll(async () => {
	own = await startOwnN8n('restart');
	mailbox = await startMailbox();
	api = await startLocalApi({ deliveredAfterMs: 200, readAfterMs: 200, webhookDeadlineMs: 30_000 });
});

afterAll(async () => {
	await api?.close();
	await own?.n8n.stop();
	await mailbox?.close();
});

async function waiting(id: string) {
	await eventually('the wait', async () => {
		return (await own.n8n.client.executions.countOf(id, ['waiting'])) === 1;
	});
}

const sent = () => [...api.messages.values()].map(({ to, templateName }) => [to, templateName]);

test('appointment-reminder and ask-and-wait go on after n8n was killed while they waited, and send nothing twice', async () => {
	const account = { baseUrl: api.url, webhookSecret: SECRET };
	const credential = await saveAccount(own.n8n, 'Restart', account);
	const ready = async (name: string): Promise<Workflow> => {
		return { ...withCredential(await readExample(name), credential), pinData: {} };
	};
	const ask = await publish(own.n8n, await ready('ask-and-wait'));
	const replies = await publish(own.n8n, await ready('ask-and-wait-replies'));
	api.webhookUrls = [withToken(replies.address, SECRET)];

	const appointment = { day: '2 February, 10:00', email: 'meera@example.com', reminder: '' };
	const { rows } = await fillDataTable(own.n8n, 'Appointments', [
		{ name: 'Asha', phone: CUSTOMER, ...appointment },
		{ name: 'Meera', phone: NEVER_READ, ...appointment },
	]);
	const later = changed(await ready('appointment-reminder'), 'Wait four hours', {
		amount: WAIT_S,
		unit: 'seconds',
	});
	const reminder = await withMailbox(own.n8n, later, mailbox);
	const everyFewSeconds = { rule: { interval: [{ field: 'seconds', secondsInterval: 15 }] } };
	const saved = await own.n8n.client.workflows.save(
		changed(reminder, 'Every morning', everyFewSeconds),
	);
	await own.n8n.client.workflows.publish(saved);
	await waiting(saved.id);
	const response = await fetch(ask.address, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ name: 'Asha', phone: CUSTOMER, day: 'Monday' }),
	});
	expect(response.status).toBe(200);
	await waiting(ask.saved.id);

	process.kill(-own.n8n.pid, 'SIGKILL');
	const { workflows } = (await own.restart()).client;
	await workflows.waitForWebhook(replies.address);
	await api.customerWrites(CUSTOMER, 'Yes');
	await eventually('the thanks', () => sent().length === 4);
	await eventually(
		'the look',
		async () => {
			const reminders = (await rows()).map(({ reminder }) => reminder);
			return reminders.every((each) => !['', 'sent'].includes(String(each)));
		},
		(WAIT_S + 60) * 1000,
	);
	expect((await rows()).map(({ name, reminder }) => [name, reminder])).toEqual([
		['Asha', 'read'],
		['Meera', 'email'],
	]);
	expect(mailbox.mails.map(({ to }) => to)).toEqual([['meera@example.com']]);
	expect(sent().sort()).toEqual([
		[CUSTOMER, 'answer_noted'],
		[CUSTOMER, 'appointment_question'],
		[CUSTOMER, 'appointment_reminder'],
		[NEVER_READ, 'appointment_reminder'],
	]);
});
