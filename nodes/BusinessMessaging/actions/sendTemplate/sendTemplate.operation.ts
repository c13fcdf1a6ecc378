import type { Outcome } from '../../outcome';
import { phoneOf } from '../../template/phoneNumber';
import { categoryAt } from '../../template/pricing';
import { optionsFields, displayFor } from '../fields';
import type { Beginning, Operation } from '../operation';
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

export const sendTemplate: Operation<SendJob> = {
	fields: [
		...messageFields,
		...optionsFields(allOptions, expertFields, displayFor('sendTemplate')),
	],
	sends: true,
	skips: true,
	read: (context, itemIndex, now, test) => readSendJob(context, itemIndex, now, test, stepOptions),
	estimatedPrice,
	capOf: ({ cap }) => cap,
	isHeldBack: ({ sendBetween, sendUntil = Infinity, categoryChoice }, now) => {
		const isClosed = sendBetween && sendAfter(sendBetween, categoryAt(categoryChoice, now), now);
		return now > sendUntil || isClosed !== undefined;
	},
	onceKey: ({ sendOnceKey }) => sendOnceKey,
	ledgerEntry: ledgerEntryOf,
	messageFields: ({ message: { to, templateName }, intendedTo, preview }) => ({
		to,
		intendedTo,
		preview,
		template_name: templateName,
	}),
	recipient: ({ message: { to }, intendedTo = to }) => ({
		to: phoneOf(to),
		customer: phoneOf(intendedTo),
	}),
	pace: ({ limits, wait }) => ({
		limit: limits.requestsPerMinute || Infinity,
		waitMs: wait?.timeoutMs,
	}),
	remarks: (job) => ({ ...job, variables: job.message.templateVariables ?? {} }),
	perform: async (job, itemIndex, run, onWaiting) => {
		const way = { job, itemIndex, run, onWaiting };
		return job.dryRun ? await rehearse(way) : await through(STEPS, way, 'send', request);
	},
};

/** What would become of the message now. Its text and price are shown even if it would be skipped. */
async function rehearse(way: Way): Promise<Outcome> {
	const show = async () => await Promise.resolve(showMessage(way));
	const outcome = await through(STEPS, way, 'show', show);
	return outcome.kind === 'skipped' ? showMessage(way, outcome) : outcome;
}

function estimatedPrice(
	job: SendJob,
	itemIndex: number,
	{ now, retryMemory, priceOf }: Beginning,
): number | undefined {
	if (job.dryRun || job.isOptedOut || job.isBeyondTest) return undefined;
	const before = retryMemory.find(itemIndex, contentOf(job));
	if (before) return fallbackPrice(job, before, priceOf);
	return priceOf({ category: expectedCategory(job, itemIndex, now), to: job.message.to });
}
