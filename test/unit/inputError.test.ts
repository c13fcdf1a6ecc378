import { readCustomerLastMessageAt } from '../../nodes/BusinessMessaging/actions/sendTemplate/readParameters';
import { joinSentences, quote } from '../../nodes/BusinessMessaging/inputError';
import { readRecipient } from '../../nodes/BusinessMessaging/template/phoneNumber';
import { readPlaceholders } from '../../nodes/BusinessMessaging/template/placeholders';
import {
	checkCount,
	variablesFromFields,
	variablesFromJson,
	variablesFromList,
} from '../../nodes/BusinessMessaging/template/variables';

const MANY = readPlaceholders(Array.from({ length: 21 }, (_, index) => `{{${index + 1}}}`).join());

const CYCLIC: Record<string, unknown> = {};
CYCLIC.itself = CYCLIC;

it('what is missing or blank is no sentence', () => {
	expect(joinSentences('One', undefined, '', false, ' \n', 'Two.')).toBe('One. Two.');
});

describe('an input error', () => {
	it.each<[unknown, string]>([
		['Asha', '"Asha"'],
		['two\n lines', '"two lines"'],
		[' Asha\n', '"Asha"'],
		['', '""'],
		[17, '"17"'],
		[CYCLIC, '"[object Object]"'],
		[null, '"null"'],
		[undefined, '"undefined"'],
		[{ name: 'Asha' }, '"{"name":"Asha"}"'],
		['x'.repeat(40), `"${'x'.repeat(40)}"`],
		['x'.repeat(41), `"${'x'.repeat(40)}…"`],
		[`${'x'.repeat(39)}🎉!`, `"${'x'.repeat(39)}…"`],
		[`${'x'.repeat(38)}🎉!`, `"${'x'.repeat(38)}🎉…"`],
	])('quotes %p as %s', (value, quoted) => {
		expect(quote(value)).toBe(quoted);
	});

	it.each<[string, () => unknown]>([
		['no recipient', () => readRecipient('')],
		['a word as recipient', () => readRecipient('call me')],
		['an object as recipient', () => readRecipient({})],
		['a recipient that lost digits', () => readRecipient(1e21)],
		['a recipient in scientific notation', () => readRecipient('9.19E+11')],
		['an extension', () => readRecipient('+14155552671 ext 5')],
		['two recipients', () => readRecipient('+14155552671, +14155552672')],
		['a recipient that is too short', () => readRecipient('123')],
		['a country code that nobody has', () => readRecipient('+9991234567')],
		['a recipient without a country code', () => readRecipient('9876543210')],
		['a recipient of another country', () => readRecipient('98765', 'IN')],
		['a recipient that can be read in two ways', () => readRecipient('62812345678', 'ID')],
		['a default country that does not exist', () => readRecipient('9876543210', 'XX')],
		['a broken placeholder', () => readPlaceholders('Hi {{1}')],
		['a placeholder with a name', () => readPlaceholders('Hi {{name}}')],
		['a placeholder that is left out', () => readPlaceholders('Hi {{2}}')],
		['an expression in a fixed field', () => variablesFromList(['{{ $json.name }}'])],
		['too many placeholders', () => variablesFromFields(MANY, () => 'a')],
		['a list that is too short', () => checkCount(MANY, {}, 'The list has 1 value')],
		['no rows of variables', () => variablesFromList([])],
		['an object in a text', () => variablesFromList(['Hi [object Object]'])],
		['half a character', () => variablesFromList(['\ud83c'])],
		['an empty variable', () => variablesFromList([{ value: '' }])],
		['a variable that lost digits', () => variablesFromList([{ value: 1e20 }])],
		['an object as a variable', () => variablesFromList([{ value: {} }])],
		['no JSON', () => variablesFromJson('')],
		['broken JSON', () => variablesFromJson('{')],
		['JSON that is a number', () => variablesFromJson('17')],
		['a word as key of the JSON', () => variablesFromJson('{"name": "a"}')],
		['a position that the JSON leaves out', () => variablesFromJson('{"2": "a"}')],
		['no message of the customer', () => readCustomerLastMessageAt('', 'UTC', 0)],
		['a word as date', () => readCustomerLastMessageAt('yesterday', 'UTC', 0)],
		['a date in the future', () => readCustomerLastMessageAt('2026-01-31', 'UTC', 0)],
	])('tells what to do about %s', (_, read) => {
		expect(read).toThrow(
			expect.objectContaining({
				name: 'InputError',
				message: expect.stringMatching(/^[A-Z].*[^.]$/),
				remedy: expect.stringMatching(/^[A-Z].*\.$/),
			}),
		);
	});
});
