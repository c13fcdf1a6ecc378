import { lineForLog, quoteForLog } from '../../nodes/BusinessMessaging/values';

// SECURITY, The trigger: what the log quotes is short and harmless
it('what the log quotes is one short line in quotes', () => {
	expect(quoteForLog(`a\n"b"${'x'.repeat(101)}`)).toBe(`"a\\n\\"b\\"${'x'.repeat(95)}"`);
});

it.each([
	['नमस्ते, message.read 🎉', 'नमस्ते, message.read 🎉'],
	['two\r\nlines', 'two\\u{d}\\u{a}lines'],
	['\u001b[31mred\u009b0m', '\\u{1b}[31mred\\u{9b}0m'],
	['half \ud800', 'half \\u{d800}'],
	['x'.repeat(301), 'x'.repeat(300)],
])('the log has %j as one harmless line', (text, expected) => {
	expect(lineForLog(text)).toBe(expected);
});
