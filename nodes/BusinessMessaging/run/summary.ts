import type { NodeExecutionHint } from 'n8n-workflow';
import type { Remarks } from '../actions/operation';
import { receiptOf } from '../actions/output';
import type { Failure } from '../errors/failure';
import {
	isSentBefore,
	isShownBefore,
	isUnknown,
	messageOf,
	type Result,
	type Seen,
	SKIP_REASONS,
	type SkippedOutcome,
} from '../outcome';
import { formatAmount, formatEstimate, sumOf } from '../template/pricing';
import { formatMoment, zonesOfNumber, zonesThatDiffer } from '../template/sendingHours';
import { WINDOW_MS } from '../transport/pacer';
import { isText } from '../values';
import { formatCount, formatDuration, formatItems } from './figures';

/** Of a run, besides the results of its items. */
export interface Circumstances {
	/** For the rate limit. */
	waitedMs: number;
	/** The workflow's. */
	timeZone: string;
	/** Number of accounts from which messages were sent. */
	accounts?: number;
	/** Got all messages of a manual run. */
	testRecipient?: string;
	/** Why the memory of Send Once Keys, or of Frequency Cap, is not up to date. */
	memoryProblem?: string;
	/** The items of each number that appears more than once. */
	repeated?: number[][];
	/** On each message. */
	remarks?: Remarks[];
	/** How long the rate limit lets the messages of a dry run take. */
	durationMs?: number;
}

/**
 * The hint above the output: how many messages were sent or looked up, their statuses and cost, the failures and
 * their reasons, and the time spent waiting for the rate limit.
 * @returns undefined when the items themselves say it all
 */
export function summarize(
	results: Result[],
	circumstances: Circumstances,
): NodeExecutionHint | undefined {
	const { waitedMs, accounts = 1, testRecipient, memoryProblem } = circumstances;
	const { repeated = [], remarks = [] } = circumstances;
	const before = results.filter(isSentBefore);
	const sent = results.filter((result) => messageOf(result) && !isUnknown(result));
	/** Of messages that were not sent nothing can be looked up. */
	const passed = results.filter(({ kind }) => kind === 'passed');
	const lookedUp = results.filter(({ kind }) => kind === 'found');
	const estimates = results.flatMap((result) =>
		result.kind === 'shown' ? (result.estimate ?? []) : [],
	);
	const shownBefore = results.filter(isShownBefore);
	const whitespaceNormalized = remarks.filter((remark) => remark.whitespaceNormalized);
	const incomplete = remarks.flatMap((remark) => remark.incomplete);
	const rawData = remarks.flatMap((remark) => remark.rawData ?? []);
	const [doubt] = remarks.flatMap((remark) => remark.doubt ?? []);
	const listSizes = new Set(remarks.flatMap(({ listSize }) => listSize ?? []));
	const failures = results.flatMap((result, item) =>
		result.kind === 'failed' ? [{ ...result.failure, item }] : [],
	);
	const skipped = results.filter((result) => result.kind === 'skipped');
	const told = [sent, before, lookedUp, passed, estimates, failures, skipped];
	if (told.every(({ length }) => length === 0)) return undefined;

	const fellBack = sent.filter(
		(result) => result.kind === 'sent' && result.json.fallbackUsed,
	).length;
	const unknown = failures.filter(({ outcome }) => outcome === 'unknown');
	const known = failures.filter(({ outcome }) => outcome !== 'unknown');
	const undelivered = known.filter(({ item }) => messageOf(results[item]));
	const failed = known.filter(({ item }) => !messageOf(results[item]));
	const parts = [
		testRecipient !== undefined &&
			'Manual run: everything goes to the Test Recipient, nothing to the customers',
		estimates.length > 0 &&
			`Dry run: ${sent.length + unknown.length === 0 ? 'nothing was sent. ' : ''}${howMany(estimates.length, 'message')} would ${priceOf(estimates)}${tellDuration(estimates.length, circumstances)}`,
		sent.length > 0 &&
			[
				`${howMany(sent.length, 'message')} sent${accounts > 1 ? ` from ${formatCount(accounts)} accounts` : ''}`,
				...(fellBack > 0 ? [`${formatCount(fellBack)} with the fallback category`] : []),
				...whatWasSeen(sent),
				...(undelivered.length > 0
					? [`${formatCount(undelivered.length)} failed (${reasons(undelivered)})`]
					: []),
				costOf(sent),
			].join(', '),
		before.length > 0 &&
			`${howMany(before.length, 'message')} ${before.length === 1 ? 'was' : 'were'} sent before, and not again`,
		shownBefore.length > 0 &&
			`${howMany(shownBefore.length, 'message')} would not be sent, because another one has the Send Once Key`,
		repeated.length > 0 && whatIsRepeated(repeated),
		skipped.length > 0 &&
			`${formatCount(skipped.length)} skipped: ${whySkipped(skipped, circumstances.timeZone)}`,
		listSizes.size > 0 &&
			skipped.every(({ reason }) => reason !== 'optedOut') &&
			`Nobody is ${SKIP_REASONS.optedOut} (${[...listSizes].map((size) => howMany(size, 'number')).join(', ')})`,
		lookedUp.length > 0 &&
			`${howMany(lookedUp.length, 'message')} looked up: ${whatWasSeen(lookedUp).join(', ')}`,
		passed.length > 0 &&
			`${howMany(passed.length, 'item')} passed through, because ${passed.length === 1 ? 'it has' : 'they have'} no message ID`,
		whitespaceNormalized.length > 0 &&
			`Line breaks, tabs or many spaces replaced by one space in ${howMany(whitespaceNormalized.length, 'message')}`,
		incomplete.length > 0 &&
			`An expression gave nothing: ${inItems(incomplete.map((name) => `in ${name}`))}`,
		rawData.length > 0 && `Raw data in the text: ${inItems(rawData)}`,
		doubt,
		unknown.length > 0 && `${formatCount(unknown.length)} may have been sent: ${reasons(unknown)}`,
		failed.length > 0 && `${formatCount(failed.length)} failed: ${reasons(failed)}`,
		memoryProblem,
		waitedMs >= 1000 && `Waited ${formatDuration(waitedMs)} for the rate limit`,
	].filter(isText);
	const isInDoubt = skipped.some(({ earlier }) => earlier);
	return {
		message: `${parts.join('. ')}.`,
		type: failures.length > 0 || isInDoubt || memoryProblem || doubt ? 'warning' : 'info',
		location: 'outputPane',
	};
}

