import type { IDataObject } from 'n8n-workflow';

import type { Category, SendRequest } from '../../api';
import type { Failure } from '../../errors/failure';
import { failureFromException } from '../../errors/nodeError';
import type { Fate } from '../../memory/sendOnce';
import { categoryAt } from '../../template/category';
import { CURRENCY, PRICES } from '../../template/price';
import { WINDOW_MS } from '../../transport/pacing/pacer';
import { watchMessage } from '../messageStatus';
import type { Operation, SentBefore, Session } from '../operation';
import type { WaitOptions } from '../options';
import { isUnknown } from '../result';
import type { Result } from '../result';
import { messageIn } from '../sentMessage';
import { fallbackFor, overLimitInFallback, withFittingAdvice } from './fallback';
import { sendTemplateFields } from './fields';
import { readSendJob } from './job';
import type { SendJob } from './job';
import { checkOldValues } from './oldValues';
import { notesOf, post, remarksOn, withNotes } from './post';

export const sendTemplate: Operation<SendJob> = {
	fields: sendTemplateFields,
	purpose: 'send',
	checkRun: checkOldValues,
	read: readSendJob,
	price: (job, itemIndex, now) =>
		job.dryRun ? 0 : PRICES[categoryAt(job.categoryChoice, turnOf(job, itemIndex, now))],
	isDryRun: ({ dryRun }) => dryRun,
	recall,
	onceKey: ({ sendOnceKey: key, message: { to: recipient } }) =>
		key === undefined ? undefined : { key, recipient },
	perform,
};

/** When an item is sent at the latest, as far as it is up to this run: Auto goes by that moment. */
function turnOf({ limits: { requestsPerMinute } }: SendJob, itemIndex: number, now: number) {
	return requestsPerMinute > 0 ? now + (itemIndex / requestsPerMinute) * 60_000 : now;
}

async function perform(job: SendJob, itemIndex: number, session: Session): Promise<Result> {
	if (job.dryRun) return await dryRun(job, session);
	const { wait } = job;
	let settle: (() => void) | undefined;
	// The look-up that it will need within the minute must find a place.
	const sending = async () => {
		if (wait && wait.timeoutMs <= WINDOW_MS) settle = session.client.owe();
		return await remembered(job, itemIndex, session, send(job, session));
	};
	try {
		const sent = await sendUnlessSent(job, itemIndex, session, sending);
		if ('failure' in sent || sent.skipped || !wait) return sent;
		const awaited = awaitDelivery({ ...job, wait }, itemIndex, sent, session);
		return { ...sent, later: freeIfRejected(job, session, awaited) };
	} finally {
		settle?.();
	}
}

/** Sends, unless an earlier try of the node did, or may have done so, or any run with the same key. */
async function sendUnlessSent(
	job: SendJob,
	itemIndex: number,
	session: Session,
	sending: () => Promise<Result>,
): Promise<Result> {
	const before = recall(job, itemIndex, session.sentBefore);
	if (before) return before;
	const { sendOnceKey: key } = job;
	// Of these, only what is unknown is sent again.
	const doubt = session.sentBefore.find(itemIndex, contentOf(job));
	const result =
		key === undefined
			? await sending()
			: ((await sendOnce(job, key, session, sending, doubt !== undefined)) ?? skippedBy(key));
	// That it was not sent now does not tell what became of the first.
	return doubt && fateOf(result) === 'notSent' ? doubt : result;
}

/** The first message did not reach the customer; what becomes of the second is what the key stands for. */
async function sendOnceMore(
	job: SendJob,
	key: string,
	session: Session,
	send: () => Promise<Result>,
): Promise<Result | undefined> {
	await session.sendOnce.free(key);
	return await sendOnce(job, key, session, send);
}

/** @returns undefined when another run did */
async function sendOnce(
	{ limits }: SendJob,
	key: string,
	{ sendOnce: memory, signal }: Session,
	send: () => Promise<Result>,
	knownInDoubt = false,
): Promise<Result | undefined> {
	const evenInDoubt = limits.retryUnknownOutcome;
	return await memory.send({ key, evenInDoubt, knownInDoubt, send, fateOf, signal });
}

function skippedBy(key: string): Result {
	return { json: { skipped: 'sentBefore', key }, skipped: 'sentBefore' };
}

function fateOf(result: Result): Fate {
	// No outcome: it was sent, and can't be looked up.
	if ('json' in result || result.failure.outcome === null) return 'sent';
	return isUnknown(result) ? 'unknown' : 'notSent';
}

