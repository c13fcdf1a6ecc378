import { FAILS } from '../../../playground/api/wellKnown.mts';
import type { Execution } from '../../../playground/n8n/rest/executions.mts';
import { TEST_RECIPIENT, TIGHT_PER_ITEM, type Chosen } from './factors.mts';
import type { FaultyApi, Post } from './faultyApi.mts';
import { WRONG_NUMBER, type Row } from './rows.mts';

type Json = Record<string, unknown>;
type Item = { json: Json; pairedItem?: { item: number } };
/** On which of the outputs an item belongs. */
function outputFor({ error, skipped }: Json, { onError }: Chosen): number {
	if (skipped) return 1;
	return error && onError === 'continueErrorOutput' ? 2 : 0;
}

const UNANSWERED = 599;

/** A key belongs to a message to one recipient. */
const isSameKey = (one: Row, other: Row) => one.key === other.key && one.phone === other.phone;
const isUnclear = ({ status = UNANSWERED }: Post) => status >= 500;
const mayHaveArrived = (post: Post) => post.status === 200 || isUnclear(post);

/** Holds what n8n says of a run against what its API has seen. */
export class Judge {
	/** The promises that were broken. */
	readonly broken: string[] = [];
	private readonly isTest: boolean;
	private readonly isTight: boolean;
	/** Messages to a number. */
	private readonly most: number;
	/** Two Retries at once have both sent, because a key keeps their messages apart. */
	private isShared = false;

	constructor(
		private readonly chosen: Chosen,
		private readonly before: Row[],
		private readonly rows: Row[],
		private readonly api: FaultyApi,
	) {
		this.isTest = chosen.testRecipient !== undefined && chosen.begins === 'byHand';
		this.isTight = typeof chosen.spendingLimit === 'string';
		this.most = chosen.frequencyCap?.cap.messages ?? Infinity;
	}

	/** @param executions those that began at once @returns the one to retry, if it failed */
	judge(executions: Execution[]): Execution | undefined {
		const wasRetried = ({ data }: Execution) =>
			/was retried already/.test(data.resultData.error?.message ?? '');
		const [last, ...others] = executions.filter((each) => !wasRetried(each));
		this.must(last !== undefined, 'Of Retries at once one sends');
		this.isShared ||= others.length > 0 && this.chosen.sendOnceKey !== undefined;
		for (const execution of executions) {
			if (execution.status === 'success') this.judgeItems(execution);
			else this.judgeError(execution, !wasRetried(execution) && !this.isShared);
		}
		this.judgeLedger();
		return last?.status === 'error' ? last : undefined;
	}

	private must(holds: boolean, promise: string, seen?: unknown): void {
		if (!holds) this.broken.push(seen ? `${promise}: ${JSON.stringify(seen)}` : promise);
	}

	private about(row: Row, said?: unknown) {
		return (holds: boolean, promise: string) =>
			this.must(holds, promise, { row, posts: this.postsOf(row), said });
	}

	/** @param knowsAll whether no other Retry sends at the same time */
	private judgeError({ data }: Execution, knowsAll: boolean): void {
		const { onError, waitFor } = this.chosen;
		const { description = '' } = Object(data.resultData.error) as { description?: string };
		const isBad = (row: Row) => this.isWrong(row) || (row.phone === FAILS && waitFor !== undefined);
		const isRefused = this.api.posts.some(({ status }) => status !== 200);
		const hasReason = this.isTight || isRefused || this.rows.some(isBad);
		this.must(hasReason, 'A run fails if something is wrong', description);
		this.must(onError === 'stopWorkflow', 'A run fails if it is to stop at errors', description);
		const sent = new Set([
			...itemsAfter('messages were sent', description),
			...itemsAfter('were sent before', description),
		]);
		const unknown = itemsAfter('May have been sent', description);
		for (const [index, row] of this.rows.entries()) {
			const must = this.about(row, description);
			const isThere = this.messagesOf(row).length > 0;
			const isListed = sent.has(index) || unknown.has(index);
			must(
				isThere || this.isKeyUsed(row) || !sent.has(index),
				'The error lists only what was sent',
			);
			must(!isThere || isListed || !knowsAll, 'The error lists all that was sent');
			must(this.isOpen(row) || !unknown.has(index), 'Only an unclear response is unknown');
		}
	}

