import { randomUUID } from 'node:crypto';
import { codeOf } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/code';
import type {
	AskedQuestion,
	Question,
} from '../../../../nodes/BusinessMessaging/actions/sendAndWait/question';
import { receiveAnswer } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/webhook';
import { ASKED as IN_ENGLISH, QUESTION, signing, visit } from '../../../support/asked.mts';
import { createVirtualClock, type VirtualClock } from '../../../support/virtualClock.mts';

/** A language without texts of its own: those in English stand for them. */
const DUTCH: Question = { ...QUESTION, texts: { lang: 'nl' } };
const APPROVAL: Question = { ...DUTCH, asksReason: true };
const ANSWERS: Question = { ...DUTCH, kind: 'answers', choices: ['A', 'B', 'C'] };
const FREE_TEXT: Question = { ...DUTCH, kind: 'freeText', choices: [] };
const ASKED: AskedQuestion = { ...IN_ENGLISH, question: DUTCH };

const LINES = `${'ab\n'.repeat(1333)}z`;
const ALMOST = 'a'.repeat(3999);

let path: string;
let clock: VirtualClock;

beforeEach(() => {
	clock = createVirtualClock();
	path = `/webhook-waiting/${randomUUID()}/node`;
});

const failing = () => {
	throw new Error('expression');
};
const post = (choice: string) => visit(ASKED, { path, body: { choice } });
// docs/ask-and-wait.md: the language of the page
const page = (status: number, text: string, lang = 'nl') => ({
	status,
	body: expect.stringMatching(new RegExp(`<html lang="${lang}"[^]*${text}`)),
});
const asking = (question: Question): AskedQuestion => ({ ...ASKED, question });

// docs/ask-and-wait.md: an answer that is none keeps the workflow waiting
it.each<[string, Parameters<typeof visit>[0], object, number, string]>([
	['an earlier round', { ...ASKED, round: 2 }, {}, 410, 'No question here'],
	['two rounds', ASKED, { query: { round: ['1', '1'] } }, 410, 'No question here'],
	['no question', undefined, {}, 410, 'No question here'],
	['an answer at the end', { ...ASKED, until: ASKED.until - 60_000 }, {}, 410, 'The time is over'],
	['a visit', ASKED, { method: 'GET', query: { choice: '1' } }, 200, '>No</button>\n<button'],
	['no body', ASKED, { body: null }, 400, 'Please answer before you send'],
	['an empty choice', ASKED, { body: { choice: '' } }, 400, 'Please answer'],
	['the name of a property', ASKED, { body: { choice: 'length' } }, 400, 'Please answer'],
	['an invisible text', asking(FREE_TEXT), { body: { text: '\u200b' } }, 400, 'Please answer'],
	['an object as text', asking(FREE_TEXT), { body: { text: { length: 4 } } }, 400, 'Please answer'],
	['an error', failing, {}, 500, 'was not stored'],
])('%s gets a page and resumes nothing', async (_, question, request, status, text) => {
	const { context, sent, logged } = visit(question, { path, body: { choice: '0' }, ...request });
	expect(await receiveAnswer(context, clock)).toEqual({ noWebhookResponse: true });
	const isKnown = typeof question === 'object';
	expect(sent).toMatchObject({ ...page(status, text, isKnown ? 'nl' : 'en'), count: 1 });
	expect(sent.headers['Content-Security-Policy']).toContain("default-src 'none'");
	expect(logged).toEqual(question === failing ? [expect.stringContaining('expression')] : []);
});

it.each<[string, Question, object, object]>([
	['the first button of an approval', APPROVAL, { choice: '0' }, { approved: true }],
	['its second', APPROVAL, { choice: '1', reason: ' ' }, { approved: false }],
	['a reason', APPROVAL, { choice: '1', reason: ' late ' }, { approved: false, reason: 'late' }],
	['no reason to approve', APPROVAL, { choice: '0', reason: 'late' }, { approved: true }],
	['no reason not asked for', DUTCH, { choice: '1', reason: 'late' }, { approved: false }],
	['a choice from JSON', ANSWERS, { choice: 2 }, { answer: 'C' }],
	// A browser sends CRLF for each line break that the page counted as one character.
	['4,000 characters in lines', FREE_TEXT, { text: 'ab\r\n'.repeat(1333) + 'z' }, { text: LINES }],
	['a text cut within an emoji', FREE_TEXT, { text: `${ALMOST}👍` }, { text: ALMOST }],
])('an answer can be %s', async (_, question, body, json) => {
	clock.pass(5000);
	const { context } = visit(asking(question), { path, body });
	const { workflowData } = await receiveAnswer(context, clock);
	const respondedAt = '2026-01-31T12:00:05.000Z';
	expect(workflowData).toEqual([
		[{ json: { ...json, respondedAt, message: ASKED.message }, pairedItem: { item: 0 } }],
	]);
});

