import type { INodeProperties } from 'n8n-workflow';
import type { Category } from '../../api';
import { causeNamed } from '../../errors/catalogue';
import { failed, failureOf, notStarted } from '../../errors/failure';
import { InputError } from '../../inputError';
import { isAboutAnother } from '../../memory/ledger';
import type { PeriodLimit, Reached } from '../../memory/periodBudget';
import { memoryFailure } from '../../memory/rows';
import { isUnknown, messageOf, type Outcome } from '../../outcome';
import { enteredAt, fieldIn, readChoice, readGroup, readNumber } from '../../parameters';
import { phoneOf } from '../../template/phoneNumber';
import { CURRENCY, formatAmount } from '../../template/pricing';
import { readsItem } from '../../template/reads';
import { hasClock } from '../../template/sendingHours';
import { expressionsIn } from '../../template/textChecks';
import { receiptOf } from '../output';
import { categoryOf } from '../sendTemplate/request';
import {
	type Reading,
	type Sending,
	type Step,
	type StepOption,
	withoutFallback,
} from '../sendTemplate/sending';
import { readCounter, readName, sharedNameField } from './sharedName';

const amountField = {
	displayName: 'Amount (INR)',
	name: 'amount',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 4 },
	default: 10,
	description:
		'What the messages of the period may cost together: by the price list, and by the cost once the API has told it. Each message is rounded up to a multiple of INR 0.03.',
} as const satisfies INodeProperties;

const budgetPeriodField = {
	displayName: 'Period',
	name: 'period',
	type: 'options',
	options: [
		{ name: 'Conversation', value: 'conversation' },
		{ name: 'Day', value: 'day' },
		{ name: 'Hour', value: 'hour' },
		{ name: 'Month', value: 'month' },
	],
	default: 'day',
	description:
		'Hours begin at the full hour, days and months at midnight in the time zone of the workflow',
} as const satisfies INodeProperties;

const conversationField = {
	displayName: 'Conversation ID',
	name: 'conversation',
	type: 'string',
	default: '',
	placeholder: "e.g. {{ $('When chat message received').first().json.sessionId }}",
	description: 'What tells one conversation from another. It may not read the item.',
	displayOptions: { show: { period: ['conversation'] } },
} as const satisfies INodeProperties;

const peopleField = {
	displayName: 'People',
	name: 'people',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 50 },
	default: 0,
	description:
		'How many different numbers may get messages in the period; 0 for any. A number counts from the first attempt on.',
} as const satisfies INodeProperties;

const budgetField = {
	displayName: 'Budget',
	name: 'budget',
	type: 'fixedCollection',
	placeholder: 'Add Budget',
	default: { budget: { amount: amountField.default, period: budgetPeriodField.default } },
	description:
		'The most that messages may cost within a period, over all executions. A message that would exceed it is not sent, and fails. Runs that go to the Test Recipient do not count.',
	options: [
		{
			displayName: 'Budget',
			name: 'budget',
			values: [amountField, budgetPeriodField, conversationField, peopleField, sharedNameField],
		},
	],
} as const satisfies INodeProperties;

/** While the message waited for the rate limit, it became dearer: its price is taken again. */
const BECAME_DEARER = notStarted();

export const budgetOption: StepOption = {
	field: budgetField,
	read: (value, reading) => ({ budget: readLimit(value, reading) }),
};

/** Budget: the messages of a period cost no more than its limit. */
export const withinBudget: Step = {
	option: budgetOption,
	policy: ({ budget, message: { to } }) => {
		if (!budget) return undefined;
		const priceNow = (sending: Sending) => {
			const { clock, spending } = sending.run;
			return spending.priceOf({ category: categoryOf(sending, clock.now()), to });
		};
		const overBudget = ({ rejection }: Sending, { reached, spent }: Reached): Outcome => {
			const cause = reached === 'people' ? 'tooManyPeople' : 'overBudget';
			const values = {
				period: typeof budget.period === 'object' ? 'conversation' : budget.period,
				limit: formatAmount(budget.limit),
				people: budget.people,
				spent: formatAmount(spent),
			};
			const failure = failureOf(causeNamed(cause, values));
			const { message, remedy } = failure;
			if (rejection) return withoutFallback(rejection, `${message}. ${remedy}`);
			return failed(failure);
		};
		return {
			send: (next) => async (sending) => {
				const { periodBudget, spending } = sending.run;
				for (;;) {
					const price = priceNow(sending);
					const taken = await periodBudget
						.take(budget, price, phoneOf(to))
						.catch((error) => memoryFailure('Budget', error));
					if ('kind' in taken) return taken;
					if ('reached' in taken) return overBudget(sending, taken);
					const lastChecks = [
						...sending.lastChecks,
						(category: Category) =>
							spending.priceOf({ category, to }) > price ? BECAME_DEARER : undefined,
					];
					const outcome = await next({ ...sending, lastChecks });
					const message = messageOf(outcome);
					if (message) {
						const { cost = price, currency = CURRENCY } = receiptOf(message);
						if (currency === CURRENCY) await taken.settle(cost);
					} else if (!isUnknown(outcome) || isAboutAnother(outcome)) await taken.settle(0);
					if (outcome !== BECAME_DEARER) return outcome;
				}
			},
			show: (next) => async (sending) => {
				const outcome = await next(sending);
				if (outcome.kind !== 'shown') return outcome;
				const shown = await sending.run.periodBudget
					.show(budget, outcome.estimate)
					.catch((error) => memoryFailure('Budget', error));
				if ('kind' in shown) return shown;
				if ('reached' in shown) return overBudget(sending, shown);
				const budgetLeft = { amount: shown.left, currency: CURRENCY };
				return { ...outcome, json: { ...outcome.json, budgetLeft } };
			},
		};
	},
};

/** @throws InputError */
function readLimit(value: unknown, reading: Reading): PeriodLimit {
	const budget = readGroup(value, budgetField);
	const period = readChoice(budget.period, fieldIn(budgetField, budgetPeriodField));
	const zone = reading.context.getTimezone();
	return {
		counter: readCounter(budget.name, budgetField, reading),
		period:
			period === 'conversation'
				? { conversation: readConversation(budget.conversation, reading) }
				: period,
		timeZone: hasClock(zone) ? zone : 'UTC',
		limit: readNumber(budget.amount, fieldIn(budgetField, amountField)),
		people: Math.floor(readNumber(budget.people, fieldIn(budgetField, peopleField))) || Infinity,
	};
}

function readConversation(value: unknown, reading: Reading): string {
	const called = `${conversationField.displayName} in ${budgetField.displayName}`;
	const path = `options.${budgetField.name}.budget.${conversationField.name}`;
	const entered = enteredAt(reading.context, reading.itemIndex, path);
	if (expressionsIn(entered).some(readsItem)) {
		throw new InputError(
			`${called} reads the item, or what a model says, so each message could begin a budget of its own`,
			`Use what the start of the workflow has, such as ${conversationField.placeholder.slice(5)}.`,
		);
	}
	const remedy = 'Enter what tells one conversation from another, or choose another Period.';
	const name = readName(value, path, called, reading, remedy);
	if (name) return name;
	throw new InputError(`${called} is empty`, remedy);
}
