import { phoneOf } from '../../template/phoneNumber';
import { optionsFields, displayFor } from '../fields';
import type { Job, RunContext } from '../job';
import type { Operation } from '../operation';
import { withinBudget } from '../options/budget';
import { unlessOptedOut } from '../options/doNotSendTo';
import { show, showSkipped } from '../options/dryRun';
import { frequencyCap } from '../options/frequencyCap';
import { withinHours } from '../options/sendBetween';
import { onceWithKey, onceWithToolKey } from '../options/sendOnceKey';
import { onlyAllowed } from '../options/sendOnlyTo';
import { untilTime } from '../options/sendUntil';
import { withinTest } from '../options/testRecipient';
import { untilDelivered } from '../options/waitFor';
import { expertFields, messageFields, optionFields } from './fields';
import { readSendJob } from './readParameters';
import { categoryOf, request } from './request';
import { type SendJob, type Step, through } from './sending';
import { fallbackPrice, inFallback } from './steps/inFallback';
import { inLedger, ledgerEntryOf, onceInTool } from './steps/inLedger';
import { remembered, unlessRemembered } from './steps/remembered';

/** What a message goes through, in this order. The request comes last. */
const STEPS: Step[] = [
	// Around everything: the message in the fallback category goes through all the others again.
	inFallback,
	// Around the memories, so that each gives back what it has taken for a message that was not delivered.
	untilDelivered,
	// Before the key: what an earlier attempt sent is output as it was, not as skipped.
	unlessRemembered,
	// The same for a tool.
	onceInTool,
	withinTest,
	onlyAllowed,
	unlessOptedOut,
	onceWithToolKey,
	onceWithKey,
	// Within the key: that another execution may be sending the message is no outcome of this one.
	remembered,
	// Before the number is claimed, because a claim takes several statements.
	withinHours,
	untilTime,
	frequencyCap,
	withinBudget,
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
	const rehearse = async (run: RunContext) =>
		await through(STEPS, { job, itemIndex, run, onWaiting: () => undefined }, 'show', show);
	return {
		...job,
		itemIndex,
		price: (run) => priceOf(job, itemIndex, run),
		recipient: { to: phoneOf(to), customer: phoneOf(intendedTo) },
		onceKey: job.sendOnceKey,
		pace: { limit: limits.requestsPerMinute || Infinity, waits: wait !== undefined },
		remarks: job,
		ledgerEntry: ledgerEntryOf(job),
		fromItem: { to, intendedTo: job.intendedTo, preview, template_name: templateName },
		rehearse,
		perform: async (run, onWaiting) => {
			const way = { job, itemIndex, run, onWaiting };
			if (!job.dryRun) return await through(STEPS, way, 'send', request);
			const outcome = await rehearse(run);
			return outcome.kind === 'skipped' ? showSkipped(way, outcome) : outcome;
		},
	};
}

function priceOf(
	job: SendJob,
	itemIndex: number,
	{ clock, retryMemory, spending }: Parameters<Job['price']>[0],
): number | undefined {
	if (job.dryRun || job.isOptedOut || job.isBeyondTest) return undefined;
	const before = retryMemory.outcomes.get(itemIndex);
	if (before) return fallbackPrice(job, before, spending);
	return spending.priceOf({
		category: categoryOf({ job }, clock.now()),
		to: job.message.to,
	});
}
