import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startLocalApi } from '../../playground/api/server.ts';
import type { LocalApi } from '../../playground/api/server.ts';
import { ACCOUNT, API_KEY, runNode, SEND } from '../support/runNode.ts';

let api: LocalApi;

beforeEach(async () => {
	api = await startLocalApi({ apiKeys: [ACCOUNT] });
});

afterEach(async () => await api.close());

function send(
	parameters: INodeParameters,
	items: IDataObject[] = [{ to: '+14155552671' }],
	settings = {},
) {
	return runNode({ baseUrl: api.url, parameters: { ...SEND, ...parameters }, items, settings });
}

function bodies(): unknown[] {
	return api.calls.map(({ body }) => body);
}

describe('the request', () => {
	it.each<[string, INodeParameters, object]>([
		['no variables', { variablesInput: 'none' }, {}],
		[
			'variables from pasted text',
			{
				variablesInput: 'templateText',
				templateText: 'Hi {{1}}, your order {{2}} is on its way.',
				templateTextVariables: {
					mappingMode: 'defineBelow',
					value: { variable_1: 'Asha', variable_2: '={{ "A-" + 17 }}' },
				},
			},
			{ templateVariables: { 1: 'Asha', 2: 'A-17' } },
		],
		[
			'variables from a list',
			{ variablesInput: 'list', variableList: { variables: [{ value: 'Asha' }, { value: '17' }] } },
			{ templateVariables: { 1: 'Asha', 2: '17' } },
		],
		[
			'variables from JSON',
			{ variablesInput: 'json', variablesJson: '["Asha", 17]' },
			{ templateVariables: { 1: 'Asha', 2: '17' } },
		],
	])('with %s is what the API document says', async (_, parameters, expected) => {
		const { error } = await send(parameters);
		expect(error).toBeUndefined();
		expect(bodies()).toEqual([
			{
				to: '+14155552671',
				type: 'template',
				templateName: 'order_update',
				category: 'utility',
				...expected,
			},
		]);
		expect(api.calls.flatMap(({ violations }) => violations)).toEqual([]);
	});

	it.each([
		['a text with spaces and brackets', '+44 (0)20 7946 0958', '+442079460958'],
		['a number cell of a spreadsheet', 919876543210, '+919876543210'],
	])('takes %s as recipient', async (_, to, expected) => {
		await runNode({ baseUrl: api.url, parameters: SEND, items: [{ to }] });
		expect(bodies()).toMatchObject([{ to: expected }]);
	});

	it('carries a key without the spaces around it', async () => {
		const { error } = await runNode({
			baseUrl: api.url,
			apiKey: ` ${API_KEY} `,
			parameters: SEND,
			items: [{ to: '+14155552671' }],
		});
		expect(error).toBeUndefined();
	});
});

describe('category Auto', () => {
	const HOUR_MS = 60 * 60 * 1000;

	it.each([
		['service within 24 hours', 23, 'service'],
		['the fallback category after them', 25, 'marketing'],
	])('sends as %s', async (_, hoursAgo, expected) => {
		await send({
			category: 'auto',
			customerLastMessageAt: new Date(Date.now() - hoursAgo * HOUR_MS).toISOString(),
			fallbackCategory: 'marketing',
		});
		expect(bodies()).toMatchObject([{ category: expected }]);
	});
});

describe('the output', () => {
	it('has one item per input item, paired, with the fields of the API and the preview', async () => {
		const { items } = await send(
			{
				variablesInput: 'templateText',
				templateText: 'Hi {{1}}!',
				templateTextVariables: { value: { variable_1: '={{ $json.name }}' } },
			},
			[
				{ to: '+14155552671', name: 'Asha' },
				{ to: '+14155552672', name: 'Ravi' },
			],
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{
				message_id: expect.any(String),
				to: '+14155552671',
				status: 'sent',
				template_name: 'order_update',
				category: 'utility',
				cost: { amount: 0.115, currency: 'INR', pricing_category: 'utility' },
				sent_at: expect.any(String),
				preview: 'Hi Asha!',
			},
			{ to: '+14155552672', preview: 'Hi Ravi!' },
		]);
	});

	it('is the envelope with status and rate limit on request', async () => {
		const { json } = await send({ options: { rawResponse: true } });
		expect(json).toMatchObject([
			{ success: true, data: { status: 'sent' }, httpStatus: 200, rateLimitRemaining: '59' },
		]);
	});

	it('comes with a hint that tells what was sent and what it cost', async () => {
		const { hints } = await send({}, [{ to: '+14155552671' }, { to: '+14155552672' }]);
		expect(hints).toEqual(['2 messages sent, cost INR 0.23.']);
	});
});

