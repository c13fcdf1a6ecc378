import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Clock } from '../../clock';
import type { Asked } from '../question';
import { claimAnswer, takeOver } from './answerClaims';
import { recallAsked } from './asked';
import { answeredJson, readAnswer } from './givenAnswer';
import type { GivenAnswer } from './givenAnswer';
import {
	ALREADY_ANSWERED,
	answeredPage,
	EXPIRED,
	NOT_STORED,
	WRONG_LINK,
} from './page/closingPages';
import { HEADERS } from './page/layout';
import { questionPage } from './page/questionPage';

/**
 * Answers whoever opens a link: GET shows the question, POST takes the answer. Previews and scanners
 * open links, but press no buttons. Never throws: n8n would end the wait and go on as if nobody was asked.
 */
export async function receiveAnswer(
	context: IWebhookFunctions,
	clock: Pick<Clock, 'now'>,
): Promise<IWebhookResponseData> {
	try {
		return await respond(context, clock);
	} catch (error) {
		context.logger.error(`A question could not be shown or answered: ${String(error)}`);
		return show(context, 500, NOT_STORED);
	}
}

async function respond(
	context: IWebhookFunctions,
	clock: Pick<Clock, 'now'>,
): Promise<IWebhookResponseData> {
	const { method, query } = context.getRequestObject();
	const asked = recallAsked(context);
	if (!asked || query.round !== String(asked.round)) return show(context, 410, WRONG_LINK);
	if (clock.now() >= asked.until) return show(context, 410, EXPIRED);
	const { question } = asked;
	if (method !== 'POST') {
		return show(context, 200, questionPage(question, { preferred: Number(query.choice) }));
	}
	const answer = readAnswer(question, context.getBodyData());
	if (!answer) return show(context, 400, questionPage(question, { isMissing: true }));
	return await take(context, asked, answer, clock);
}

async function take(
	context: IWebhookFunctions,
	asked: Asked,
	answer: GivenAnswer,
	clock: Pick<Clock, 'now'>,
): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	const { path } = context.getRequestObject();
	const store = async () => await takeOver(response, NOT_STORED);
	const first = await claimAnswer(`${path}?${asked.round}`, answer, store);
	if (first) {
		const isSame = JSON.stringify(first.json) === JSON.stringify(answer.json);
		return isSame ? show(context, 200, answeredPage(first)) : show(context, 409, ALREADY_ANSWERED);
	}
	response.set(HEADERS);
	const json = answeredJson(asked, answer, new Date(clock.now()));
	return {
		webhookResponse: answeredPage(answer),
		workflowData: [[{ json, pairedItem: { item: 0 } }]],
	};
}

function show(context: IWebhookFunctions, status: number, page: string): IWebhookResponseData {
	context.getResponseObject().set(HEADERS).status(status).send(page);
	return { noWebhookResponse: true };
}
