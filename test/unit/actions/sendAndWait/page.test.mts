import type { INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';

import {
	answeredPage,
	closingPage,
	HEADERS,
	questionPage,
} from '../../../../nodes/BusinessMessaging/actions/sendAndWait/page';
import {
	pageTexts,
	pageTextsField,
} from '../../../../nodes/BusinessMessaging/actions/sendAndWait/texts';
import { QUESTION } from '../../../support/asked.mts';

const EVIL = `</p><script>alert(1)</script>"'&`;
const question = { ...QUESTION, text: EVIL, choices: ['Yes', EVIL], asksReason: true };

function inside(html: string, tag: string) {
	const found = html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'));
	return [...found].map(([, text]) => text);
}

it('nothing that a user wrote is code', () => {
	const long = { name: 'a', value: EVIL.padEnd(200, '.') };
	const pages = [
		questionPage(question, { problem: 'missing' }),
		questionPage({ ...question, text: '', choices: ['Yes', 'No'] }, { entered: { reason: EVIL } }),
		questionPage({ ...QUESTION, review: { tool: EVIL, values: [long], isWhole: true } }),
		answeredPage({ shown: EVIL }, undefined),
		answeredPage({ shown: 'No', reason: EVIL }, undefined),
	];
	for (const html of pages) {
		expect(html).not.toContain('<script>alert');
		expect(html).toContain('&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&apos;&amp;');
	}
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
	// n8n sends a weaker header with the page of an answer.
	const [inPage] = policy.replaceAll("'", '&apos;').split('; frame-ancestors');
	expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="${inPage}">`);
	expect(html).not.toMatch(/ style=| on\w+=|https?:/);
	// In a sandbox some browsers match 'self' with no address, so that the form could not be sent.
	expect(html + policy).not.toMatch(/self/);
	// No one keeps the page, and no other site learns its link.
	const others = Object.values(HEADERS).filter((header) => header !== policy);
	const type = 'text/html; charset=utf-8';
	expect(others).toEqual([type, 'no-store', 'no-referrer', 'nosniff', 'noindex']);
});

it('a double click sends one answer, and a later click another', () => {
	const preventDefault = jest.fn();
	const [addEventListener, setTimeout] = [jest.fn(), jest.fn()];
	const [script] = inside(questionPage(question), 'script');
	runInNewContext(script, { document: { forms: [{ addEventListener }] }, setTimeout });
	const [[event, submit]] = addEventListener.mock.calls;
	expect(event).toBe('submit');
	for (const prevented of [0, 1, 2]) {
		submit({ preventDefault });
		expect(preventDefault).toHaveBeenCalledTimes(prevented);
	}
	for (const [later] of setTimeout.mock.calls) later();
	submit({ preventDefault });
	expect(preventDefault).toHaveBeenCalledTimes(2);
});

const form = (html: string) => inside(html, 'form')[0].trim().split('\n');
const FREE_TEXT = { ...QUESTION, kind: 'freeText' as const, choices: [] };
const CODED = { asksCode: true as const };

it('a free text has a field that must be filled in, and a button', () => {
	const field = /^<label>Your answer<textarea name="text"[^>]* required><\/textarea><\/label>$/;
	const [first, ...others] = form(questionPage(FREE_TEXT, { preferred: 2 }));
	expect(first).toMatch(field);
	expect(others).toEqual(['<button class="main">Send</button>']);
});

it('a field that was filled in wrongly is told from the others', () => {
	const page = (problem?: 'wrongCode' | 'missing') =>
		questionPage({ ...FREE_TEXT, ...CODED }, { problem });
	/** Whether each field is described by the sentence above the form. */
	const described = (html: string) =>
		[...html.matchAll(/<(?:input|textarea) [^>]*>/g)].map(([field]) =>
			field.includes(' aria-invalid="true" aria-describedby="problem"'),
		);
	expect(page('wrongCode')).toContain('<p role="alert" id="problem">');
	const all = [page('wrongCode'), page('missing'), page()].map(described);
	expect(all).toEqual([
		[true, false],
		[false, true],
		[false, false],
	]);
});

it('the choice of the link stands in front, and the reason of a refusal before all of them', () => {
	const html = questionPage({ ...QUESTION, asksReason: true }, { preferred: 1 });
	expect(html).toContain('May we?</p>\n<form method="post">\n<label');
	expect(questionPage({ ...QUESTION, text: '' })).toContain('</h1>\n<form');
	expect(form(html)).toEqual([
		expect.stringMatching(/^<label.*Reason for “No” \(optional\)<textarea name="reason".*"><\/tex/),
		'<button name="choice" value="1" class="main" dir="auto">No</button>',
		'<button name="choice" value="0" dir="auto">Yes</button>',
	]);
});

// docs/ask-and-wait.md: the language of the page
describe('in a language of its own', () => {
	const { lang: _, ...ENGLISH } = pageTexts();
	/** Each text as its name, with places and a second line where ours has them. */
	const NAMED = Object.fromEntries(
		Object.entries(ENGLISH).map(([name, text]) => {
			const places = text.match(/\[\w+\]/g) ?? [];
			const more = text.includes('\n') ? [`\n \n<second> ${name}\nlast`] : [];
			return [name, [`<${name}>`, ...places, '[other]', ...more].join(' ')];
		}),
	);
	const values = [{ name: 'to', value: 'W'.repeat(5000) }];
	const review = { values, tool: 'A [count]', sends: ['+1'], text: 'Hi', isWhole: false };
	const texts = { ...NAMED, lang: 'ar' };
	const asks = { ...QUESTION, ...CODED, texts, asksReason: true };
	const ENDS = ['answered', 'expired', 'wrongLink', 'notStored'] as const;
	const PAGES = [
		questionPage({ ...asks, review }, { problem: 'wrongCode' }),
		questionPage({ ...FREE_TEXT, texts }, { problem: 'missing' }),
		answeredPage({ shown: 'No' }, texts),
		...ENDS.map((end) => closingPage(end, texts)),
	];

	it('has all its texts, with their places filled, and no English word', () => {
		const all = PAGES.map((html) => inside(html, 'main')[0]).join('\n');
		for (const name of Object.keys(NAMED)) expect(all).toContain(`&lt;${name}&gt;`);
		const words = all.replace(/<[^>]*>/g, ' ').match(/\b[A-Z][a-z]+\b/g);
		// The customer's message, and the labels of the buttons.
		expect(new Set(words)).toEqual(new Set(['Hi', 'May', 'No', 'Yes']));
		expect(all).toContain('<h2>&lt;toolValues&gt; “<bdi>A [count]</bdi>” 1 [other]</h2>');
		expect(all).toContain('&lt;reasonLabel&gt; No [other]');
		expect(all).toContain('4,840');
		for (const html of PAGES) expect(html).toContain('<html lang="ar" dir="rtl">');
	});

	it.each(ENDS)('%s has its first line as the heading', (end) => {
		const [content] = inside(closingPage(end, texts), 'main');
		expect(content.trim()).toBe(
			`<h1>&lt;${end}&gt; [other] </h1>\n<p>&lt;second&gt; ${end}</p><p>last</p>`,
		);
	});

	const [{ values: FIELDS }] = pageTextsField.options as INodePropertyCollection[];
	const LISTED = (FIELDS[0].options as INodePropertyOptions[]).map(({ value }) => String(value));
	it.each(LISTED.filter((lang) => lang !== 'en'))('%s has all texts, made like ours', (lang) => {
		const { lang: own, ...texts } = pageTexts({ lang });
		expect(own).toBe(lang);
		expect(Object.keys(texts).sort()).toEqual(Object.keys(ENGLISH).sort());
		for (const [name, text] of Object.entries(texts)) {
			const english = ENGLISH[name as keyof typeof ENGLISH];
			const shapeOf = (each: string) => [each.match(/\[\w+\]/g)?.sort(), each.split('\n').length];
			expect([name, ...shapeOf(text)]).toEqual([name, ...shapeOf(english)]);
			expect(text).not.toBe(english);
		}
	});

	it('is a ready one with texts of its own on top, also of a country', () => {
		const close = 'Você pode fechar esta página.';
		const texts = pageTexts({ lang: 'pt-BR', send: 'Responder' });
		expect(texts).toMatchObject({ lang: 'pt-BR', send: 'Responder', close });
	});

	it.each(['en ltr', 'he rtl', 'az-Arab rtl', 'ku ltr'])('is written %s', (written) => {
		const [lang, direction] = written.split(' ');
		const html = questionPage({ ...QUESTION, texts: { lang } });
		expect(html).toContain(`<html lang="${lang}" dir="${direction}">`);
	});
});

it('no character turns others around, in the question, its buttons or the answer that is repeated', () => {
	const REFUND = 'Refund \u202eBob 1000\u202c';
	const question = { ...QUESTION, text: REFUND, choices: [REFUND, '10 of \u206620\u2069'] };
	const answered = answeredPage({ shown: REFUND, reason: REFUND }, undefined);
	for (const html of [questionPage(question), answered]) {
		expect(html).toContain('Refund Bob 1000');
		expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
	}
	// In Arabic or Hebrew such a mark may be needed.
	const arabic = { ...QUESTION, text: 'هل تناسبك الطلبية A-17\u200f؟' };
	expect(questionPage(arabic)).toContain('A-17\u200f؟');
});

// SECURITY, The link of a question: ways to forge a review
describe('the page of a review', () => {
	const page = (changes: object) => {
		const review = { tool: 'A & B', values: [], isWhole: true, ...changes };
		return questionPage({ ...QUESTION, text: 'Run it?', review });
	};
	const TO = { name: 'to', value: '+12025550110' };
	const boxesOf = (html: string) =>
		[...html.matchAll(/<div class="box">(.*?)<\/div>/g)].map(([, box]) => box);
	/** What a person reads, in its order. */
	const wordsOf = (html: string) =>
		inside(html.replace(/<script>[^]*<\/script>/, ''), 'main')[0]
			.replace(/<\/?bdi>/g, '')
			.replace(/<[^>]*>/g, ' ')
			.replaceAll('&amp;', '&')
			.trim()
			.replace(/\s+/g, ' ');

	it('says first what will be sent, then what the model says, and the question last', () => {
		const heading = 'A question for you';
		expect(wordsOf(page({}))).toBe(`${heading} Values for the tool “A & B”: 0 Run it? Yes No`);
		const sends = [TO.value, 'order_update', 'utility: INR 0.115'];
		const sent = { sends, country: 'US', text: 'Hi <Asha>,\r\n\rsee  you', isWhole: false };
		const values = [TO, { name: 'note', value: 'x' }];
		expect(wordsOf(page({ ...sent, values }))).toBe(
			`${heading} What will be sent +12025550110 United States order_update utility: INR 0.115 What the customer will read Hi &lt;Asha&gt;, see 2 × space you What stands in double braces is computed when the tool runs. Values for the tool “A & B”: 2 to +12025550110 note x Run it? Yes No`,
		);
	});

	it('has each value in a box of its own', () => {
		const values = [{ name: '</dt><dt>to', value: '' }, TO];
		expect(boxesOf(page({ values }))).toEqual([
			'<dt>&lt;/dt&gt;&lt;dt&gt;to</dt><dd><mark>empty</mark></dd>',
			'<dt>to</dt><dd>+12025550110</dd>',
		]);
	});

	it('shortens what is long, so that nothing else is pushed away, and opens it to the whole', () => {
		const LONG = '👍'.repeat(1161);
		const shortened = new RegExp(
			`^<details><summary><mark>1,001 more characters</mark> (👍){160}…</summary>${LONG}</details>$`,
		);
		const [sent, value] = boxesOf(page({ sends: [LONG], values: [{ name: LONG, value: LONG }] }));
		expect(sent).toMatch(shortened);
		const [, name, ofValue] = /^<dt>(.*)<\/dt><dd>(.*)<\/dd>$/.exec(value)!;
		for (const each of [name, ofValue]) expect(each).toMatch(shortened);
		const short = page({ sends: ['W'.repeat(160)] });
		expect(boxesOf(short)).toEqual(['W'.repeat(160)]);
		// It stays in view.
		expect(short).toContain('<form method="post" class="near">');
	});
});
