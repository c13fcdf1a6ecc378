import { unlessOptedOut } from '../../../../nodes/BusinessMessaging/actions/options/doNotSendTo';
import { numbersIn } from '../../../../nodes/BusinessMessaging/actions/options/numberList';
import { parsePhoneNumberFromString as parse } from '../../../../nodes/BusinessMessaging/bundled/libphonenumber';
import { withParameters } from '../../../support/parameters.mts';
import { refusal } from '../../../support/refusal.mts';

jest.mock('../../../../nodes/BusinessMessaging/bundled/libphonenumber', () => {
	const actual = jest.requireActual<{ parsePhoneNumberFromString: typeof parse }>(
		'../../../../nodes/BusinessMessaging/bundled/libphonenumber',
	);
	return { ...actual, parsePhoneNumberFromString: jest.fn(actual.parsePhoneNumberFromString) };
});

const INDIAN = '+919876543210';
const PATH = 'options.doNotSendTo';

function runWith(doNotSendTo: unknown) {
	return withParameters({ [PATH]: doNotSendTo });
}

/** Whether the Indian number is in the list, and the list's size. */
function look(value: unknown, defaultCountry = '', context = runWith(value)) {
	const limits = { timeoutMs: 30_000, requestsPerMinute: 60 };
	const reading = { context, itemIndex: 0, to: INDIAN, defaultCountry, now: 0, limits };
	const { isOptedOut, listSize } = unlessOptedOut.option!.read(value, reading);
	return [isOptedOut, listSize];
}

// docs/sending.md: in any notation; the hint above the output counts them
it.each<[unknown, number, string?]>([
	[[INDIAN, '+4915112343210'], 2],
	[['+4915112345678', '0091 98765 43210'], 2],
	[['+91 (98765) 43-210', '+91 98765 43210', 919876543210], 1],
	[['98765 43210'], 1, 'IN'],
	[919876543210, 1],
	['+4915112345678\r\n\n\r  +91-98765-43210\n', 2],
	// Mexico's retired 1.
	[['+525512345678', '+5215512345678', INDIAN], 2],
])('%j has the number, of %d', (value, size, country = '') => {
	expect(look(value, country)).toEqual([true, size]);
});

it.each<[unknown, number, string?]>([
	[[], 0],
	[['+919876543211'], 1],
	// Read as +9112015550123 and as +12015550123.
	[['12015550123'], 1, 'IN'],
])('%j does not have it, of %d', (value, size, country = '') => {
	expect(look(value, country)).toEqual([false, size]);
});

const ONE_EACH = /^Enter each number by itself\.$/;

it.each<[unknown, string, RegExp?]>([
	[null, 'Do Not Send To is empty', /enter one number a line, or let an expression give a list/],
	[' \n ', 'Do Not Send To is empty'],
	[{ phone: INDIAN }, 'Do Not Send To is an object'],
	[true, 'Do Not Send To is "true"'],
	[[INDIAN, ' '], 'Entry 2 of Do Not Send To is empty', /\.filter\(\(phone\) => phone\)/],
	[new Array(1), 'Entry 1 of Do Not Send To is empty'],
	[[{ phone: INDIAN }], 'Entry 1 of Do Not Send To is not a phone number but an object'],
	[[INDIAN, 'n/a'], 'Entry 2 of Do Not Send To "n/a" is not a phone number'],
	[`${INDIAN}\n\n12`, 'Line 3 of Do Not Send To "12" has no country code'],
	[`${INDIAN}, +4915112345678`, expect.stringContaining('more than one') as never, ONE_EACH],
])('%j is refused', (value, message, remedy = /./) => {
	const read = () => look(value);
	expect(read).toThrow(expect.objectContaining({ message }));
	expect(read).toThrow(refusal('', remedy));
});

it('texts are read once, with each default country', () => {
	const list = ['98765 43211', '+91 98765 43211'];
	const run = runWith(list);
	expect(look(list, 'IN', run)).toEqual([false, 1]);
	jest.mocked(parse).mockClear();
	expect(look(list, 'IN')).toEqual([false, 1]);
	expect(parse).not.toHaveBeenCalled();
	// Of another item of the same run.
	expect(look(list, 'US', run)).toEqual([false, 2]);
});

// docs/sending.md: computed once
it.each([[[INDIAN]], [['n/a']]])(
	'of a run the list %j is read once, also if it is wrong',
	(value) => {
		const phonesOf = jest.fn((entry: unknown) => {
			if (entry === 'n/a') throw new Error('wrong');
			return [String(entry)];
		});
		const context = runWith(value);
		for (let item = 0; item < 3; item++) {
			const read = () =>
				numbersIn(
					{ path: PATH, called: '', takesColumn: false, phonesOf },
					{ context, defaultCountry: '' },
				);
			if (value[0] === 'n/a') expect(read).toThrow('wrong');
			else expect(read()).toEqual({ phones: new Set([INDIAN]), size: 1 });
		}
		expect(phonesOf).toHaveBeenCalledTimes(1);
	},
);
