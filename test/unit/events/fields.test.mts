import type { IDataObject } from 'n8n-workflow';

import { readTriggerOptions } from '../../../nodes/BusinessMessaging/events/fields';
import { refusal } from '../../support/refusal.mts';

const unset = { dropsRepeated: true, rememberedHours: 24, maxAgeMinutes: 0, withRawBody: false };

it.each<[string, IDataObject, object]>([
	['left out', {}, {}],
	['texts', { deduplicate: 'false', rawBody: 'True' }, { dropsRepeated: false, withRawBody: true }],
	['the greatest number', { deduplicationHours: 720 }, { rememberedHours: 720 }],
	['a number as text', { maxEventAgeMinutes: ' 0.5 ' }, { maxAgeMinutes: 0.5 }],
	['the smallest number', { deduplicationHours: '1' }, { rememberedHours: 1 }],
	['an empty text', { deduplicationHours: '' }, {}],
])('the options can be %s: %j are read as %j', (_, options, expected) => {
	expect(readTriggerOptions(options)).toEqual({ ...unset, ...expected });
});

it.each<[string, unknown, string]>([
	['deduplicate', undefined, 'Drop Repeated Events is "undefined"'],
	['maxEventAgeMinutes', undefined, 'Max Event Age is "undefined"'],
	['maxEventAgeMinutes', -1, 'Max Event Age is "-1"'],
	['deduplicationHours', 0, 'Drop Repeated Events Within is "0"'],
	['deduplicationHours', 721, 'Drop Repeated Events Within is "721"'],
])('the option %s is refused when an expression gives %p', (name, value, message) => {
	expect(() => readTriggerOptions({ [name]: value } as IDataObject)).toThrow(refusal(message));
});
