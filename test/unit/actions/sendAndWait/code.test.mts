import { codeOf, isCode } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/code';
import { signing } from '../../../support/asked.mts';
import { sentencesOf } from '../../../support/sentencesOf.mts';

const codes = (count: number) =>
	Array.from({ length: count }, (_, index) => codeOf(signing(`execution ${index}`), 1));

it('each question has a code of its own, which another process finds again', () => {
	const code = codeOf(signing('7'), 1);
	// Also of another version of this package.
	expect(code).toBe('N7HE9-ACD4V');
	expect(codeOf(signing('7', 'http://worker:5678'), 1)).toBe(code);
	const others = [codeOf(signing('7'), 2), codeOf(signing('8'), 1), ...codes(100)];
	expect(new Set([code, ...others]).size).toBe(103);
});

it('nobody can compute the code from the link, or guess its 50 bits: each of 32 signs', () => {
	const link = signing().getSignedResumeUrl({ round: '1' });
	expect(codeOf(signing(), 1)).not.toBe(codeOf({ getSignedResumeUrl: () => link }, 1));
	expect(new Set(codes(100).join('').replaceAll('-', '')).size).toBe(32);
});

it('an n8n that does not sign the link gives no code', () => {
	const unsigned = { getSignedResumeUrl: () => 'https://n8n/?round=1' };
	expect(sentencesOf(() => codeOf(unsigned, 1))).toMatch(/ without a signature,.* Update n8n\.$/);
});

it.each<[unknown, boolean]>([
	['7K01Q-9XDHT', true],
	[' 7K-olQ\n9X DHT. ', true],
	['7KOIQ-9XDHT', true],
	['\u200e\u20687K01Q-9XDHT\u2069', true],
	['７Ｋ０１Ｑ－９ｘｄｈｔ', true],
	['7K01Q-9XDHTé', false],
	['7K01Q-9XDH', false],
	['7K01Q-9XDHU', false],
	[undefined, false],
	[['7K01Q-9XDHT'], false],
])('what somebody enters as %j is the code: %j', (entered, expected) => {
	expect(isCode(entered, '7K01Q-9XDHT')).toBe(expected);
});
