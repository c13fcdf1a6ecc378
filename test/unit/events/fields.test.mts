import type { IDataObject } from 'n8n-workflow';

import { readRememberedHours } from '../../../nodes/BusinessMessaging/events/fields';
import { refusal } from '../../support/refusal.mts';

it.each<[IDataObject, number | undefined]>([
	[{}, 24],
	[{ deduplicate: 'false' }, undefined],
	[{ deduplicationHours: 720 }, 720],
	[{ deduplicationHours: ' 1.5 ' }, 1.5],
	[{ deduplicationHours: '' }, 24],
])('with the options %j, events are remembered for %p hours', (options, expected) => {
	expect(readRememberedHours(options)).toBe(expected);
});

it.each<[string, unknown, string]>([
	['deduplicate', undefined, 'Drop Repeated Events is "undefined"'],
	['deduplicationHours', 0, 'Drop Repeated Events Within is "0"'],
	['deduplicationHours', 721, 'Drop Repeated Events Within is "721"'],
])('the option %s is refused when an expression gives %p', (name, value, message) => {
	expect(() => readRememberedHours({ [name]: value } as IDataObject)).toThrow(refusal(message));
});
