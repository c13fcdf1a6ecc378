import { FAILS } from '../../../playground/api/wellKnown.mts';
import type { Execution } from '../../../playground/n8n/rest/executions.mts';
import { TEST_RECIPIENT, TIGHT_PER_ITEM, type Chosen } from './factors.mts';
import type { FaultyApi, Post } from './faultyApi.mts';
import { WRONG_NUMBER, type Row } from './rows.mts';

interface Item {
	json: Record<string, unknown>;
	pairedItem?: { item: number };
}

interface Failure {
	code: string;
	outcome: 'notSent' | 'rejected' | 'unknown';
	messageId?: string;
}

type Kind = 'sent' | 'skipped' | 'shown' | 'failed';

/** On which of the outputs an item belongs. */
function outputFor(kind: Kind, { onError }: Chosen): number {
	return kind === 'failed' && onError === 'continueErrorOutput' ? 1 : 0;
}

function kindOf({ error, skipped, dryRun }: Item['json']): Kind {
	if (error) return 'failed';
	if (skipped) return 'skipped';
	return dryRun ? 'shown' : 'sent';
}

/** After so many failures that are not about a message, a run ends early. */
const FAILURES_IN_A_ROW = 5;

/** Holds what n8n says of a run against what its API has seen. */
export class Judge {
	readonly broken = new Set<string>();
	private readonly isTest: boolean;
	private readonly wrong: Set<Row>;

	constructor(
		private readonly chosen: Chosen,
		private readonly before: Row[],
		private readonly rows: Row[],
		private readonly api: FaultyApi,
	) {
		this.isTest = chosen.testRecipient !== undefined && chosen.begins === 'byHand';
		this.wrong = new Set(rows.filter((row) => this.isWrong(row)));
		for (const row of rows) if (this.sharesKey(row)) this.wrong.add(row);
	}

	judgeBefore({ status }: Execution): void {
		this.must(status === 'success', 'A run of good rows ends well.');
	}

	/** @param executions that began at once @returns the one to retry */
	judge(executions: Execution[]): Execution | undefined {
		const refused = executions.filter(isRefused);
		const [last, ...others] = executions.filter((each) => !refused.includes(each));
		this.must(others.length === 0 && last !== undefined, 'Of Retries at once one sends.');
		for (const each of refused) this.judgeReport(each, true);
		if (last?.status === 'success') this.judgeItems(last);
		else if (last) this.judgeFailed(last);
		this.judgeLedger();
		return last?.status === 'error' ? last : undefined;
	}

	private must(holds: boolean, promise: string, row?: Row): void {
		if (!holds) this.broken.add(row ? `${promise} (${row.tag}, ${row.kind})` : promise);
	}

	private judgeFailed(execution: Execution): void {
		const { onError, spendingLimit } = this.chosen;
		this.must(onError === 'stopWorkflow', 'Only a run that stops at errors fails.');
		const bad = this.api.posts.some(({ seen }) => seen !== 'accepted');
		const hasReason = bad || this.wrong.size > 0 || isTight(spendingLimit) || this.hasFailedLater();
		this.must(hasReason, 'A run fails only if something was wrong.');
		this.judgeReport(execution);
	}

	/** @param isOld it may not know of what another Retry has sent */
	private judgeReport({ data }: Execution, isOld = false): void {
		const { error } = data.resultData;
		const { description = '' } = (error ?? {}) as { description?: string };
		const listed = (words: RegExp) => itemsIn(words.exec(description)?.[1] ?? '');
		const sent = listed(/messages were sent: items? ([\d, -]+)/);
		const unknown = listed(/May have been sent: items? ([\d, -]+)/);
		for (const [index, row] of this.rows.entries()) {
			const isThere = this.messagesOf(row).length > 0;
			this.must(!sent.has(index) || isThere, 'What the error lists as sent was sent.', row);
			if (unknown.has(index)) this.mustBeOpen(row);
			const isTold = isOld || sent.has(index) || unknown.has(index);
			this.must(!isThere || isTold, 'The error lists what was sent.', row);
		}
	}

	private judgeItems({ data }: Execution): void {
		const { onError } = this.chosen;
		const outputs = (data.resultData.runData.Send.at(-1)?.data?.main ?? []) as Array<Item[] | null>;
		const seen = new Map<number, number>();
		for (const [output, items] of outputs.entries()) {
			for (const { json, pairedItem } of items ?? []) {
				const index = pairedItem?.item ?? -1;
				seen.set(index, (seen.get(index) ?? 0) + 1);
				const row = this.rows[index];
				this.must(row !== undefined, 'An item is paired.');
				if (!row) continue;
				const kind = kindOf(json);
				this.must(
					output === outputFor(kind, this.chosen),
					`An item that is ${kind} is on the right output.`,
					row,
				);
				this.must(
					kind !== 'failed' || onError !== 'stopWorkflow',
					'A run that stops at errors puts out none.',
					row,
				);
				this.judgeInput(json, kind, row);
				this[kind](json, row);
			}
		}
		for (const [index, row] of this.rows.entries()) {
			this.must(seen.get(index) === 1, 'Each item has one output item.', row);
		}
	}

