import type { IDataObject } from 'n8n-workflow';

import { dataOf } from '../answer';
import type { Answer } from '../answer';
import { STATUS_PATH } from '../api';
import type { StatusRecord } from '../api';
import { failureFromDelivery, notAnId } from '../errors/failure';
import type { Failed } from '../errors/failure';
import { isWellFormed } from '../template/text';
import type { Client, Reply } from '../transport/client';
import { waitForDelivery } from '../transport/waitFor';
import type { LookLimits } from '../transport/waitFor';
import type { Session } from './operation';
import type { CallLimits, WaitOptions } from './options';
import type { Seen } from './result';

/**
 * Looks up a message (4.2), within the same budget of requests as the sends.
 * @param look for a message that is waited for
 */
export async function lookUpStatus(
	client: Client,
	messageId: string,
	limits: CallLimits,
	look?: LookLimits,
): Promise<Reply<StatusRecord>> {
	if (!canBeAskedFor(messageId)) return { failure: notAnId(messageId) };
	return await client.call({
		purpose: 'status',
		method: 'GET',
		path: STATUS_PATH + encodeURIComponent(messageId),
		read: readStatusRecord,
		...limits,
		...look,
	});
}

export interface AwaitedMessage {
	messageId: string;
	/** What is known of it at the start. */
	first: StatusRecord;
	wait: WaitOptions;
	limits: CallLimits;
}

/** What is known of a message when the wait is over. */
export interface Watched {
	/** For the output item. */
	delivery: IDataObject;
	seen: Seen;
	/** To the last look-up that told something. */
	answer?: Answer;
}

/** Waits until a message has the awaited status; it failed when the network could not deliver it. */
export async function watchMessage(
	{ messageId, first, wait, limits }: AwaitedMessage,
	session: Session,
): Promise<Watched | Failed> {
	let answer: Answer | undefined;
	const look = async (lookLimits: LookLimits) => {
		const reply = await lookUpStatus(session.client, messageId, limits, lookLimits);
		if ('answer' in reply) answer = reply.answer;
		return reply;
	};
	const { seen, delivery } = await waitForDelivery({ ...wait, first, look }, session);
	if (seen.status === 'failed') return { failure: failureFromDelivery(seen, messageId) };
	const { status, timedOut, problem } = delivery;
	return {
		delivery: { ...delivery } as IDataObject,
		seen: { status, wait: { ...wait, timedOut, problem } },
		answer,
	};
}

/** Half a character has no place in an address, and dots alone are another address. */
function canBeAskedFor(messageId: string): boolean {
	return isWellFormed(messageId) && !/^\.{1,2}$/.test(messageId);
}

/** Section 2.3 */
function readStatusRecord(answer: Answer): StatusRecord | undefined {
	const record = dataOf(answer);
	return typeof record?.status === 'string' ? (record as StatusRecord) : undefined;
}