it('an agent reads the reason of a reviewer', async () => {
	const review = asking({ ...APPROVAL, review: { tool: 'Send', values: [], isWhole: true } });
	const { context } = visit(review, { path, body: { choice: '1', reason: 'Too late <3' } });
	expect(await receiveAnswer(context, clock)).toMatchObject({
		webhookResponse: expect.stringContaining('Too late &lt;3'),
		workflowData: [[{ json: { approved: false, chatInput: 'Too late <3' } }]],
	});
});

describe('a question with a code', () => {
	const withCode = (question = APPROVAL) => asking({ ...question, asksCode: true });
	const code = codeOf(signing(), ASKED.round);

	it('is answered with the code of its round, and so is the next one of the execution', async () => {
		for (const round of [1, 2]) {
			const body = { choice: '1', code: codeOf(signing(), round) };
			const query = { round: String(round) };
			const { context, response } = visit({ ...withCode(), round }, { path, query, body });
			const { workflowData } = await receiveAnswer(context, clock);
			response.send('');
			expect(workflowData).toMatchObject([[{ json: { approved: false } }]]);
			expect(JSON.stringify(workflowData)).not.toContain(body.code);
		}
	});

	it.each([
		['a wrong code', '00000-00000'],
		['no code', undefined],
		['the code of another round', codeOf(signing(), ASKED.round + 1)],
	])('keeps waiting after %s, and the page keeps what was written', async (_, entered) => {
		const body = { text: 'At the <door>', code: entered };
		const { context, sent } = visit(withCode(FREE_TEXT), { path, body });
		expect(await receiveAnswer(context, clock)).toEqual({ noWebhookResponse: true });
		expect(sent).toMatchObject(page(403, 'not the code of this message'));
		expect(sent.body).toContain('>At the &lt;door&gt;</textarea>');
		expect(sent.body).not.toContain(code);
	});

	it('keeps the button of the link in front, and a reason, after a wrong code', async () => {
		const body = { choice: '1', reason: 'Too late', code: '0' };
		const { context, sent } = visit(withCode(), { path, body, query: { choice: '1' } });
		await receiveAnswer(context, clock);
		expect(sent.body).toMatch(/>Too late<\/textarea>[^]*>No<[^]*>Yes</);
	});
});

describe('of simultaneous answers', () => {
	it('the first one counts, and the pages of the others say which', async () => {
		const first = post('0');
		const [same, other] = [post('0'), post('1')];
		const result = await receiveAnswer(first.context, clock);
		expect(result.webhookResponse).toContain('<html lang="nl"');
		const waiting = [receiveAnswer(same.context, clock), receiveAnswer(other.context, clock)];
		first.response.send(result.webhookResponse);
		expect(await Promise.all(waiting)).toEqual(Array(2).fill({ noWebhookResponse: true }));
		expect(same.sent).toMatchObject(page(200, 'Thank you'));
		expect(other.sent).toMatchObject(page(409, 'Answered already'));
	});

	it('the others are not stored either when n8n could not store the first', async () => {
		const [first, second, later] = [post('0'), post('1'), post('1')];
		await receiveAnswer(first.context, clock);
		const next = receiveAnswer(second.context, clock);
		first.response.status(500).json({ message: 'There was a problem executing the workflow' });
		expect(await next).toEqual({ noWebhookResponse: true });
		const notStored = page(409, 'was not stored');
		expect([first.sent, second.sent]).toMatchObject([notStored, notStored]);
		const { workflowData } = await receiveAnswer(later.context, clock);
		expect(workflowData).toMatchObject([[{ json: { approved: false } }]]);
	});
});
