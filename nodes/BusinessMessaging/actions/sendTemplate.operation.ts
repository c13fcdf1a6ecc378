import type { IDataObject } from 'n8n-workflow';

import { SEND_PATH } from '../api';
import type { SendRequest, SentMessage } from '../api';
import { categoryAt } from '../template/category';
import { CURRENCY, PRICES } from '../template/price';
import { dataOf, messageIdOf } from '../transport/envelope';
import { failureFromException } from '../transport/errors';
import { failureFromDelivery } from '../transport/failure';
import { WINDOW_MS } from '../transport/pacing/pacer';
import type { Answer } from '../transport/request';
import { waitForDelivery } from '../transport/waitFor';
import type { Awaited, LookLimits } from '../transport/waitFor';
import type { Operation, Result, Session, Waiting } from './operation';
import { rawOutput, withoutErrorKey } from './output';
import { sendTemplateFields } from './sendTemplate.fields';
import { readSendJob } from './sendTemplate.job';
import type { SendJob } from './sendTemplate.job';
import type { SentBefore } from './sentBefore';
import { messageIn, sentOf } from './sentMessage';
import { seenAfter } from './seen';
import { lookUpStatus } from './statusCall';

export const sendTemplate: Operation<SendJob> = {
	fields: sendTemplateFields,
	purpose: 'send',
	read: readSendJob,
	estimate: (job, itemIndex, now, sentBefore) =>
		job.dryRun || recall(job, itemIndex, sentBefore)
			? 0
			: PRICES[categoryAt(job.categoryChoice, turnOf(job, itemIndex, now))],
	run,
};

/** When an item is sent at the latest, as far as it is up to this run: Auto goes by that moment. */
function turnOf({ limits: { requestsPerMinute } }: SendJob, itemIndex: number, now: number) {
	return requestsPerMinute > 0 ? now + (itemIndex / requestsPerMinute) * 60_000 : now;
}

async function run(job: SendJob, itemIndex: number, session: Session): Promise<Result | Waiting> {
	if (job.dryRun) return dryRun(job, session.clock.now());
	const { waitFor, waitTimeoutMs } = job.wait;
	// The look-up that it will need within the minute must find a place.
	const settle = waitFor && waitTimeoutMs <= WINDOW_MS ? session.client.owe() : undefined;
	try {
		const sent = await sendOnce(job, itemIndex, session);
		if ('failure' in sent || !waitFor) return sent;
		return { later: awaitDelivery(job, waitFor, sent, session), sent: sent.sent };
	} finally {
		settle?.();
	}
}

/** Sends, unless an earlier try of the node did, or may have done so. */
async function sendOnce(job: SendJob, itemIndex: number, session: Session): Promise<Result> {
	const before = recall(job, itemIndex, session.sentBefore);
	if (before) return before;
	const result = await send(job, session).catch((error: unknown) => ({
		failure: failureFromException(error, 'unknown'),
	}));
	if ('json' in result || result.failure.outcome === 'unknown') {
		session.sentBefore.remember(itemIndex, identityOf(job), result);
	}
	return result;
}

function recall(job: SendJob, itemIndex: number, { find }: SentBefore): Result | undefined {
	const before = find(itemIndex, identityOf(job));
	return before && ('json' in before || !job.limits.retryUnknownOutcome) ? before : undefined;
}

/** By which a tool knows a request again: what is sent, and how the category is chosen. */
function identityOf({ message, categoryChoice }: SendJob): unknown {
	return [message, categoryChoice];
}

async function send(job: SendJob, { client, clock }: Session): Promise<Result> {
	const reply = await client.call({
		purpose: 'send',
		method: 'POST',
		path: SEND_PATH,
		body: () => ({ ...job.message, category: categoryAt(job.categoryChoice, clock.now()) }),
		read: readSentMessage,
		...job.limits,
	});
	if ('failure' in reply) return reply;
	if (reply.data.status === 'failed') {
		return { failure: failureFromDelivery(reply.data, reply.data.message_id) };
	}
	const json = withPreview(outputOf(job, reply), job);
	return { json, sent: sentOf(json), ...tidiedOf(job) };
}

function outputOf(job: SendJob, { answer, data }: { answer: Answer; data: SentMessage }) {
	return job.rawResponse ? rawOutput(answer) : withoutErrorKey(data as unknown as IDataObject);
}

/** Right after the status, or else at the end. */
function withPreview(json: IDataObject, { preview }: SendJob): IDataObject {
	if (preview === undefined) return json;
	const fields = Object.entries(json);
	const end = 'status' in json ? Object.keys(json).indexOf('status') + 1 : fields.length;
	return Object.fromEntries([...fields.slice(0, end), ['preview', preview], ...fields.slice(end)]);
}

function tidiedOf({ tidied }: SendJob): Pick<Result, 'tidied'> {
	return tidied ? { tidied } : {};
}

function dryRun(job: SendJob, now: number): Result {
	const { message, preview } = job;
	const category = categoryAt(job.categoryChoice, now);
	const request: SendRequest = { ...message, category };
	return {
		json: {
			dryRun: true,
			to: message.to,
			...(preview === undefined ? {} : { preview }),
			template_name: message.templateName,
			category,
			estimatedCost: { amount: PRICES[category], currency: CURRENCY },
			request: request as unknown as IDataObject,
		},
		estimate: PRICES[category],
		...tidiedOf(job),
	};
}

async function awaitDelivery(
	job: SendJob,
	awaited: Awaited,
	sent: Result & { json: IDataObject },
	session: Session,
): Promise<Result> {
	const message = messageIn(sent.json);
	const id = String(message.message_id);
	const look = async (limits: LookLimits) =>
		await lookUpStatus(session.client, id, job.limits, limits);
	const first = { status: typeof message.status === 'string' ? message.status : 'sent' };
	const wait = { awaited, first, look, timeoutMs: job.wait.waitTimeoutMs };
	const { seen, delivery } = await waitForDelivery(wait, session);
	if (seen.status === 'failed') {
		return { failure: failureFromDelivery(seen, id), sent: sent.sent };
	}
	return {
		...sent,
		json: { ...sent.json, delivery: { ...delivery } as IDataObject },
		seen: seenAfter(awaited, delivery, job.wait),
	};
}

/** Section 2.2: without the ID nobody can tell which message it is, or whether there is one. */
function readSentMessage(answer: Answer): SentMessage | undefined {
	return messageIdOf(answer) === undefined ? undefined : (dataOf(answer) as SentMessage);
}
