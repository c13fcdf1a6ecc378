import type { IDataObject } from 'n8n-workflow';
import {
	type ApiResponse,
	dataOf,
	messageIdOf,
	SEND_PATH,
	type SendRequest,
	type SentMessage,
} from '../../api';
import { type Failed, notStarted, overLimit } from '../../errors/failure';
import { adviseOnCategory, failureFromDelivery, SEND_SENTENCES } from '../../errors/responseErrors';
import { failed, type Outcome } from '../../outcome';
import { categoryAt, CURRENCY, PRICES } from '../../template/pricing';
import { rawOutput, sentOf, withoutErrorKey } from '../output';
import type { SendJob, Sending } from './sending';

/** The request of a message (4.1), if the last checks pass and the budget has its price. */
export async function request(sending: Sending): Promise<Outcome> {
	const { job, itemIndex, run, lastChecks, deadline, rejection } = sending;
	const { category: choice } = job.categoryChoice;
	const { client, budget, inFlight } = run;
	let answer: Outcome | undefined;
	let price = 0;
	const reply = await client.call({
		isIdempotent: false,
		method: 'POST',
		path: SEND_PATH,
		body: async () => {
			const category = categoryNow(sending);
			for (const check of lastChecks) {
				answer = check(category);
				if (answer) return notStarted();
			}
			price = PRICES[category];
			if (!budget.reserve(price)) {
				answer = failed(
					rejection ? noFallback(rejection) : { failure: overLimit(budget.limitText) },
				);
				return notStarted();
			}
			answer = await sending.beforeRequest?.();
			if (answer) {
				budget.cancel(price);
				return notStarted();
			}
			inFlight.add(itemIndex);
			return { ...job.message, category };
		},
		onNotProcessed: async () => {
			budget.cancel(price);
			inFlight.delete(itemIndex);
			await sending.notProcessed?.();
		},
		read: readSentMessage,
		sentences: SEND_SENTENCES,
		deadline: deadline.at,
		...job.limits,
	});
	if (answer) return answer;
	if ('failure' in reply) {
		const isTooLate = reply.failure.code === 'noTimeLeft';
		return (isTooLate && deadline.outcome) || failed(adviseOnCategory(reply, choice));
	}
	const { data } = reply;
	budget.settle(price, sentOf(data as IDataObject));
	const json = withAddedFields(outputOf(job, reply), {
		...addedFields(job),
		...(rejection ? { fallbackUsed: true } : {}),
	});
	if (data.status !== 'failed') return { kind: 'sent', json };
	const failure = failureFromDelivery(data, String(data.message_id), run.clock.now());
	return failed(adviseOnCategory({ failure }, choice), json);
}

/** In place of a request: what it would send. */
export async function showRequest(sending: Sending): Promise<Outcome> {
	const { job } = sending;
	const { message } = job;
	const category = categoryNow(sending);
	const body: SendRequest = { ...message, category };
	const estimate = PRICES[category];
	const json = {
		dryRun: true,
		to: message.to,
		...addedFields(job),
		template_name: message.templateName,
		category,
		estimatedCost: { amount: estimate, currency: CURRENCY },
		request: body as unknown as IDataObject,
	};
	return { kind: 'shown', json, estimate };
}

function categoryNow({ job: { categoryChoice: choice }, run, rejection }: Sending) {
	if (rejection && choice.category === 'auto') return choice.fallbackCategory;
	return categoryAt(choice, run.clock.now());
}

function noFallback(rejection: Failed['failure']): Failed {
	return {
		failure: {
			...rejection,
			remedy:
				'It was not sent with Fallback Category, because the run would then cost more than the spending limit. Raise Spending Limit under Options.',
		},
	};
}

/** Section 2.2: without the ID it is not known which message it is, or whether there is one. */
function readSentMessage(response: ApiResponse): SentMessage | undefined {
	return messageIdOf(response) === undefined ? undefined : (dataOf(response) as SentMessage);
}

function outputOf(job: SendJob, { response, data }: { response: ApiResponse; data: SentMessage }) {
	return job.rawResponse ? rawOutput(response) : withoutErrorKey(data as unknown as IDataObject);
}

function addedFields({ preview, intendedTo }: SendJob): IDataObject {
	return {
		...(preview === undefined ? {} : { preview }),
		...(intendedTo === undefined ? {} : { intendedTo }),
	};
}

/** Our fields stand right after the status, or else at the end. */
function withAddedFields(json: IDataObject, added: IDataObject): IDataObject {
	const fields = Object.entries(json);
	const status = fields.findIndex(([name]) => name === 'status');
	const end = status < 0 ? fields.length : status + 1;
	return { ...Object.fromEntries(fields.slice(0, end)), ...added, ...json, ...added };
}
