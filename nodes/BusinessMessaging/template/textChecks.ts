import { InputError, quote } from '../inputError';
import { isExpression } from '../values';

/** Where a text comes from: as it was entered, and what each expression of it gives. */
export interface Source {
	entered: unknown;
	/** @param expression with its braces */
	compute: (expression: string) => unknown;
}

/**
 * @param field what the text is, at the beginning of a sentence
 * @param entered the text with its expressions: a leftover may have been typed as well
 * @throws InputError when a customer or the API could not read the text as it is meant
 */
export function checkText(text: string, field: string, entered?: unknown): void {
	for (const { pattern, problem, remedy } of PROBLEMS) {
		if (pattern.test(text)) throw new InputError(`${field} has ${problem}`, remedy);
	}
	const leftover = leftoverIn(text, entered);
	if (leftover) throw new InputError(`${field} has "${leftover}" in it`, remedyFor(leftover));
}

/**
 * What `checkText` can't tell: it needs the expressions themselves.
 * @returns whether some expressions of the text gave nothing, beside others that gave something
 * @throws InputError when a person would read what expressions made of missing data
 */
export function checkExpressions(text: string, field: string, source: Source): boolean {
	refuseNumber(source.entered, field);
	checkResults(text, field, source);
	const { missing, areAll } = emptyExpressions(text, source);
	if (!areAll) return missing.length > 0;
	throw new InputError(
		`${field} is only ${quote(text)}, because its expressions give nothing`,
		'Correct the expression, or use a fallback, for example {{ $json.name || "customer" }}. If the words may stand alone, write them inside the expression.',
	);
}

/** Older editors make an expression of a pasted text, and "Hi {{1}}" then reads "Hi 1". @throws InputError */
function refuseNumber(entered: unknown, field: string): void {
	const number = expressionsIn(entered).find((each) => /^\{\{\s*[\d.]+\s*\}\}/.test(each));
	if (number === undefined) return;
	throw new InputError(
		`${field} has the expression ${number}, which is only a number`,
		`Enter what the customer should read in place of ${number}. If it is this number, enter it without braces.`,
	);
}

/** @throws InputError when a text has an expression that n8n did not compute, because its field is set to Fixed */
export function checkComputed(text: string, field: string, entered: unknown): void {
	// Only what was entered: computed text may come from a stranger, and the search in it could be slow.
	const expression = isExpression(entered) ? undefined : /\{\{.*?\}\}/s.exec(text)?.[0];
	if (expression === undefined) return;
	throw new InputError(
		`${field} has ${quote(expression)} in its text`,
		'Switch its field from Fixed to Expression, so that n8n computes it.',
	);
}

/** @throws InputError when rounding may have made two numbers equal */
export function checkDigits(value: unknown, field: string): void {
	if (!Number.isInteger(value) || Number.isSafeInteger(value)) return;
	throw new InputError(
		`${field} is a number with more digits than n8n keeps`,
		'Give it as text, in JSON with quotes around it: "12345678901234567890".',
	);
}

/** @throws InputError when an expression of the text gives a number that n8n has rounded */
export function checkResults(text: string, field: string, { entered, compute }: Source): void {
	// Only a text with such a number has its expressions computed once more.
	if (!/\d{16}|\de\+\d/.test(text)) return;
	for (const expression of expressionsIn(entered)) {
		const result = computed(expression, compute);
		checkDigits(result, `${field} has the expression ${quote(expression)}, which`);
	}
}

/** @returns NaN if it has braces of its own and was cut at them: n8n can compute the whole */
function computed(expression: string, compute: Source['compute']): unknown {
	try {
		return compute(expression);
	} catch {
		return NaN;
	}
}

/** Braille's blank, besides those that Unicode calls ignorable. */
const WITHOUT_INK = String.raw`\p{Default_Ignorable_Code_Point}\u2800`;
const BLANKS = String.raw`[${WITHOUT_INK}\s\p{Cc}]+`;
const INVISIBLE = String.raw`[${WITHOUT_INK}]|(?!\s)\p{Cc}`;

/** What can be seen of a text: it has neither white space nor invisible characters. */
export function withoutBlanks(text: string): string {
	return text.replace(new RegExp(BLANKS, 'gu'), '');
}

/** The text with its white space. */
export function withoutInvisible(text: string): string {
	return text.replace(new RegExp(INVISIBLE, 'gu'), '');
}

