import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import {
	answeredPage,
	closingPage,
	HEADERS,
	questionPage,
} from '../../../../nodes/BusinessMessaging/actions/sendAndWait/page';
import { QUESTION } from '../../../support/asked.ts';

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

it('a free text has a field that must be filled in, and a button', () => {
	const freeText = { ...question, kind: 'freeText' as const, choices: [], asksReason: false };
	const html = questionPage(freeText, { preferred: 2 });
	expect(html).toMatch(/<textarea name="text"[^>]* required>/);
	expect(inside(html, 'button')).toEqual(['Send']);
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

it('who may only approve is asked for no reason', () => {
	const html = questionPage({ ...question, choices: ['OK'], asksReason: false });
	const form = '<button name="choice" value="0" class="main" dir="auto">OK</button>';
	expect(inside(html, 'form')).toEqual([`\n${form}\n`]);
});

it('the choice of the link stands in front, and the reason of a refusal before all of them', () => {
	const html = questionPage({ ...QUESTION, asksReason: true }, { preferred: 1 });
	expect(inside(html, 'h1')).toEqual(['A question for you']);
	expect(html).toContain('May we?</p>\n<form method="post">\n<label');
	const [form] = inside(html, 'form');
	expect(form.trim().split('\n')).toEqual([
		expect.stringMatching(/^<label.*Reason for “No” \(optional\)<textarea name="reason"/),
		'<button name="choice" value="1" class="main" dir="auto">No</button>',
		'<button name="choice" value="0" dir="auto">Yes</button>',
	]);
});

it('everything on a page has a look', () => {
	const html = questionPage(question) + answeredPage({ shown: 'Yes', reason: 'Too late' });
	const looks = [...html.matchAll(/class="(\w+)"/g)].map(([, look]) => `.${look} {`);
	expect(looks).not.toEqual([]);
	const [style] = inside(html, 'style');
	for (const look of looks) expect(style).toContain(look);
});

it('a double click sends one answer, which can be sent again after five seconds', () => {
	const setTimeout = jest.fn<void, [() => void, number]>();
	const addEventListener = jest.fn<void, [string, (event: object) => void]>();
	const [script] = inside(questionPage(QUESTION), 'script');
	runInNewContext(script, { document: { forms: [{ addEventListener }] }, setTimeout });
	const isSent = () => {
		const preventDefault = jest.fn();
		addEventListener.mock.calls[0][1]({ preventDefault });
		return preventDefault.mock.calls.length === 0;
	};
	expect([isSent(), isSent()]).toEqual([true, false]);
	const [[wake, ms]] = setTimeout.mock.calls;
	expect(ms).toBe(5000);
	wake();
	expect(isSent()).toBe(true);
});

it('no one keeps the page, and no other site learns its link', () => {
	expect(HEADERS).toMatchObject({
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
	const pages = [...closing, answeredPage({ shown: 'Yes' })];
	const headings = pages.flatMap((page) => inside(page, 'h1'));
	expect(new Set(headings).size).toBe(pages.length);
});
