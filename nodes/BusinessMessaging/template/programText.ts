import { InputError, quote } from '../inputError';

/** What stands in brackets where a person, or a model, was to fill in a value. [link] and [code] are our own. */
const BLANK_TO_FILL = String.raw`(?:(?:insert|enter|your|the|customer'?s?|client'?s?|user'?s?|recipient'?s?|first|last|full|company|order|tracking|appointment|product)[ _-]*)*(?:name|date|time|day|company|number|id|url|amount|price|email|phone|address)`;

/** Text that a program should have replaced by a value, and what it looks like. */
const PROGRAM_TEXTS: Array<[pattern: RegExp, likeness: string]> = [
	[/\{\{.*?\}\}/s, 'an expression of n8n, or a placeholder'],
	[/\{\{|\}\}/, 'one half of the braces of an expression'],
	[
		/\$(?:json|input|node|binary|vars|execution|workflow)\s*[.[]|\$json\b|\$\(\s*['"]/,
		'an expression of n8n',
	],
	[/\$\{[^{}]*\}/, 'an expression of JavaScript'],
	[/\*\|[A-Z0-9_:]+\|\*/i, 'a merge tag of Mailchimp'],
	// The sign of a percentage follows a digit, as in "50% OFF%".
	[/(?<![\d%])%[a-z_]{3,}\d*%/i, 'a merge tag of a newsletter tool such as ActiveCampaign'],
	[
		new RegExp(String.raw`\[\[[^[\]]+\]\]|«(?:[a-z]\w*_\w*|${BLANK_TO_FILL})»`, 'i'),
		'a mail merge field',
	],
	[
		new RegExp(String.raw`[[<{]\s*${BLANK_TO_FILL}\s*[\]>}]`, 'i'),
		'a blank that was not filled in',
	],
	// In a path such as C:\new it is no line break.
	[/(?<![A-Za-z]:\S*)\\n(?![a-z])|(?<=[\s.,;!?])\\n/, 'a line break as programs write it'],
	// In a web address it is as it should be.
	[
		/(?<!\S)(?!\S*[/=?&@])\p{L}\S*%(?:20|[C-F][0-9A-F]%[89AB][0-9A-F])\S*/iu,
		'a part of a web address',
	],
];

/** @throws InputError when a customer would read what a program should have replaced */
export function refuseProgramText(text: string, field: string): void {
	for (const [pattern, likeness] of PROGRAM_TEXTS) {
		const [found] = pattern.exec(text) ?? [];
		if (found === undefined) continue;
		throw new InputError(
			`${field} has ${quote(found.trim())} in its text, which looks like ${likeness}`,
			'The customer would read it as it is. Enter what the customer should read in its place, such as {{ $json.name }} with both pairs of braces, in a field that is set to Expression. If your data has it, correct it there.',
		);
	}
}
