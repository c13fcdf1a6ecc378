import { CUSTOMER, NEVER_READ } from '../../../playground/api/wellKnown.mts';
import { saveModel, startChatModel, withModel, type ChatModel } from '../../support/chatModel.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { changed } from '../../support/examples.mts';

const examples = exampleRuns();
let model: ChatModel;
let workflowId: string;

beforeAll(async () => {
	model = await startChatModel();
	const example = await examples().ready('answer-bursts', 'Agent');
	const impatient = changed(example, 'Wait 8 seconds', { amount: 3 });
	const workflow = withModel(impatient, await saveModel(examples().n8n, model));
	workflowId = (await examples().live(workflow)).id;
});

afterAll(async () => {
	await model.close();
});

/** Until every message has had its three seconds and, if it is the last, its answer. */
async function answered() {
	await examples().n8n.client.executions.allEnded(workflowId);
	const runs = await examples().n8n.client.executions.list(workflowId);
	expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
}

const BURST = ['Hi', 'I have a question', 'about order A-17', 'when does it come?'];
const reply = (to: string, ...texts: string[]) =>
	send(to, 'assistant_reply', { 1: `You asked: ${texts.join(' ')}` }, 'service');

test('answer-bursts: four short messages get one answer, and the next talk remembers it', async () => {
	const { api, calls } = examples();
	for (const text of BURST) await api.customerWrites(CUSTOMER, text);
	await api.customerWrites(NEVER_READ, 'Where are you?');
	await answered();
	expect(calls().sent).toHaveLength(2);
	expect(calls().sent).toContainEqual(reply(CUSTOMER, ...BURST));
	expect(calls().sent).toContainEqual(reply(NEVER_READ, 'Where are you?'));

	model.requests.length = 0;
	await api.customerWrites(CUSTOMER, 'Thanks');
	await answered();
	const talk = model.requests[0].messages.filter(({ role }) =>
		['user', 'assistant'].includes(role),
	);
	const asked = BURST.join('\n');
	expect(talk.map(({ role, content }) => `${role}: ${String(content)}`)).toEqual([
		`user: ${asked}`,
		`assistant: You asked: ${asked}`,
		'user: Thanks',
	]);
	expect(model.requests).toHaveLength(1);
	expect(calls().sent).toHaveLength(3);
	expect(await examples().rows('Unanswered messages')).toEqual([]);
});

test('answer-bursts: what a stopped n8n left is answered with the next message, and nothing else is', async () => {
	const left = { phone: CUSTOMER, text: 'Is it blue?', written_at: '2026-01-31T12:00:00.000Z' };
	const ofOther = { ...left, phone: NEVER_READ };
	await examples().fill('Unanswered messages', [left, ofOther]);
	await examples().api.customerWrites(CUSTOMER, 'Hello?');
	await examples().api.emit('message.incoming', { from: 'unknown', text: 'Hello' });
	await answered();
	expect(examples().calls().sent).toEqual([reply(CUSTOMER, 'Is it blue?', 'Hello?')]);
	expect(await examples().rows('Unanswered messages')).toMatchObject([ofOther]);
});
