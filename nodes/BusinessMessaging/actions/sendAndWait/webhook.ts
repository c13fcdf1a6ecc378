import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Clock } from '../../clock';
import { withoutBlanks } from '../../template/text';
import { isRecord, truncate } from '../../values';
import { codeOf, isCode } from './code';
import {
	answeredPage,
	closingPage,
	HEADERS,
	MAX_TEXT_LENGTH,
	type PageProblem,
	questionPage,
} from './page';
import type { Question } from './question';
import { recallAsked } from './wait';

/** The part of an express response that is used here. */
export interface PageResponse {
	set: (headers: Record<string, string>) => PageResponse;
	status: (code: number) => PageResponse;
	send: (body: unknown) => PageResponse;
	json: (body: unknown) => PageResponse;
}

/**
 * Responds to a visit of the link: GET shows the question, POST takes the answer. Link previews and
 * scanners open links, but press no buttons. It never throws, because n8n would then resume the workflow
 * without an answer.
 */
export async function receiveAnswer(
	context: IWebhookFunctions,
	clock: Pick<Clock, 'now'>,
): Promise<IWebhookResponseData> {
	try {
		return await answerRequest(context, clock);
	} catch (error) {
		context.logger.error(`A question could not be shown or answered: ${String(error)}`);
		return respondWith(context, 500, closingPage('notStored', undefined));
	}
}

async function answerRequest(
	context: IWebhookFunctions,
	clock: Pick<Clock, 'now'>,
): Promise<IWebhookResponseData> {
	const { method, query, path } = context.getRequestObject();
	const asked = recallAsked(context);
	const texts = asked?.question.texts;
	if (!asked || query.round !== String(asked.round)) {
		return respondWith(context, 410, closingPage('wrongLink', texts));
	}
	if (clock.now() >= asked.until) return respondWith(context, 410, closingPage('expired', texts));
	const { question } = asked;
	const preferred = Number(query.choice);
	if (method !== 'POST') return respondWith(context, 200, questionPage(question, { preferred }));
	const body: unknown = context.getBodyData();
	const fields = isRecord(body) ? body : {};
	const askAgain = (status: number, problem: PageProblem) => {
		const entered = { text: writtenText(fields.text), reason: writtenText(fields.reason) };
		return respondWith(context, status, questionPage(question, { preferred, problem, entered }));
	};
	if (question.asksCode && !isCode(fields.code, codeOf(context, asked.round))) {
		return askAgain(403, 'wrongCode');
	}
	const answer = readAnswer(question, fields);
	if (!answer) return askAgain(400, 'missing');

	const response = context.getResponseObject();
	const store = async () => await isStored(response, closingPage('notStored', texts));
	const first = await locks.take(`${path}?${asked.round}`, answer, store);
	if (first) {
		const isSame = JSON.stringify(first.json) === JSON.stringify(answer.json);
		return isSame
			? respondWith(context, 200, answeredPage(first, texts))
			: respondWith(context, 409, closingPage('answered', texts));
	}
	response.set(HEADERS);
	const json = {
		...answer.json,
		// n8n passes it to the model as the reviewer's feedback.
		...(asked.isReview && answer.reason ? { chatInput: answer.reason } : {}),
		respondedAt: new Date(clock.now()).toISOString(),
		message: asked.message,
	};
	return {
		webhookResponse: answeredPage(answer, texts),
		workflowData: [[{ json, pairedItem: { item: 0 } }]],
	};
}

function respondWith(
	context: IWebhookFunctions,
	status: number,
	page: string,
): IWebhookResponseData {
	context.getResponseObject().set(HEADERS).status(status).send(page);
	return { noWebhookResponse: true };
}

/** What somebody chose or wrote, for the page and for the workflow. */
interface Answer {
	shown: string;
	/** Why somebody declined, if they wrote it. */
	reason?: string;
	json: IDataObject;
}

/** @returns undefined when the fields of the form do not answer the question */
function readAnswer(question: Question, fields: Record<string, unknown>): Answer | undefined {
	if (question.kind === 'freeText') {
		const text = writtenText(fields.text);
		return text ? { shown: text, json: { text } } : undefined;
	}
	const choice = question.choices.findIndex((_, index) => String(index) === String(fields.choice));
	const shown = question.choices[choice];
	if (shown === undefined) return undefined;
	if (question.kind === 'answers') return { shown, json: { answer: shown } };
	const approved = choice === 0;
	const reason = !approved && question.asksReason ? writtenText(fields.reason) : '';
	return reason ? { shown, reason, json: { approved, reason } } : { shown, json: { approved } };
}

/** @returns '' for what nobody could read */
function writtenText(value: unknown): string {
	if (typeof value !== 'string') return '';
	// The page counts a line break as one character, but a form sends two.
	const text = truncate(value.replace(/\r\n?/g, '\n').trim(), MAX_TEXT_LENGTH);
	return withoutBlanks(text) && text;
}

/** More questions than are answered at the same moment; bounds the memory of a process. */
const MAX_LOCKS = 1000;

/**
 * The first of several simultaneous answers to a question takes its lock; the others wait until n8n has
 * stored it or not. n8n 2 resumes an execution only once, but n8n 1 once for each simultaneous answer.
 * A lock holds within its process.
 */
class AnswerLocks {
	/** By question; resolves to the stored answer. */
	private readonly answers = new Map<string, Promise<Answer | undefined>>();

	/**
	 * @param store tells whether n8n has stored the answer
	 * @returns the answer that counts instead; undefined when this one took the lock
	 */
	async take(
		question: string,
		answer: Answer,
		store: () => Promise<boolean>,
	): Promise<Answer | undefined> {
		while (this.answers.has(question)) {
			const first = await this.answers.get(question);
			if (first) return first;
		}
		const [oldest] = this.answers.keys();
		if (this.answers.size >= MAX_LOCKS) this.answers.delete(oldest);
		const storing = store().then((stored) => {
			if (stored) return answer;
			this.answers.delete(question);
			return undefined;
		});
		this.answers.set(question, storing);
		return undefined;
	}
}

const locks = new AnswerLocks();

/**
 * n8n responds with `send` when it has stored an answer. When it could not, for example because an answer
 * reached another process at the same moment, it responds with `json`: then the visitor gets a page instead.
 */
async function isStored(response: PageResponse, otherwise: string): Promise<boolean> {
	const send = response.send.bind(response);
	return await new Promise((resolve) => {
		response.send = (page) => {
			resolve(true);
			return send(page);
		};
		response.json = () => {
			resolve(false);
			response.status(409);
			return send(otherwise);
		};
	});
}
