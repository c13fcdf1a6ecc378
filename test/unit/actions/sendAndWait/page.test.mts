import { createHash } from 'node:crypto';
import {
	answeredPage,
	closingPage,
	HEADERS,
	questionPage,
} from '../../../../nodes/BusinessMessaging/actions/sendAndWait/page';
import { QUESTION } from '../../../support/asked.mts';

const EVIL = `</p><script>alert(1)</script>"'&`;
const question = { ...QUESTION, text: EVIL, choices: [EVIL, 'No'], asksReason: true };

function inside(html: string, tag: string) {
	return [...html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'))].map(
		([, text]) => text,
	);
}

it.each([
	['the question', questionPage(question, { problem: 'missing' })],
	['what was entered', questionPage(question, { entered: { reason: EVIL } })],
	['the thanks', answeredPage({ shown: EVIL })],
	['the thanks for a reason', answeredPage({ shown: 'No', reason: EVIL })],
])('nothing that a user wrote is code in %s', (_, html) => {
	expect(html).not.toContain('<script>alert');
	expect(html).toContain('&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
});

it('the field for a reason is empty, and the button that the link names is the first', () => {
	const asksReason = { ...question, choices: ['Yes', 'No'] };
	const [reason, ...buttons] = form(questionPage(asksReason, { preferred: 1 }));
	expect(reason).toMatch(/^<label [^>]*>Reason for “No”.*"><\/textarea><\/label>$/);
	expect(buttons.map((button) => />(\w+)</.exec(button)?.[1])).toEqual(['No', 'Yes']);
});

it('the policy allows the one style and the one script of the page, and nothing else', () => {
	const html = questionPage(question);
	const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
	const policy = HEADERS['Content-Security-Policy'];
	expect(inside(html, 'style').map(hash)).toEqual([/style-src (\S+);/.exec(policy)?.[1]]);
	expect(inside(html, 'script').map(hash)).toEqual([/script-src (\S+);/.exec(policy)?.[1]]);
	expect(policy).toMatch(
		/^default-src 'none'; .*; base-uri 'none'; frame-ancestors 'none'; sandbox /,
	);
	expect(html).not.toMatch(/ style=| on\w+=|https?:/);
	// In a sandbox some browsers match 'self' with no address, so that the form could not be sent.
	expect(html + policy).not.toMatch(/self/);
});

const form = (html: string) => inside(html, 'form')[0].trim().split('\n');

it('a free text has a field that must be filled in, and a button', () => {
	const freeText = { ...QUESTION, kind: 'freeText' as const, choices: [] };
	expect(form(questionPage(freeText, { preferred: 2 }))).toEqual([
		expect.stringMatching(
			/^<label>Your answer<textarea name="text"[^>]* required><\/textarea><\/label>$/,
		),
		'<button class="main">Send</button>',
	]);
});

it('a code is asked for only where there is one, and Enter in its field presses no button', () => {
	const [plain] = inside(questionPage(QUESTION), 'form');
	expect(plain).not.toContain('input');
	const [form] = inside(questionPage({ ...QUESTION, asksCode: true }), 'form');
	expect(form.trim().split('\n').slice(0, 2)).toEqual([
		'<button disabled hidden></button>',
		expect.stringMatching(/^<label>Code in the message<input name="code"[^>]* required><\/label>$/),
	]);
	const [style] = inside(questionPage(QUESTION), 'style');
	expect(style).toContain('[hidden] { display: none; }');
});

it('the choice of the link stands in front, and the reason of a refusal before all of them', () => {
	const html = questionPage({ ...QUESTION, asksReason: true }, { preferred: 1 });
	expect(html).toContain('May we?</p>\n<form method="post">\n<label');
	expect(form(html)).toEqual([
		expect.stringMatching(/^<label.*Reason for “No” \(optional\)<textarea name="reason"/),
		'<button name="choice" value="1" class="main" dir="auto">No</button>',
		'<button name="choice" value="0" dir="auto">Yes</button>',
	]);
});

it('no one keeps the page, and no other site learns its link', () => {
	const { 'Content-Security-Policy': _, ...others } = HEADERS;
	expect(others).toEqual({
		'Content-Type': 'text/html; charset=utf-8',
		'Cache-Control': 'no-store',
		'Referrer-Policy': 'no-referrer',
		'X-Content-Type-Options': 'nosniff',
		'X-Robots-Tag': 'noindex',
	});
});

it('the thanks repeat the reason that was written, and nothing where there was none', () => {
	expect(inside(answeredPage({ shown: 'No', reason: 'Too late\nfor us' }), 'p')).toEqual([
		'Your answer has been sent:',
		'<strong>No</strong>',
		'Too late\nfor us',
		'You can close this page.',
	]);
	expect(inside(answeredPage({ shown: 'No' }), 'p')).toHaveLength(3);
});

it('each end has a heading of its own, and says in sentences what to do', () => {
	const closing = (['answered', 'expired', 'notStored', 'wrongLink'] as const).map(closingPage);
	for (const page of closing)
		expect(inside(page, 'p')).toEqual([expect.stringMatching(/^[A-Z].+\.$/)]);
	const pages = [...closing, answeredPage({ shown: 'Yes' }), questionPage(QUESTION)];
	const headings = pages.flatMap((page) => inside(page, 'h1'));
	expect(new Set(headings).size).toBe(pages.length);
	expect(headings).not.toContain('');
});
