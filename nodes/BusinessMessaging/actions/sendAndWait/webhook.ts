import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Clock } from '../../clock';
import { withoutBlanks } from '../../template/textChecks';
import { isRecord, linesOf, truncate } from '../../values';
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

async function answerRequest(context: IWebhookFunctions, clock: Pick<Clock, 'now'>) {
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

	const asking = `${path}?${asked.round}`;
	const storing = firstAnswers.get(asking);
	if (storing) {
		const first = await storing;
		if (!first) return respondWith(context, 409, closingPage('notStored', texts));
		const isSame = JSON.stringify(first.json) === JSON.stringify(answer.json);
		return isSame
			? respondWith(context, 200, answeredPage(first, texts))
			: respondWith(context, 409, closingPage('answered', texts));
	}
	const [oldest] = firstAnswers.keys();
	if (firstAnswers.size >= MAX_ANSWERS_KEPT) firstAnswers.delete(oldest);
	const response = context.getResponseObject();
	const stored = isStored(response, closingPage('notStored', texts)).then((isKept) => {
		if (!isKept) firstAnswers.delete(asking);
		return isKept ? answer : undefined;
	});
	firstAnswers.set(asking, stored);
	response.set(HEADERS);
	const json = {
		...answer.json,
		// n8n passes it to the model as the reviewer's feedback.
		...(question.review && answer.reason ? { chatInput: answer.reason } : {}),
		respondedAt: new Date(clock.now()).toISOString(),
		message: asked.message,
	};
	return {
		webhookResponse: answeredPage(answer, texts),
		workflowData: [[{ json, pairedItem: { item: 0 } }]],
	};
}

function respondWith(context: IWebhookFunctions, status: number, page: string) {
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
	const text = truncate(linesOf(value).join('\n').trim(), MAX_TEXT_LENGTH);
	return withoutBlanks(text) && text;
}

/** More questions than are answered at the same moment; bounds the memory of a process. */
const MAX_ANSWERS_KEPT = 1000;

/**
 * The first answer to each question; undefined if n8n could not store it. Others wait for it: n8n 2 resumes an
 * execution only once, but n8n 1 once for each answer of the same moment. This holds within its process.
 */
const firstAnswers = new Map<string, Promise<Answer | undefined>>();

/**
 * n8n responds with `send` when it has stored an answer. When it could not, for example because an answer
 * reached another process at the same moment, it responds with `json`: then the visitor gets a page instead.
 */
async function isStored(
	response: ReturnType<IWebhookFunctions['getResponseObject']>,
	otherwise: string,
): Promise<boolean> {
	const send = response.send.bind(response);
	return await new Promise((resolve) => {
		response.send = (page: unknown) => {
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
