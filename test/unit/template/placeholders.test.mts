import {
	doubtAbout,
	readPlaceholders,
} from '../../../nodes/BusinessMessaging/template/placeholders';
import { refusal } from '../../support/refusal.mts';

describe('what may be meant as a placeholder', () => {
	it.each<[string, string | undefined]>([
		['Hi {1}, your order', '{1}'],
		['Hi [12], your order {2}', '[12]'],
		['Hi {#var#}', '{#var#}'],
		['Hi %s,', '%s'],
		['{{{1}}}', undefined],
		['{a} {1a} {} [] [0] {0} {1000} (1) 1 [link 1] {1, 2}', undefined],
		['100 %sure, 5 % sold', undefined],
	])('in %j is %j', (text, expected) => {
		const [, found] = /^The template text has (.*), which/.exec(doubtAbout(text, 'a') ?? '') ?? [];
		expect(found).toBe(expected);
		// A run reads such a text like any other.
		expect(() => readPlaceholders(text)).not.toThrow();
	});

	it('is told with the placeholder that is meant', () => {
		expect(doubtAbout('Hi [12]', 'a')).toMatch(/: write \{\{12\}\} if it is meant as one$/);
		expect(doubtAbout('Hi %s', 'a')).toMatch(/: write \{\{1\}\}, \{\{2\}\} and so on if/);
	});

	it('is found in a long text without delay', () => {
		for (const part of ['{', '{#', '[ ', '{1', '[1 ', '%']) {
			expect(doubtAbout(part.repeat(100_000), 'a')).toBeUndefined();
		}
	});

	it('is no text but the name of the template', () => {
		const told = expect.stringContaining('The template text is the name of the template: paste');
		expect(doubtAbout(' Order_Update\n', ' order_update')).toEqual(told);
		expect(doubtAbout('Order update', 'order_update')).toBeUndefined();
		expect(doubtAbout('', '')).toBeUndefined();
	});
});

describe('placeholders of a pasted text', () => {
	it.each<[string, string[]]>([
		[
			'Hi {{1}}, your order {{2}} will arrive on {{3}}. Thank you, {{1}}!',
			['Hi {{1}}, your', 'your order {{2}} will arrive', 'arrive on {{3}}. Thank'],
		],
		['Bestätigungsnummer: {{1}}, {{2}}!', ['Bestätigungsnummer: {{1}},', ', {{2}}!']],
		['\n{{ 1 }} ', ['{{1}}']],
		['{{2}} and {{1}}', ['and {{1}}', '{{2}} and']],
		['{{{1}}}', ['{{{1}}}']],
		['{{ 1}} and {{ 2}} }} }}', ['{{1}} and', 'and {{2}} }} }}']],
	])('of %j are, with the words around their first place, %j', (text, labels) => {
		expect(readPlaceholders(text)).toEqual(
			labels.map((label, index) => ({ position: index + 1, label })),
		);
	});

	it.each([
		['{{1}} and {{3}}', 'has {{3}} but no {{2}}'],
		['Hi {{name}}', 'has the placeholder {{name}}, but placeholders are written as {{1}}'],
		['Hi {{  1 }}', 'has the placeholder {{  1 }}'],
		['Hi {{01}}', 'has the placeholder {{01}}'],
		['Hi {{1000}}', 'has the placeholder {{1000}}'],
		['Hi {{1}, order {{2}}', 'has {{ without its counterpart'],
		['Hi {12}}', 'has }} without its counterpart'],
	])('in %j are refused: the text %s', (text, problem) => {
		expect(() => readPlaceholders(text)).toThrow(refusal(`The template text ${problem}`));
	});
});