	private judgeInput({ input, tag }: Item['json'], kind: Kind, row: Row): void {
		const isMerged = kind === 'failed' && this.chosen.onError === 'continueErrorOutput';
		const found = isMerged ? tag : (input as Row | undefined)?.tag;
		const expected = isMerged || this.chosen.includeInputFields ? row.tag : undefined;
		this.must(found === expected, 'An item has the input of its row.', row);
	}

	private sent(json: Item['json'], row: Row): void {
		const { message_id: id, to } = (json.data ?? json) as Record<string, unknown>;
		const message = this.messagesOf(row).find(({ messageId }) => messageId === id);
		this.must(
			message !== undefined && message.to === to,
			'What is put out as sent was sent, for its row.',
			row,
		);
		this.must(
			!this.isTest || json.intendedTo === row.phone,
			'A test says for whom the message was.',
			row,
		);
		this.must(!this.isDry(row), 'A dry run sends nothing.', row);
	}

	private shown({ request }: Item['json'], row: Row): void {
		const { templateVariables } = request as { templateVariables: Record<string, string> };
		this.must(this.isDry(row) && templateVariables[1] === row.tag, 'A dry run shows its row.', row);
	}

	private skipped({ skipped, to, key }: Item['json'], row: Row): void {
		this.must(this.messagesOf(row).length === 0, 'What is skipped was not sent.', row);
		this.must(
			(to ?? row.phone) === row.phone && (key ?? row.key) === row.key,
			'What is skipped is put out for its row.',
			row,
		);
		this.must(
			!this.isTest && Boolean(this.mayBeSkipped(row)[String(skipped)]),
			`It is skipped (${String(skipped)}) for a reason.`,
			row,
		);
	}

	private mayBeSkipped(row: Row): Record<string, unknown> {
		const { atMostOnce, sendBetween, sendOnceKey, category } = this.chosen;
		const others = [...this.before, ...this.rows].filter((other) => other !== row);
		const reached = (isMeant: (other: Row) => boolean) =>
			others.some((other) => isMeant(other) && this.postsOf(other).some(mayHaveArrived));
		return {
			sentBefore: sendOnceKey && reached(({ key }) => key === row.key),
			sentRecently: atMostOnce && reached(({ phone }) => phone === row.phone),
			quietHours:
				sendBetween &&
				row.isNight &&
				(category !== 'authentication' || 'everyCategory' in sendBetween.hours),
		};
	}

	private failed({ error }: Item['json'], row: Row): void {
		const { code, outcome, messageId } = error as Failure;
		const messages = this.messagesOf(row);
		const posts = this.postsOf(row);
		const isWrong = this.wrong.has(row);
		this.must(
			isWrong === (code.startsWith('wrong') && outcome === 'notSent'),
			`Wrong rows are found, and no others (${code}).`,
			row,
		);
		if (isWrong) this.must(posts.length === 0, 'A wrong row is not sent.', row);
		else if (outcome === 'unknown') this.mustBeOpen(row, code);
		else if (outcome === 'notSent') {
			this.must(messages.length === 0, 'What is notSent was not sent.', row);
			const isLimited = code === 'overLimit' && isTight(this.chosen.spendingLimit);
			const broken = this.api.posts.filter(
				({ seen, status = 0 }) => seen === 'unclear' || [401, 403].includes(status),
			);
			this.must(
				isLimited || broken.length >= FAILURES_IN_A_ROW,
				`What was not sent could not be sent (${code}).`,
				row,
			);
		} else {
			const isUndelivered = row.phone === FAILS && this.chosen.waitFor !== undefined;
			const ids = messages.map((message) => message.messageId);
			this.must(
				isUndelivered ? ids.join() === messageId : ids.length === 0,
				'What is rejected did not arrive.',
				row,
			);
			this.must(
				isUndelivered || posts.at(-1)?.seen === 'refused',
				'What is rejected was refused.',
				row,
			);
		}
	}

