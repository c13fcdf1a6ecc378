import { causeNamed } from '../../../errors/catalogue';
import { failureOf, failed } from '../../../errors/failure';
import { KEY_OUTCOME_UNKNOWN } from '../../../memory/sendOnce';
import type { ToolMessage } from '../../../memory/toolLedger';
import { phoneOf } from '../../../template/phoneNumber';
import type { LedgerEntry } from '../../job';
import { type SendJob, sentBefore, type Step } from '../sending';

/** A dry run sends nothing. */
export function ledgerEntryOf(job: SendJob): LedgerEntry | undefined {
	const { sendOnceKey, dryRun } = job;
	if (dryRun) return undefined;
	return {
		kind: ledgerKindOf(job),
		// Its values may differ each time.
		content: sendOnceKey ?? contentOf(job),
		sentBefore: sentBefore(job),
		interrupted: sendOnceKey === undefined ? INTERRUPTED : KEY_OUTCOME_UNKNOWN,
	};
}

function ledgerKindOf({ message: { to, templateName }, intendedTo }: SendJob): unknown {
	return [phoneOf(intendedTo ?? to), templateName, intendedTo !== undefined];
}

/** What is sent, and to whom. Not the category: a model might try the message again with another one. */
function contentOf({ message, knownBy = message, intendedTo }: SendJob): unknown {
	return intendedTo ? [knownBy, intendedTo] : [knownBy];
}

const INTERRUPTED = failed(failureOf(causeNamed('interrupted'), 'unknown'));

/** The message has a row from just before its request on, so that a Retry knows it, whatever ends this run. */
export const inLedger: Step = {
	policy: () => ({
		send: (next) => async (sending) => {
			const { ledger, signal } = sending.run;
			const message = ledger?.messageOf(sending.itemIndex);
			if (!message) return await next(sending);
			return await ledger!.withClaim(message, async () => await next(sending), signal);
		},
		undo: async ({ run, itemIndex }) => {
			const message = run.ledger?.messageOf(itemIndex);
			if (message) await run.ledger?.free(message);
		},
	}),
};

/**
 * In a tool a message goes once, or may have gone. A Send Once Key says better than its text which messages are the
 * same.
 */
export const onceInTool: Step = {
	policy: (job) => {
		if (job.sendOnceKey !== undefined) return undefined;
		const message = toolMessageOf(job);
		return {
			send: (next) => async (sending) => {
				const { toolLedger, signal } = sending.run;
				if (!toolLedger) return await next(sending);
				return await toolLedger.withClaim(message, async () => await next(sending), signal);
			},
			undo: async ({ run }) => await run.toolLedger?.free(message),
		};
	},
};

function toolMessageOf(job: SendJob): ToolMessage {
	const content = contentOf(job);
	const isQuestion = job.knownBy !== undefined;
	return isQuestion
		? { kind: content, sentBefore: sentBefore(job) }
		: { kind: ledgerKindOf(job), content, sentBefore: sentBefore(job) };
}
