import type { LocalApi } from '../../../playground/api/server.mts';
import { FAILS } from '../../../playground/api/wellKnown.mts';
import type { Execution } from '../../../playground/n8n/rest/executions.mts';
import { TEST_RECIPIENT, TIGHT_PER_ITEM, type Chosen } from './factors.mts';
import { WRONG_NUMBER, type Row } from './rows.mts';

type Json = Record<string, unknown>;
type Post = LocalApi['calls'][number];

/** On which of the outputs an item belongs. */
function outputFor({ error, skipped }: Json, { onError }: Chosen): number {
	if (skipped) return 1;
	return error && onError === 'continueErrorOutput' ? 2 : 0;
}

/** A key belongs to a message to one recipient. */
const isSameKey = (one: Row, other: Row) => one.key === other.key && one.phone === other.phone;
const isUnclear = ({ answeredStatus }: Post) => answeredStatus === null || answeredStatus >= 500;
const mayHaveArrived = (post: Post) => post.answeredStatus === 200 || isUnclear(post);
const bodyOf = ({ body }: Post) => body as { to: string; templateVariables?: { 1: string } };

/** Holds what n8n says of a run against what its API has seen. */
export class Judge {
	/** The promises that were broken. */
	readonly broken: string[] = [];
	private readonly isTest: boolean;
	private readonly isTight: boolean;

	constructor(
		private readonly chosen: Chosen,
		private readonly before: Row[],
		private readonly rows: Row[],
		private readonly api: LocalApi,
	) {
		this.isTest = chosen.testRecipient !== undefined && chosen.begins === 'byHand';
		this.isTight = typeof chosen.spendingLimit === 'string';
	}

	judge(execution: Execution): void {
		if (execution.status === 'success') this.judgeItems(execution);
		else this.judgeError(execution);
		for (const row of [...this.before, ...this.rows]) this.judgeRow(row);
		this.judgeAll();
	}

	private must(holds: boolean, promise: string, seen?: unknown): void {
		if (!holds) this.broken.push(seen ? `${promise}: ${JSON.stringify(seen)}` : promise);
	}

	private about(row: Row, said?: unknown) {
		const answers = this.postsOf(row).map(({ answeredStatus }) => answeredStatus);
		return (holds: boolean, promise: string) => this.must(holds, promise, { row, answers, said });
	}

	private judgeError({ data }: Execution): void {
		const { onError, waitFor } = this.chosen;
		const { description = '' } = Object(data.resultData.error) as { description?: string };
		const isBad = (row: Row) => this.isWrong(row) || (row.phone === FAILS && waitFor !== undefined);
		const isRefused = this.api.calls.some(({ answeredStatus }) => answeredStatus !== 200);
		const hasReason = this.isTight || isRefused || this.rows.some(isBad);
		this.must(hasReason, 'A run fails if something is wrong', description);
		this.must(onError === 'stopWorkflow', 'A run fails if it is to stop at errors', description);
		const sent = new Set([
			...itemsAfter('messages were sent', description),
			...itemsAfter('were sent before', description),
		]);
		const unknown = new Set(itemsAfter('May have been sent', description));
		for (const [index, row] of this.rows.entries()) {
			const must = this.about(row, description);
			const isThere = this.messagesOf(row).length > 0;
			const isTrue = isThere || this.isKeyUsed(row) || !sent.has(index);
			must(isTrue, 'The error lists only what was sent');
			// Of one that could not be delivered, the error says so.
			const isListed = sent.has(index) || unknown.has(index) || row.phone === FAILS;
			must(!isThere || isListed, 'The error lists all that was sent');
			// What a later Retry cannot read, an earlier one may have read.
			const isUnsure = this.isOpen(row) || this.isWrong(row);
			must(isUnsure || !unknown.has(index), 'Only an unclear response is unknown');
		}
	}

	private judgeItems({ data }: Execution): void {
		const { onError, includeInputFields } = this.chosen;
		const outputs = data.resultData.runData['Business Messaging'].at(-1)?.data?.main ?? [];
		const paired: number[] = [];
		for (const [output, items] of outputs.entries()) {
			for (const { json, pairedItem } of items ?? []) {
				const index = pairedItem?.item ?? -1;
				paired.push(index);
				const row = this.rows[index];
				if (!row) continue;
				const must = this.about(row, json);
				const hasMerged = json.error && onError === 'continueErrorOutput';
				const { tag } = Object(hasMerged ? json : json.input) as Json;
				must(output === outputFor(json, this.chosen), 'An item is on its output');
				must(tag === (hasMerged || includeInputFields ? row.tag : undefined), 'It has its input');
				must(this.isTrue(json, row), 'What it tells is true');
			}
		}
		const isComplete = paired.sort((a, b) => a - b).join() === [...this.rows.keys()].join();
		this.must(isComplete, 'There is one output for each item', paired);
	}

	/** By the API's ledger; why a message was skipped, the unit tests ask. */
	private isTrue(json: Json, row: Row): boolean {
		const ids = this.messagesOf(row).map(({ messageId }) => messageId);
		const { message_id: id } = (json.data ?? json) as Json;
		if (id) return ids.includes(String(id));
		const { outcome, messageId } = Object(json.error) as Json;
		if (outcome === 'unknown') return this.isOpen(row);
		if (json.sentBefore && !this.isKeyUsed(row)) return false;
		// Of one that the network could not deliver, the error has the ID.
		return ids.every((each) => each === messageId);
	}

