import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readSendUntil } from '../../../../nodes/BusinessMessaging/actions/options/sendUntil';
import { sentencesOf } from '../../../support/sentencesOf.mts';

const NOW = Date.UTC(2026, 1, 1, 12);
const context = { getTimezone: () => 'Europe/Berlin' } as IExecuteFunctions;

function read(time?: IDataObject) {
	const reading = { context, itemIndex: 0, to: '+919876543210', defaultCountry: '', now: NOW };
	return readSendUntil({ time }, reading);
}

it.each<[IDataObject, string]>([
	[{ end: 'minutes', minutes: '1.5' }, '2026-02-01T12:01:30.000Z'],
	[{ end: ' DateTime ', dateTime: '2026-02-01T14:05:00' }, '2026-02-01T13:05:00.000Z'],
	[{ end: 'dateTime', dateTime: '2020-01-01T00:00:00.000Z' }, '2020-01-01T00:00:00.000Z'],
])('%j', (time, expected) => {
	expect(new Date(read(time)).toISOString()).toBe(expected);
});

it.each<[IDataObject | undefined, string]>([
	[undefined, 'Send Until is empty. Fill it in, or remove the option.'],
	[{ end: 'hours' }, 'End in Send Until is "hours". Choose one of dateTime, minutes.'],
	[{ end: 'minutes', minutes: 0 }, 'Minutes in Send Until is "0". Enter a number from 1 up.'],
	[{ end: 'dateTime', dateTime: ' ' }, 'Date and Time in Send Until is empty. Use a date and'],
	[{ end: 'dateTime', dateTime: 'on 2026-02-01' }, 'Date and Time in Send Until is not a date'],
	[{ end: 'dateTime', dateTime: ' 2026-02-01\n' }, 'is "2026-02-01", a day without a time. Add'],
])('%j is refused', (time, sentences) => {
	expect(sentencesOf(() => read(time))).toContain(sentences);
});
