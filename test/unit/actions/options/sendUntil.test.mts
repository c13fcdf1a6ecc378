import type { IExecuteFunctions } from 'n8n-workflow';

import { readSendUntil } from '../../../../nodes/BusinessMessaging/actions/options/sendUntil';

const context = { getTimezone: () => 'Europe/Berlin' } as IExecuteFunctions;
const read = (value: unknown) => readSendUntil(value, { context });

it.each<[unknown, string]>([
	['2026-02-01T14:05:00', '2026-02-01T13:05:00.000Z'],
	[1769947200, '2026-02-01T12:00:00.000Z'],
	['2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z'],
])('%j', (value, expected) => {
	expect(new Date(read(value)).toISOString()).toBe(expected);
});

const DATE = 'Use a date and time such as 2026-01-31T14:05:00Z, or remove the option.';

it.each<[unknown, string, string]>([
	[' ', 'Send Until is empty', DATE],
	['01/02/2026', 'Send Until is not a date: "01/02/2026"', DATE],
	[
		' 2026-02-01\n',
		'Send Until is "2026-02-01", a day without a time',
		'Add the time until which the message may be sent, such as 2026-01-31T20:00.',
	],
])('%j is refused', (value, message, remedy) => {
	expect(() => read(value)).toThrow(expect.objectContaining({ message, remedy }));
});
