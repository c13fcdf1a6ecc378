import { unlessOptedOut } from '../../../../nodes/BusinessMessaging/actions/options/doNotSendTo';
import { parsePhoneNumberFromString as parse } from '../../../../nodes/BusinessMessaging/bundled/libphonenumber';
import { withParameters } from '../../../support/parameters.mts';
import { sentencesOf } from '../../../support/sentencesOf.mts';

jest.mock('../../../../nodes/BusinessMessaging/bundled/libphonenumber', () => {
	const actual = jest.requireActual<{ parsePhoneNumberFromString: typeof parse }>(
		'../../../../nodes/BusinessMessaging/bundled/libphonenumber',
	);
	return { ...actual, parsePhoneNumberFromString: jest.fn(actual.parsePhoneNumberFromString) };
});

const INDIAN = '+919876543210';
const PATH = 'options.doNotSendTo';

/** Whether the Indian number is in the list, and the list's size. */
function look(value: unknown, defaultCountry = '', context = withParameters({ [PATH]: value })) {
	const reading = { context, itemIndex: 0, to: INDIAN, defaultCountry, now: 0 };
	const { isOptedOut, listSize } = unlessOptedOut.option!.read(value, reading);
	return [isOptedOut, listSize];
}

// docs/sending.md: in any notation; the hint above the output counts them
it.each<[unknown, boolean, number, string?]>([
	[['+91 (98765) 43-210', '+91 98765 43210', 919876543210], true, 1],
	[919876543210, true, 1],
	['+4915112345678\r\n\n\r  +91-98765-43210\n', true, 2],
	// Mexico's retired 1.
	[['+525512345678', '+5215512345678', INDIAN], true, 2],
	[[], false, 0],
	[['+919876543211'], false, 1],
	// Read as +49919876543210 and as +919876543210.
	[['919876543210', 919876543210], true, 1, 'DE'],
])('that %j has the number is %p, of %d', (value, isInList, size, country = '') => {
	expect(look(value, country)).toEqual([isInList, size]);
});

it.each<[unknown, string]>([
	[' \n ', 'Do Not Send To is empty. Open Options and enter one number a line, or let'],
	[{ phone: INDIAN }, 'Do Not Send To is an object'],
	[true, 'Do Not Send To is "true"'],
	[[INDIAN, ' '], 'Entry 2 of Do Not Send To is empty. Leave blank entries out of the list'],
	[new Array(1), 'Entry 1 of Do Not Send To is empty'],
	[[INDIAN, [INDIAN]], 'Entry 2 of Do Not Send To is not a phone number but a list'],
	[`${INDIAN}\n\n12`, 'Line 3 of Do Not Send To "12" has no country code'],
])('%j is refused', (value, sentences) => {
	expect(sentencesOf(() => look(value))).toContain(sentences);
});

// docs/scaling.md: a long list
it('texts are read once, with each default country, and stored numbers without the library', () => {
	const list = ['98765 43211', '+91 98765 43211'];
	expect(look(list, 'IN')).toEqual([false, 1]);
	jest.mocked(parse).mockClear();
	expect(look([...list, '+919876543212', '+4520123456'], 'IN')).toEqual([false, 3]);
	expect(parse).not.toHaveBeenCalled();
	expect(look(list, 'US')).toEqual([false, 2]);
});

// docs/sending.md: computed once
it.each([INDIAN, 'n/a'])('of a run the list of %s is read once, also if it is wrong', (value) => {
	const context = withParameters({ [PATH]: [value] });
	const computed = jest.spyOn(context, 'getNodeParameter');
	const read = () => sentencesOf(() => look(value, 'IN', context));
	const first = read();
	computed.mockClear();
	expect(read()).toBe(first);
	expect(computed).not.toHaveBeenCalled();
});
