import { createHash } from 'crypto';
import { linesOf } from '../../values';
import type { Question } from './question';
import type { Review, ReviewedValue } from './review';
import { directionOf, type PageTexts, pageTexts } from './texts';
import { asHtml, visible } from './visible';

/** In characters, of an answer or a reason. */
export const MAX_TEXT_LENGTH = 4000;

export type PageProblem = 'missing' | 'wrongCode';

interface Visit {
	/** The choice of the link, whose button comes first. */
	preferred?: number;
	/** Why the answer that the visitor sent does not count. */
	problem?: PageProblem;
	/** What the visitor wrote in it. */
	entered?: { text?: string; reason?: string };
}

/** The question with a button for each answer. It tells visitors nothing else about the workflow. */
export function questionPage(
	question: Question,
	{ preferred, problem, entered = {} }: Visit = {},
): string {
	const { text, choices, kind } = question;
	const texts = pageTexts(question.texts);
	const all = [...choices.keys()];
	const order = [
		...all.filter((each) => each === preferred),
		...all.filter((each) => each !== preferred),
	];
	const buttons = order.map((choice, index) => button(choices[choice], choice, index === 0));
	return pageOf(
		texts,
		texts.heading,
		[
			...(question.review ? reviewed(question.review, texts) : []),
			text ? `<p class="question" dir="auto">${escaped(text)}</p>` : '',
			problem ? `<p role="alert" id="problem">${escaped(texts[problem])}</p>` : '',
			`<form method="post"${question.review ? ' class="near"' : ''}>`,
			...(question.asksCode ? [NO_BUTTON, codeField(texts, problem)] : []),
			kind === 'freeText' ? writtenAnswer(texts, problem, entered.text) : '',
			question.asksReason ? reasonField(texts, choices[1], entered.reason) : '',
			...buttons,
			'</form>',
			`<script>${SCRIPT}</script>`,
		]
			.filter(Boolean)
			.join('\n'),
	);
}

/** What Send Template sends, what the customer will read, and the model's values, each in a box of its own. */
function reviewed(review: Review, texts: PageTexts): string[] {
	const { tool, sends, country, text, values, isWhole } = review;
	const count = values.length.toLocaleString(texts.lang);
	const place = country && new Intl.DisplayNames(texts.lang, { type: 'region' }).of(country);
	const lines = sends?.map((line, index) => {
		const seen = shortened(line, texts);
		return index === 0 && place ? `${seen} <bdi>${escaped(place)}</bdi>` : seen;
	});
	const read = text && linesOf(text).map((line) => line && visible(line));
	return [
		...(lines ? [`<h2>${escaped(texts.willSend)}</h2>`, linesBox(lines)] : []),
		...(read ? [`<h2>${escaped(texts.customerReads)}</h2>`, linesBox(read)] : []),
		isWhole ? '' : `<p class="note">${escaped(texts.computedLater)}</p>`,
		`<h2>${filled(texts.toolValues, { tool: `“<bdi>${visible(tool)}</bdi>”`, count })}</h2>`,
		`<dl>${values.map((value) => valueBox(value, texts)).join('')}</dl>`,
	];
}

/** @param lines HTML */
function linesBox(lines: string[]): string {
	return `<div class="box">${lines.join('<br>')}</div>`;
}

function valueBox({ name, value }: ReviewedValue, texts: PageTexts): string {
	return `<div class="box"><dt>${shortened(name, texts)}</dt><dd>${shortened(value, texts)}</dd></div>`;
}

/** In characters: up to ten lines on a phone. With many marks it is more, which the style cuts off. */
const SHOWN_OF_VALUE = 160;

/** A long text as its length and its beginning, which opens to the whole. It must not push other values off the screen. */
function shortened(text: string, texts: PageTexts): string {
	const signs = [...text];
	if (signs.length <= SHOWN_OF_VALUE) return visible(text);
	const count = (signs.length - SHOWN_OF_VALUE).toLocaleString(texts.lang);
	const more = filled(texts.more, { count });
	const beginning = visible(signs.slice(0, SHOWN_OF_VALUE).join(''));
	return `<details><summary><mark>${more}</mark> ${beginning}…</summary>${visible(text)}</details>`;
}

/** Enter in a field presses the first button. This one does nothing, so nobody approves by entering the code. */
const NO_BUTTON = '<button disabled hidden></button>';

function codeField({ codeLabel }: PageTexts, problem?: PageProblem): string {
	return `<label>${escaped(codeLabel)}<input name="code" dir="ltr" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="40" required${faultIf(problem === 'wrongCode')}></label>`;
}

/** Says of a field that the sentence above the form is about it. */
function faultIf(isWrong: boolean): string {
	return isWrong ? ' aria-invalid="true" aria-describedby="problem"' : '';
}

function button(label: string, choice: number, isMain: boolean): string {
	const look = isMain ? ' class="main"' : '';
	return `<button name="choice" value="${choice}"${look} dir="auto">${escaped(label)}</button>`;
}

function writtenAnswer(texts: PageTexts, problem?: PageProblem, text = ''): string {
	return `<label>${escaped(texts.answerLabel)}<textarea name="text" dir="auto" maxlength="${MAX_TEXT_LENGTH}" required${faultIf(problem === 'missing')}>${escaped(text)}</textarea></label>
<button class="main">${escaped(texts.send)}</button>`;
}

function reasonField({ reasonLabel }: PageTexts, button: string, reason = ''): string {
	const label = filled(reasonLabel, { button: escaped(button) });
	return `<label class="soft">${label}<textarea name="reason" dir="auto" maxlength="${MAX_TEXT_LENGTH}">${escaped(reason)}</textarea></label>`;
}

