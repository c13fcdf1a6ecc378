import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	readSendBetween,
	sendAfter,
} from '../../../../nodes/BusinessMessaging/actions/options/sendBetween';
import { CATEGORIES } from '../../../../nodes/BusinessMessaging/api';

const NOW = Date.UTC(2026, 1, 1, 12);
const INDIAN = '+919876543210';
const inZone = (zone: string) => ({ getTimezone: () => zone }) as IExecuteFunctions;
const IN_BERLIN = inZone('Europe/Berlin');

function read(hours: IDataObject | undefined, to = INDIAN, context = IN_BERLIN) {
	const limits = { timeoutMs: 30_000, requestsPerMinute: 60 };
	const reading = { context, itemIndex: 0, to, defaultCountry: '', now: NOW, limits };
	return readSendBetween({ hours }, reading);
}

it.each<[IDataObject, object]>([
	[
		{ from: '09:00', until: '20:00' },
		{ from: 540, until: 1200, zones: ['Asia/Calcutta'] },
	],
	[
		{ from: ' 9:05', until: '24:00' },
		{ from: 545, until: 1440 },
	],
	[
		{ from: '24:00', until: '6:00' },
		{ from: 0, until: 360 },
	],
	[{ from: '22:00', until: '00:30', timeZone: 'workflow' }, { zones: ['Europe/Berlin'] }],
	[{ from: '9:00', until: '20:00', timeZone: 'other', otherTimeZone: ' UTC ' }, { zones: ['UTC'] }],
])('%j', (hours, expected) => {
	expect(read(hours)).toMatchObject(expected);
});

function minutesOf(time: string): number {
	const [hour, minute] = time.split(':');
	return Number(hour) * 60 + Number(minute);
}

// docs/sending.md: too short for all time zones of the country
it.each([
	['+79161234567', '9:00', '20:00', '9:00', '20:00'],
	['+79161234567', '9:00', '18:00', '8:00', '19:00'],
	['+5511961234567', '23:00', '24:00', '21:30', '1:30'],
	[INDIAN, '09:00', '09:30', '9:00', '9:30'],
])('hours of %s from %s until %s are from %s until %s', (to, from, until, wideFrom, wideUntil) => {
	const wide = { from: minutesOf(wideFrom), until: minutesOf(wideUntil) };
	expect(read({ from, until }, to)).toMatchObject(wide);
});

// docs/sending.md: 24:00 is the end of the day
it('from 0:00 until 24:00 a message goes out at any time, until 0:00 at none before', () => {
	const next = (from: string, until: string, now: number) =>
		sendAfter(read({ from, until, timeZone: 'other', otherTimeZone: 'UTC' }), 'marketing', now);
	const lastMinute = Date.UTC(2026, 1, 1, 23, 59);
	expect(next('0:00', '24:00', lastMinute)).toBeUndefined();
	expect(next('0:00', '24:00', lastMinute + 60_000)).toBeUndefined();
	expect(next('09:00', '24:00', lastMinute)).toBeUndefined();
	expect(next('09:00', '24:00', lastMinute + 60_000)).toBe(Date.UTC(2026, 1, 2, 9));
});

const TIME = 'Enter a time of day such as 09:00 or 18:30.';
const ZONE =
	'Enter a time zone such as Europe/London or Asia/Kolkata. An abbreviation such as BST may mean several.';

it.each<[IDataObject | undefined, string, string, string?]>([
	[undefined, 'Send Between is empty', expect.stringMatching(/^Fill it in/)],
	[{ from: '09:00 h', until: '20:00' }, 'From in Send Between is "09:00 h"', TIME],
	[{ from: '09:00', until: '24:01' }, 'Until in Send Between is "24:01"', TIME],
	[{ from: '09:00' }, 'Until in Send Between is "undefined"', TIME],
	[
		{ from: '24:00', until: '24:00' },
		'Send Between is from "24:00" until "24:00"',
		'Enter two different times, or remove the option to send at any time.',
	],
	[
		{ from: '24:00', until: '00:00' },
		'Send Between is from "24:00" until "00:00"',
		'Enter two different times, or remove the option to send at any time.',
	],
	[
		{ from: '09:00', until: '20:00', timeZone: 'other', otherTimeZone: 'BST' },
		'Other Time Zone in Send Between is "BST"',
		ZONE,
	],
	[
		{ from: '09:00', until: '20:00' },
		'The time zone of +882161234567 is not known, because the number belongs to no country',
		'Choose another Time Zone in Send Between.',
		'+882161234567',
	],
])('%j is refused', (hours, message, remedy, to = INDIAN) => {
	expect(() => read(hours, to)).toThrow(expect.objectContaining({ message, remedy }));
});

it("a workflow's time zone that JavaScript does not know is named", () => {
	const hours = { from: '09:00', until: '20:00', timeZone: 'workflow' };
	expect(() => read(hours, INDIAN, inZone('UTC+5:30'))).toThrow(
		'The workflow\'s time zone is "UTC+5:30", which Send Between can\'t use',
	);
});

// docs/sending.md: authentication and service
it('what customers wait for is sent at any time', () => {
	const closed = read({ from: '09:00', until: '10:00' });
	const held = CATEGORIES.filter((category) => sendAfter(closed, category, NOW));
	expect(held.sort()).toEqual(['marketing', 'utility']);
});
