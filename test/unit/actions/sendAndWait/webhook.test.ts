import { randomUUID } from 'node:crypto';
import { receiveAnswer } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/webhook';
import { ASKED } from '../../../support/asked.ts';
import { visit } from '../../../support/askedWebhook.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/virtualClock.ts';

const ASKED_WHY = { ...ASKED, question: { ...ASKED.question, asksReason: true } };

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

it('a look shows the question and resumes nothing', async () => {
	const { context, sent } = visit(ASKED, { method: 'GET' });
	expect(await receiveAnswer(context, clock)).toEqual({ noWebhookResponse: true });
	expect(sent).toMatchObject({ status: 200, body: expect.stringContaining('May we?') });
});

it('a look by the link to an answer shows that answer first', async () => {
	const { context, sent } = visit(ASKED, { method: 'GET', query: { choice: '1' } });
	await receiveAnswer(context, clock);
	expect(sent.body).toMatch(/>No<[^]*>Yes</);
});

it('an error is in the log', async () => {
	const { context, logged } = visit(failing);
	await receiveAnswer(context, clock);
	expect(logged).toEqual([expect.stringContaining('Error: expression')]);
});

it.each<[string, Parameters<typeof visit>[0], object, number, string]>([
	['an earlier round', { ...ASKED, round: 2 }, {}, 410, 'No question here'],
	['no round', ASKED, { query: { round: undefined } }, 410, 'No question here'],
	['two rounds', ASKED, { query: { round: ['1', '1'] } }, 410, 'No question here'],
	['no question', undefined, {}, 410, 'No question here'],
	['an answer at the end', { ...ASKED, until: ASKED.until - 60_000 }, {}, 410, 'The time is over'],
	['no answer', ASKED, { body: {} }, 400, 'Please answer before you send'],
	['an error', failing, {}, 500, 'was not stored'],
])('%s gets a page of its own and resumes nothing', async (_, question, request, status, text) => {
	const { context, sent } = visit(question, { path, body: { choice: '0' }, ...request });
	expect(await receiveAnswer(context, clock)).toEqual({ noWebhookResponse: true });
	expect(sent).toMatchObject({ status, body: expect.stringContaining(text), count: 1 });
	expect(sent.headers['Content-Security-Policy']).toContain("default-src 'none'");
});

it('an answer resumes the workflow with an item that belongs to the first', async () => {
	const respondedAt = '2026-01-31T12:00:05.000Z';
	clock.pass(5000);
	const { context } = post('0');
	expect(await receiveAnswer(context, clock)).toMatchObject({
		webhookResponse: expect.stringContaining('Thank you'),
		workflowData: [
			[{ json: { approved: true, respondedAt, message: ASKED.message }, pairedItem: { item: 0 } }],
		],
	});
});

it('the thanks repeat the reason that was written', async () => {
	const { context } = visit(ASKED_WHY, { path, body: { choice: '1', reason: 'Too late <3' } });
	expect(await receiveAnswer(context, clock)).toMatchObject({
		webhookResponse: expect.stringContaining('Too late &lt;3'),
		workflowData: [[{ json: { approved: false, reason: 'Too late <3' } }]],
	});
});

describe('of answers at the same moment', () => {
	it('the first resumes, and the others are told what became of it', async () => {
		const first = post('0');
		const [same, other] = [post('0'), post('1')];
		const result = await receiveAnswer(first.context, clock);
		const waiting = [receiveAnswer(same.context, clock), receiveAnswer(other.context, clock)];
		first.response.send(result.webhookResponse);
		expect(await Promise.all(waiting)).toEqual(Array(2).fill({ noWebhookResponse: true }));
		expect(same.sent).toMatchObject({ status: 200, body: expect.stringContaining('Thank you') });
		expect(other.sent).toMatchObject({
			status: 409,
			body: expect.stringContaining('Answered already'),
		});
	});

	it('the next takes the place of one that n8n did not store, whose sender gets a page', async () => {
		const [first, second, third] = [post('0'), post('1'), post('0')];
		await receiveAnswer(first.context, clock);
		const next = receiveAnswer(second.context, clock);
		const last = receiveAnswer(third.context, clock);
		first.response.status(500).json({ message: 'There was a problem executing the workflow' });
		expect(first.sent).toMatchObject({
			status: 409,
			body: expect.stringContaining('was not stored'),
		});
		const result = await next;
		expect(result.workflowData).toMatchObject([[{ json: { approved: false } }]]);
		second.response.send(result.webhookResponse);
		expect(await last).toEqual({ noWebhookResponse: true });
		expect(third.sent.body).toContain('Answered already');
	});
});
