import type { INodeProperties } from 'n8n-workflow';
import type { ShownAsSkippedOutcome, ShownOutcome, SkippedOutcome } from '../../outcome';
import { CURRENCY } from '../../template/pricing';
import { addedFields, type Categorized, categoryOf } from '../sendTemplate/request';
import type { Sending, Way } from '../sendTemplate/sending';

export const dryRunField = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		'Whether to check everything and show what would be sent and its price, without sending. All items leave as skipped.',
} as const satisfies INodeProperties;

/** In place of the request, in a dry run. */
export async function show(sending: Sending): Promise<ShownOutcome> {
	const { json, estimate } = messageNow(sending);
	return await Promise.resolve({
		kind: 'shown',
		json: { skipped: 'dryRun', ...json },
		estimate,
	});
}

/** Its text and price are shown, too. Without `sendAfter`, so that no Wait node behind it leads to a send. */
export function showSkipped(way: Way, skipped: SkippedOutcome): ShownAsSkippedOutcome {
	const json = { skipped: 'dryRun', wouldBeSkipped: skipped.reason, ...messageNow(way).json };
	return { kind: 'shownAsSkipped', json, skipped };
}

/** The message as it would be now, and its price in INR. */
export function messageNow(way: Way & Categorized) {
	const { job, run } = way;
	const { to, templateName } = job.message;
	const category = categoryOf(way, run.clock.now());
	const estimate = run.spending.priceOf({ category, to });
	const json = {
		to,
		...addedFields(job),
		template_name: templateName,
		category,
		estimatedCost: { amount: estimate, currency: CURRENCY },
	};
	return { json, estimate };
}
