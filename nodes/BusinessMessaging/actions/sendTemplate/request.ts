import type { IDataObject } from 'n8n-workflow';
import { type Category, dataOf, messageIdOf, readStatus, SEND_PATH } from '../../api';
import { causeNamed } from '../../errors/catalogue';
import { failureOf, notStarted, failed } from '../../errors/failure';
import { failureFromDelivery, SEND_SENTENCES } from '../../errors/responseErrors';
import { type Outcome } from '../../outcome';
import { categoryAt, formatAmount } from '../../template/pricing';
import { outputOf } from '../options/rawResponse';
import { receiptOf } from '../output';
import { type SendJob, type Sending, withoutFallback } from './sending';

/** The request of a message (4.1), if the last checks pass and the spending limit leaves its price. */
export async function request(sending: Sending): Promise<Outcome> {
	const { job, itemIndex, run, deadline, rejection } = sending;
	const { client, spending, inFlight } = run;
	let ended: Outcome | undefined;
	let reserved: ReturnType<typeof spending.reserve>;
	/** Reserves the price of the category that the message has now. @returns undefined when it may not be sent any more */
	const admit = (): Category | undefined => {
		const category = categoryOf(sending, run.clock.now());
		ended = whyNotNow(sending, category);
		if (ended) return undefined;
		reserved = spending.reserve({ category, to: job.message.to });
		if (reserved) return category;
		const limit = formatAmount(spending.limit);
		ended = rejection
			? withoutFallback(rejection, OVER_LIMIT)
			: failed(failureOf(causeNamed('overLimit', { limit })));
		return undefined;
	};
	const reply = await client.call({
		isIdempotent: false,
		method: 'POST',
		path: SEND_PATH,
		category: categoryOf(sending, run.clock.now()),
		body: async () => {
			const category = admit();
			if (!category) return notStarted();
			inFlight.add(itemIndex);
			return { ...job.message, category };
		},
		onNotProcessed: async () => {
			reserved?.cancel();
			inFlight.delete(itemIndex);
		},
		// Section 2.2: without the ID it is not known which message it is, or whether there is one.
		read: (response) => (messageIdOf(response) === undefined ? undefined : dataOf(response)),
		sentences: SEND_SENTENCES,
		deadline: deadline.at,
		...job.limits,
	});
	if (ended) return ended;
	if ('failure' in reply) {
		const isTooLate = reply.failure.code === 'noTimeLeft';
		return (isTooLate && deadline.outcome) || reply;
	}
	const { data } = reply;
	reserved?.settle(receiptOf(data));
	const json = {
		...outputOf(job, reply),
		...addedFields(job),
		...(rejection ? { fallbackUsed: true } : {}),
	};
	if (readStatus(data.status) !== 'failed') return { kind: 'sent', json };
	const failure = failureFromDelivery(data, String(data.message_id), run.clock.now());
	return failed(failure, json);
}

export type Categorized = Pick<Sending, 'job' | 'rejection'>;

/** @param at epoch ms */
export function categoryOf({ job, rejection }: Categorized, at: number): Category {
	// A rejection says that the window is over, whatever the clock says.
	return categoryAt(job.categoryChoice, rejection ? Infinity : at);
}

/** What keeps the message from being sent at this moment. */
function whyNotNow(sending: Sending, category: Category): Outcome | undefined {
	for (const check of sending.lastChecks) {
		const ended = check(category);
		if (ended) return ended;
	}
	return undefined;
}

const OVER_LIMIT =
	'the run would then cost more than the spending limit. Raise Spending Limit under Options.';

export function addedFields({ preview, intendedTo }: SendJob): IDataObject {
	return { ...(preview && { preview }), ...(intendedTo && { intendedTo }) };
}