describe('wrong items', () => {
	const items = [{ to: '+14155552671' }, { to: 'call me' }, { to: '' }];

	it('keep everything from being sent, and the first one is named', async () => {
		const { error } = await send({}, items);
		expect(error?.message).toBe('Item 1: The recipient "call me" is not a phone number');
		expect(error?.description).toContain('2 items are wrong in all. Nothing was sent.');
		expect(api.calls).toEqual([]);
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
			expect(api.calls).toHaveLength(1);
		},
	);

	it.each<[string, INodeParameters, string]>([
		['an empty template name', { templateName: '  ' }, 'Template Name is empty'],
		[
			'a variable that is an object',
			{ variablesInput: 'json', variablesJson: '{"1": {"a": 1}}' },
			'The variable {{1}} is an object',
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
		expect(api.calls).toEqual([]);
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

describe('the spending limit', () => {
	it('keeps everything from being sent when the estimate exceeds it', async () => {
		const { error } = await send({ options: { spendingLimit: 0.2 } }, [
			{ to: '+14155552671' },
			{ to: '+14155552672' },
		]);
		expect(error?.message).toContain('about INR 0.23, more than the spending limit of INR 0.20');
		expect(error?.description).toMatch(/^Nothing was sent\. Send fewer items at once, or raise/);
		expect(api.calls).toEqual([]);
	});

	it('counts the fallback category for items whose turn comes after the service window', async () => {
		const minutesLeft = 2;
		const parameters = {
			category: 'auto',
			customerLastMessageAt: new Date(Date.now() - (24 * 60 - minutesLeft) * 60_000).toISOString(),
			fallbackCategory: 'marketing',
		};
		const items = Array.from({ length: 4 }, () => ({ to: '+14155552671' }));
		const run = async (requestsPerMinute: number) =>
			await send(
				{ ...parameters, options: { dryRun: true, spendingLimit: 0, requestsPerMinute } },
				items,
			);
		const { error } = await run(1);
		expect(error?.message).toContain('would cost about INR 1.7262, more than');
		expect((await run(0)).error).toBeUndefined();
	});

	it('is not taken for missing when an expression gives none', async () => {
		const { error } = await send({ options: { spendingLimit: '={{ $json.limit }}' } });
		expect(error?.message).toBe('Spending Limit is "undefined"');
		expect(api.calls).toEqual([]);
	});

	it('lets a run through that costs exactly as much', async () => {
		const { error } = await send({ options: { spendingLimit: 0.115 } });
		expect(error).toBeUndefined();
	});
});

it('shows in a dry run what would be sent, its text and its price, without sending', async () => {
	const { json, hints } = await send({
		variablesInput: 'templateText',
		templateText: 'Hi {{1}}!',
		templateTextVariables: { value: { variable_1: 'Asha' } },
		category: 'marketing',
		options: { dryRun: true },
	});
	expect(json).toMatchObject([
		{
			dryRun: true,
			to: '+14155552671',
			preview: 'Hi Asha!',
			estimatedCost: { amount: 0.8631, currency: 'INR' },
			request: { templateVariables: { 1: 'Asha' }, category: 'marketing' },
		},
	]);
	expect(hints).toEqual(['Dry run: nothing was sent. 1 message would cost about INR 0.8631.']);
	expect(api.calls).toEqual([]);
});

it('sends nothing when an expression gives something else than on or off for Dry Run', async () => {
	const { json } = await send({ options: { dryRun: '={{ "true" }}' } });
	expect(json).toMatchObject([{ dryRun: true }]);
	const { error } = await send({ options: { dryRun: '={{ $json.test }}' } });
	expect(error?.message).toBe('Item 0: Dry Run is "undefined"');
	expect(api.calls).toEqual([]);
});

it('with a wrong option in the first item sends the others with "continue on error"', async () => {
	const options = { defaultCountry: '={{ $json.country }}', spendingLimit: 1 };
	const items = [
		{ to: '+14155552671', country: 'Atlantis' },
		{ to: '+14155552672', country: 'US' },
	];
	const { json } = await send({ options }, items, { onError: 'continueRegularOutput' });
	expect(json).toMatchObject([{ error: { outcome: 'notSent' } }, { to: '+14155552672' }]);
});
