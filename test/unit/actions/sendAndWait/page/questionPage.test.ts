import { createHash } from 'node:crypto';
import {
	ALREADY_ANSWERED,
	answeredPage,
	EXPIRED,
	NOT_STORED,
	WRONG_LINK,
} from '../../../../../nodes/BusinessMessaging/actions/sendAndWait/page/closingPages';
import { HEADERS } from '../../../../../nodes/BusinessMessaging/actions/sendAndWait/page/layout';
import { questionPage } from '../../../../../nodes/BusinessMessaging/actions/sendAndWait/page/questionPage';
import { QUESTION } from '../../../../support/asked.ts';

const EVIL = `</p><script>alert(1)</script>"'&`;
const question = { ...QUESTION, text: EVIL, choices: [EVIL, 'No'], asksReason: true };

function inside(html: string, tag: string) {
	return [...html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'))].map(
		([, text]) => text,
	);
}

it.each([
	['the question', questionPage(question, { isMissing: true })],
	['the thanks', answeredPage(EVIL)],
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
	expect(policy).toMatch(/^default-src 'none'; /);
	expect(html).not.toMatch(/ style=| on\w+=|https?:/);
});

it('the policy lets a form be sent also where a browser takes nothing in a sandbox for "self"', () => {
	expect(questionPage(question) + HEADERS['Content-Security-Policy']).not.toMatch(/self/);
});

it('a free text has a field that must be filled in, and a button', () => {
	const html = questionPage({ ...question, kind: 'freeText', choices: [], asksReason: false });
	expect(html).toMatch(/<textarea name="text"[^>]* required>/);
	expect(inside(html, 'button')).toEqual(['Send']);
});

it('who may only approve is asked for no reason', () => {
	const html = questionPage({ ...question, choices: ['OK'], asksReason: false });
	expect(inside(html, 'button')).toEqual(['OK']);
	expect(html).not.toContain('<textarea');
});

it('a choice that is not there is in front of nothing', () => {
	const html = questionPage({ ...question, choices: ['A', 'B'] }, { preferred: Number.NaN });
	expect(inside(html, 'button')).toEqual(['A', 'B']);
});

it('each end has a heading of its own', () => {
	const pages = [ALREADY_ANSWERED, EXPIRED, NOT_STORED, WRONG_LINK, answeredPage('Yes')];
	const headings = pages.flatMap((page) => inside(page, 'h1'));
	expect(new Set(headings).size).toBe(pages.length);
});
