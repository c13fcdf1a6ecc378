import { InputError, quote } from '../inputError';

/** What stands in brackets where a person, or a model, was to fill in a value. [link] and [code] are our own. */
const BLANK_TO_FILL = String.raw`(?:(?:insert|enter|your|the|customer'?s?|client'?s?|user'?s?|recipient'?s?|first|last|full|company|order|tracking|appointment|product)[ _-]*)*(?:name|date|time|day|company|number|id|url|amount|price|email|phone|address)`;

/** Text that a program should have replaced by a value, and who writes it so. */
const PROGRAM_TEXTS: Array<[pattern: RegExp, writer: string]> = [
	[/\$(?:json|input|node|binary|vars|execution|workflow)\s*[.[]|\$json\b|\$\(\s*['"]/, 'n8n'],
	[/\$\{[^{}]*\}/, 'JavaScript'],
	[/<%.*?%>/s, 'templates such as EJS'],
	[/\{%.*?%\}/s, 'templates such as Liquid'],
	[/\*\|[A-Z0-9_:]+\|\*/i, 'Mailchimp'],
	// The sign of a percentage follows a digit, as in "50% OFF%".
	[/(?<![\d%])%[a-z_]{3,}\d*%/i, 'newsletter tools such as ActiveCampaign'],
	[/\[\[[^[\]]+\]\]|«[a-z]\w*»/i, 'mail merge'],
	[new RegExp(String.raw`[[<{]\s*${BLANK_TO_FILL}\s*[\]>}]`, 'i'), 'AI models and templates'],
	[/^\s*(?:first|last|full|customer|your)[ _-]?name\s*$/i, 'the head of a column'],
	// In a path such as C:\new it is no line break.
	[/(?<![A-Za-z]:\S*)\\n(?![a-z])|(?<=[\s.,;!?])\\n/, 'programs for a line break'],
	// In a web address it is as it should be.
	[/(?<!\S)(?!\S*[/=?&@])\p{L}\S*%(?:20|[C-F][0-9A-F]%[89AB][0-9A-F])\S*/iu, 'web addresses'],
	[/\{\{|\}\}/, 'expressions, of which it is a half'],
];

/** @throws InputError when a customer would read what a program should have replaced */
export function refuseProgramText(text: string, field: string): void {
	for (const [pattern, writer] of PROGRAM_TEXTS) {
		const [found] = pattern.exec(text) ?? [];
		if (found === undefined) continue;
		throw new InputError(
			`${field} has ${quote(found.trim())} in its text, which is how ${writer} write it`,
			'The customer would read it as it is. Put the value in its place, such as {{ $json.name }} with both pairs of braces, in a field that is set to Expression. If your data has it, correct it there.',
		);
	}
}
