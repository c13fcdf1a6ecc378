import type { IDataObject } from 'n8n-workflow';

import { readChosen } from '../../../nodes/BusinessMessaging/events/catalogue';
import { readTriggerOptions } from '../../../nodes/BusinessMessaging/events/options';

const unset = { dropsRepeated: true, rememberedHours: 24, maxAgeMinutes: 0, withRawBody: false };

it.each<[string, IDataObject, object]>([
	['left out', {}, {}],
	['switches', { deduplicate: false, rawBody: true }, { dropsRepeated: false, withRawBody: true }],
	['texts', { deduplicate: 'false', rawBody: 'True' }, { dropsRepeated: false, withRawBody: true }],
	['numbers', { maxEventAgeMinutes: 60 }, { maxAgeMinutes: 60 }],
	['the greatest number', { deduplicationHours: 720 }, { rememberedHours: 720 }],
	['a number as text', { maxEventAgeMinutes: ' 0.5 ' }, { maxAgeMinutes: 0.5 }],
	['the smallest number', { deduplicationHours: '1' }, { rememberedHours: 1 }],
	['an empty text', { deduplicationHours: '' }, {}],
])('the options can be %s: %j are read as %j', (_, options, expected) => {
	expect(readTriggerOptions(options)).toEqual({ ...unset, ...expected });
});

it.each<[string, unknown, string]>([
	['deduplicate', undefined, 'Drop Repeated Events is "undefined"'],
	['deduplicate', 'no', 'Drop Repeated Events is "no"'],
	['deduplicate', 0, 'Drop Repeated Events is "0"'],
	['rawBody', null, 'Raw Body is "null"'],
	['maxEventAgeMinutes', 'an hour', 'Max Event Age is "an hour"'],
	['maxEventAgeMinutes', undefined, 'Max Event Age is "undefined"'],
	['maxEventAgeMinutes', '', 'Max Event Age is ""'],
	['maxEventAgeMinutes', NaN, 'Max Event Age is "null"'],
	['maxEventAgeMinutes', -1, 'Max Event Age is "-1"'],
	['maxEventAgeMinutes', [60], 'Max Event Age is "[60]"'],
	['deduplicationHours', 'a day', 'Drop Repeated Events Within is "a day"'],
	['deduplicationHours', 0, 'Drop Repeated Events Within is "0"'],
	['deduplicationHours', 721, 'Drop Repeated Events Within is "721"'],
])('the option %s is refused when an expression gives %p', (name, value, message) => {
	expect(() => readTriggerOptions({ [name]: value } as IDataObject)).toThrow(message);
});

it.each([[[]], [['message.read', '*']]])('the events %j are chosen', (events) => {
	expect(readChosen(events)).toEqual(events);
});

it.each([
	['message.incoming', 'Trigger On is "message.incoming"'],
	[undefined, 'Trigger On is "undefined"'],
	[{ 0: '*' }, 'Trigger On is "{"0":"*"}"'],
	[['*', 7], 'Trigger On is "["*",7]"'],
])('the events are refused when an expression gives %j', (events, message) => {
	expect(() => readChosen(events)).toThrow(message);
});