	/** Another row with its key reached somebody. */
	private isKeyUsed(row: Row): boolean {
		if (this.chosen.sendOnceKey === undefined || this.isTest) return false;
		const others = [...this.before, ...this.rows].filter((each) => each !== row);
		return others.some((other) => isSameKey(row, other) && this.hasReached(other));
	}

	private judgeRow(row: Row): void {
		const { dryRun, sendOnceKey, sendBetween, sendUntil, doNotSendTo, frequencyCap } = this.chosen;
		const must = this.about(row);
		const [posts, messages] = [this.postsOf(row), this.messagesOf(row)];
		must(messages.length <= 1, 'Nobody gets a message twice');
		must(!posts.slice(0, -1).some(mayHaveArrived), 'What may have arrived is not sent again');
		must(!(row.isDry && dryRun) || posts.length === 0, 'A dry run makes no request');
		must(!this.isWrong(row) || posts.length === 0, 'A wrong row is not sent');
		const meantFor = this.isTest ? TEST_RECIPIENT : row.phone;
		const isMeant = posts.every((post) => bodyOf(post).to === meantFor);
		must(isMeant, 'A message goes to whom it is meant for');
		if (this.isTest) {
			const isTooMany = posts.length > 0 && this.isBeyondTest(row);
			must(!isTooMany, 'A test sends no more messages than it may');
			return;
		}
		/** Service messages count as authentication. */
		const isExempt = messages.every(({ category }) => /^(authentication|service)$/.test(category));
		const isNight = row.isNight && sendBetween !== undefined;
		must(!isNight || isExempt, 'Nobody gets a message in the night');
		// The list is the one of its run.
		const isListed = this.rows.some((each) => each.isOut && each.phone === row.phone);
		const isOut = isListed && doNotSendTo !== undefined;
		must(!isOut || messages.length === 0, 'Who is in the list gets nothing');
		const isLate = row.isLate && sendUntil?.time.end === 'dateTime';
		must(!isLate || messages.length === 0, 'Nobody gets a message too late');
		// Not all know of its failure.
		if (row.phone === FAILS) return;
		const all = [...this.before, ...this.rows].filter((each) => this.hasReached(each));
		const withKey = all.filter((other) => isSameKey(row, other));
		must(!sendOnceKey || withKey.length <= 1, 'A key is sent to a recipient once');
		const toNumber = all.filter(({ phone }) => phone === row.phone);
		const most = frequencyCap?.cap.messages ?? Infinity;
		must(toNumber.length <= most, 'A number gets no more messages than it may');
	}

	private judgeAll(): void {
		const { spendingLimit, keepWhitespace } = this.chosen;
		const messages = this.rows.flatMap((row) => this.messagesOf(row));
		const cost = messages.reduce((sum, { amount }) => sum + amount, 0);
		const limit = this.isTight ? TIGHT_PER_ITEM * this.rows.length : (spendingLimit ?? Infinity);
		this.must(cost <= Number(limit) + 1e-9, 'A run costs no more than its limit', cost);
		const violations = this.api.calls.flatMap((call) => call.violations);
		const isGood = keepWhitespace ?? violations.length === 0;
		this.must(isGood, 'Requests are as the API document says', violations);
	}

	private postsOf({ tag }: Row): Post[] {
		const posts = this.api.calls.filter(({ method }) => method === 'POST');
		return posts.filter((post) => bodyOf(post).templateVariables?.[1] === tag);
	}

	private hasReached(row: Row): boolean {
		return this.postsOf(row).some(mayHaveArrived);
	}

	private messagesOf({ tag }: Row) {
		const messages = [...this.api.messages.values()];
		return messages.filter(({ templateVariables }) => templateVariables[1] === tag);
	}

	/** Its own response was unclear, or that of a message with its key. */
	private isOpen(row: Row): boolean {
		const { sendOnceKey } = this.chosen;
		const same = this.rows.filter((each) => each === row || (sendOnceKey && isSameKey(row, each)));
		return same.some((each) => this.postsOf(each).some(isUnclear));
	}

	/** A test sends the first rows that can be read. */
	private isBeyondTest(row: Row): boolean {
		const all = this.rows.includes(row) ? this.rows : this.before;
		const ahead = all.slice(0, all.indexOf(row)).filter((each) => !this.isWrong(each));
		return ahead.length >= (this.chosen.testMessages ?? 3);
	}

	private isWrong({ to, value }: Row): boolean {
		const { defaultCountry } = this.chosen;
		return value === undefined || to === WRONG_NUMBER || !(to.startsWith('+') || defaultCountry);
	}
}

/** The items that an error lists after these words, such as "items 0-4, 7". */
function itemsAfter(words: string, text: string): number[] {
	const [, list = ''] = new RegExp(`${words}: items? ([\\d, -]+)`).exec(text) ?? [];
	const ranges = list.split(', ').filter(Boolean);
	return ranges.flatMap((range) => {
		const [from, to = from] = range.split('-').map(Number);
		return Array.from({ length: to - from + 1 }, (_, index) => from + index);
	});
}
