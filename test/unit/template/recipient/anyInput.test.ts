import fc from 'fast-check';

import { InputError } from '../../../../nodes/BusinessMessaging/errors/inputError';
import { readRecipient } from '../../../../nodes/BusinessMessaging/template/recipient';
import { anyMobileNumber } from '../../../support/mobileNumbers.ts';

describe('whatever the input', () => {
	const anything = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.stringMatching(/^[+\d\s().,;x/=-]{0,40}$/),
		fc.anything({ withBigInt: true, withDate: true }),
		fc.double(),
	);

	it('the result is an E.164 number of 7 to 15 digits, or the error says what to do', () => {
		fc.assert(
			fc.property(anything, fc.constantFrom('', 'IN', 'DE', 'US'), (value, country) => {
				try {
					expect(readRecipient(value, country)).toMatch(/^\+[1-9]\d{6,14}$/);
				} catch (error) {
					if (!(error instanceof InputError)) throw error;
					expect(error.message).toMatch(/^The recipient /);
					expect(error.message.length).toBeLessThan(200);
					expect(error.remedy).toMatch(/\.$/);
				}
			}),
			{ numRuns: 1000 },
		);
	});

	it('a number that was read is read as itself', () => {
		fc.assert(
			fc.property(anyMobileNumber, ({ number }) => {
				const read = readRecipient(number.number);
				expect(readRecipient(read)).toBe(read);
			}),
		);
	});
});
