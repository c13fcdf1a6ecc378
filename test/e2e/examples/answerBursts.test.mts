import { randomUUID } from 'node:crypto';
import { CUSTOMER, NEVER_READ } from '../../../playground/api/wellKnown.mts';
import { saveModel, startChatModel, withModel, type ChatModel } from '../../support/chatModel.mts';
import { fillDataTable, rowsOf } from '../../support/dataTable.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { changed, withTables } from '../../support/examples.mts';

const examples = exampleRuns();
let model: ChatModel;
const ending = ` ${randomUUID()}`;
let workflowId: string;

beforeAll(async () => {
	model = await startChatModel();
	workflowId = (await examples().live(await ready())).id;
});

afterAll(async () => {
	await model.close();
});

beforeEach(async () => {
	model.requests.length = 0;
});

async function ready() {
	const example = withTables(await examples().ready('answer-bursts', 'Agent'), ending);
	const impatient = changed(example, 'Wait 8 seconds', { amount: 3 });
	return withModel(impatient, await saveModel(examples().n8n, model));
}

/** Until every message has had its three seconds and, if it is the last, its answer. */
async function answered() {
	await examples().n8n.client.executions.allEnded(workflowId);
	const runs = await examples().n8n.client.executions.list(workflowId);
	expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
}

/** What the model was asked and had said before, by whom. */
function talks() {
	return model.requests.map(({ messages }) =>
		messages
			.filter(({ role }) => role === 'user' || role === 'assistant')
			.map(({ role, content }) => `${role}: ${String(content)}`),
	);
}

const BURST = ['Hi', 'I have a question', 'about order A-17', 'when does it come?'];
const reply = (to: string, ...texts: string[]) =>
	send(to, 'assistant_reply', { 1: `You asked: ${texts.join(' ')}` }, 'service');

test('answer-bursts: four short messages get one answer, and the next talk remembers it', async () => {
	const { api } = examples();
	for (const text of BURST) await api.customerWrites(CUSTOMER, text);
	await api.customerWrites(NEVER_READ, 'Where are you?');
	await answered();
	expect(examples().calls().sent).toHaveLength(2);
	expect(examples().calls().sent).toContainEqual(reply(CUSTOMER, ...BURST));
	expect(examples().calls().sent).toContainEqual(reply(NEVER_READ, 'Where are you?'));

	model.requests.length = 0;
	await api.customerWrites(CUSTOMER, 'Thanks');
	await answered();
	const asked = BURST.join('\n');
	expect(talks()).toEqual([[`user: ${asked}`, `assistant: You asked: ${asked}`, 'user: Thanks']]);
	expect(examples().calls().sent).toHaveLength(3);
	expect(await rowsOf(examples().n8n, `Unanswered messages${ending}`)).toEqual([]);
});

test('answer-bursts: what a stopped n8n left is answered with the next message, and nothing else is', async () => {
	const left = { phone: CUSTOMER, text: 'Is it blue?', written_at: '2026-01-31T12:00:00.000Z' };
	const { rows } = await fillDataTable(examples().n8n, `Unanswered messages${ending}`, [
		left,
		{ ...left, phone: NEVER_READ },
	]);
	await examples().api.customerWrites(CUSTOMER, 'Hello?');
	await examples().api.emit('message.incoming', { from: 'unknown', text: 'Hello' });
	await answered();
	expect(examples().calls().sent).toEqual([reply(CUSTOMER, 'Is it blue?', 'Hello?')]);
	expect(await rows()).toEqual([expect.objectContaining({ phone: NEVER_READ })]);
});
