import type { INodeProperties } from 'n8n-workflow';
import type { Category } from '../../api';
import { InputError, quote } from '../../inputError';
import type { Outcome } from '../../outcome';
import { readChoice, readGroup } from '../../parameters';
import { categoryAt } from '../../template/pricing';
import {
	DAY_MINUTES,
	hasClock,
	isTimeZone,
	opensAt,
	type SendingHours,
	suitingAllZones,
	zonesOfNumber,
} from '../../template/sendingHours';
import { textOf } from '../../values';
import { heldBack, type Policy, type Reading, type Step } from '../sendTemplate/sending';

const timeZoneField = {
	displayName: 'Time Zone',
	name: 'timeZone',
	type: 'options',
	options: [
		{ name: 'Other', value: 'other', description: 'A time zone that you enter' },
		{
			name: "Recipient's",
			value: 'recipient',
			description:
				"By the country of the recipient's number, in the USA and Canada by its area code. If these have several time zones, the local time must be within the hours in all of them, and hours that are too short for that become longer at both ends. People keep their number when they move.",
		},
		{ name: "Workflow's", value: 'workflow', description: "The one in the workflow's settings" },
	],
	default: 'recipient',
} as const satisfies INodeProperties;

const sendBetweenField = {
	displayName: 'Send Between',
	name: 'sendBetween',
	type: 'fixedCollection',
	placeholder: 'Add Hours',
	default: { hours: { from: '09:00', until: '20:00', timeZone: 'recipient' } },
	description:
		'The hours of the day in which messages may be sent. Outside them a message is not sent: its item leaves as skipped, with the time from which it may be sent. Authentication and service messages, and runs that go to the Test Recipient, are sent at any time.',
	options: [
		{
			displayName: 'Hours',
			name: 'hours',
			values: [
				{
					displayName: 'From',
					name: 'from',
					type: 'string',
					default: '09:00',
					placeholder: 'e.g. 09:00',
				},
				{
					displayName: 'Until',
					name: 'until',
					type: 'string',
					default: '20:00',
					placeholder: 'e.g. 20:00',
					description: 'A time before From is on the next day. 24:00 is the end of the day.',
				},
				timeZoneField,
				{
					displayName: 'Other Time Zone',
					name: 'otherTimeZone',
					type: 'string',
					default: '',
					placeholder: 'e.g. Europe/Berlin',
					displayOptions: { show: { timeZone: ['other'] } },
				},
			],
		},
	],
} as const satisfies INodeProperties;

/** Send Between: the message goes out within the hours. */
export const withinHours: Step = {
	option: {
		field: sendBetweenField,
		read: (value, reading) => ({ sendBetween: readSendBetween(value, reading) }),
	},
	policy: (job) => {
		const { sendBetween, categoryChoice } = job;
		if (!sendBetween) return undefined;
		const send: Policy['send'] = (next) => async (sending) => {
			const { clock } = sending.run;
			const quiet = (category: Category): Outcome | undefined => {
				const opens = sendAfter(sendBetween, category, clock.now());
				return opens === undefined ? undefined : heldBack(job, 'quietHours', opens);
			};
			const lastChecks = [...sending.lastChecks, quiet];
			// Without this look the rest of a campaign would queue for the rate limit only to be skipped.
			const now = quiet(categoryAt(categoryChoice, clock.now()));
			return now ?? (await next({ ...sending, lastChecks }));
		};
		return { send, show: send };
	},
};

/** @throws InputError */
export function readSendBetween(value: unknown, reading: Reading): SendingHours {
	const hours = readGroup(value, sendBetweenField);
	const entered = readTime(hours.from, 'From');
	// 24:00 is the beginning of a day here, and its end there.
	const from = entered % DAY_MINUTES;
	const until = readTime(hours.until, 'Until');
	if ([from, entered].includes(until)) {
		throw new InputError(
			`Send Between is from ${quote(hours.from)} until ${quote(hours.until)}`,
			'Enter two different times, or remove the option to send at any time.',
		);
	}
	return suitingAllZones({ from, until, zones: readZones(hours, reading) }, reading.now);
}

const TIME = /^(?<hour>[01]?\d|2[0-4]):(?<minute>[0-5]\d)$/;

/** @returns minutes after midnight, up to 24:00. @throws InputError */
function readTime(value: unknown, name: string): number {
	const { hour, minute } = TIME.exec(textOf(value))?.groups ?? {};
	const minutes = Number(hour) * 60 + Number(minute);
	if (minutes <= DAY_MINUTES) return minutes;
	throw new InputError(
		`${name} in Send Between is ${quote(value)}`,
		'Enter a time of day such as 09:00 or 18:30.',
	);
}

function readZones(
	{ timeZone, otherTimeZone }: { timeZone?: unknown; otherTimeZone?: unknown },
	{ context, to }: Reading,
): string[] {
	const choice = readChoice(timeZone, timeZoneField);
	if (choice === 'workflow') {
		const zone = context.getTimezone();
		if (hasClock(zone)) return [zone];
		throw new InputError(
			`The workflow's time zone is ${quote(zone)}, which Send Between can't use`,
			'Choose another one in the settings of the workflow, such as Asia/Kolkata, or another Time Zone in Send Between.',
		);
	}
	if (choice === 'recipient') {
		const zones = zonesOfNumber(to);
		if (zones.length > 0) return zones;
		throw new InputError(
			`The time zone of ${to} is not known, because the number belongs to no country`,
			'Choose another Time Zone in Send Between.',
		);
	}
	const zone = textOf(otherTimeZone);
	if (isTimeZone(zone)) return [zone];
	throw new InputError(
		`Other Time Zone in Send Between is ${quote(otherTimeZone)}`,
		'Enter a time zone such as Europe/London or Asia/Kolkata. An abbreviation such as BST may mean several.',
	);
}

/** When a message may be sent, in epoch ms; undefined: now. */
export function sendAfter(
	hours: SendingHours,
	category: Category,
	now: number,
): number | undefined {
	// Customers wait for them.
	if (category === 'authentication' || category === 'service') return undefined;
	const opens = opensAt(hours, now);
	return opens > now ? opens : undefined;
}