	private judgeItems({ data }: Execution): void {
		const { onError, includeInputFields } = this.chosen;
		const outputs = data.resultData.runData.Send.at(-1)?.data?.main ?? [];
		const paired: number[] = [];
		for (const [output, items] of outputs.entries()) {
			for (const { json, pairedItem } of (items ?? []) as Item[]) {
				paired.push(pairedItem?.item ?? -1);
				const row = this.rows[paired.at(-1) ?? -1];
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
		return this.isShared || ids.every((each) => each === messageId);
	}

	/** Another row with its key reached somebody. */
	private isKeyUsed(row: Row): boolean {
		if (this.chosen.sendOnceKey === undefined || this.isTest) return false;
		const others = [...this.before, ...this.rows].filter((each) => this.isShared || each !== row);
		const reached = others.filter((each) => this.postsOf(each).some(mayHaveArrived));
		return reached.some((other) => isSameKey(row, other));
	}

	private judgeLedger(): void {
		const { sendOnceKey, spendingLimit, keepWhitespace } = this.chosen;
		const all = [...this.before, ...this.rows];
		const count = (isMeant: (row: Row) => boolean) =>
			all.filter((row) => isMeant(row) && this.postsOf(row).some(mayHaveArrived)).length;
		for (const row of all) {
			const must = this.about(row);
			const [posts, messages] = [this.postsOf(row), this.messagesOf(row)];
			const isMeant = ({ to }: Post) => to === (this.isTest ? TEST_RECIPIENT : row.phone);
			must(messages.length <= 1, 'Nobody gets a message twice');
			must(!posts.slice(0, -1).some(mayHaveArrived), 'What may have arrived is not sent again');
			must(posts.length === 0 || !this.isDry(row), 'A dry run makes no request');
			must(posts.length === 0 || !this.isWrong(row), 'A wrong row is not sent');
			must(posts.every(isMeant), 'A message goes to whom it is meant for');
			const isTooMany = posts.length > 0 && this.isBeyondTest(row);
			must(!isTooMany, 'A test sends no more messages than it may');
			if (this.isTest) continue;
			const isHeld = messages.some(({ category }) => this.isHeld(row, category));
			must(!isHeld, 'Nobody gets a message in the night');
			must(!this.isOut(row) || messages.length === 0, 'Who is in the list gets nothing');
			must(!this.isLate(row) || messages.length === 0, 'Nobody gets a message too late');
			// Not all know of its failure.
			if (row.phone === FAILS) continue;
			const withKey = count((other) => isSameKey(row, other));
			const toNumber = count(({ phone }) => phone === row.phone);
			must(!sendOnceKey || withKey <= 1, 'A key is sent to a recipient once');
			must(toNumber <= this.most, 'A number gets no more messages than it may');
		}
		const messages = this.rows.flatMap((row) => this.messagesOf(row));
		const cost = messages.reduce((sum, { amount }) => sum + amount, 0);
		const limit = this.isTight ? TIGHT_PER_ITEM * this.rows.length : (spendingLimit ?? Infinity);
		this.must(cost <= Number(limit) + 1e-9, 'A run costs no more than its limit', cost);
		const violations = this.api.api.calls.flatMap((call) => call.violations);
		const isGood = keepWhitespace ?? violations.length === 0;
		this.must(isGood, 'Requests are as the API document says', violations);
	}

	private postsOf({ tag }: Row): Post[] {
		return this.api.posts.filter((post) => post.tag === tag);
	}

	private messagesOf({ tag }: Row) {
		const messages = [...this.api.api.messages.values()];
		return messages.filter(({ templateVariables }) => templateVariables[1] === tag);
	}

	private isDry({ isDry }: Row): boolean {
		return Boolean(isDry && this.chosen.dryRun);
	}

	/** By the hours of Send Between. Service messages count as authentication. */
	private isHeld({ isNight }: Row, category: string): boolean {
		const { hours } = this.chosen.sendBetween ?? {};
		const isExempt = category === 'authentication' || category === 'service';
		return Boolean(isNight && hours && !isExempt);
	}

	/** The list is the one of its run. */
	private isOut({ phone }: Row): boolean {
		const isListed = this.rows.some((each) => each.isOut && each.phone === phone);
		return this.chosen.doNotSendTo !== undefined && isListed;
	}

	private isLate({ isLate }: Row): boolean {
		return Boolean(isLate && this.chosen.sendUntil?.time.end === 'dateTime');
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
		return this.isTest && ahead.length >= (this.chosen.testMessages ?? 3);
	}

	private isWrong({ to, value }: Row): boolean {
		const { defaultCountry } = this.chosen;
		return value === undefined || to === WRONG_NUMBER || !(to.startsWith('+') || defaultCountry);
	}
}

/** The items that an error lists after these words, such as "items 0-4, 7". */
function itemsAfter(words: string, text: string): Set<number> {
	const [, list = ''] = new RegExp(`${words}: items? ([\\d, -]+)`).exec(text) ?? [];
	const ranges = list.split(', ').filter(Boolean);
	return new Set(
		ranges.flatMap((range) => {
			const [from, to = from] = range.split('-').map(Number);
			return Array.from({ length: to - from + 1 }, (_, index) => from + index);
		}),
	);
}
