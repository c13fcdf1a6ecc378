import type { NodeExecutionHint } from 'n8n-workflow';
import type { Job, Remarks } from '../actions/job';
import type { Spending } from '../actions/options/spendingLimit';
import { messageIn, receiptOf } from '../actions/output';
import { readStatus } from '../api';
import type { Failure } from '../errors/failure';
import {
	isUnknown,
	messageOf,
	type Result,
	type Seen,
	showsText,
	SKIP_REASONS,
	type SkippedOutcome,
} from '../outcome';
import { formatAmount, formatEstimate, sumOf } from '../template/pricing';
import { formatMoment } from '../template/sendingHours';
import { sendsPerWindow, WINDOW_MS } from '../transport/pacer';
import { grouped, isRecord, isText } from '../values';
import { formatCount, formatDuration, formatItems } from './figures';

/** Of a run, besides the results of its items. */
export interface Circumstances {
	/** By account. */
	jobs: Job[][];
	spending: Pick<Spending, 'allows' | 'limit'>;
	/** For the rate limit. */
	waitedMs: number;
	/** The workflow's. */
	timeZone: string;
	/** The messages of this manual run went to the test recipient. */
	isTest?: boolean;
	/** Why the memory of Send Once Keys, or of Frequency Cap, is not up to date. */
	memoryProblems?: Array<string | undefined>;
	/** How many messages an earlier attempt of this run has sent. */
	earlier?: number;
	/** Nothing comes back to the loop, because all items left through Skipped. */
	endsLoop?: boolean;
	/** The run goes on where a run by hand before it stopped. */
	isContinued?: boolean;
}

/**
 * The hint above the output: how many messages were sent or looked up, their statuses and cost, the failures and
 * their reasons, and the time spent waiting for the rate limit.
 */
export function summarize(results: Result[], circumstances: Circumstances): NodeExecutionHint {
	const { jobs, waitedMs, timeZone, isTest, memoryProblems = [], earlier = 0 } = circumstances;
	const { endsLoop, isContinued } = circumstances;
	const before = results.filter(({ kind }) => kind === 'sentBefore');
	const sent = results.filter((result) => messageOf(result) && !isUnknown(result));
	/** Of messages that were not sent nothing can be looked up. */
	const passed = results.filter(({ kind }) => kind === 'passed');
	const lookedUp = results.filter(({ kind }) => kind === 'found');
	const skipped = results.filter((result) => result.kind === 'skipped');
	const failures = results.flatMap((result, item) =>
		result.kind === 'failed' ? [{ ...result.failure, item }] : [],
	);
	const unknown = failures.filter(({ outcome }) => outcome === 'unknown');
	const known = failures.filter(({ outcome }) => outcome !== 'unknown');
	const undelivered = known.filter(({ item }) => messageOf(results[item]));
	const failed = known.filter(({ item }) => !messageOf(results[item]));
	const repeated = jobs.flatMap((ofAccount) => repeatedNumbers(ofAccount, results));
	const [listSize] = jobs.flat().flatMap(({ remarks }) => remarks?.listSize ?? []);
	const remarks = jobs
		.flat()
		.flatMap((job) => (showsText(results[job.itemIndex]) ? (job.remarks ?? []) : []));
	const [doubt] = remarks.flatMap((remark) => remark.doubt ?? []);
	const parts = [
		isTest && 'Manual run: messages go to the Test Recipient, none to the customers',
		whatIsShown(results, circumstances, [sent, unknown, before].every(isEmpty)),
		sent.length > 0 &&
			[
				`${howMany(sent.length, 'message')} sent`,
				...(earlier > 0 ? [`${formatCount(earlier)} of them in an earlier attempt`] : []),
				...whatWasSeen(sent),
				...(undelivered.length > 0
					? [`${formatCount(undelivered.length)} failed (${reasons(undelivered)})`]
					: []),
				costOf(sent),
				...billedOtherwise(sent),
			].join(', '),
		before.length > 0 &&
			`${howMany(before.length, 'message')} ${before.length === 1 ? 'was' : 'were'} sent before, and not again${isContinued ? CONTINUED : ''}`,
		repeated.length > 0 &&
			`${formatCount(repeated.length)} ${repeated.length === 1 ? 'number appears' : 'numbers appear'} more than once (${formatItems(repeated.flat().sort((a, b) => a - b))})`,
		skipped.length > 0 &&
			`${formatCount(skipped.length)} skipped: ${whySkipped(skipped, timeZone)}`,
		endsLoop &&
			'The loop ends after this batch, because all its items left through Skipped. Connect Skipped to the loop, too',
		listSize !== undefined && `The list of Do Not Send To has ${howMany(listSize, 'number')}`,
		lookedUp.length > 0 &&
			`${howMany(lookedUp.length, 'message')} looked up: ${whatWasSeen(lookedUp).join(', ')}`,
		passed.length > 0 &&
			`${howMany(passed.length, 'item')} passed through, because ${passed.length === 1 ? 'it has' : 'they have'} no message ID`,
		...aboutTexts(remarks),
		doubt,
		unknown.length > 0 && `${formatCount(unknown.length)} may have been sent: ${reasons(unknown)}`,
		failed.length > 0 && `${formatCount(failed.length)} failed: ${reasons(failed)}`,
		...memoryProblems,
		waitedMs >= 1000 && `Waited ${formatDuration(waitedMs)} for the rate limit`,
	].filter(isText);
	const isInDoubt = skipped.some(({ earlier }) => earlier);
	const hasProblem = failures.length > 0 || memoryProblems.some(isText);
	const isWarning = hasProblem || isInDoubt || doubt || endsLoop;
	return {
		message: `${parts.join('. ')}.`,
		type: isWarning ? 'warning' : 'info',
		location: 'outputPane',
	};
}