const PROBLEMS = [
	{
		// What JavaScript makes of an object inside a text, as in "Hi {{ $json.customer }}".
		pattern: /\[object [a-z]+\]/i,
		problem: '[object Object] in its text',
		remedy:
			'That is how an object reads. Map one field of it, for example {{ $json.customer.name }}.',
	},
	{
		pattern: /\)\s*\{\s*(?:\[native code\]|return\b)/,
		problem: 'the code of a function in its text',
		remedy:
			'An expression gives a function. Add () to its end, for example {{ $json.name.toUpperCase() }}.',
	},
	{
		pattern: /\ufffd/,
		problem: 'the character U+FFFD in it',
		remedy:
			'It stands for a character that could not be read. Choose the encoding of the file where the workflow reads it.',
	},
	{
		// A lone half would arrive as U+FFFD.
		pattern: /\p{Surrogate}/u,
		problem: 'half a character in it, as when an emoji is cut in two',
		remedy:
			'Shorten texts by whole characters, for example {{ [...$json.text].slice(0, 20).join("") }}.',
	},
	{
		pattern: new RegExp(`^${BLANKS}$`, 'u'),
		problem: 'invisible characters only',
		remedy: 'Enter a text that can be read. For data that may be like this use a fallback.',
	},
];

/** What spreadsheets give in place of data. Each error is named, because #SALE! may be a hashtag. */
const CELL_ERROR =
	'#(?:N/A|NAME\\?|(?:REF|VALUE|DIV/0|NUM|NULL|ERROR|SPILL|CALC)!)|(?<=^|[-_:/])#{3,}(?=$|[-_:/])';
/** What JavaScript writes into a text for missing data, also inside it, as in "Hi null", and what spreadsheets do. */
const LEFTOVER = new RegExp(
	`(?<!\\p{L})(?:undefined|NaN|null|Invalid Date(?:Time)?)(?!\\p{L})|${CELL_ERROR}`,
	'gu',
);

/**
 * What an expression left in a text in place of data.
 * @returns undefined when there is none, or somebody typed it
 */
export function leftoverIn(text: string, entered: unknown): string | undefined {
	if (expressionsIn(entered).length === 0) return undefined;
	const leftoversOf = (words: string) =>
		[...words.trim().matchAll(LEFTOVER)].map(([leftover]) => leftover);
	const typed = typedIn(entered).flatMap(leftoversOf);
	return leftoversOf(text).find((leftover) => !typed.includes(leftover));
}

function remedyFor(leftover: string): string {
	if (leftover.includes('##')) {
		return 'That is how a spreadsheet shows a column that is too narrow. Widen it there, and export or copy the rows again.';
	}
	if (leftover.startsWith('#')) {
		return 'That is an error of the spreadsheet. Correct the formula there, or leave the row out.';
	}
	return leftover.startsWith('Invalid')
		? 'That is what an expression gives for a date that it can\'t read. Say how the date is written, for example {{ DateTime.fromFormat($json.date, "dd.MM.yyyy") }}.'
		: 'That is what an expression gives for data that is not there. Correct the expression, or use a fallback, for example {{ $json.name || "customer" }}.';
}

/** n8n also computes the last expression of a text if its braces are not closed. */
const EXPRESSIONS = /\{\{.*?(?:\}\}|$)/gs;

/** @param entered a text with expressions. @returns the words around them */
function typedIn(entered: unknown): string[] {
	return String(entered).slice(1).split(EXPRESSIONS);
}

/** The expressions of an entered text, each in its braces. */
export function expressionsIn(entered: unknown): string[] {
	return isExpression(entered) ? (entered.match(EXPRESSIONS) ?? []) : [];
}

/**
 * The expressions of a text that give nothing, such as {{ $json.name }} in "Hi {{ $json.name }}" for a row without a
 * name. They are computed one by one only if there are several.
 * @returns `areAll`: the text has nothing but the fixed words around its expressions
 */
export function emptyExpressions(
	text: string,
	{ entered, compute }: Source,
): { missing: string[]; areAll: boolean } {
	const expressions = expressionsIn(entered);
	if (expressions.length === 0) return { missing: [], areAll: false };
	const areAll = withoutBlanks(text) === withoutBlanks(typedIn(entered).join(''));
	if (areAll) return { missing: expressions, areAll };
	if (expressions.length === 1) return { missing: [], areAll };
	const missing = expressions.filter(
		(expression) => withoutBlanks(String(computed(expression, compute) ?? '')) === '',
	);
	return { missing, areAll };
}

/** A line break, a tab, or more than four spaces: networks refuse a value that has one of them. */
const REFUSED = /[\t-\r\u0085\u2028\u2029]|.{5}/;

/** The value as networks accept it: one space in place of white space that they refuse, and none at either end. */
export function normalizeWhitespace(value: string): string {
	return value.replace(/[\s\u0085]+/g, (run: string, start: number) => {
		if (!REFUSED.test(run)) return run;
		return start === 0 || start + run.length === value.length ? '' : ' ';
	});
}

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
			`${field} has ${quote(found)} in its text, which looks like ${likeness}`,
			'The customer would read it as it is. Enter what the customer should read in its place, such as {{ $json.name }} with both pairs of braces, in a field that is set to Expression. If your data has it, correct it there.',
		);
	}
}
