import type { IExecuteFunctions } from 'n8n-workflow';

import {
	readSendBetween,
	sendAfter,
} from '../../../../nodes/BusinessMessaging/actions/options/sendBetween';
import { CATEGORIES } from '../../../../nodes/BusinessMessaging/api';
import { sentencesOf } from '../../../support/sentencesOf.mts';

const NOW = Date.UTC(2026, 1, 1, 12);
const INDIAN = '+919876543210';
const RUSSIAN = '+79161234567';
const BRAZILIAN = '+5511961234567';

/** @param times such as `09:00 - 20:00` @param zone in the fields of the option */
function read(times: string, zone = {}, to = INDIAN, ofWorkflow = 'Europe/Berlin') {
	const [from, until] = times.split(' - ');
	const context = { getTimezone: () => ofWorkflow } as IExecuteFunctions;
	const reading = { context, itemIndex: 0, to, defaultCountry: '', now: NOW };
	return readSendBetween({ hours: { from, until, timeZone: 'recipient', ...zone } }, reading);
}

const IN_UTC = { timeZone: 'other', otherTimeZone: ' UTC ' };
const timeOf = (minutes: number) =>
	`${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;

it.each<[string, string, string?]>([
	['09:00 - 20:00', '9:00 - 20:00'],
	['24:00 - 6:00', '0:00 - 6:00'],
	// docs/sending.md: too short for all time zones of the country
	['9:00 - 18:00', '8:00 - 19:00', RUSSIAN],
	['23:00 - 24:00', '21:30 - 1:30', BRAZILIAN],
])('%s means %s for %s', (times, expected, to = INDIAN) => {
	const { from, until } = read(times, {}, to);
	expect(`${timeOf(from)} - ${timeOf(until)}`).toBe(expected);
});

it.each([
	[{}, 'Asia/Calcutta'],
	[{ timeZone: 'workflow' }, 'Europe/Berlin'],
	[IN_UTC, 'UTC'],
])('with %j the clock is of %s', (zone, expected) => {
	expect(read('22:00 - 00:30', zone).zones).toEqual([expected]);
});

// docs/sending.md: 24:00 is the end of the day
it('from 0:00 until 24:00 a message goes out at any time, until 0:00 at none before', () => {
	const lastMinute = Date.UTC(2026, 1, 1, 23, 59);
	const next = (times: string) =>
		[lastMinute, lastMinute + 60_000].map((now) =>
			sendAfter(read(times, IN_UTC), 'marketing', now),
		);
	expect(next('0:00 - 24:00')).toEqual([undefined, undefined]);
	expect(next('09:00 - 24:00')).toEqual([undefined, Date.UTC(2026, 1, 2, 9)]);
});

it.each([
	['09:00 h - 20:00', 'From in Send Between is "09:00 h". Enter a time of day'],
	['109:00 - 20:00', 'From in Send Between is "109:00"'],
	['09:00 - 24:01', 'Until in Send Between is "24:01". Enter a time of day'],
	['09:00', 'Until in Send Between is "undefined". Enter a time of day'],
	['24:00 - 24:00', 'Send Between is from "24:00" until "24:00". Enter two different times'],
	['24:00 - 00:00', 'Send Between is from "24:00" until "00:00". Enter two different times'],
])('%s is refused: %s', (times, sentences) => {
	expect(sentencesOf(() => read(times))).toContain(sentences);
});

const OF_WORKFLOW = { timeZone: 'workflow' };
const NO_COUNTRY = '+882161234567';

it.each<[string, object, string?, string?]>([
	['is "BST". Enter a time zone such as', { ...IN_UTC, otherTimeZone: 'BST' }],
	[`${NO_COUNTRY} is not known, because the number belongs to no country. Choose`, {}, NO_COUNTRY],
	['"UTC+5", which Send Between can\'t use. Choose another', OF_WORKFLOW, INDIAN, 'UTC+5'],
])('a time zone is refused: %s', (sentences, ...[zone, to = INDIAN, ofWorkflow = 'UTC']) => {
	expect(sentencesOf(() => read('9:00 - 20:00', zone, to, ofWorkflow))).toContain(sentences);
});

// docs/sending.md: authentication and service
it('what customers wait for is sent at any time', () => {
	const closed = read('09:00 - 10:00');
	const held = CATEGORIES.filter((category) => sendAfter(closed, category, NOW));
	expect(held.sort()).toEqual(['marketing', 'utility']);
});