/** Thanks, and repeats the answer and its reason. */
export function answeredPage(
	{ shown, reason }: { shown: string; reason?: string },
	own: Question['texts'],
): string {
	const texts = pageTexts(own);
	const [heading, sentences] = headed(texts.thanks);
	return pageOf(
		texts,
		heading,
		[
			sentences,
			`<p class="question" dir="auto"><strong>${escaped(shown)}</strong></p>`,
			...(reason ? [`<p class="question" dir="auto">${escaped(reason)}</p>`] : []),
			`<p class="soft">${escaped(texts.close)}</p>`,
		].join(''),
	);
}

/** The page of a link that shows no question, or of an answer that does not count. */
export function closingPage(
	end: 'answered' | 'expired' | 'wrongLink' | 'notStored',
	own: Question['texts'],
): string {
	const texts = pageTexts(own);
	return pageOf(texts, ...headed(texts[end]));
}

/** The first line as the heading, and the others as HTML. */
function headed(text: string): [heading: string, content: string] {
	const [heading, ...lines] = text.split('\n').filter((line) => line.trim());
	return [heading, lines.map((line) => `<p>${escaped(line)}</p>`).join('')];
}

/** @param values HTML, for `[name]` in the text */
function filled(text: string, values: Record<string, string>): string {
	const valueOf = (place: string, name: string) =>
		Object.hasOwn(values, name) ? values[name] : place;
	return escaped(text).replace(/\[(\w+)\]/g, valueOf);
}

/** @param content HTML */
function pageOf({ lang }: PageTexts, title: string, content: string): string {
	// The policy is in the page as well, because n8n sets a weaker header for the page that it sends itself.
	return `<!doctype html>
<html lang="${lang}" dir="${directionOf(lang)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${content}
</main>
</body>
</html>
`;
}

/** These change the order of other characters: "Refund Bob 1000" can read "Refund Bob 0001". */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

function escaped(text: string): string {
	return asHtml(text.replace(TURNING, ''));
}

/** For phones first. All pairs of colors have a contrast of at least 4.5 (WCAG AA). */
const STYLE = `
:root { color-scheme: light dark; --page: #f3f5f7; --card: #fff; --text: #1b2530; --soft: #55606b; --line: #6f7a85; --main: #0b6b4b; --on-main: #fff; --warn: #a3290e; }
@media (prefers-color-scheme: dark) { :root { --page: #10161b; --card: #1a232b; --text: #eef2f5; --soft: #aab6c1; --line: #8b97a3; --main: #5fd0a5; --on-main: #06241a; --warn: #ffb199; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; padding: 1rem; background: var(--page); color: var(--text); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 8vh auto 0; padding: 1.5rem; border-radius: 1rem; background: var(--card); }
h1 { margin: 0 0 1rem; font-size: 1.25rem; line-height: 1.3; }
p { margin: 0 0 1rem; }
h1, h2, p, dt, dd, summary, label, button, mark, .box { unicode-bidi: plaintext; }
[role=alert] { padding: .5rem .75rem; border: 2px solid var(--warn); border-inline-start-width: .5rem; border-radius: .5rem; color: var(--warn); font-weight: 600; overflow-wrap: anywhere; }
h2 { margin: 1rem 0 .5rem; font-size: 1rem; line-height: 1.3; overflow-wrap: anywhere; }
dl { margin: 0; }
dt { font-weight: 600; }
dd { margin: 0; }
.box { margin: 0 0 .5rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; overflow-wrap: anywhere; }
summary { max-height: 18rem; overflow: hidden; }
mark { margin: 0 .125rem; padding: 0 .25rem; border-radius: .25rem; background: var(--text); color: var(--card); font-size: .875em; }
.note { margin-bottom: .5rem; color: var(--soft); font-size: .9375rem; }
.question { white-space: pre-wrap; overflow-wrap: anywhere; }
.near { position: sticky; bottom: 0; padding-bottom: .5rem; background: var(--card); }
.near textarea { min-height: 2.75rem; }
.near label { margin: 0; }
.soft { margin: 1rem 0 0; color: var(--soft); font-size: .9375rem; }
label { display: block; margin-bottom: 1rem; }
input, textarea { display: block; width: 100%; margin-top: .375rem; padding: .625rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: inherit; font: inherit; }
textarea { min-height: 4.5rem; }
[aria-invalid] { border: 2px solid var(--warn); }
button { display: block; width: 100%; min-height: 3rem; margin-top: .75rem; padding: .5rem 1rem; border: 2px solid var(--main); border-radius: .5rem; background: var(--card); color: var(--main); font: inherit; font-weight: 600; overflow-wrap: anywhere; cursor: pointer; }
button.main { background: var(--main); color: var(--on-main); }
[hidden] { display: none; }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
`;

/** Keeps a double click from sending two answers. The page works without it. */
const SCRIPT = `
let sent = false;
document.forms[0].addEventListener('submit', (event) => {
	if (sent) event.preventDefault();
	sent = true;
	setTimeout(() => { sent = false; }, 5000);
});
`;

/** It has no form-action because in a sandbox some versions of Safari match 'self' with no address at all. */
const POLICY = [
	"default-src 'none'",
	`style-src ${sourceHashOf(STYLE)}`,
	`script-src ${sourceHashOf(SCRIPT)}`,
	"base-uri 'none'",
].join('; ');

function sourceHashOf(text: string): string {
	return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Nobody may store the page or pass on its link, which is a secret. */
export const HEADERS = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'; sandbox allow-forms allow-scripts`,
	'Cache-Control': 'no-store',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
	'X-Robots-Tag': 'noindex',
};
