import { failureFromException, failed } from '../../../errors/failure';
import { isAboutAnother } from '../../../memory/ledger';
import { meaningOf } from '../../../outcome';
import type { Policy, Step } from '../sending';

/** What an earlier attempt of the execution sent, or may have sent, is not sent again. A fallback is. */
export const unlessRemembered: Step = {
	policy: (job) => {
		const send: Policy['send'] = (next) => async (sending) => {
			if (sending.rejection) return await next(sending);
			const { run, itemIndex } = sending;
			return run.retryMemory.outcomes.get(itemIndex) ?? (await next(sending));
		};
		// A dry run shows it once more.
		return { send, show: job.dryRun ? undefined : send };
	},
};

/** Remembers for later attempts what became of the message. */
export const remembered: Step = {
	policy: () => ({
		send: (next) => async (sending) => {
			const { run, itemIndex } = sending;
			const outcome = await next(sending).catch((error: unknown) =>
				failed(failureFromException(error, 'unknown')),
			);
			if (meaningOf(outcome).isRemembered && !isAboutAnother(outcome)) {
				run.retryMemory.remember(itemIndex, outcome);
				run.ledger?.tell(itemIndex);
			}
			return outcome;
		},
		undo: async ({ run, itemIndex }, undelivered) => {
			run.retryMemory.remember(itemIndex, undelivered);
		},
	}),
};
