import { joinSentences, quote } from '../../nodes/BusinessMessaging/inputError';

const CYCLIC: Record<string, unknown> = {};
CYCLIC.itself = CYCLIC;

it('what is missing or blank is no sentence', () => {
	expect(joinSentences('One', undefined, '', false, ' \n', 'Two.')).toBe('One. Two.');
});

it.each<[unknown, string]>([
	[' two\n lines\n', '"two lines"'],
	[CYCLIC, '"[object Object]"'],
	[{ name: 'Asha' }, '"{"name":"Asha"}"'],
	['x'.repeat(40), `"${'x'.repeat(40)}"`],
	['x'.repeat(41), `"${'x'.repeat(40)}…"`],
	[`${'x'.repeat(39)}🎉!`, `"${'x'.repeat(39)}…"`],
	[`${'x'.repeat(38)}🎉!`, `"${'x'.repeat(38)}🎉…"`],
])('an error quotes %p as %s', (value, quoted) => {
	expect(quote(value)).toBe(quoted);
});
