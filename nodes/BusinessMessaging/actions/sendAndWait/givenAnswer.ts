import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../isRecord';
import type { Asked, Question } from '../question';
import { MAX_TEXT_LENGTH } from './page/questionPage';

/** What somebody chose or wrote, as the page tells it and as the workflow gets it. */
export interface GivenAnswer {
	shown: string;
	/** Why somebody declined, if they wrote it. */
	reason?: string;
	json: IDataObject;
}

/**
 * @param body of the request, as n8n has parsed it
 * @returns undefined when it is no answer to this question, such as an empty text
 */
export function readAnswer(question: Question, body: unknown): GivenAnswer | undefined {
	const fields = isRecord(body) ? body : {};
	if (question.kind === 'freeText') {
		const text = writtenIn(fields.text);
		return text ? { shown: text, json: { text } } : undefined;
	}
	const choice = question.choices.findIndex((_, index) => String(index) === String(fields.choice));
	const shown = question.choices[choice];
	if (shown === undefined) return undefined;
	if (question.kind === 'answers') return { shown, json: { answer: shown } };
	const approved = choice === 0;
	const reason = !approved && question.asksReason ? writtenIn(fields.reason) : '';
	return reason ? { shown, reason, json: { approved, reason } } : { shown, json: { approved } };
}

function writtenIn(value: unknown): string {
	return typeof value === 'string' ? value.trim().slice(0, MAX_TEXT_LENGTH) : '';
}

/** What leaves the node after an answer. */
export function answeredJson(
	{ message, isReview }: Asked,
	{ json }: GivenAnswer,
	now: Date,
): IDataObject {
	return {
		...json,
		// Which n8n tells the model as the reviewer's feedback.
		...(isReview && json.reason ? { chatInput: json.reason } : {}),
		respondedAt: now.toISOString(),
		message,
	};
}

/** What leaves it when nobody answered in time. */
export function expiredJson({ message, isReview }: Asked): IDataObject {
	return {
		timedOut: true,
		...(isReview ? { approved: false, chatInput: 'Nobody answered in time.' } : {}),
		message,
	};
}
