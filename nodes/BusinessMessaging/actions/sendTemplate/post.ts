import type { IDataObject } from 'n8n-workflow';

import { dataOf, messageIdOf } from '../../answer';
import type { Answer } from '../../answer';
import { SEND_PATH } from '../../api';
import type { Category, SentMessage } from '../../api';
import { failureFromDelivery, overLimit as failureOverLimit } from '../../errors/failure';
import type { Failure } from '../../errors/failure';
import { PRICES } from '../../template/price';
import type { Session } from '../operation';
import { rawOutput, withoutErrorKey } from '../output';
import type { Result } from '../result';
import { sentOf } from '../sentMessage';
import type { SendJob } from './job';

/**
 * One message, in the category of the moment, for a price that the budget has.
 * @param categoryNow asked again for each request
 * @param overLimit the failure of a message that the budget does not allow
 */
export async function post(
	job: SendJob,
	{ client, budget }: Session,
	categoryNow: () => Category,
	overLimit: Failure = failureOverLimit(budget.limitText),
): Promise<Result> {
	let price = 0;
	const reply = await client.call({
		purpose: 'send',
		method: 'POST',
		path: SEND_PATH,
		body: () => {
			const category = categoryNow();
			price = PRICES[category];
			return budget.reserve(price) ? { ...job.message, category } : { failure: overLimit };
		},
		onNotProcessed: () => budget.release(price),
		read: readSentMessage,
		...job.limits,
	});
	if ('failure' in reply) return reply;
	const { data } = reply;
	budget.settle(price, sentOf(data as IDataObject));
	if (data.status === 'failed') {
		return { failure: failureFromDelivery(data, String(data.message_id)) };
	}
	const json = withNotes(outputOf(job, reply), notesOf(job));
	return { json, sent: sentOf(json), ...remarksOn(job) };
}

function outputOf(job: SendJob, { answer, data }: { answer: Answer; data: SentMessage }) {
	return job.rawResponse ? rawOutput(answer) : withoutErrorKey(data as unknown as IDataObject);
}

/** What the line above the output tells of a message. */
export function remarksOn(job: SendJob): Pick<Result, 'tidied' | 'almostPlaceholder'> {
	const { tidied, almostPlaceholder } = job;
	return { ...(tidied ? { tidied } : {}), ...(almostPlaceholder ? { almostPlaceholder } : {}) };
}

export function notesOf({ preview, intendedTo }: SendJob): IDataObject {
	return {
		...(preview === undefined ? {} : { preview }),
		...(intendedTo === undefined ? {} : { intendedTo }),
	};
}

/** What we add to the fields of the API: right after the status, or else at the end. */
export function withNotes(json: IDataObject, notes: IDataObject): IDataObject {
	const fields = Object.entries(json);
	const status = fields.findIndex(([name]) => name === 'status');
	const end = status < 0 ? fields.length : status + 1;
	return { ...Object.fromEntries(fields.slice(0, end)), ...notes, ...json, ...notes };
}

/** Section 2.2: without the ID nobody can tell which message it is, or whether there is one. */
function readSentMessage(answer: Answer): SentMessage | undefined {
	return messageIdOf(answer) === undefined ? undefined : (dataOf(answer) as SentMessage);
}