/** So that a message that did not reach the customer can be sent again. */
async function freeIfRejected(
	{ sendOnceKey: key }: SendJob,
	session: Session,
	awaited: Promise<Result>,
): Promise<Result> {
	const result = await awaited;
	if (key !== undefined && fateOf(result) === 'notSent') await session.sendOnce.free(key);
	return result;
}

/** So that no later try of the node sends it again. */
async function remembered(
	job: SendJob,
	itemIndex: number,
	{ sentBefore }: Session,
	sending: Promise<Result>,
): Promise<Result> {
	const result = await sending.catch((error: unknown) => ({
		failure: failureFromException(error, 'unknown'),
	}));
	if ('json' in result || isUnknown(result)) {
		sentBefore.remember(itemIndex, contentOf(job), result);
	}
	return result;
}

function recall(job: SendJob, itemIndex: number, { find }: SentBefore): Result | undefined {
	const before = find(itemIndex, contentOf(job));
	return before && job.limits.retryUnknownOutcome && isUnknown(before) ? undefined : before;
}

/** By which a tool knows a message again: what is sent, for whom, and how the category is chosen. */
function contentOf({ message, knownBy = message, categoryChoice, intendedTo }: SendJob): unknown {
	return intendedTo ? [knownBy, categoryChoice, intendedTo] : [knownBy, categoryChoice];
}

async function send(job: SendJob, session: Session): Promise<Result> {
	let category: Category | undefined;
	const result = await post(job, session, () => {
		category = categoryAt(job.categoryChoice, session.clock.now());
		return category;
	});
	if ('json' in result) return result;
	const { failure } = result;
	const fallback = fallbackFor(job, category, failure);
	if (fallback) return await sendInFallback(job, session, { failure, fallback });
	return { ...result, failure: withFittingAdvice(job, failure) };
}

/** Once more, after a failure that is certain. */
async function sendInFallback(
	job: SendJob,
	session: Session,
	{ failure, fallback }: { failure: Failure; fallback: Category },
): Promise<Result> {
	const overLimit = overLimitInFallback(failure);
	const result = await post(job, session, () => fallback, overLimit);
	if ('failure' in result) {
		if (result.failure === overLimit) return result;
		return { ...result, failure: withFittingAdvice(job, result.failure) };
	}
	return { ...result, json: withNotes(result.json, { fallbackUsed: true }) };
}

async function dryRun(job: SendJob, { clock, sendOnce }: Session): Promise<Result> {
	const { sendOnceKey: key, limits } = job;
	const show = () => shownOf(job, clock.now());
	if (key === undefined) return show();
	return (await sendOnce.show(key, limits.retryUnknownOutcome, show)) ?? skippedBy(key);
}

/** What is put out in place of sending. */
function shownOf(job: SendJob, now: number): Result {
	const { message } = job;
	const category = categoryAt(job.categoryChoice, now);
	const request: SendRequest = { ...message, category };
	return {
		json: {
			dryRun: true,
			to: message.to,
			...notesOf(job),
			template_name: message.templateName,
			category,
			estimatedCost: { amount: PRICES[category], currency: CURRENCY },
			request: request as unknown as IDataObject,
		},
		estimate: PRICES[category],
		...remarksOn(job),
	};
}

async function awaitDelivery(
	job: SendJob & { wait: WaitOptions },
	itemIndex: number,
	sent: Result & { json: IDataObject },
	session: Session,
): Promise<Result> {
	const message = messageIn(sent.json);
	const watched = await watchMessage(
		{
			messageId: String(message.message_id),
			first: { status: typeof message.status === 'string' ? message.status : 'sent' },
			...job,
		},
		session,
	);
	if ('failure' in watched) {
		const { failure } = watched;
		const fallback = fallbackFor(job, message.category, failure);
		const rejected = { failure: withFittingAdvice(job, failure), sent: sent.sent };
		const { sendOnceKey: key } = job;
		if (!fallback) {
			// Its key is free again: a later try of the node must not take the message for sent.
			if (key !== undefined && failure.outcome === 'rejected') {
				session.sentBefore.remember(itemIndex, contentOf(job), rejected);
			}
			return rejected;
		}
		const sending = async () => {
			const inFallback = sendInFallback(job, session, { failure, fallback });
			return await remembered(job, itemIndex, session, inFallback);
		};
		const again =
			key === undefined
				? await sending()
				: ((await sendOnceMore(job, key, session, sending)) ?? rejected);
		return 'json' in again ? await awaitDelivery(job, itemIndex, again, session) : again;
	}
	const { delivery, seen } = watched;
	return { ...sent, json: { ...sent.json, delivery }, seen };
}
