import type { Category } from '../../api';
import type { Failure } from '../../errors/failure';
import type { FailedOutcome, Outcome, SkippedOutcome } from '../../outcome';
import type { RunContext } from '../operation';
import type { SendJob } from './readParameters';

/** One message on its way through the steps. */
export interface Sending {
	readonly job: SendJob;
	readonly itemIndex: number;
	readonly run: RunContext;
	/** The message was sent, and its delivery is awaited: it is the next item's turn. */
	readonly onWaiting: (sent: Outcome) => void;
	/** The network could not deliver the message: each step gives back what it has taken. */
	readonly undo: (undelivered: FailedOutcome) => Promise<void>;
	/** Asked immediately before the request, which the rate limit may have delayed. An answer ends the sending. */
	readonly lastChecks: ReadonlyArray<(category: Category) => Outcome | undefined>;
	/** Awaited after the last checks. An answer ends the sending. */
	readonly beforeRequest?: () => Promise<Outcome | undefined>;
	/** Awaited after a request that was certainly not processed. Another one may follow. */
	readonly notProcessed?: () => Promise<void>;
	/** No request begins later. Ticks in ms. */
	readonly deadline: number;
	/** Of the same message in the service category, after which it is sent with Fallback Category. */
	readonly rejection?: Failure;
}

export type Next = (sending: Sending) => Promise<Outcome>;

/** One feature of a send. It knows no other one. @returns undefined when the message does not need it */
export type Step = (job: SendJob) => Policy | undefined;

interface Policy {
	/** Does its part and hands the message on, or gives the outcome itself. */
	send: (sending: Sending, next: Next) => Promise<Outcome>;
	/** The same in a dry run, which records nothing. */
	show?: Policy['send'];
	/** Gives back what it has taken for a message that could not be delivered. */
	undo?: (sending: Sending, undelivered: FailedOutcome) => Promise<void>;
}

type Way = Pick<Sending, 'job' | 'itemIndex' | 'run' | 'onWaiting'>;

/** Sends a message through the steps, or shows what they would do with it. @param request ends the way */
export async function through(
	steps: readonly Step[],
	way: Way,
	doPart: 'send' | 'show',
	request: Next,
): Promise<Outcome> {
	const policies = steps.flatMap((step) => step(way.job) ?? []);
	const sending: Sending = {
		...way,
		undo: async (undelivered) => {
			for (const policy of policies) await policy.undo?.(sending, undelivered);
		},
		lastChecks: [],
		deadline: Infinity,
	};
	const first = policies.reduceRight<Next>((next, policy) => {
		const part = policy[doPart];
		return part ? async (each) => await part(each, next) : next;
	}, request);
	return await first(sending);
}

/** @param until from when on the message may be sent, in epoch ms */
export function heldBack(
	{ message: { to } }: SendJob,
	reason: 'quietHours' | 'sentRecently',
	until: number,
): SkippedOutcome {
	const json = { skipped: reason, to, sendAfter: new Date(until).toISOString() };
	return { kind: 'skipped', reason, json, until };
}
