import type { IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../../clock';
import { notStarted } from '../../errors/failure';
import type { Failed } from '../../errors/failure';
import type { Purpose } from '../../errors/httpErrors';
import { InputError, quote } from '../../errors/inputError';
import { failureFromInput } from '../../errors/nodeError';
import { NOTHING_SENT } from '../../errors/sentences';
import { openRows } from '../../memory/rows';
import { SendOnce } from '../../memory/sendOnce';
import { showAmount, sumOf } from '../../template/price';
import { Budget } from '../budget';
import type { OnceKey, Operation, RunOptions, SentBefore } from '../operation';
import { openConnections } from './connections';
import { nameField } from './nameField';
import { asInputError, readItems } from './readItems';
import type { Reading } from './readItems';
import { readRunOptions } from './runOptions';
import { openSession } from './session';
import type { OpenSession } from './session';
import type { Receivers } from './testRecipient';

/** Everything that can be known before the first request. */
export interface Plan {
	session: OpenSession;
	options: RunOptions;
	/** One per item, in their order. */
	readings: Reading[];
}

/**
 * Reads and checks the credential, the options and all items.
 * @returns the plan, or what keeps the whole run from starting
 */
export async function planRun(
	context: IExecuteFunctions,
	operation: Operation<unknown>,
	sentBefore: SentBefore,
	receivers: Receivers,
	clock: Clock,
): Promise<Plan | Failed> {
	try {
		operation.checkRun?.(context);
		const options = readRunOptions(context, receivers);
		const connectionOf = await openConnections(context);
		const read = await readItems(context, operation, options, connectionOf, clock);
		if (read.length < context.getInputData().length) return notStarted(operation.purpose);
		const { spendingLimit } = options;
		const onceKeys = read.map((item) =>
			'job' in item ? operation.onceKey?.(item.job) : undefined,
		);
		const readings = refuseSharedKeys(read, onceKeys, operation.purpose);
		const keys = onceKeys.map((onceKey) => onceKey?.key);
		const sendOnce = new SendOnce(async () => await openRows(context, clock), clock);
		const known =
			spendingLimit < Infinity
				? await sendOnce.sentOf(keys.flatMap((key) => key ?? []))
				: new Set<string>();
		const prices = pricesOf(operation, readings, clock.now());
		const { spent } = sentBefore;
		const isDue = readings.map(
			(reading, itemIndex) =>
				'job' in reading &&
				!operation.isDryRun?.(reading.job) &&
				operation.recall?.(reading.job, itemIndex, sentBefore) === undefined,
		);
		const due = oncePerKey(prices, isDue, keys, known);
		const estimate = sumOf([spent, ...due.values()]);
		checkSpending(estimate, spendingLimit, nothingDone(operation.purpose, sentBefore));
		const budget = new Budget(spendingLimit, spent);
		const given = { clock, sentBefore, sendOnce, budget };
		const session = openSession(context, readings, { ...options, due }, given);
		return { options, readings, session };
	} catch (error) {
		const field = nameField(context, 0, operation.fields, error);
		return { failure: failureFromInput(asInputError(error, field), operation.purpose) };
	}
}

/** A key is one message's: with the same for several recipients only the first would get theirs. */
function refuseSharedKeys(
	readings: Reading[],
	onceKeys: Array<OnceKey | undefined>,
	purpose: Purpose,
): Reading[] {
	const recipients = new Map<string, Set<string>>();
	for (const { key, recipient } of onceKeys.flatMap((onceKey) => onceKey ?? [])) {
		recipients.set(key, (recipients.get(key) ?? new Set()).add(recipient));
	}
	return readings.map((reading, itemIndex) => {
		const { key = '' } = onceKeys[itemIndex] ?? {};
		const count = recipients.get(key)?.size ?? 0;
		if (count < 2) return reading;
		const error = new InputError(
			`${count} recipients have the same Send Once Key ${quote(key)}, so only one of them would get a message`,
			'Add to the key what differs from message to message, such as {{ $json.orderNumber }}.',
		);
		return { failure: failureFromInput(error, purpose) };
	});
}

function pricesOf(operation: Operation<unknown>, readings: Reading[], now: number): number[] {
	return readings.map((item, itemIndex) =>
		'job' in item ? operation.price(item.job, itemIndex, now) : 0,
	);
}

/**
 * Of all due items with one key at most one is sent, so the highest price counts; none for a known key.
 * @returns prices by item, of the first item with each key
 */
function oncePerKey(
	prices: number[],
	isDue: boolean[],
	keys: Array<string | undefined>,
	known: ReadonlySet<string>,
): Map<number, number> {
	const firstWith = new Map<string, number>();
	const due = new Map<number, number>();
	for (const [itemIndex, price] of prices.entries()) {
		const key = keys[itemIndex];
		if (!isDue[itemIndex] || (key !== undefined && known.has(key))) continue;
		const first = key === undefined ? itemIndex : (firstWith.get(key) ?? itemIndex);
		if (key !== undefined) firstWith.set(key, first);
		due.set(first, Math.max(price, due.get(first) ?? 0));
	}
	return due;
}

function checkSpending(estimate: number, spendingLimit: number, nothing: string): void {
	if (estimate <= spendingLimit) return;
	throw new InputError(
		`This run would cost about ${showAmount(estimate)}, more than the spending limit of ${showAmount(spendingLimit)}`,
		`${nothing} Send fewer items at once, or raise Spending Limit under Options.`,
	);
}

/** For a run that is refused before its first request. */
export function nothingDone(purpose: Purpose, { results }: SentBefore): string {
	if (purpose === 'status') return 'Nothing was looked up.';
	return results.size > 0 ? 'Nothing more was sent.' : NOTHING_SENT;
}