	/** Its own response was unclear, or that of a message with its key. */
	private mustBeOpen(row: Row, code?: string): void {
		const { sendOnceKey, timeout } = this.chosen;
		const isMeant = (other: Row) =>
			other === row || (sendOnceKey !== undefined && other.key === row.key);
		const isOpen = this.rows.some(
			(other) => isMeant(other) && this.postsOf(other).some(({ seen }) => seen === 'unclear'),
		);
		// A busy machine may take longer.
		const isLate = timeout !== undefined && code === 'timeout';
		this.must(isOpen || isLate, 'What is unknown had an unclear response.', row);
	}

	private judgeLedger(): void {
		const { atMostOnce, sendOnceKey, sendBetween, spendingLimit } = this.chosen;
		const { api, posts } = this.api;
		const all = [...this.before, ...this.rows];
		this.must(
			api.calls.every(({ violations }) => violations.length === 0),
			'Each request is as the API document says.',
		);
		for (const row of all) {
			const own = this.postsOf(row);
			const isOpen = (post: Post, index: number) => mayHaveArrived(post) && index < own.length - 1;
			this.must(!own.some(isOpen), 'What may have arrived is not sent again.', row);
			this.must(own.length === 0 || !this.isDry(row), 'A dry run makes no request.', row);
			const to = this.isTest ? TEST_RECIPIENT : row.phone;
			this.must(
				own.every((post) => post.to === to),
				'A message goes to whom it is meant for.',
				row,
			);
			this.must(this.messagesOf(row).length <= 1, 'Nobody gets a message twice.', row);
			const isHeld = this.messagesOf(row).some(
				({ category }) =>
					!isExempt(category) || (sendBetween && 'everyCategory' in sendBetween.hours),
			);
			this.must(
				!(sendBetween && row.isNight && isHeld) || this.isTest,
				'Nobody gets a message in the night.',
				row,
			);
			if (this.isTest || row.phone === FAILS) continue;
			const count = (isMeant: (other: Row) => boolean) =>
				all.filter((other) => isMeant(other) && this.postsOf(other).some(mayHaveArrived)).length;
			const withKey = sendOnceKey ? count(({ key }) => key === row.key) : 0;
			this.must(withKey <= 1, 'A key is sent once.', row);
			const toNumber = atMostOnce ? count(({ phone }) => phone === row.phone) : 0;
			this.must(toNumber <= 1, 'A number gets one message within the hours.', row);
		}
		const cost = this.rows
			.flatMap((row) => this.messagesOf(row))
			.reduce((sum, { amount }) => sum + amount, 0);
		const limit = isTight(spendingLimit)
			? TIGHT_PER_ITEM * this.rows.length
			: (spendingLimit ?? Infinity);
		this.must(cost <= Number(limit) + 1e-9, 'A run costs no more than its limit.');
		const tags = new Set(all.map(({ tag }) => tag));
		this.must(
			posts.every(({ tag }) => tags.has(tag)),
			'Each message belongs to a row.',
		);
	}

	private postsOf({ tag }: Row): Post[] {
		return this.api.posts.filter((post) => post.tag === tag);
	}

	private messagesOf({ tag }: Row) {
		const messages = [...this.api.api.messages.values()];
		return messages.filter(({ templateVariables }) => templateVariables[1] === tag);
	}

	private isDry({ isDry }: Row): boolean {
		return isDry && this.chosen.dryRun !== undefined;
	}

	private isWrong({ to, value }: Row): boolean {
		const isUnknown = !to.startsWith('+') && this.chosen.defaultCountry === undefined;
		return isUnknown || to === WRONG_NUMBER || value === undefined;
	}

	/** Of several recipients with one key only one would get a message. */
	private sharesKey(row: Row): boolean {
		if (this.isTest || this.chosen.sendOnceKey === undefined || this.isWrong(row)) return false;
		const { key, phone } = row;
		return this.rows.some(
			(other) => !this.isWrong(other) && other.key === key && other.phone !== phone,
		);
	}

	private hasFailedLater(): boolean {
		return this.chosen.waitFor !== undefined && this.rows.some(({ phone }) => phone === FAILS);
	}
}

function isRefused({ data }: Execution): boolean {
	return /was retried already/.test(data.resultData.error?.message ?? '');
}

function mayHaveArrived({ seen }: Post): boolean {
	return seen === 'accepted' || seen === 'unclear';
}

function isTight(limit: unknown): boolean {
	return typeof limit === 'string';
}

function isExempt(category: string): boolean {
	return category === 'authentication' || category === 'service';
}

/** Of "0-4, 7". */
function itemsIn(text: string): Set<number> {
	const ranges = text
		.split(', ')
		.filter(Boolean)
		.map((range) => range.split('-').map(Number));
	return new Set(
		ranges.flatMap(([from, to = from]) =>
			Array.from({ length: to - from + 1 }, (_, index) => from + index),
		),
	);
}
