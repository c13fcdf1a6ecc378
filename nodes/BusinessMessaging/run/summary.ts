import type { NodeExecutionHint } from 'n8n-workflow';
import type { Remarks } from '../actions/job';
import { messageIn, receiptOf } from '../actions/output';
import { readStatus } from '../api';
import type { Failure } from '../errors/failure';
import {
	isUnknown,
	messageOf,
	type Result,
	type Seen,
	type ShownOutcome,
	SKIP_REASONS,
	type SkippedOutcome,
} from '../outcome';
import { formatAmount, formatEstimate, sumOf } from '../template/pricing';
import { formatMoment, zonesOfNumber, zonesThatDiffer } from '../template/sendingHours';
import { countedDaysIn } from '../template/variables';
import { WINDOW_MS } from '../transport/pacer';
import { isRecord, isText } from '../values';
import { formatCount, formatDuration, formatItems } from './figures';

/** Of a run, besides the results of its items. */
export interface Circumstances {
	/** For the rate limit. */
	waitedMs: number;
	/** The workflow's. */
	timeZone: string;
	/** Number of accounts from which messages were sent. */
	accounts?: number;
	/** The messages of this manual run went to the test recipient. */
	isTest?: boolean;
	/** Why the memory of Send Once Keys, or of Frequency Cap, is not up to date. */
	memoryProblem?: string;
	/** Each number that appears more than once. */
	repeated?: RepeatedNumber[];
	/** On each message. */
	remarks?: Remarks[];
	/** Items whose message went to another number than theirs, by the API's response. */
	misdirected?: number[];
	/** How many messages an earlier attempt of this run has sent. */
	earlier?: number;
	/** How long the rate limit lets the messages of a dry run take. */
	durationMs?: number;
	/** The spending limit, if it would stop the run without its dry run. */
	exceededLimit?: number;
	/** Nothing comes back to the loop, because all items left through Skipped. */
	endsLoop?: boolean;
	/** The run goes on where a run by hand before it stopped. */
	isContinued?: boolean;
}

export interface RepeatedNumber {
	items: number[];
	/** Whether all of them have the same text. */
	isSameText: boolean;
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
	const { waitedMs, accounts = 1, isTest, memoryProblem } = circumstances;
	const { repeated = [], remarks = [], misdirected = [], earlier = 0, endsLoop } = circumstances;
	const before = results.filter(({ kind }) => kind === 'sentBefore');
	const sent = results.filter((result) => messageOf(result) && !isUnknown(result));
	/** Of messages that were not sent nothing can be looked up. */
	const passed = results.filter(({ kind }) => kind === 'passed');
	const lookedUp = results.filter(({ kind }) => kind === 'found');
	const shown = results.filter((result) => result.kind === 'shown');
	const shownAsSkipped = results.flatMap((result) =>
		result.kind === 'shownAsSkipped' ? result.skipped : [],
	);
	const asNational = remarks.filter((remark) => remark.readAsNational);
	const whitespaceNormalized = remarks.filter((remark) => remark.whitespaceNormalized);
	const incomplete = remarks.flatMap((remark) => remark.incomplete);
	const rawData = [
		...remarks.flatMap((remark) => remark.rawData ?? []),
		...countedDaysIn(remarks.map(({ variables = {} }) => variables)),
	];
	const [doubt] = remarks.flatMap((remark) => remark.doubt ?? []);
	const listSizes = new Set(remarks.flatMap(({ listSize }) => listSize ?? []));
	const failures = results.flatMap((result, item) =>
		result.kind === 'failed' ? [{ ...result.failure, item }] : [],
	);
	const skipped = results.filter((result) => result.kind === 'skipped');
	const heldBack = [...skipped, ...shownAsSkipped];
	const told = [sent, before, lookedUp, passed, shown, failures, heldBack];
	if (told.every(({ length }) => length === 0)) return undefined;

