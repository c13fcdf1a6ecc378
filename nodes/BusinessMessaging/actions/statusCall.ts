import { STATUS_PATH } from '../api';
import type { StatusRecord } from '../api';
import { isWellFormed } from '../template/text';
import type { Client, Reply } from '../transport/client';
import { dataOf } from '../transport/envelope';
import { notAnId } from '../errors/failure';
import type { Answer } from '../transport/request';
import type { LookLimits } from '../transport/waitFor';
import type { CallLimits } from './options';

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

/** Half a character has no place in an address, and dots alone are another address. */
function canBeAskedFor(messageId: string): boolean {
	return isWellFormed(messageId) && !/^\.{1,2}$/.test(messageId);
}

/** Section 2.3 */
function readStatusRecord(answer: Answer): StatusRecord | undefined {
	const record = dataOf(answer);
	return typeof record?.status === 'string' ? (record as StatusRecord) : undefined;
}
