import type { INodeProperties } from 'n8n-workflow';
import { phoneOf, readingsOf } from '../../template/phoneNumber';
import { skipped, type Step } from '../sendTemplate/sending';
import { numbersIn } from './numberList';

const doNotSendToField = {
	displayName: 'Do Not Send To',
	name: 'doNotSendTo',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: "e.g. {{ $('Opt-outs').all().map((row) => row.json.phone) }}",
	description:
		'Numbers that get no message, however they are spelled. Enter one a line, an expression that gives a list, or drag a column of another node here, which means all of its rows. Their items leave as skipped. Runs that go to the Test Recipient ignore the list.',
} as const satisfies INodeProperties;

/** Do Not Send To: the numbers of a list get nothing. */
export const unlessOptedOut: Step = {
	option: {
		field: doNotSendToField,
		readsItself: true,
		read: (_, reading) => {
			const list = { path: PATH, called: 'Do Not Send To', takesColumn: true, phonesOf };
			const { phones, size } = numbersIn(list, reading);
			return { isOptedOut: phones.has(phoneOf(reading.to)), listSize: size };
		},
	},
	policy: ({ isOptedOut, message: { to } }) => {
		if (!isOptedOut) return undefined;
		const skip = () => async () => await Promise.resolve(skipped('optedOut', { to }));
		return { send: skip, show: skip };
	},
};

const PATH = `options.${doNotSendToField.name}`;

/** By default country and text. To read 100,000 numbers takes seconds, and each round of a loop has them again. */
const knownPhones = new Map<string, string[]>();
const MAX_KNOWN_PHONES = 200_000;

function phonesOf(entry: unknown, country: string, name: string): string[] {
	const key = typeof entry === 'string' ? `${country}\n${entry}` : '';
	const known = knownPhones.get(key);
	if (known) return known;
	const phones = readingsOf(entry, country, name, 'Enter each number by itself.').map(phoneOf);
	if (knownPhones.size === MAX_KNOWN_PHONES) knownPhones.clear();
	if (key) knownPhones.set(key, phones);
	return phones;
}
