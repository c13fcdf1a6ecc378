import type { IDataObject } from 'n8n-workflow';

import {
	readDropsRepeated,
	readRememberedHours,
} from '../../../nodes/BusinessMessaging/events/fields';
import { refusal } from '../../support/refusal.mts';

const read = (options: IDataObject) => [readDropsRepeated(options), readRememberedHours(options)];

it.each<[string, IDataObject, [boolean, number]]>([
	['left out', {}, [true, 24]],
	['a text', { deduplicate: 'false' }, [false, 24]],
	['the greatest number', { deduplicationHours: 720 }, [true, 720]],
	['a number as text', { deduplicationHours: ' 1.5 ' }, [true, 1.5]],
	['the smallest number', { deduplicationHours: '1' }, [true, 1]],
	['an empty text', { deduplicationHours: '' }, [true, 24]],
])('the options can be %s: %j are read as %j', (_, options, expected) => {
	expect(read(options)).toEqual(expected);
});

it.each<[string, unknown, string]>([
	['deduplicate', undefined, 'Drop Repeated Events is "undefined"'],
	['deduplicationHours', 0, 'Drop Repeated Events Within is "0"'],
	['deduplicationHours', 721, 'Drop Repeated Events Within is "721"'],
	['deduplicationHours', 'soon', 'Drop Repeated Events Within is "soon"'],
])('the option %s is refused when an expression gives %p', (name, value, message) => {
	expect(() => read({ [name]: value } as IDataObject)).toThrow(refusal(message));
});
