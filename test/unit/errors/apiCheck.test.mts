import { readErrorBody } from '../../../nodes/BusinessMessaging/errors/responseErrors';
import { TEXT_KEYS } from '../../../playground/api/check/assumptions.mts';

it.each(TEXT_KEYS)('finds the words of an error below %s, as npm run api:check assumes', (key) => {
	expect(readErrorBody({ [key]: 'No such message' }).text).toBe('No such message');
	expect(readErrorBody({ failure: { [key]: ['Not valid'] } }).text).toBe('Not valid');
});
