import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readSendUntil } from '../../../../nodes/BusinessMessaging/actions/options/sendUntil';

const NOW = Date.UTC(2026, 1, 1, 12);
const context = { getTimezone: () => 'Europe/Berlin' } as IExecuteFunctions;

function read(time?: IDataObject) {
	const limits = { timeoutMs: 30_000, requestsPerMinute: 60 };
	const reading = { context, itemIndex: 0, to: '+919876543210', defaultCountry: '', now: NOW };
	return readSendUntil({ time }, { ...reading, limits });
}

it.each<[IDataObject, string]>([
	[{ end: 'minutes', minutes: 10 }, '2026-02-01T12:10:00.000Z'],
	[{ minutes: '1.5' }, '2026-02-01T12:01:30.000Z'],
	[{ end: ' DateTime ', dateTime: '2026-02-01T14:05:00' }, '2026-02-01T13:05:00.000Z'],
	[{ end: 'dateTime', dateTime: 1769947200 }, '2026-02-01T12:00:00.000Z'],
	[{ end: 'dateTime', dateTime: '2020-01-01T00:00:00.000Z' }, '2020-01-01T00:00:00.000Z'],
])('%j', (time, expected) => {
	expect(new Date(read(time)).toISOString()).toBe(expected);
});

const DATE = 'Use a date and time such as 2026-01-31T14:05:00Z, or remove the option.';
const MINUTES = 'Enter a number from 1 up.';

it.each<[IDataObject | undefined, string, string]>([
	[undefined, 'Send Until is empty', expect.stringMatching(/^Fill it in/)],
	[{ end: 'hours' }, 'End in Send Until is "hours"', 'Choose one of dateTime, minutes.'],
	[{ end: 'minutes', minutes: 0 }, 'Minutes in Send Until is "0"', MINUTES],
	[{ end: 'dateTime', dateTime: ' ' }, 'Date and Time in Send Until is empty', DATE],
	[
		{ end: 'dateTime', dateTime: '01/02/2026' },
		'Date and Time in Send Until is not a date: "01/02/2026"',
		DATE,
	],
	[
		{ end: 'dateTime', dateTime: ' 2026-02-01\n' },
		'Date and Time in Send Until is "2026-02-01", a day without a time',
		'Add the time until which the message may be sent, such as 2026-01-31T20:00.',
	],
])('%j is refused', (time, message, remedy) => {
	expect(() => read(time)).toThrow(expect.objectContaining({ message, remedy }));
});
