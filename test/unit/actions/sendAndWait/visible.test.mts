import {
	visible,
	visibleName,
	type Piece,
} from '../../../../nodes/BusinessMessaging/actions/sendAndWait/visible';

/** As one text, with marks in brackets. */
function seen(pieces: Piece[]) {
	return pieces.map(({ kind, text }) => (kind === 'mark' ? `[${text}]` : text)).join('');
}

describe('a value is seen', () => {
	it.each<[string, string, string]>([
		['with single spaces as they are', 'Asha Rao, 12 A', 'Asha Rao, 12 A'],
		['with two spaces counted', 'a  b', 'a[2 spaces]b'],
		['with spaces at its ends', ' a ', '[space]a[space]'],
		['when it is nothing', '', '[empty]'],
		['when it is a space', ' ', '[space]'],
		[
			'with line breaks',
			'a\nb\r\nc\n\nd\r\re',
			'a[line break]b[line break]c[2 line breaks]d[2 × U+000D]e',
		],
		['with a tab', 'a\tb\t\tc', 'a[tab]b[2 tabs]c'],
		['with a separator of lines', 'a\u2028b', 'a[U+2028]b'],
		['with blank letters', `a${'\u2800'.repeat(900)}b`, 'a[900 × U+2800]b'],
		['with a few different ones', 'a\u200b \u3164b', 'a[U+200B U+0020 U+3164]b'],
		['with many different ones', `a${' \u00a0'.repeat(450)}b`, 'a[900 invisible characters]b'],
		['in another direction', 'a\u202eb\u2067c', 'a[U+202E]b[U+2067]c'],
		['with hidden letters', 'a\u{e0074}\u{e006f}b', 'a[U+E0074 U+E006F]b'],
		['with half a character', 'a\ud83db', 'a[U+D83D]b'],
		['with hidden bytes after an emoji', '👍\ufe0f\u{e0101}', '👍\ufe0f[U+E0101]'],
		['with emoji as they are', '👩\u200d👩\u200d👧 👍🏽 ❤️', '👩\u200d👩\u200d👧 👍🏽 ❤️'],
		['with joined letters as they are', 'श्री\u200dमती می\u200cخواهم', 'श्री\u200dमती می\u200cخواهم'],
		[
			'with joined letters of the south',
			'ශ්\u200dරී നന്\u200dമ ర్\u200cక',
			'ශ්\u200dරී നന്\u200dമ ర్\u200cక',
		],
		['with joiners that join nothing', 'te\u200dst ک\u200d\u200dک', 'te[U+200D]st ک[2 × U+200D]ک'],
		['with the marks of a language', 'Vie\u0323\u0302t שָׁ', 'Vie\u0323\u0302t שָׁ'],
		['with a pile of marks', `a${'\u0301'.repeat(50)}b`, 'a\u0301\u0301\u0301\u0301[46 × U+0301]b'],
		['with digits that look like others', '+1202555٥110, १२', '+1202555٥[= 5]110, १२[= 12]'],
		['with letters in another dress', '𝐭𝐨 ｔｏ ⓣⓞ', '𝐭𝐨[= to] ｔｏ[= to] ⓣⓞ[= to]'],
		['with letters that pass for others', 'Pаypal Αsha', 'Pа[= U+0430]ypal Α[= U+0391]sha'],
		['with words of another script as they are', 'Привет, Γειά', 'Привет, Γειά'],
		['crossed out', '1\u03360\u0336', '1[U+0336]0[U+0336]'],
		['enclosed', '1\u20dd', '1[U+20DD]'],
		['with brackets as they are', '[empty] <b>', '[empty] <b>'],
	])('%s', (_, text, expected) => {
		expect(seen(visible(text))).toBe(expected);
	});

	it('with a mark for each assigned code point that Unicode calls blank or invisible', () => {
		const unseen =
			/^(?![\p{Cn}\p{Co}\p{Cs} ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u3164\u115f\u1160\uffa0]$/u;
		const all = Array.from({ length: 0x11_0000 }, (_, point) => String.fromCodePoint(point));
		const signs = all.filter((sign) => unseen.test(sign));
		const isPlain = (sign: string) => visible(`a${sign}b`).every(({ kind }) => kind === 'plain');
		expect(signs.length).toBeGreaterThan(500);
		expect(signs.filter(isPlain)).toEqual([]);
	});
});

it.each([
	['to', 'to'],
	['tо', 't[U+043E]'],
	['ｔｏ', '[U+FF54 U+FF4F]'],
	['to: +12025550111', 'to: +12025550111'],
	['', '[empty]'],
])('a name is seen with letters that only look like others: %s', (name, expected) => {
	expect(seen(visibleName(name))).toBe(expected);
});