/** A run by hand may be a test, of which somebody wants all messages. */
const CONTINUED =
	', because the manual run before did not end well. To send to all again, run it once more after this one has ended well';

function howMany(count: number, noun: 'item' | 'message' | 'number'): string {
	return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** What customers may read otherwise than somebody meant it. */
function aboutTexts(remarks: Remarks[]): Array<string | false> {
	const whitespaceNormalized = remarks.filter((remark) => remark.whitespaceNormalized);
	const incomplete = remarks.flatMap((remark) => remark.incomplete);
	const rawData = remarks.flatMap((remark) => remark.rawData ?? []);
	return [
		whitespaceNormalized.length > 0 &&
			`Line breaks, tabs or many spaces replaced by one space in ${howMany(whitespaceNormalized.length, 'message')}`,
		incomplete.length > 0 &&
			`An expression gave nothing: ${inItems(incomplete.map((name) => `in ${name}`))}`,
		rawData.length > 0 && `Raw data in the text: ${inItems(rawData)}`,
	];
}

/** @param places one for each item */
function inItems(places: string[]): string {
	return counted(places)
		.map(([place, count]) => `${place} of ${howMany(count, 'item')}`)
		.join(', ');
}

/** The items of each customer who gets more than one message from an account. */
function repeatedNumbers(jobs: Job[], results: Result[]): number[][] {
	const sentOrShown = jobs.flatMap(({ itemIndex, recipient }) => {
		const result = results[itemIndex];
		const isShown = showsText(result) && result.kind !== 'shownAsSkipped';
		const isAmong = recipient && (isShown || result.kind === 'failed');
		return isAmong ? { itemIndex, customer: recipient.customer } : [];
	});
	const byCustomer = grouped(sentOrShown, ({ customer }) => customer);
	return [...byCustomer.values()]
		.filter(({ length }) => length > 1)
		.map((ofCustomer) => ofCustomer.map(({ itemIndex }) => itemIndex));
}

/** "4 delivered", "1 not delivered within 60 s", or why that is not known; the statuses if nothing was awaited. */
function whatWasSeen(results: Array<{ kind: string; seen?: Seen }>): string[] {
	const words = results.flatMap(({ seen }) => (seen ? wordFor(seen) : []));
	return counted(words).map(([word, count]) => `${formatCount(count)} ${word}`);
}

function wordFor({ status, wait }: Seen): string {
	if (!wait) return readStatus(status) === 'failed' ? 'not deliverable' : status;
	if (!wait.timedOut) return wait.awaited;
	if (wait.problem) return `not known to be ${wait.awaited} (${wait.problem})`;
	return `not ${wait.awaited} within ${formatDuration(wait.timeoutMs)}`;
}

/** The number of each reason, unless there is only one, and from when on the first of them may be sent. */
function whySkipped(skipped: SkippedOutcome[], timeZone: string): string {
	const byReason = mostFirst(skipped, whyOne);
	const all = byReason.map(([words, those]) => {
		const count = byReason.length > 1 ? `${formatCount(those.length)} ` : '';
		return `${count}${words}${untilWhen(those, timeZone)}${whatItWouldCost(those)}`;
	});
	return all.join('; ');
}

function whyOne({ reason, earlier }: SkippedOutcome): string {
	return earlier ? 'too soon after a message that may have been sent' : SKIP_REASONS[reason];
}

function untilWhen(skipped: SkippedOutcome[], timeZone: string): string {
	const times = skipped.flatMap(({ until }) => until ?? []).sort((a, b) => a - b);
	const [first] = times;
	if (first === undefined) return '';
	return `, until ${formatMoment(first, timeZone)}${first === times.at(-1) ? '' : ' or later'}`;
}

function whatItWouldCost(skipped: SkippedOutcome[]): string {
	const estimates = skipped.flatMap(({ estimate }) => estimate ?? []);
	return estimates.length > 0 ? ` (would ${costOrFree(estimates)})` : '';
}

function costOf(results: Result[]): string {
	const sent = results.map((result) => receiptOf(messageOf(result) ?? {}));
	const costs = sent.flatMap(({ cost }) => cost ?? []);
	const currencies = new Set(sent.flatMap(({ currency }) => currency ?? []));
	if (costs.length < sent.length) return 'but the API did not give the cost of every message';
	if (currencies.size > 1) return 'at costs in several currencies';
	const sum = sumOf(costs);
	return sum === 0 ? 'free' : `cost ${formatAmount(sum, [...currencies][0])}`;
}

/** "3 billed as marketing (sent as utility)": the network may put a template into a dearer category. */
function billedOtherwise(results: Result[]): string[] {
	const pairs = results.flatMap((result) => {
		const { category, cost } = messageIn(messageOf(result) ?? {});
		const billed = isRecord(cost) ? cost.pricing_category : undefined;
		const differs = isText(category) && isText(billed) && billed !== category;
		return differs ? `billed as ${billed} (sent as ${category})` : [];
	});
	return counted(pairs).map(([words, count]) => `${formatCount(count)} ${words}`);
}

function isEmpty({ length }: unknown[]): boolean {
	return length === 0;
}

/** What a dry run would do. @param nothingWasSent by other items either */
function whatIsShown(
	results: Result[],
	{ spending, timeZone, jobs }: Circumstances,
	nothingWasSent: boolean,
): string | undefined {
	const estimates = results.flatMap((each) => (each.kind === 'shown' ? each.estimate : []));
	const heldBack = results.flatMap((each) => (each.kind === 'shownAsSkipped' ? each.skipped : []));
	if ([estimates, heldBack].every(isEmpty)) return undefined;
	const parts = [
		nothingWasSent && 'nothing was sent',
		estimates.length > 0 &&
			`${howMany(estimates.length, 'message')} would ${costOrFree(estimates)}${howLong(estimates.length, jobs, results)}`,
		!spending.allows(sumOf(estimates)) &&
			`Spending Limit (${formatAmount(spending.limit)}) would stop this run`,
		heldBack.length > 0 &&
			`${formatCount(heldBack.length)} would be skipped: ${whySkipped(heldBack, timeZone)}`,
		nothingWasSent && 'To send, turn off Dry Run under Options',
	];
	return `Dry run: ${parts.filter(isText).join('. ')}`;
}

function costOrFree(estimates: number[]): string {
	const sum = sumOf(estimates);
	return sum === 0 ? 'be free' : `cost about ${formatEstimate(sum)}`;
}

/** Nothing for what is sent within the first window. */
function howLong(count: number, jobs: Job[][], results: Result[]): string {
	const durations = jobs.map((ofAccount) => durationOf(ofAccount, results));
	const longest = Math.round(Math.max(0, ...durations));
	if (longest <= WINDOW_MS) return '';
	const perMinute = Math.round(count / (longest / WINDOW_MS));
	return ` and take about ${formatDuration(longest)} at ${formatCount(perMinute)} a minute`;
}

/** How long the rate limit of an account lets the messages of a dry run take, in ms. */
function durationOf(jobs: Job[], results: Result[]): number {
	const paces = jobs.flatMap(({ itemIndex, pace }) =>
		results[itemIndex].kind === 'shown' ? (pace ?? []) : [],
	);
	return paces.reduce((sum, pace) => sum + WINDOW_MS / sendsPerWindow(pace), 0);
}

const MAX_REASONS = 5;
const MAX_RANGES_OF_REASON = 5;

/** Six digits or more of any script, with what people write between them: `0475/123456`. */
const PHONE_NUMBER = /\+?\p{Nd}(?:[^\p{L}\p{Nd}",:]{0,3}\p{Nd}){5,}/gu;

/** Names items in place of values and phone numbers, because n8n's redaction does not reach hints. */
function reasons(failures: Array<Failure & { item: number }>): string {
	const reasonOf = ({ message }: Failure) =>
		message.replace(/ "[^"]*"/g, ' "…"').replace(PHONE_NUMBER, '…');
	const byReason = mostFirst(failures, reasonOf);
	const all = byReason.map(([reason, those]) => {
		const items = those.map(({ item }) => item);
		const times = items.length > 1 ? `${formatCount(items.length)} × ` : '';
		return `${times}${reason} (${formatItems(items, MAX_RANGES_OF_REASON)})`;
	});
	const others = all.length > MAX_REASONS && 'and others';
	return [...all.slice(0, MAX_REASONS), others].filter(isText).join('; ');
}

/** Each text with its count. */
function counted(texts: string[]): Array<[string, number]> {
	return mostFirst(texts, (text) => text).map(([text, all]) => [text, all.length]);
}

function mostFirst<Item>(items: Item[], wordsFor: (item: Item) => string) {
	return [...grouped(items, wordsFor)].sort(([, a], [, b]) => b.length - a.length);
}
