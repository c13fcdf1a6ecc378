import type { IDataObject } from 'n8n-workflow';

import { SEND_PATH } from '../api';
import type { Cost, SendRequest, SentMessage } from '../api';
import { categoryAt } from '../template/category';
import { CURRENCY, PRICES } from '../template/price';
import { dataOf } from '../transport/envelope';
import { failureFromDelivery } from '../transport/failure';
import type { Answer } from '../transport/request';
import { waitForDelivery } from '../transport/waitFor';
import type { Awaited } from '../transport/waitFor';
import type { Operation, Result, Session, Waiting } from './operation';
import { rawOutput, withoutErrorKey } from './output';
import { sendTemplateFields } from './sendTemplate.fields';
import { readSendJob } from './sendTemplate.job';
import type { SendJob } from './sendTemplate.job';
import { lookUpStatus } from './statusCall';

export const sendTemplate: Operation<SendJob> = {
	fields: sendTemplateFields,
	read: readSendJob,
	estimate: (job, now) => PRICES[categoryAt(job.categoryChoice, now)],
	run,
};

async function run(job: SendJob, itemIndex: number, session: Session): Promise<Result | Waiting> {
	if (job.dryRun) return dryRun(job, session.clock.now());
	const sent = await sendOnce(job, itemIndex, session);
	if ('failure' in sent || !job.wait.waitFor) return sent;
	return { later: awaitDelivery(job, job.wait.waitFor, sent, session) };
}

/** Sends, unless an earlier try of the node did, or may have done so. */
async function sendOnce(job: SendJob, itemIndex: number, session: Session): Promise<Result> {
	const request = [job.message, job.categoryChoice];
	const before = session.sentBefore.find(itemIndex, request);
	if (before && 'message' in before) return sentResult(job, before.message);
	if (before && !job.limits.retryUnknownOutcome) return { failure: before.unknown };

	const reply = await session.client.call({
		purpose: 'send',
		method: 'POST',
		path: SEND_PATH,
		body: () => ({ ...job.message, category: categoryAt(job.categoryChoice, session.clock.now()) }),
		read: readSentMessage,
		...job.limits,
	});
	if ('failure' in reply) {
		const { failure } = reply;
		if (failure.outcome === 'unknown') {
			session.sentBefore.remember(itemIndex, request, { unknown: failure });
		}
		return { failure };
	}
	const message = job.rawResponse ? rawOutput(reply.answer) : (reply.data as IDataObject);
	session.sentBefore.remember(itemIndex, request, { message });
	return sentResult(job, message);
}

function sentResult(job: SendJob, message: IDataObject): Result & { json: IDataObject } {
	const { cost } = (job.rawResponse ? message.data : message) as { cost?: Cost };
	const preview = job.preview === undefined ? {} : { preview: job.preview };
	return {
		json: { ...withoutErrorKey(message), ...preview },
		sent: { cost: cost?.amount, currency: cost?.currency },
	};
}

function dryRun({ message, categoryChoice, preview }: SendJob, now: number): Result {
	const category = categoryAt(categoryChoice, now);
	const request: SendRequest = { ...message, category };
	return {
		json: {
			dryRun: true,
			to: message.to,
			template_name: message.templateName,
			category,
			estimatedCost: { amount: PRICES[category], currency: CURRENCY },
			request: request as unknown as IDataObject,
			...(preview === undefined ? {} : { preview }),
		},
		estimate: PRICES[category],
	};
}

async function awaitDelivery(
	job: SendJob,
	awaited: Awaited,
	sent: Result & { json: IDataObject },
	session: Session,
): Promise<Result> {
	const message = (job.rawResponse ? sent.json.data : sent.json) as IDataObject;
	const look = async () => {
		const reply = await lookUpStatus(session.client, String(message.message_id), job.limits);
		return 'data' in reply ? reply.data : undefined;
	};
	const first = { status: typeof message.status === 'string' ? message.status : 'sent' };
	const { seen, delivery } = await waitForDelivery(
		awaited,
		first,
		look,
		job.wait.waitTimeoutMs,
		session.clock,
		session.signal,
	);
	if (seen.status === 'failed') return { failure: failureFromDelivery(seen), sent: sent.sent };
	return { json: { ...sent.json, delivery: { ...delivery } as IDataObject }, sent: sent.sent };
}

/** Section 2.2: without the ID nobody can tell which message it is, or whether there is one. */
function readSentMessage(answer: Answer): SentMessage | undefined {
	const sent = dataOf(answer);
	return typeof sent?.message_id === 'string' && sent.message_id.trim() !== ''
		? (sent as SentMessage)
		: undefined;
}
