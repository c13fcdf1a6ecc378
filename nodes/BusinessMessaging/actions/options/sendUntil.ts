import type { INodeProperties } from 'n8n-workflow';
import { InputError, quote } from '../../inputError';
import { isBlank, textOf } from '../../values';
import { readMoment } from '../sendTemplate/moment';
import {
	type Policy,
	type Reading,
	skipped,
	type Step,
	withDeadline,
} from '../sendTemplate/sending';

const sendUntilField = {
	displayName: 'Send Until',
	name: 'sendUntil',
	type: 'dateTime',
	default: '',
	placeholder: "e.g. {{ $now.plus(10, 'minutes') }}",
	description:
		"When a message is no longer worth sending, such as a code or a reminder. After that time it is not sent, and its item leaves as skipped. For ten minutes from now use {{ $now.plus(10, 'minutes') }}. Runs that go to the Test Recipient send at any time.",
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
export function readSendUntil(value: unknown, { context }: Pick<Reading, 'context'>): number {
	const { displayName } = sendUntilField;
	const remedy = 'Use a date and time such as 2026-01-31T14:05:00Z, or remove the option.';
	if (isBlank(value)) throw new InputError(`${displayName} is empty`, remedy);
	// Read as the beginning of the day: "valid until today" would let no message out.
	if (/^\d{4}-\d\d-\d\d$/.test(textOf(value))) {
		throw new InputError(
			`${displayName} is ${quote(value)}, a day without a time`,
			'Add the time until which the message may be sent, such as 2026-01-31T20:00.',
		);
	}
	return readMoment(value, context.getTimezone(), displayName, remedy);
}
