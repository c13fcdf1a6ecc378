import type { IDataObject } from 'n8n-workflow';
import { dataOf, readStatus, STATUS_PATH, type StatusRecord } from '../api';
import { causeOf, failed, type Failed } from '../errors/failure';
import { failureFromDelivery, LOOK_UP_SENTENCES } from '../errors/responseErrors';
import type { Seen } from '../outcome';
import type { Client, Reply } from '../transport/client';
import { type LookLimits, type Wait, waitForDelivery } from '../transport/pollStatus';

import type { RunContext } from './job';
import type { CallLimits } from './options/requests';

export type WaitOptions = Pick<Wait, 'awaited' | 'timeoutMs'>;

/** What a look-up that succeeded gives. */
export type FoundStatus = Exclude<Reply<StatusRecord>, Failed>;

/** The end of a wait for a message. */
interface WatchedMessage {
	/** For the output item. */
	delivery: IDataObject;
	seen: Seen;
	/** Of the last look-up that succeeded. */
	last?: FoundStatus;
}

interface AwaitedMessage {
	messageId: string;
	/** What is known of it before the first look-up. */
	first: StatusRecord;
	wait: WaitOptions;
	limits: CallLimits;
}

/** Waits until a message has the awaited status. It fails if the network could not deliver the message. */
export async function watchMessage(
	{ messageId, first, wait, limits }: AwaitedMessage,
	run: RunContext,
): Promise<WatchedMessage | Failed> {
	let last: FoundStatus | undefined;
	const look = async (lookLimits: LookLimits) => {
		const reply = await lookUpStatus(run.client, messageId, limits, lookLimits);
		if ('data' in reply) last = reply;
		return reply;
	};
	const { seen, delivery } = await waitForDelivery({ ...wait, first, look }, run);
	if (readStatus(seen.status) === 'failed') {
		return failed(failureFromDelivery(seen, messageId, run.clock.now()));
	}
	const { status, timedOut, problem } = delivery;
	return { delivery, seen: { status, wait: { ...wait, timedOut, problem } }, last };
}

/**
 * Looks up a message (4.2), within the same rate limit as the sends.
 * @param look for a message whose delivery is awaited
 */
export async function lookUpStatus(
	client: Client,
	messageId: string,
	limits: CallLimits,
	look?: LookLimits,
): Promise<Reply<StatusRecord>> {
	const reply = await client.call({
		isIdempotent: true,
		method: 'GET',
		path: STATUS_PATH + encodeURIComponent(messageId),
		// Section 2.3
		read: (response) => {
			const record = dataOf(response);
			return typeof record?.status === 'string' ? (record as StatusRecord) : undefined;
		},
		sentences: LOOK_UP_SENTENCES,
		...limits,
		...look,
	});
	return 'failure' in reply ? { ...reply, failure: causeOf(reply.failure, null) } : reply;
}
