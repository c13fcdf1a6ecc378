import {
	doubtAbout,
	readPlaceholders,
} from '../../../nodes/BusinessMessaging/template/placeholders';
import { refusal } from '../../support/refusal.mts';

describe('what may be meant as a placeholder', () => {
	it.each<[string, string | undefined]>([
		['Hi {1}, your order', '{1}'],
		['Hi [12], your order {2}', '[12]'],
		['Hi [ 1 ]', '[ 1 ]'],
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
		expect(doubtAbout('Hi [12], your order', 'a')).toMatch(
			/: write \{\{12\}\} if it is meant as one$/,
		);
		expect(doubtAbout('Hi %s, your order', 'a')).toMatch(
			/: write \{\{1\}\}, \{\{2\}\} and so on if/,
		);
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
	it('come by position, each once, with the words around their first place', () => {
		const text = 'Hi {{1}}, your order {{2}} will arrive on {{3}}. Thank you, {{1}}!';
		expect(readPlaceholders(text)).toEqual([
			{ position: 1, label: 'Hi {{1}}, your' },
			{ position: 2, label: 'your order {{2}} will arrive' },
			{ position: 3, label: 'arrive on {{3}}. Thank' },
		]);
	});

	it.each([
		['{{ 1 }}', '{{1}}'],
		['Hi there:{{1}}thank you', 'Hi there:{{1}}thank you'],
		['Your order {{1}} is here', 'Your order {{1}} is here'],
		['Bestätigungsnummer: {{1}}, {{2}}!', 'Bestätigungsnummer: {{1}},', ', {{2}}!'],
		['\n{{1}} ', '{{1}}'],
	])('of %j have the label %j', (text, ...labels) => {
		expect(readPlaceholders(text).map(({ label }) => label)).toEqual(labels);
	});

	it.each([
		['later positions first', '{{2}} and {{1}}', [1, 2]],
		['none', 'Your parcel is here.', []],
		['single braces around one', '{{{1}}}', [1]],
		['what the editor closed by itself', 'Hi {{ 1}}, your order {{ 2}} is here. }} }}', [1, 2]],
	])('are found in a text with %s', (_, text, positions) => {
		expect(readPlaceholders(text).map(({ position }) => position)).toEqual(positions);
	});

	it.each([
		['a position left out', '{{1}} and {{3}}', 'has {{3}} but no {{2}}'],
		[
			'a name',
			'Hi {{name}}',
			'has the placeholder {{name}}, but placeholders are written as {{1}}',
		],
		[
			'a no-break space',
			'Hi {{\u00a01 }}',
			'has the placeholder {{\u00a01 }}, but placeholders are written as',
		],
		['two spaces', 'Hi {{  1 }}', 'has the placeholder {{  1 }}, but placeholders are written as'],
		['a leading zero', 'Hi {{01}}', 'has the placeholder {{01}}'],
		['a number of four digits', 'Hi {{1000}}', 'has the placeholder {{1000}}'],
		['empty braces', 'Hi {{}}', 'has the placeholder {{}}'],
		['a brace missing at the end', 'Hi {{1}, order {{2}}', 'has {{ without its counterpart'],
		['a brace missing at the start', 'Hi { 1}}', 'has }} without its counterpart'],
		['braces within braces', 'Hi {{ {1} }}', 'has {{ without its counterpart'],
	])('with %s are refused', (_, text, message) => {
		expect(() => readPlaceholders(text)).toThrow(refusal(`The template text ${message}`));
	});
});
