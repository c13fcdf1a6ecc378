import { visible } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/visible';

/** As a person sees it, with marks in brackets. */
function seen(text: string) {
	return visible(text).replace(/<mark>(.*?)<\/mark>/g, '[$1]');
}

describe('a value is seen', () => {
	it.each<[string, string, string]>([
		['with single spaces as they are', 'Asha Rao, 12 A', 'Asha Rao, 12 A'],
		['with several spaces counted', `a${' '.repeat(60)}b`, 'a[60 × space]b'],
		['with spaces at its ends', ' a ', '[space]a[space]'],
		['when it is nothing', '', '[empty]'],
		['with line breaks', 'a\nb\r\nc\n\nd', 'a[line break]b[line break]c[2 × line break]d'],
		['with a tab and another line', 'a\tb\u2028c', 'a[tab]b[U+2028]c'],
		['with a few different ones', 'a\u200b \u3164b', 'a[U+200B U+0020 U+3164]b'],
		['with many different ones', `a${' \u00a0'.repeat(450)}b`, 'a[900 invisible characters]b'],
		['in another direction', '\u202e0110555202+', '[U+202E]0110555202+'],
		['with half a character', 'a\ud83db', 'a[U+D83D]b'],
		['with hidden bytes after an emoji', '👍\ufe0f\u{e0101}', '👍\ufe0f[U+E0101]'],
		['with emoji as they are', '👩\u200d👩\u200d👧 👍🏽 ❤️', '👩\u200d👩\u200d👧 👍🏽 ❤️'],
		['with joined letters as they are', 'श्री\u200dमती می\u200cخواهم', 'श्री\u200dमती می\u200cخواهم'],
		['with joiners that join nothing', 'te\u200dst ک\u200d\u200dک', 'te[U+200D]st ک[2 × U+200D]ک'],
		['with the marks of a language', 'Vie\u0323\u0302t שָׁ', 'Vie\u0323\u0302t שָׁ'],
		['with a pile of marks', `a${'\u0301'.repeat(50)}b`, 'a\u0301\u0301\u0301\u0301[46 × U+0301]b'],
		[
			'with digits that look like others',
			'+1202555٥110, १२',
			'<bdi dir="ltr">+1202555</bdi>٥[= 5]<bdi dir="ltr">110</bdi>, १२[= 12]',
		],
		['with letters in another dress', '𝐭𝐨 ｔｏ ⓣⓞ', '𝐭𝐨[= to] ｔｏ[= to] ⓣⓞ[= to]'],
		['with HTML in another dress', '＜b＞', '＜[= &lt;]b＞[= &gt;]'],
		['with letters that pass for others', 'Pаypal Αsha', 'Pа[= U+0430]ypal Α[= U+0391]sha'],
		['with words of another script as they are', 'Привет, Γειά', 'Привет, Γειά'],
		['crossed out and enclosed', '1\u03360\u20dd', '1[U+0336]0[U+20DD]'],
		['with HTML as it is', `</dd>&"'`, '&lt;/dd&gt;&amp;&quot;&apos;'],
		[
			'with its numbers from left to right beside letters from right to left',
			'א202 555 0111\u202eb +1 202',
			'א<bdi dir="ltr">202 555 0111</bdi>[U+202E]b <bdi dir="ltr">+1 202</bdi>',
		],
	])('%s', (_, text, expected) => {
		expect(seen(text)).toBe(expected);
	});

	it('with a mark for each assigned code point that Unicode calls blank or invisible', () => {
		const unseen =
			/^(?![\p{Cn}\p{Co}\p{Cs} ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u3164\u115f\u1160\uffa0]$/u;
		const all = Array.from({ length: 0x11_0000 }, (_, point) => String.fromCodePoint(point));
		const signs = all.filter((sign) => unseen.test(sign));
		expect(signs.length).toBeGreaterThan(500);
		expect(signs.filter((sign) => !visible(`a${sign}b`).includes('<mark>'))).toEqual([]);
	});
});