	const fellBack = sent.filter(
		(result) => result.kind === 'sent' && result.json.fallbackUsed,
	).length;
	const unknown = failures.filter(({ outcome }) => outcome === 'unknown');
	const known = failures.filter(({ outcome }) => outcome !== 'unknown');
	const undelivered = known.filter(({ item }) => messageOf(results[item]));
	const failed = known.filter(({ item }) => !messageOf(results[item]));
	const parts = [
		isTest && 'Manual run: messages go to the Test Recipient, none to the customers',
		shown.length + shownAsSkipped.length > 0 &&
			whatIsShown(
				shown,
				shownAsSkipped,
				circumstances,
				sent.length + unknown.length + before.length === 0,
			),
		sent.length > 0 &&
			[
				`${howMany(sent.length, 'message')} sent${accounts > 1 ? ` from ${formatCount(accounts)} accounts` : ''}`,
				...(earlier > 0 ? [`${formatCount(earlier)} of them in an earlier attempt`] : []),
				...(fellBack > 0 ? [`${formatCount(fellBack)} with the fallback category`] : []),
				...whatWasSeen(sent),
				...(undelivered.length > 0
					? [`${formatCount(undelivered.length)} failed (${reasons(undelivered)})`]
					: []),
				costOf(sent),
				...billedOtherwise(sent),
			].join(', '),
		misdirected.length > 0 &&
			`By the API's response, ${howMany(misdirected.length, 'message')} went to another number than To: ${formatItems(misdirected)}`,
		before.length > 0 &&
			`${howMany(before.length, 'message')} ${before.length === 1 ? 'was' : 'were'} sent before, and not again${circumstances.isContinued ? CONTINUED : ''}`,
		repeated.length > 0 && whatIsRepeated(repeated),
		skipped.length > 0 &&
			`${formatCount(skipped.length)} skipped: ${whySkipped(skipped, circumstances.timeZone)}`,
		endsLoop &&
			'The loop ends after this batch, because all its items left through Skipped. Connect Skipped to the loop, too',
		listSizes.size > 0 &&
			heldBack.every(({ reason }) => reason !== 'optedOut') &&
			`Nobody is ${SKIP_REASONS.optedOut} (${[...listSizes].map((size) => howMany(size, 'number')).join(', ')})`,
		lookedUp.length > 0 &&
			`${howMany(lookedUp.length, 'message')} looked up: ${whatWasSeen(lookedUp).join(', ')}`,
		passed.length > 0 &&
			`${howMany(passed.length, 'item')} passed through, because ${passed.length === 1 ? 'it has' : 'they have'} no message ID`,
		asNational.length > 0 &&
			`In ${howMany(asNational.length, 'item')} the number was read with the Default Country, but could begin with another country code`,
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
		type:
			failures.length > 0 ||
			isInDoubt ||
			memoryProblem ||
			doubt ||
			misdirected.length > 0 ||
			endsLoop
				? 'warning'
				: 'info',
		location: 'outputPane',
	};
}

/** A run by hand may be a test, of which somebody wants all messages. */
const CONTINUED =
	', because the manual run before did not end well. To send to all again, run it once more after this one has ended well';

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
	if (!wait) return readStatus(status) === 'failed' ? 'not deliverable' : status;
	if (!wait.timedOut) return wait.awaited;
	if (wait.problem) return `not known to be ${wait.awaited} (${wait.problem})`;
	return `not ${wait.awaited} within ${formatDuration(wait.timeoutMs)}`;
}

/** The number of each reason, unless there is only one, where it holds, and from when on the first of them may be sent. */
function whySkipped(skipped: SkippedOutcome[], timeZone: string): string {
	const all = counted(skipped.map(whyOne));
	const reasons = all.map(([words, count]) => {
		const those = skipped.filter((each) => whyOne(each) === words);
		return `${all.length > 1 ? `${formatCount(count)} ` : ''}${words}${untilWhen(those, timeZone)}${whatItWouldCost(those)}`;
	});
	return reasons.join('; ');
}

function whatItWouldCost(skipped: SkippedOutcome[]): string {
	const estimates = skipped.flatMap(({ estimate }) => estimate ?? []);
	return estimates.length > 0 ? ` (would ${costOrFree(estimates)})` : '';
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

/** What a dry run would do. @param nothingWasSent by other items either */
function whatIsShown(
	due: ShownOutcome[],
	heldBack: SkippedOutcome[],
	circumstances: Circumstances,
	nothingWasSent: boolean,
): string {
	const { exceededLimit, timeZone } = circumstances;
	const parts = [
		nothingWasSent && 'nothing was sent',
		due.length > 0 &&
			`${howMany(due.length, 'message')} would ${costOrFree(due.map(({ estimate }) => estimate))}${tellDuration(due.length, circumstances)}`,
		exceededLimit !== undefined &&
			`Spending Limit (${formatAmount(exceededLimit)}) would stop this run`,
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
function tellDuration(count: number, { durationMs = 0 }: Circumstances): string {
	if (durationMs <= WINDOW_MS) return '';
	const perMinute = Math.round(count / (durationMs / WINDOW_MS));
	return ` and take about ${formatDuration(durationMs)} at ${formatCount(perMinute)} a minute`;
}

const MAX_REPEATED = 5;

function whatIsRepeated(repeated: RepeatedNumber[]): string {
	const shown = repeated.slice(0, MAX_REPEATED).map(({ items }) => formatItems(items));
	if (repeated.length > MAX_REPEATED) shown.push('and others');
	const appear = repeated.length === 1 ? 'number appears' : 'numbers appear';
	const same = repeated.filter(({ isSameText }) => isSameText).length;
	const all = repeated.length === 1 ? '' : `${formatCount(same)} of them `;
	const alike = same > 0 ? `, ${all}always with the same text` : '';
	return `${formatCount(repeated.length)} ${appear} more than once (${shown.join('; ')})${alike}`;
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
		const times = count > 1 ? `${formatCount(count)} × ` : '';
		return `${times}${text}${numbered.length > 0 ? ` (${where})` : ''}`;
	});
	return all.length > MAX_REASONS ? `${shown.join('; ')}; and others` : shown.join('; ');
}

/** Each text with its count, the most frequent one first. */
function counted<Text extends string>(texts: Text[]): Array<[Text, number]> {
	const counts = new Map<Text, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return [...counts].sort(([, a], [, b]) => b - a);
}
