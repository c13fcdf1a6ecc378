import fc from 'fast-check';

import { EVENTS } from '../../../nodes/BusinessMessaging/events/catalogue';
import { phoneOf } from '../../../nodes/BusinessMessaging/events/phone';
import { anyMobileNumber } from '../../support/mobileNumbers.ts';

const CUSTOMER = '+12025550110';
const BUSINESS = '+14155552671';

// README, React to customers: `phone`
describe('the customer', () => {
	it.each([['message.incoming'], ['flow.submitted'], ['flow.updated']])(
		'of %s is who it is from',
		(event) => {
			expect(phoneOf(event, { from: CUSTOMER, to: BUSINESS, recipient: BUSINESS })).toBe(CUSTOMER);
			expect(phoneOf(event, { to: CUSTOMER, recipient: CUSTOMER })).toBeUndefined();
		},
	);

	it.each([['message.sent'], ['message.delivered'], ['message.read'], ['message.failed']])(
		'of %s is whom it reaches',
		(event) => {
			expect(phoneOf(event, { recipient: CUSTOMER, to: BUSINESS, from: BUSINESS })).toBe(CUSTOMER);
			expect(phoneOf(event, { to: CUSTOMER, from: BUSINESS })).toBe(CUSTOMER);
			expect(phoneOf(event, { from: CUSTOMER })).toBeUndefined();
		},
	);

	it('is known for every event of the API, but not for one that nobody knows', () => {
		for (const { value } of EVENTS) {
			expect(phoneOf(value, { from: CUSTOMER, recipient: CUSTOMER })).toBe(CUSTOMER);
		}
		const data = { from: CUSTOMER, recipient: CUSTOMER, to: CUSTOMER };
		expect(phoneOf('order.paid', data)).toBeUndefined();
	});

	it('is not taken from the values of a form', () => {
		const data = { form_data: { phone: CUSTOMER, from: CUSTOMER } };
		expect(phoneOf('flow.submitted', data)).toBeUndefined();
	});
});

describe('the number', () => {
	it('has one spelling, with and without plus sign, as a text or as a number', () => {
		fc.assert(
			fc.property(anyMobileNumber, ({ number }) => {
				const digits = number.number.slice(1);
				expect(phoneOf('message.incoming', { from: number.number })).toBe(number.number);
				// Shorter ones could be the national number of another country.
				if (digits.length < 11) return;
				for (const from of [digits, Number(digits), `00${digits}`, ` ${digits} `]) {
					expect(phoneOf('message.incoming', { from })).toBe(number.number);
				}
			}),
		);
	});

	it.each<[string, unknown]>([
		['missing', undefined],
		['null', null],
		['empty', ''],
		['a short code', '55512'],
		['of digits that two countries could have', '6591234567'],
		['an ID', 'US.13491208655302741918'],
		['a name', 'Asha'],
		['masked', '+1202555****'],
		['a list', [CUSTOMER]],
		['an object', { number: CUSTOMER }],
		['two numbers', `${CUSTOMER}, ${BUSINESS}`],
	])('that is %s is left out', (_, from) => {
		expect(phoneOf('message.incoming', { from: from as string })).toBeUndefined();
	});

	it('is the next one when the first cannot be read', () => {
		expect(phoneOf('message.sent', { recipient: 'id_17', to: CUSTOMER })).toBe(CUSTOMER);
	});

	it('is E.164 or left out, and nothing makes reading it throw', () => {
		const event = fc.constantFrom(...EVENTS.map(({ value }) => value));
		const data = fc.record({
			from: fc.anything(),
			recipient: fc.oneof(fc.anything(), fc.stringMatching(/^[+ ()\d-]{0,20}$/)),
			to: fc.string({ unit: 'binary' }),
		});
		fc.assert(
			fc.property(event, data, (name, value) => {
				expect(phoneOf(name, value as never) ?? '+1234567').toMatch(/^\+[1-9]\d{6,14}$/);
			}),
			{ numRuns: 1000 },
		);
	});
});
