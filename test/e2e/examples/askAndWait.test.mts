import { CUSTOMER, NEVER_READ } from '../../../playground/api/wellKnown.mts';
import { eventually } from '../../../playground/eventually.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { postJson } from '../../support/postJson.mts';

const examples = exampleRuns();
const DAY = 'Monday, 2 February, 10:00';

let ask: { id: string; address: string };
let replies: { id: string };
let endings = 0;

beforeAll(async () => {
	ask = await examples().live(await examples().ready('ask-and-wait'));
	replies = await examples().live(await examples().ready('ask-and-wait-replies'));
});

async function book(day = DAY) {
	// The phone as a user writes it.
	const booking = { name: 'Asha', phone: '(+1) 202 555-0110', day };
	expect((await postJson(ask.address, booking)).status).toBe(200);
}

async function waiting(count: number) {
	const { executions } = examples().n8n.client;
	await eventually(`${count} that wait`, async () => {
		return (await executions.countOf(ask.id, ['waiting'])) === count;
	});
}

/** The execution that asked and has ended: there is one in each test. */
async function ended() {
	endings += 1;
	return await eventually('the end', async () => {
		const all = await examples().n8n.client.executions.list(ask.id);
		const over = all.filter(({ status }) => status === 'success' || status === 'error');
		return over.length === endings && over[0];
	});
}

async function writes(from: string, text: string) {
	await examples().api.customerWrites(from, text);
	await examples().n8n.client.executions.allEnded(replies.id);
}

const rows = async () => await examples().rows('Open questions');
const question = (day = DAY) => send(CUSTOMER, 'appointment_question', { 1: 'Asha', 2: day });
const thanks = (answer: string) =>
	send(CUSTOMER, 'answer_noted', { 1: 'Asha', 2: answer }, 'service');

test('ask-and-wait: the reply wakes the workflow, and only the first does', async () => {
	await book();
	await waiting(1);
	expect(await rows()).toEqual([expect.objectContaining({ phone: CUSTOMER })]);
	await writes(NEVER_READ, 'I was not asked');
	await writes(CUSTOMER, 'Yes, gladly');
	const execution = await ended();
	expect(execution.status).toBe('success');
	expect(outputOf(execution, 'Their answer')).toEqual([
		{ name: 'Asha', phone: CUSTOMER, answer: 'Yes, gladly', written_at: expect.any(String) },
	]);
	expect(await rows()).toEqual([]);
	await writes(CUSTOMER, 'And thank you');
	expect(examples().calls().sent).toEqual([question(), thanks('Yes, gladly')]);
});

test('ask-and-wait: an answer that is there before the question is noted counts', async () => {
	const { api, calls } = examples();
	api.settings.latencyMs = 1500;
	const booked = book();
	await eventually('the question', () => api.messages.size === 1);
	await api.customerWrites(CUSTOMER, 'Yes at once');
	expect(await rows()).toEqual([]);
	await booked;
	await ended();
	api.settings.latencyMs = 0;
	expect(calls().sent).toEqual([question(), thanks('Yes at once')]);
});

test('ask-and-wait: the newer of two questions to one customer gets the reply, the older none', async () => {
	await book();
	await waiting(1);
	await book('Tuesday');
	await waiting(2);
	await writes(CUSTOMER, 'Yes');
	expect(outputOf(await ended(), 'Ask')).toEqual([
		expect.objectContaining({ preview: expect.stringContaining('Tuesday') }),
	]);
	await writes(CUSTOMER, 'Yes, both');
	await waiting(1);
	expect(examples().calls().sent).toEqual([question(), question('Tuesday'), thanks('Yes')]);
});