type FailureOfItem = Failure & { item: number };

function howMany(count: number, noun: 'item' | 'message' | 'number'): string {
	return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** "4 delivered", "1 not delivered within 60 s", or why that is not known; the statuses if nothing was awaited. */
function whatWasSeen(results: Result[]): string[] {
	const words = results.flatMap((result) =>
		'seen' in result && result.seen ? [wordFor(result.seen)] : [],
	);
	return counted(words).map(([word, count]) => `${formatCount(count)} ${word}`);
}

function wordFor({ status, wait }: Seen): string {
	if (!wait) return status === 'failed' ? 'not deliverable' : status;
	if (!wait.timedOut) return wait.awaited;
	if (wait.problem) return `not known to be ${wait.awaited} (${wait.problem})`;
	return `not ${wait.awaited} within ${formatDuration(wait.timeoutMs)}`;
}

/** The number of each reason, unless there is only one, where it holds, and from when on the first of them may be sent. */
function whySkipped(skipped: SkippedOutcome[], timeZone: string): string {
	const all = counted(skipped.map(whyOne));
	const reasons = all.map(([words, count]) => {
		const those = skipped.filter((each) => whyOne(each) === words);
		return `${all.length > 1 ? `${formatCount(count)} ` : ''}${words}${untilWhen(those, timeZone)}`;
	});
	return reasons.join('; ');
}

function whyOne({ reason, earlier, listSize }: SkippedOutcome): string {
	if (earlier) return 'too soon after a message that may have been sent';
	const size = listSize === undefined ? '' : ` (${howMany(listSize, 'number')})`;
	return SKIP_REASONS[reason] + size;
}

/** In the recipient's time zone if there is only one. */
function untilWhen(skipped: SkippedOutcome[], timeZone: string): string {
	const times = skipped.flatMap(({ until }) => until ?? []).sort((a, b) => a - b);
	const [at] = times;
	const earliest = skipped.find(({ until }) => until === at);
	if (at === undefined || !earliest) return '';
	const [zone, ...others] = zonesThatDiffer(zonesOfNumber(String(earliest.json.to)), at);
	const shown = formatMoment(at, zone === undefined || others.length > 0 ? timeZone : zone);
	return `${whereItIsQuiet(skipped, at)}, until ${shown}${at === times.at(-1) ? '' : ' or later'}`;
}

function whereItIsQuiet(skipped: SkippedOutcome[], at: number): string {
	const lists = new Set(skipped.flatMap(({ zones }) => zones?.join() ?? []));
	if (lists.size === 0) return '';
	const zones = zonesThatDiffer([...lists].join().split(','), at);
	if (zones.length === 1) return ` in ${zones[0]}`;
	if (lists.size > 1) return ' in their time zones';
	return ` in one of the recipient's ${zones.length} time zones`;
}

function costOf(results: Result[]): string {
	const messagesSent = results.map(messageOf).filter((message) => message !== undefined);
	const sent = messagesSent.map(receiptOf);
	const costs = sent.flatMap(({ cost }) => cost ?? []);
	const currencies = new Set(sent.flatMap(({ currency }) => currency ?? []));
	if (costs.length < sent.length) return 'but the API did not give the cost of every message';
	if (currencies.size > 1) return 'at costs in several currencies';
	const sum = sumOf(costs);
	return sum === 0 ? 'free' : `cost ${formatAmount(sum, [...currencies][0])}`;
}

function priceOf(estimates: number[]): string {
	const sum = sumOf(estimates);
	return sum === 0 ? 'be free' : `cost about ${formatEstimate(sum)}`;
}

/** Nothing for what is sent within the first window. */
function tellDuration(count: number, { durationMs = 0 }: Circumstances): string {
	if (durationMs <= WINDOW_MS) return '';
	const perMinute = Math.round(count / (durationMs / WINDOW_MS));
	return ` and take about ${formatDuration(durationMs)} at ${formatCount(perMinute)} a minute`;
}

const MAX_REPEATED = 5;

function whatIsRepeated(repeated: number[][]): string {
	const shown = repeated.slice(0, MAX_REPEATED).map((itemIndexes) => formatItems(itemIndexes));
	if (repeated.length > MAX_REPEATED) shown.push('and others');
	const appear = repeated.length === 1 ? 'number appears' : 'numbers appear';
	return `${formatCount(repeated.length)} ${appear} more than once (${shown.join('; ')})`;
}

/** @param places one for each item */
function inItems(places: string[]): string {
	return counted(places)
		.map(([place, count]) => `${place} of ${howMany(count, 'item')}`)
		.join(', ');
}

const MAX_REASONS = 5;

/** Six digits or more of any script, with what people write between them: `0475/123456`. */
const PHONE_NUMBER = /\+?\p{Nd}(?:[^\p{L}\p{Nd}",:]{0,3}\p{Nd}){5,}/gu;

/** Names items instead of phone numbers, because n8n's redaction does not reach hints. */
function reasons(failures: FailureOfItem[]): string {
	// Quoted values differ from item to item, but the reason is the same.
	const reasonOf = ({ message }: FailureOfItem) =>
		message.replace(/ "[^"]*"/g, ' "…"').replace(PHONE_NUMBER, '…');
	const all = counted(failures.map(reasonOf));
	const shown = all.slice(0, MAX_REASONS).map(([reason, count]) => {
		const those = failures.filter((each) => reasonOf(each) === reason);
		const numbered = those.filter(({ message }) => message.search(PHONE_NUMBER) >= 0);
		const isOne = those.every(({ message }) => message === those[0].message);
		const text = isOne && numbered.length === 0 ? those[0].message : reason;
		const where = formatItems(numbered.map(({ item }) => item));
		return `${formatCount(count)} × ${text}${numbered.length > 0 ? ` (${where})` : ''}`;
	});
	return all.length > MAX_REASONS ? `${shown.join('; ')}; and others` : shown.join('; ');
}

/** Each text with its count, the most frequent one first. */
function counted<Text extends string>(texts: Text[]): Array<[Text, number]> {
	const counts = new Map<Text, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return [...counts].sort(([, a], [, b]) => b - a);
}
