import { randomUUID } from 'node:crypto';
import { CUSTOMER, NEVER_READ } from '../../../playground/api/wellKnown.mts';
import { eventually } from '../../../playground/eventually.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { rowsOf } from '../../support/dataTable.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { withTables } from '../../support/examples.mts';
import { postJson } from '../../support/postJson.mts';

const examples = exampleRuns();
/** As an editor's user writes it. */
const WRITTEN = '(+1) 202 555-0110';
const DAY = 'Monday, 2 February, 10:00';

const ending = ` ${randomUUID()}`;
let ask: { id: string; address: string };
let replies: { id: string };

async function ready(name: string) {
	return withTables(await examples().ready(name), ending);
}

beforeAll(async () => {
	ask = await examples().live(await ready('ask-and-wait'));
	replies = await examples().live(await ready('ask-and-wait-replies'));
});

async function book(day = DAY) {
	const booking = { name: 'Asha', phone: WRITTEN, day };
	expect((await postJson(ask.address, booking)).status).toBe(200);
}

async function waiting(count: number) {
	const { executions } = examples().n8n.client;
	await eventually(`${count} that wait`, async () => {
		return (await executions.countOf(ask.id, ['waiting'])) === count;
	});
}

async function allEnded() {
	const all = await examples().n8n.client.executions.list(ask.id);
	return all.filter(({ status }) => status === 'success' || status === 'error');
}

let endedBefore = 0;

/** The first execution of this test that asked and has ended. */
async function ended() {
	const first = async () => (await allEnded()).reverse()[endedBefore];
	return await eventually('the end', first);
}

async function passedOn() {
	await examples().n8n.client.executions.allEnded(replies.id);
}

const rows = async () => await rowsOf(examples().n8n, `Open questions${ending}`);
const question = (day = DAY) => send(CUSTOMER, 'appointment_question', { 1: 'Asha', 2: day });
const thanks = (answer: string) =>
	send(CUSTOMER, 'answer_noted', { 1: 'Asha', 2: answer }, 'service');

beforeEach(async () => {
	endedBefore = (await allEnded()).length;
});

/** What is left waiting would wake in a later test. */
afterEach(async () => {
	const { executions } = examples().n8n.client;
	for (const { id, status } of await executions.list(ask.id)) {
		if (status === 'waiting') await executions.stop(id);
	}
});

test('ask-and-wait: the reply wakes the workflow, and only the first does', async () => {
	await book();
	await waiting(1);
	expect(await rows()).toEqual([expect.objectContaining({ phone: CUSTOMER })]);
	await examples().api.customerWrites(NEVER_READ, 'I was not asked');
	await examples().api.customerWrites(CUSTOMER, 'Yes, gladly');
	const execution = await ended();
	expect(execution.status).toBe('success');
	expect(outputOf(execution, 'Their answer')).toEqual([
		{ name: 'Asha', phone: CUSTOMER, answer: 'Yes, gladly', written_at: expect.any(String) },
	]);
	expect(await rows()).toEqual([]);
	await examples().api.customerWrites(CUSTOMER, 'And thank you');
	await passedOn();
	expect(examples().calls().sent).toEqual([question(), thanks('Yes, gladly')]);
});

test('ask-and-wait: an answer that is there before the question is noted counts', async () => {
	examples().api.settings.latencyMs = 1500;
	const booked = book();
	await eventually('the question', () => examples().api.messages.size === 1);
	await examples().api.customerWrites(CUSTOMER, 'Yes at once');
	expect(await rows()).toEqual([]);
	await booked;
	await ended();
	examples().api.settings.latencyMs = 0;
	expect(examples().calls().sent).toEqual([question(), thanks('Yes at once')]);
});

test('ask-and-wait: the newer of two questions to one customer gets the reply, the older none', async () => {
	await book();
	await waiting(1);
	await book('Tuesday');
	await waiting(2);
	await examples().api.customerWrites(CUSTOMER, 'Yes');
	const execution = await ended();
	expect(outputOf(execution, 'Ask')).toEqual([
		expect.objectContaining({ preview: expect.stringContaining('Tuesday') }),
	]);
	await examples().api.customerWrites(CUSTOMER, 'Yes, both');
	await passedOn();
	await waiting(1);
	expect(examples().calls().sent).toEqual([question(), question('Tuesday'), thanks('Yes')]);
});
