import { FAILS } from '../../../playground/api/wellKnown.mts';
import type { Execution } from '../../../playground/n8n/rest/executions.mts';
import { TEST_RECIPIENT, TIGHT_PER_ITEM, type Chosen } from './factors.mts';
import type { FaultyApi, Post } from './faultyApi.mts';
import { WRONG_NUMBER, type Row } from './rows.mts';

type Json = Record<string, unknown>;
type Kind = 'sent' | 'skipped' | 'shown' | 'failed';

function kindOf({ error, skipped, dryRun }: Json): Kind {
	if (error) return 'failed';
	if (skipped) return 'skipped';
	return dryRun ? 'shown' : 'sent';
}

/** On which of the outputs an item belongs. */
function outputFor(kind: Kind, { onError }: Chosen): number {
	return kind === 'failed' && onError === 'continueErrorOutput' ? 1 : 0;
}

/** After so many failures that are not about a message, a run ends early. */
const FAILURES_IN_A_ROW = 5;

const hasArrived = ({ status = 500 }: Post) => status < 300 || status >= 500;
const isUnclear = ({ status = 500 }: Post) => status >= 500;

/** Holds what n8n says of a run against what its API has seen. */
export class Judge {
	/** The promises that were broken. */
	readonly broken = new Set<string>();
	private readonly isTest: boolean;
	private readonly isTight: boolean;
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
	}

	/** @param executions those that began at once @returns the one to retry, if it failed */
	judge(executions: Execution[]): Execution | undefined {
		const isRefused = ({ data }: Execution) =>
			/was retried already/.test(data.resultData.error?.message ?? '');
		const [last, ...others] = executions.filter((each) => !isRefused(each));
		this.must(last !== undefined, 'Of Retries at once one sends');
		this.isShared ||= others.length > 0 && this.chosen.sendOnceKey !== undefined;
		for (const execution of executions) {
			if (execution.status === 'success') this.judgeItems(execution);
			else this.judgeError(execution, this.isShared || isRefused(execution));
		}
		this.judgeLedger();
		return last?.status === 'error' ? last : undefined;
	}

	private must(holds: boolean, promise: string, row?: Row, json?: unknown): void {
		if (holds) return;
		const seen = row && { row, posts: this.postsOf(row), json };
		this.broken.add(seen ? `${promise}: ${JSON.stringify(seen)}` : promise);
	}

	/** @param isOld whether it need not know of all that was sent */
	private judgeError({ data }: Execution, isOld: boolean): void {
		const { onError, waitFor } = this.chosen;
		const { description = '' } = Object(data.resultData.error) as { description?: string };
		const isBad = (row: Row) => this.isWrong(row) || (row.phone === FAILS && waitFor !== undefined);
		const isRefused = this.api.posts.some(({ status = 500 }) => status >= 300);
		const hasReason = this.isTight || isRefused || this.rows.some(isBad);
		this.must(hasReason, `A run fails if something is wrong: ${description}`);
		this.must(onError === 'stopWorkflow', 'A run fails if it is to stop at errors');
		const sent = itemsAfter('messages were sent', description);
		const unknown = itemsAfter('May have been sent', description);
		for (const [index, row] of this.rows.entries()) {
			const isThere = this.messagesOf(row).length > 0;
			const isListed = sent.has(index) || unknown.has(index);
			this.must(
				isThere || !sent.has(index),
				'The error lists only what was sent',
				row,
				description,
			);
			this.must(!isThere || isListed || isOld, 'The error lists what was sent', row, description);
			if (unknown.has(index)) this.must(this.isOpen(row), 'Unknown for a reason', row, description);
		}
	}

	private judgeItems({ data }: Execution): void {
		const { onError, includeInputFields } = this.chosen;
		const outputs = data.resultData.runData.Send.at(-1)?.data?.main ?? [];
		const seen: number[] = [];
		for (const [output, items] of outputs.entries()) {
			for (const { json, pairedItem } of (items ?? []) as Array<{
				json: Json;
				pairedItem?: { item: number };
			}>) {
				const row = this.rows[pairedItem?.item ?? -1];
				seen.push(pairedItem?.item ?? -1);
				if (!row) continue;
				const kind = kindOf(json);
				this.must(output === outputFor(kind, this.chosen), 'The right output', row, json);
				const hasMerged = kind === 'failed' && onError === 'continueErrorOutput';
				const input = hasMerged ? json : (json.input as Json | undefined);
				const expected = hasMerged || includeInputFields ? row.tag : undefined;
				this.must(input?.tag === expected, 'The input of its row', row, json);
				this.must(this[kind](json, row), `True that it is ${kind}`, row, json);
			}
		}
		const all = this.rows.map((_, index) => index);
		const isComplete = seen.sort((a, b) => a - b).join() === all.join();
		this.must(isComplete, `One output for each item: ${seen.join()}`);
	}

	private sent(json: Json, row: Row): boolean {
		const { message_id: id, to } = (json.data ?? json) as Json;
		const isThere = this.messagesOf(row).some((each) => each.messageId === id && each.to === to);
		return isThere && !this.isDry(row) && (!this.isTest || json.intendedTo === row.phone);
	}

	private shown({ request }: Json, row: Row): boolean {
		const { templateVariables } = request as { templateVariables: Json };
		return this.isDry(row) && templateVariables[1] === row.tag;
	}

	private skipped({ skipped, to, key }: Json, row: Row): boolean {
		const { atMostOnce, sendBetween, sendOnceKey, category } = this.chosen;
		const isOwn = (to ?? row.phone) === row.phone && (key ?? row.key) === row.key;
		const others = [...this.before, ...this.rows].filter((each) => this.isShared || each !== row);
		const reached = others.filter((each) => this.postsOf(each).some(hasArrived));
		const isNight = sendBetween && row.isNight;
		const reasons: Record<string, unknown> = {
			sentBefore: sendOnceKey && reached.some((other) => other.key === row.key),
			sentRecently: atMostOnce && reached.some(({ phone }) => phone === row.phone),
			quietHours: isNight && (category !== 'authentication' || sendBetween.hours.everyCategory),
		};
		const isThere = this.messagesOf(row).length > 0 && !this.isShared;
		return isOwn && !isThere && !this.isTest && Boolean(reasons[String(skipped)]);
	}

	private failed({ error }: Json, row: Row): boolean {
		const { code, outcome, messageId } = error as Record<string, string>;
		const ids = this.messagesOf(row).map((message) => message.messageId);
		const posts = this.postsOf(row);
		const isWrong = code.startsWith('wrong') && outcome === 'notSent' && posts.length === 0;
		if (this.isWrong(row) || isWrong) return this.isWrong(row) && isWrong;
		// A busy machine may take longer.
		const isLate = code === 'timeout' && this.chosen.timeout !== undefined;
		if (outcome === 'unknown') return this.isOpen(row) || isLate;
		if (outcome === 'rejected' && ids.length > 0) {
			return row.phone === FAILS && this.chosen.waitFor !== undefined && ids.join() === messageId;
		}
		if (outcome === 'rejected') return [400, 401].includes(posts.at(-1)?.status ?? 0);
		const isBlocked = (post: Post) => isUnclear(post) || post.status === 401;
		const isOver = this.api.posts.filter(isBlocked).length >= FAILURES_IN_A_ROW;
		return ids.length === 0 && (isOver || (code === 'overLimit' && this.isTight));
	}

	private judgeLedger(): void {
		const { atMostOnce, sendOnceKey, sendBetween, spendingLimit } = this.chosen;
		const { calls } = this.api.api;
		const all = [...this.before, ...this.rows];
		const count = (isMeant: (row: Row) => boolean) =>
			all.filter((row) => isMeant(row) && this.postsOf(row).some(hasArrived)).length;
		for (const row of all) {
			const posts = this.postsOf(row);
			const again = posts.slice(0, -1);
			const to = this.isTest ? TEST_RECIPIENT : row.phone;
			const inHours = this.messagesOf(row).every(
				({ category }) => category === 'authentication' || category === 'service',
			);
			this.must(!again.some(hasArrived), 'What may have arrived is not sent again', row);
			this.must(this.messagesOf(row).length <= 1, 'Nobody gets a message twice', row);
			this.must(posts.length === 0 || !this.isDry(row), 'A dry run makes no request', row);
			this.must(posts.length === 0 || !this.isWrong(row), 'A wrong row is not sent', row);
			this.must(
				posts.every((post) => post.to === to),
				'A message goes to whom it is meant for',
				row,
			);
			if (this.isTest) continue;
			const isExempt = inHours && !sendBetween?.hours.everyCategory;
			const isHeld = sendBetween && row.isNight && !isExempt && this.messagesOf(row).length > 0;
			this.must(!isHeld, 'Nobody gets a message in the night', row);
			// Whether it has failed is not always known.
			if (row.phone === FAILS) continue;
			const withKey = count(({ key }) => key === row.key);
			this.must(!sendOnceKey || withKey <= 1, 'A key is sent once', row);
			const toNumber = count(({ phone }) => phone === row.phone);
			this.must(!atMostOnce || toNumber <= 1, 'A number gets one message', row);
		}
		const messages = this.rows.flatMap((row) => this.messagesOf(row));
		const cost = messages.reduce((sum, { amount }) => sum + amount, 0);
		const limit = this.isTight ? TIGHT_PER_ITEM * this.rows.length : (spendingLimit ?? Infinity);
		this.must(cost <= Number(limit) + 1e-9, `A run costs no more than its limit: ${cost}`);
		const violations = calls.flatMap((call) => call.violations);
		this.must(violations.length === 0, `Requests are as the document says: ${violations.join()}`);
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

	/** Its own response was unclear, or that of a message with its key. */
	private isOpen(row: Row): boolean {
		const { sendOnceKey } = this.chosen;
		const same = this.rows.filter((each) => each === row || (sendOnceKey && each.key === row.key));
		return same.some((each) => this.postsOf(each).some(isUnclear));
	}

	private isWrong(row: Row): boolean {
		const { sendOnceKey, defaultCountry } = this.chosen;
		const isUnreadable = ({ to, value }: Row) =>
			value === undefined || to === WRONG_NUMBER || !(to.startsWith('+') || defaultCountry);
		// Of several recipients with one key only one would get a message.
		const rivals = this.rows.filter(({ key, phone }) => key === row.key && phone !== row.phone);
		const sharesKey = sendOnceKey && !this.isTest && !rivals.every(isUnreadable);
		return isUnreadable(row) || Boolean(sharesKey);
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
