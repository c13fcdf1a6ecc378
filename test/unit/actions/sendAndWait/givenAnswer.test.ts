import type { Question } from '../../../../nodes/BusinessMessaging/actions/question';
import {
	answeredJson,
	expiredJson,
	readAnswer,
} from '../../../../nodes/BusinessMessaging/actions/sendAndWait/givenAnswer';
import { ASKED, QUESTION } from '../../../support/asked.ts';

const approval: Question = { ...QUESTION, asksReason: true };
const answers: Question = { ...approval, kind: 'answers', choices: ['A', 'B', 'C'] };
const freeText: Question = { ...approval, kind: 'freeText', choices: [] };

it.each<[string, Question, unknown, object]>([
	['the first button of an approval', approval, { choice: '0' }, { approved: true }],
	['its second', approval, { choice: '1' }, { approved: false }],
	['a reason', approval, { choice: '1', reason: ' late ' }, { approved: false, reason: 'late' }],
	['no reason of who approves', approval, { choice: '0', reason: 'late' }, { approved: true }],
	['no reason not asked for', QUESTION, { choice: '1', reason: 'late' }, { approved: false }],
	['a choice from JSON', answers, { choice: 2 }, { answer: 'C' }],
	['a text', freeText, { text: ' Friday\n ' }, { text: 'Friday' }],
	['4,000 characters of a text', freeText, { text: 'a'.repeat(5000) }, { text: 'a'.repeat(4000) }],
])('an answer can be %s', (_, question, body, json) => {
	expect(readAnswer(question, body)?.json).toEqual(json);
});

it.each<[string, Question, unknown]>([
	['no body', approval, undefined],
	['a text instead of a body', approval, 'choice=0'],
	['a button that is not there', approval, { choice: '2' }],
	['a negative one', approval, { choice: '-1' }],
	['two at once', approval, { choice: ['0', '1'] }],
	['the name of a property', approval, { choice: 'length' }],
	['an empty text', freeText, { text: ' \n' }],
	['a text that is an object', freeText, { text: { length: 4 } }],
	['a button for a text', freeText, { choice: '0' }],
])('%s is no answer', (_, question, body) => {
	expect(readAnswer(question, body)).toBeUndefined();
});

describe('what leaves the node', () => {
	const message = { message_id: 'm1' };
	const asked = { ...ASKED, question: approval, message };
	const now = new Date('2026-01-31T12:00:00Z');
	const declined = { shown: 'No', json: { approved: false, reason: 'late' } };
	const respondedAt = '2026-01-31T12:00:00.000Z';

	it('is the answer, its time and the message', () => {
		expect(answeredJson(asked, declined, now)).toEqual({
			...declined.json,
			respondedAt,
			message,
		});
		expect(expiredJson(asked)).toEqual({ timedOut: true, message });
	});

	it('has for an agent what n8n reads of it', () => {
		const review = { ...asked, isReview: true };
		expect(answeredJson(review, declined, now)).toMatchObject({
			approved: false,
			chatInput: 'late',
		});
		expect(expiredJson(review)).toMatchObject({
			approved: false,
			timedOut: true,
			chatInput: 'Nobody answered in time.',
		});
	});
});
