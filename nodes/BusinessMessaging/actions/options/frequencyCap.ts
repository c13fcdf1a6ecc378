import type { INodeProperties } from 'n8n-workflow';
import { pause, UNITS_MS } from '../../clock';
import { notStarted } from '../../errors/failure';
import { InputError, quote } from '../../inputError';
import { type Cap, type HeldBackUntil, MAX_PERIOD_MS } from '../../memory/frequencyCap';
import { type Outcome } from '../../outcome';
import { fieldIn, readChoice, readGroup, readNumber } from '../../parameters';
import { phoneOf } from '../../template/phoneNumber';
import {
	heldBack,
	type Reading,
	type Sending,
	type Step,
	withDeadline,
	withoutFallback,
} from '../sendTemplate/sending';
import { readCounter, sharedNameField } from './sharedName';

const messagesField = {
	displayName: 'Messages',
	name: 'messages',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 10 },
	default: 1,
	description: 'How many messages a number gets within the period',
} as const satisfies INodeProperties;

const periodField = {
	displayName: 'Period',
	name: 'period',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 24,
	description:
		'At most 30 days. It ends a sixteenth early, so that a campaign at the same time every day reaches everybody, but may last up to 2 minutes longer than that.',
} as const satisfies INodeProperties;

const unitField = {
	displayName: 'Unit',
	name: 'unit',
	type: 'options',
	options: [
		{ name: 'Days', value: 'days' },
		{ name: 'Hours', value: 'hours' },
		{ name: 'Minutes', value: 'minutes' },
	],
	default: 'hours',
} as const satisfies INodeProperties;

const frequencyCapField = {
	displayName: 'Frequency Cap',
	name: 'frequencyCap',
	type: 'fixedCollection',
	placeholder: 'Add Cap',
	default: { cap: { messages: 1, period: 24, unit: 'hours' } },
	description:
		'A number gets at most so many messages within a period, also from other executions. Further messages are not sent: their items leave as skipped, with the time from which each may be sent. Runs that go to the Test Recipient do not count.',
	options: [
		{
			displayName: 'Cap',
			name: 'cap',
			values: [messagesField, periodField, unitField, sharedNameField],
		},
	],
} as const satisfies INodeProperties;

/** In a retry: the message that was not delivered counts. Or another execution was faster. */
const NUMBER_IS_USED =
	'Frequency Cap allows no more messages to its number for now. Run its item again when the period is over.';

/** The rate limit held the message up until its claim on the number was about to end: it is claimed again. */
const CLAIM_ENDED = notStarted();
const CLAIM_AGAIN_MS = 5000;

/** Frequency Cap: a number gets at most so many messages within the period. */
export const frequencyCap: Step = {
	option: {
		field: frequencyCapField,
		read: (value, reading) => ({ cap: readCap(value, reading) }),
	},
	policy: (job) => {
		const { cap, limits } = job;
		if (!cap) return undefined;
		const orHeldBack = (sending: Sending, outcome: Outcome | HeldBackUntil): Outcome => {
			if ('kind' in outcome) return outcome;
			const { rejection } = sending;
			if (rejection) return withoutFallback(rejection, NUMBER_IS_USED);
			const { until, earlier } = outcome;
			const skipped = heldBack(job, 'sentRecently', until);
			const doubt = earlier && { earlier, json: { ...skipped.json, earlier } };
			return { ...skipped, ...doubt };
		};
		return {
			send: (next) => async (sending) => {
				const { clock, signal, frequencyCap: memory } = sending.run;
				const send = async ({ endsAt }: { endsAt: number }) =>
					await next(withDeadline(sending, endsAt - limits.timeoutMs, CLAIM_ENDED));
				for (;;) {
					const outcome = await memory.withClaim(cap, send, signal);
					if (outcome !== CLAIM_ENDED) return orHeldBack(sending, outcome);
					await pause(clock, CLAIM_AGAIN_MS, signal);
				}
			},
			show: (next) => async (sending) =>
				orHeldBack(
					sending,
					await sending.run.frequencyCap.show(cap, async () => await next(sending)),
				),
			undo: async ({ run }) => await run.frequencyCap.free(cap),
		};
	},
};

/** @throws InputError */
function readCap(value: unknown, reading: Reading): Cap {
	const cap = readGroup(value, frequencyCapField);
	return {
		counter: readCounter(cap.name, frequencyCapField, reading),
		number: phoneOf(reading.to),
		messages: Math.floor(readNumber(cap.messages, fieldIn(frequencyCapField, messagesField))),
		periodMs: readPeriod(cap.period, cap.unit),
	};
}

/** @returns in ms */
function readPeriod(period: unknown, unit: unknown): number {
	const choice = readChoice(unit, fieldIn(frequencyCapField, unitField));
	const periodMs = readNumber(period, fieldIn(frequencyCapField, periodField)) * UNITS_MS[choice];
	if (periodMs > MAX_PERIOD_MS) {
		throw new InputError(
			`Period in Frequency Cap is ${quote(period)} ${choice}`,
			'Open Options and enter 30 days at most.',
		);
	}
	return periodMs;
}
