import type { Outcome } from '../../outcome';
import { phoneOf } from '../../template/phoneNumber';
import { categoryAt } from '../../template/pricing';
import { optionsFields, displayFor } from '../fields';
import type { Job } from '../job';
import type { Operation } from '../operation';
import { expertFields, messageFields, optionFields } from './fields';
import { readSendJob } from './readParameters';
import { expectedCategory, request, showMessage } from './request';
import { type SendJob, type Step, through, type Way } from './sending';
import { unlessOptedOut } from './steps/doNotSendTo';
import { frequencyCap } from './steps/frequencyCap';
import { fallbackPrice, inFallback } from './steps/inFallback';
import { inLedger, ledgerEntryOf } from './steps/inLedger';
import { contentOf, remembered, unlessRemembered } from './steps/remembered';
import { sendAfter, withinHours } from './steps/sendBetween';
import { onceWithKey } from './steps/sendOnceKey';
import { onlyAllowed } from './steps/sendOnlyTo';
import { untilTime } from './steps/sendUntil';
import { untilDelivered } from './steps/untilDelivered';
import { withinTest } from './steps/withinTest';

/** What a message goes through, in this order. The request comes last. */
const STEPS: Step[] = [
	// Around everything: the message in the fallback category goes through all the others again.
	inFallback,
	// Around the memories, so that each gives back what it has taken for a message that was not delivered.
	untilDelivered,
	// Before the key: what an earlier attempt sent is output as it was, not as skipped.
	unlessRemembered,
	withinTest,
	onlyAllowed,
	unlessOptedOut,
	onceWithKey,
	// Within the key: that another execution may be sending the message is no outcome of this one.
	remembered,
	// Before the number is claimed, because a claim takes several statements.
	withinHours,
	untilTime,
	frequencyCap,
	// Last, so that few messages have a row whose request has not begun: those that wait for the rate limit, at most as
	// many as Requests in Parallel.
	inLedger,
];
const stepOptions = STEPS.flatMap(({ option }) => option ?? []);

/** Without those for experts; in alphabetical order, as the editor lists them. */
export const allOptions = [...optionFields, ...stepOptions.map(({ field }) => field)].sort((a, b) =>
	a.displayName.localeCompare(b.displayName, 'en'),
);

export const sendTemplate = {
	fields: [
		...messageFields,
		...optionsFields(allOptions, expertFields, displayFor('sendTemplate')),
	],
	sends: true,
	skips: true,
	read: (context, itemIndex, now, test?) =>
		jobOf(readSendJob(context, itemIndex, now, test, stepOptions), itemIndex),
} satisfies Operation;

export function jobOf(job: SendJob, itemIndex: number): SendJob & Job {
	const { message, intendedTo = message.to, preview, limits, wait } = job;
	const { to, templateName } = message;
	return {
		...job,
		itemIndex,
		price: (run) => priceOf(job, itemIndex, run),
		isHeldBack: (now) => isHeldBack(job, now),
		recipient: { to: phoneOf(to), customer: phoneOf(intendedTo) },
		onceKey: job.sendOnceKey,
		pace: { limit: limits.requestsPerMinute || Infinity, waitMs: wait?.timeoutMs },
		remarks: { ...job, variables: message.templateVariables ?? {} },
		ledgerEntry: ledgerEntryOf(job),
		fromItem: { to, intendedTo: job.intendedTo, preview, template_name: templateName },
		perform: async (run, onWaiting) => {
			const way = { job, itemIndex, run, onWaiting };
			return job.dryRun ? await rehearse(way) : await through(STEPS, way, 'send', request);
		},
	};
}

function isHeldBack(
	{ sendBetween, sendUntil = Infinity, categoryChoice }: SendJob,
	now: number,
): boolean {
	const isClosed = sendBetween && sendAfter(sendBetween, categoryAt(categoryChoice, now), now);
	return now > sendUntil || isClosed !== undefined;
}

/** What would become of the message now. Its text and price are shown even if it would be skipped. */
async function rehearse(way: Way): Promise<Outcome> {
	const show = async () => await Promise.resolve(showMessage(way));
	const outcome = await through(STEPS, way, 'show', show);
	return outcome.kind === 'skipped' ? showMessage(way, outcome) : outcome;
}

function priceOf(
	job: SendJob,
	itemIndex: number,
	{ clock, retryMemory, budget }: Parameters<Job['price']>[0],
): number | undefined {
	if (job.dryRun || job.isOptedOut || job.isBeyondTest) return undefined;
	const before = retryMemory.find(itemIndex, contentOf(job));
	if (before) return fallbackPrice(job, before, budget);
	return budget.priceOf({
		category: expectedCategory(job, itemIndex, clock.now()),
		to: job.message.to,
	});
}
