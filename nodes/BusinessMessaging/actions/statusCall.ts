import { STATUS_PATH } from '../api';
import type { StatusRecord } from '../api';
import type { Client, Reply } from '../transport/client';
import { dataOf } from '../transport/envelope';
import type { Answer } from '../transport/request';
import type { CallLimits } from './options';

/**
 * Looks up a message (4.2), within the same budget of requests as the sends.
 * @param giveUpAt epoch ms; no try begins later
 */
export async function lookUpStatus(
	client: Client,
	messageId: string,
	limits: CallLimits,
	giveUpAt?: number,
): Promise<Reply<StatusRecord>> {
	return await client.call({
		purpose: 'status',
		method: 'GET',
		path: STATUS_PATH + encodeURIComponent(messageId),
		read: readStatusRecord,
		giveUpAt,
		...limits,
	});
}

/** Section 2.3 */
function readStatusRecord(answer: Answer): StatusRecord | undefined {
	const record = dataOf(answer);
	return typeof record?.status === 'string' ? (record as StatusRecord) : undefined;
}
