import type { INodeProperties } from 'n8n-workflow';
import { UNITS_MS } from '../../clock';
import { InputError, quote } from '../../inputError';
import { fieldIn, readChoice, readGroup, readNumber } from '../../parameters';
import { isBlank, textOf } from '../../values';
import { readMoment } from '../sendTemplate/moment';
import {
	type Policy,
	type Reading,
	skipped,
	type Step,
	withDeadline,
} from '../sendTemplate/sending';

const endField = {
	displayName: 'End',
	name: 'end',
	type: 'options',
	options: [
		{ name: 'Date and Time', value: 'dateTime' },
		{
			name: 'Minutes After Start',
			value: 'minutes',
			description: 'A retry starts again from zero',
		},
	],
	default: 'minutes',
} as const satisfies INodeProperties;

const minutesField = {
	displayName: 'Minutes',
	name: 'minutes',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 10,
	displayOptions: { show: { end: ['minutes'] } },
} as const satisfies INodeProperties;

const sendUntilField = {
	displayName: 'Send Until',
	name: 'sendUntil',
	type: 'fixedCollection',
	placeholder: 'Add Time',
	default: { time: { end: 'minutes', minutes: 10 } },
	description:
		'When a message is no longer worth sending, such as a code or a reminder. After that time it is not sent, and its item leaves as skipped. Runs that go to the Test Recipient send at any time.',
	options: [
		{
			displayName: 'Time',
			name: 'time',
			values: [
				endField,
				{
					displayName: 'Date and Time',
					name: 'dateTime',
					type: 'dateTime',
					default: '',
					displayOptions: { show: { end: ['dateTime'] } },
				},
				minutesField,
			],
		},
	],
} as const satisfies INodeProperties;

/** Send Until: after that time the message is not sent. */
export const untilTime: Step = {
	option: {
		field: sendUntilField,
		read: (value, reading) => ({ sendUntil: readSendUntil(value, reading) }),
	},
	policy: ({ sendUntil, message: { to } }) => {
		if (sendUntil === undefined) return undefined;
		const late = skipped('tooLate', { to });
		const send: Policy['send'] = (next) => async (sending) => {
			const { clock } = sending.run;
			const whenLate = () => (clock.now() > sendUntil ? late : undefined);
			const lastChecks = [...sending.lastChecks, whenLate];
			const deadline = clock.ticks() + sendUntil - clock.now();
			// Without this look each message would be claimed and queued only to be skipped.
			return whenLate() ?? (await next(withDeadline({ ...sending, lastChecks }, deadline, late)));
		};
		return { send, show: send };
	},
};

/** @returns epoch ms. @throws InputError */
export function readSendUntil(value: unknown, { context, now }: Reading): number {
	const time = readGroup(value, sendUntilField);
	const end = readChoice(time.end, fieldIn(sendUntilField, endField));
	if (end === 'minutes')
		return now + readNumber(time.minutes, fieldIn(sendUntilField, minutesField)) * UNITS_MS.minutes;
	const name = 'Date and Time in Send Until';
	const remedy = 'Use a date and time such as 2026-01-31T14:05:00Z, or remove the option.';
	if (isBlank(time.dateTime)) throw new InputError(`${name} is empty`, remedy);
	// Read as the beginning of the day: "valid until today" would let no message out.
	if (/^\d{4}-\d\d-\d\d$/.test(textOf(time.dateTime))) {
		throw new InputError(
			`${name} is ${quote(time.dateTime)}, a day without a time`,
			'Add the time until which the message may be sent, such as 2026-01-31T20:00.',
		);
	}
	return readMoment(time.dateTime, context.getTimezone(), name, remedy);
}
