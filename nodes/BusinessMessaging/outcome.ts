import type { IDataObject } from 'n8n-workflow';
import type { AwaitedStatus } from './api';
import { type Failed } from './errors/failure';

/** What became of one message. */
export type Outcome =
	SentOutcome | SentBeforeOutcome | SkippedOutcome | ShownOutcome | ShownAsSkippedOutcome | Failed;

/** The API accepted it, in this attempt or an earlier one. `json`: the message, as the node outputs it. */
export interface SentOutcome {
	kind: 'sent';
	json: IDataObject;
	seen?: Seen;
}

/** Another execution sent it, so its ID and cost are not known. */
export interface SentBeforeOutcome {
	kind: 'sentBefore';
	json: IDataObject;
}

/** For the hint above the output. The names are public, and stay: by them Get Status knows items without a message ID. */
export const SKIP_REASONS = {
	onlyTested: 'beyond the number of Test Messages',
	optedOut: 'in the list of Do Not Send To',
	quietHours: 'outside the hours of Send Between',
	sentRecently: 'too soon after another message to the number',
	tooLate: 'after the time of Send Until',
	declinedBefore: 'which the reviewer has declined before',
	/** In a dry run only: otherwise its outcome is `sentBefore`. */
	sentBefore: 'with a Send Once Key that is used already',
};

/** Nothing was sent, though nothing failed. */
export interface SkippedOutcome {
	kind: 'skipped';
	reason: keyof typeof SKIP_REASONS;
	json: IDataObject;
	/** What the message would cost, in INR, if the item shows it. */
	estimate?: number;
	/** From when on it may be sent, in epoch ms. */
	until?: number;
	/** It is not known whether the message was sent that keeps this one from being sent. */
	earlier?: 'unknown';
}

/** A dry run: the message would be sent now. Its item leaves as skipped. */
export interface ShownOutcome {
	kind: 'shown';
	json: IDataObject;
	/** What the message would cost, in INR. */
	estimate: number;
}

/** A dry run: the message would not be sent. */
export interface ShownAsSkippedOutcome {
	kind: 'shownAsSkipped';
	json: IDataObject;
	skipped: SkippedOutcome;
}

/** What became of one look-up. It sends nothing and costs nothing. */
export type LookUp =
	| { kind: 'found'; json: IDataObject; seen: Seen }
	/** The item has no message ID, because it was skipped or sent by an earlier execution: it leaves as it came. */
	| { kind: 'passed'; json: IDataObject }
	| Failed;

/** What became of one item. */
export type Result = Outcome | LookUp;

/** The last status that was seen by a look-up or while waiting. */
export interface Seen {
	status: string;
	/** `timedOut`: the awaited status did not come. `problem`: why the last look-up failed. */
	wait?: { awaited: AwaitedStatus; timedOut: boolean; timeoutMs: number; problem?: string };
}

interface Meaning {
	/** What becomes of what it has claimed: its Send Once Key, and a place within the frequency cap of its number. */
	claims: 'ended' | 'open' | 'free';
	/** Whether later attempts of the execution know it, and do not send it again. */
	isRemembered: boolean;
}

/**
 * What an outcome means for what a node remembers. The spending limit does not stand here: a price is reserved before each
 * request, and the reservation is canceled where the request was certainly not processed.
 */
export function meaningOf(outcome: Outcome): Meaning {
	if (outcome.kind === 'sent' || outcome.kind === 'sentBefore')
		return { claims: 'ended', isRemembered: true };
	if (isUnknown(outcome)) return { claims: 'open', isRemembered: true };
	// It certainly did not reach the customer, but what the API has accepted is not sent again.
	return { claims: 'free', isRemembered: messageOf(outcome) !== undefined };
}

/**
 * The outputs of an operation that can skip items, by number. If the node has an error output, n8n itself moves the
 * failed items there.
 */
export const OUTPUTS = ['Sent', 'Skipped'];

/** The number of the output on which an item leaves. */
export function outputNumberOf({ kind }: Result): number {
	return ['skipped', 'shown', 'shownAsSkipped'].includes(kind) ? 1 : 0;
}

/** Whether it is not known if the message was sent. */
export function isUnknown(result: Result): boolean {
	return result.kind === 'failed' && result.failure.outcome === 'unknown';
}

/** The message that the API accepted in this run or an earlier attempt of it, if it did. */
export function messageOf(result: Result): IDataObject | undefined {
	if (result.kind === 'sent') return result.json;
	return (result as Partial<Failed>).message;
}

/** Whether somebody can read the message: it was sent, or its item shows what would be sent. */
export function showsText(result: Result): boolean {
	if (result.kind === 'shown' || result.kind === 'shownAsSkipped') return true;
	if (result.kind === 'skipped') return result.estimate !== undefined;
	return messageOf(result) !== undefined;
}
