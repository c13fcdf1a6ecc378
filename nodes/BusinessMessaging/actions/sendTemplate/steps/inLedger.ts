import { causeNamed } from '../../../errors/catalogue';
import { failureOf, failed } from '../../../errors/failure';
import { KEY_OUTCOME_UNKNOWN } from '../../../memory/sendOnce';
import { phoneOf } from '../../../template/phoneNumber';
import type { LedgerEntry } from '../../job';
import { type SendJob, sentBefore, type Step } from '../sending';
import { contentOf } from './remembered';

/** A dry run sends nothing. */
export function ledgerEntryOf(job: SendJob): LedgerEntry | undefined {
	const { message, intendedTo, sendOnceKey, dryRun } = job;
	const { to, templateName } = message;
	if (dryRun) return undefined;
	return {
		kind: [phoneOf(intendedTo ?? to), templateName, intendedTo !== undefined],
		// Its values may differ each time.
		content: sendOnceKey ?? contentOf(job),
		sentBefore: sentBefore(job),
		interrupted: sendOnceKey === undefined ? INTERRUPTED : KEY_OUTCOME_UNKNOWN,
	};
}

const INTERRUPTED = failed(failureOf(causeNamed('interrupted'), 'unknown'));

/** The message has a row from just before its request on, so that a Retry knows it, whatever ends this run. */
export const inLedger: Step = {
	policy: () => ({
		send: (next) => async (sending) => {
			const { run, itemIndex } = sending;
			const message = run.ledger?.messageOf(itemIndex);
			if (!run.ledger || !message) return await next(sending);
			return await run.ledger.withClaim(message, async () => await next(sending), run.signal);
		},
		undo: async ({ run, itemIndex }) => {
			const message = run.ledger?.messageOf(itemIndex);
			if (message) await run.ledger?.free(message);
		},
	}),
};
