import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Category, SendRequest } from '../../api';
import { type Failure, failed, type Failed } from '../../errors/failure';
import type { Cap } from '../../memory/frequencyCap';
import type { PeriodLimit } from '../../memory/periodBudget';
import { type Outcome, type SentBeforeOutcome, type SkippedOutcome } from '../../outcome';
import type { CategoryChoice } from '../../template/pricing';
import type { SendingHours } from '../../template/sendingHours';
import type { RunContext } from '../job';
import type { WaitOptions } from '../lookUp';
import type { CallLimits } from '../options/requests';
import type { FilledTemplate } from './readVariables';

/** The parameters of Send Template for one item. */
export interface SendJob extends Omit<FilledTemplate, 'variables'> {
	message: Omit<SendRequest, 'category'>;
	/** The message without what differs from attempt to attempt, such as a link. */
	knownBy?: SendJob['message'] & { question?: string };
	/** The customer's number, when the message goes to the test recipient instead. */
	intendedTo?: string;
	/** The test recipient gets no more messages. */
	isBeyondTest?: boolean;
	/** In the list of Do Not Send To. */
	isOptedOut?: boolean;
	/** The Send Once Key together with its recipient. */
	sendOnceKey?: string;
	/** In a tool: the key alone, because a model may fill in the recipient. */
	toolKey?: string;
	sendBetween?: SendingHours;
	/** Epoch ms. */
	sendUntil?: number;
	cap?: Cap;
	budget?: PeriodLimit;
	categoryChoice: CategoryChoice;
	dryRun: boolean;
	rawResponse: boolean;
	/** Undefined: nothing is awaited. */
	wait?: WaitOptions;
	limits: CallLimits;
}

/** Where an option is read. */
export interface Reading {
	context: IExecuteFunctions;
	itemIndex: number;
	/** The customer's number, as E.164. */
	to: string;
	/** Of numbers without a country code; '' if there is none. */
	defaultCountry: string;
	/** Epoch ms. */
	now: number;
}

/** An option of a step. Without effect in a run with a test recipient, because the customer gets nothing. */
export interface StepOption {
	field: INodeProperties;
	/** Once for all items. Otherwise n8n computes a value for each. */
	readsItself?: true;
	/**
	 * @param value of the field, which was added; as it was entered, if the option reads itself
	 * @throws InputError
	 */
	read: (value: unknown, reading: Reading) => Partial<SendJob>;
}

/** One message on its way through the steps. */
export interface Sending {
	readonly job: SendJob;
	readonly itemIndex: number;
	readonly run: RunContext;
	/** The message was sent, and its delivery is awaited: it is the next item's turn. */
	readonly onWaiting: (sent: Outcome) => void;
	/** The network could not deliver the message: each step gives back what it has taken. */
	readonly undo: (undelivered: Failed) => Promise<void>;
	/** Asked immediately before the request, which the rate limit may have delayed. An outcome ends the sending. */
	readonly lastChecks: ReadonlyArray<(category: Category) => Outcome | undefined>;
	/** No request begins later than `at`, ticks in ms. `outcome`: of a message that gets no slot by then, if it does not fail. */
	readonly deadline: { at: number; outcome?: Outcome };
	/** Of the same message in the service category, after which it is sent with Fallback Category. */
	readonly rejection?: Failure;
}

export type Next = (sending: Sending) => Promise<Outcome>;

/** One feature of a send. It knows no other one. */
export interface Step {
	/** Adds the step. A step without an option is part of every send. */
	option?: StepOption;
	/** @returns undefined when the message does not need it */
	policy: (job: SendJob) => Policy | undefined;
}

export interface Policy {
	/** Does its part and hands the message on to the next step, or gives the outcome itself. */
	send: (next: Next) => Next;
	/** The same in a dry run, which records nothing. */
	show?: Policy['send'];
	/** Gives back what it has taken for a message that could not be delivered. */
	undo?: (sending: Sending, undelivered: Failed) => Promise<void>;
}

export type Way = Pick<Sending, 'job' | 'itemIndex' | 'run' | 'onWaiting'>;

/** Sends a message through the steps, or shows what they would do with it. @param request ends the way */
export async function through(
	steps: readonly Step[],
	way: Way,
	doPart: 'send' | 'show',
	request: Next,
): Promise<Outcome> {
	const policies = steps.map(({ policy }) => policy(way.job));
	const sending: Sending = {
		...way,
		undo: async (undelivered) => {
			for (const policy of policies) await policy?.undo?.(sending, undelivered);
		},
		lastChecks: [],
		deadline: { at: Infinity },
	};
	const first = policies.reduceRight((next, policy) => policy?.[doPart]?.(next) ?? next, request);
	return await first(sending);
}

/** Has the nearer deadline of the two. @param at ticks in ms */
export function withDeadline(sending: Sending, at: number, outcome?: Outcome): Sending {
	return at < sending.deadline.at ? { ...sending, deadline: { at, outcome } } : sending;
}

export function sentBefore({ message, intendedTo }: SendJob): SentBeforeOutcome {
	const { to, templateName } = message;
	const test = intendedTo && { intendedTo };
	const json = { sentBefore: true, to, ...test, template_name: templateName };
	return { kind: 'sentBefore', json };
}

/**
 * A message that may not be sent with the fallback category keeps its first failure.
 * @param why as the rest of a sentence, with what to do
 */
export function withoutFallback(rejection: Failure, why: string): Failed {
	const remedy = `It was not sent with Fallback Category, because ${why}`;
	return failed({ ...rejection, remedy });
}

type Reason = SkippedOutcome['reason'];

/** @param json what the item says beside the reason */
export function skipped(reason: Reason, json: IDataObject): SkippedOutcome {
	return { kind: 'skipped', reason, json: { skipped: reason, ...json } };
}

/** @param until from when on the message may be sent, in epoch ms */
export function heldBack({ message }: SendJob, reason: Reason, until: number): SkippedOutcome {
	const { to } = message;
	return { ...skipped(reason, { to, sendAfter: new Date(until).toISOString() }), until };
}
