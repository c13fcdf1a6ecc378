import type { INodeParameters } from 'n8n-workflow';

import { localAccount } from '../support/localAccount.ts';
import { API_KEY, runNode, SEND } from '../support/runNode.ts';

const { api, send } = localAccount();

const FROM_TEXT = {
	variablesInput: 'templateText',
	templateText: 'Hi {{1}}, your order {{2}} is here.',
	variable1: 'Asha',
};

// README, Send to a spreadsheet: all rows are checked before the first message
describe('wrong items', () => {
	const items = [{ to: '+14155552671' }, { to: 'call me' }, { to: '' }];

	// README, Send to a spreadsheet: the error lists the wrong rows; items are numbered from 0
	it.each([{}, { options: { dryRun: true } }])(
		'keep everything from being sent, and are all named (%j)',
		async (parameters) => {
			const { error } = await send(parameters, items);
			expect(error?.message).toBe(
				'2 of 3 items are wrong, the first is item 1: The recipient "call me" is not a phone number',
			);
			expect(error?.description).toMatch(
				/^Item 1: The recipient "call me" is not a phone number\. Use .* Item 2: The recipient is empty\. .* Nothing was sent\.$/,
			);
			expect(api().calls).toEqual([]);
		},
	);

	it.each<[INodeParameters, string]>([
		[{ to: '={{ $json. }}' }, 'To'],
		[{ options: { concurrency: 2, timeout: '={{ 1 + }}' } }, 'Options → Timeout (Seconds)'],
		[{ options: { concurrency: '={{ 1 + }}' } }, 'Options → Requests in Parallel'],
		[
			{ variablesInput: 'list', variableList: { variables: [{ value: '={{ 1 + }}' }] } },
			'Variables',
		],
	])('with an expression that n8n cannot compute name its field: %j', async (parameters, field) => {
		const { error } = await send(parameters);
		expect(error?.message).toContain(
			`The expression in ${field} can't be computed: invalid syntax`,
		);
		expect(error?.description).toMatch(/^Check the expression in this field\./);
		expect(api().calls).toEqual([]);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'become error items with %s, and the rest is sent',
		async (onError) => {
			const { items: regular, failed } = await send({}, items, { onError });
			const wrong = onError === 'continueErrorOutput' ? failed : regular.slice(1);
			expect(wrong).toMatchObject([
				{
					json: { error: { message: expect.stringContaining('call me'), outcome: 'notSent' } },
					pairedItem: { item: 1 },
				},
				{ json: { error: { message: 'The recipient is empty' } }, pairedItem: { item: 2 } },
			]);
			expect(regular[0].json).toMatchObject({ to: '+14155552671' });
			expect(api().calls).toHaveLength(1);
		},
	);

	it.each<[string, INodeParameters, string]>([
		['an empty template name', { templateName: '  ' }, 'Template Name is empty'],
		[
			'a variable that is an object',
			{ variablesInput: 'json', variablesJson: '{"1": {"a": 1}}' },
			'The variable {{1}} is an object',
		],
		...['$json.missing', 'null', '""'].map((value): [string, INodeParameters, string] => [
			`a field that gives ${value}`,
			{ ...FROM_TEXT, variable2: `={{ ${value} }}` },
			'The variable {{2}} ("your order {{2}} is here.") is empty',
		]),
		[
			'an expression in a fixed field',
			{ ...FROM_TEXT, variable2: '{{ $json.order }}' },
			'The variable {{2}} ("your order {{2}} is here.") has "{{ $json.order }}" in its text',
		],
		[
			'a text with an object in it',
			{ variablesInput: 'json', variablesJson: '={{ ["Hi " + $json] }}' },
			'The variable {{1}} has [object Object] in its text',
		],
		[
			'a text that ends within an emoji',
			{ variablesInput: 'json', variablesJson: '={{ ["Hi \\ud83c\\udf89".slice(0, -1)] }}' },
			'The variable {{1}} has half a character in it',
		],
		[
			'Auto without a time',
			{ category: 'auto', customerLastMessageAt: '={{ $json.no }}' },
			"Customer's Last Message At is empty",
		],
		['a wrong option', { options: { timeout: -1 } }, 'Timeout is "-1"'],
		['a wrong default country', { options: { defaultCountry: 'Atlantis' } }, 'default country'],
	])('are found before any request: %s', async (_, parameters, message) => {
		const { error } = await send(parameters);
		expect(error?.message).toContain(message);
		expect(error?.description).toBeTruthy();
		expect(api().calls).toEqual([]);
	});
});

describe('an unusable credential', () => {
	it.each([
		['http to a public host', 'http://api.example.com', API_KEY, 'starts with http://'],
		['a query', 'https://api.example.com/?a=1', API_KEY, 'contains a query'],
		['a password', 'https://user:secret@api.example.com', API_KEY, 'user name or password'],
		['a key with a line break', 'https://api.example.com', 'a\nb', 'contains a line break'],
	])(
		'(%s) keeps everything from being sent in every error mode',
		async (_, baseUrl, apiKey, message) => {
			const run = { baseUrl, apiKey, parameters: SEND, items: [{ to: '+14155552671' }] };
			const stopped = await runNode(run);
			expect(stopped.error?.message).toContain(message);
			const kept = await runNode({ ...run, settings: { onError: 'continueErrorOutput' } });
			expect(kept.items).toEqual([]);
			expect(kept.failed).toMatchObject([{ json: { error: { outcome: 'notSent' } } }]);
		},
	);
});
