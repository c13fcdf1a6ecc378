import type { INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import type { SendRequest } from '../../nodes/BusinessMessaging/api';
import { ASKED } from '../support/asked.ts';
import { visit } from '../support/askedWebhook.ts';
import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.ts';
import { localAccount } from '../support/localAccount.ts';
import { SEND, runNode, type NodeRun } from '../support/runNode.ts';

const { api, bodies, look, send } = localAccount();

// README, Operations: variables from fields, a list or JSON
describe('the request', () => {
	it.each<[string, INodeParameters, object]>([
		['no variables', { variablesInput: 'none' }, {}],
		[
			'variables from pasted text',
			{
				variablesInput: 'templateText',
				templateText: 'Hi {{1}}, your order {{2}} is on its way.',
				variable1: 'Asha',
				variable2: '={{ "A-" + 17 }}',
			},
			{ templateVariables: { 1: 'Asha', 2: 'A-17' } },
		],
		[
			'variables from a list',
			{ variablesInput: 'list', variableList: { variables: [{ value: 'Asha' }] } },
			{ templateVariables: { 1: 'Asha' } },
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
		expect(api().calls.flatMap(({ violations }) => violations)).toEqual([]);
	});

	it.each(['/api', '/api/v1', '/api/v2/'])(
		'gets there with a Base URL that ends with %s',
		async (path) => {
			const to = '+14155552671';
			const { error } = await runNode({
				baseUrl: api().url + path,
				parameters: SEND,
				items: [{ to }],
			});
			expect(error).toBeUndefined();
			expect(bodies()).toMatchObject([{ to }]);
		},
	);
});

// README, Operations: the category by the service window
describe('category Auto', () => {
	const HOUR_MS = 60 * 60 * 1000;

	it.each([
		['service within 24 hours', 23, 'service'],
		['the fallback category after them', 25, 'marketing'],
	])('sends as %s', async (_, hoursAgo, expected) => {
		await api().customerWrites('+14155552671', 'Hello');
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
		const text = { variablesInput: 'templateText', templateText: 'Hi {{1}}!' };
		const { items } = await send({ ...text, variable1: '={{ $json.name }}' }, [
			{ to: '+14155552671', name: 'Asha' },
			{ to: '+14155552672', name: 'Ravi' },
		]);
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

	// README, Send to a spreadsheet: error.messageId
	it('has the ID of a message that failed at once, which is not counted as sent', async () => {
		const server = await startFaultServer((number) =>
			number === 0 ? MISBEHAVIORS.sentAndFailed : MISBEHAVIORS.neverAnswers,
		);
		const { json, hints } = await runNode({
			baseUrl: server.url,
			parameters: { ...SEND, options: { timeout: 1, concurrency: 1 } },
			items: [{ to: '+14155552671' }, { to: '+14155552672' }],
			settings: { onError: 'continueRegularOutput' },
		});
		await server.close();
		expect(json).toMatchObject([
			{ error: { outcome: 'rejected', messageId: 'm1' } },
			{ error: { outcome: 'unknown' } },
		]);
		expect(hints).toEqual([
			'1 may have been sent: 1 × The API did not answer in time. 1 failed: 1 × The message could not be delivered.',
		]);
	});
});

// README, Top: spending limit
describe('the spending limit', () => {
	it('keeps everything from being sent when the estimate exceeds it', async () => {
		const items = [{ to: '+14155552671' }, { to: '+14155552672' }];
		const { error } = await send({ options: { spendingLimit: 0.2 } }, items);
		expect(error?.message).toContain('about INR 0.23, more than the spending limit of INR 0.20');
		expect(error?.description).toMatch(/^Nothing was sent\. Send fewer items at once, or raise/);
		expect(api().calls).toEqual([]);
	});

	it('counts the fallback category for items whose turn comes after the service window', async () => {
		const minutesLeft = 1.75;
		const parameters = {
			category: 'auto',
			customerLastMessageAt: new Date(Date.now() - (24 * 60 - minutesLeft) * 60_000).toISOString(),
			fallbackCategory: 'marketing',
		};
		const items = Array.from({ length: 6 }, () => ({ to: '+14155552671' }));
		const run = async (requestsPerMinute: number) =>
			await send({ ...parameters, options: { spendingLimit: 0, requestsPerMinute } }, items);
		const { error } = await run(2);
		expect(error?.message).toContain('would cost about INR 1.7262, more than');
		await api().customerWrites('+14155552671', 'Hello');
		expect((await run(0)).error).toBeUndefined();
	});

	it('does not count what is only tried in a dry run', async () => {
		const items = [
			{ to: '+14155552671', test: true },
			{ to: '+14155552672', test: false },
		];
		const options = { dryRun: '={{ $json.test }}', spendingLimit: 0.12 };
		const { json, hints } = await send({ options }, items);
		expect(json).toMatchObject([{ dryRun: true }, { status: 'sent' }]);
		expect(hints).toEqual([
			'Dry run: 1 message would cost about INR 0.115. 1 message sent, cost INR 0.115.',
		]);
	});

	it('is not taken for missing when an expression gives none', async () => {
		const { error } = await send({ options: { spendingLimit: '={{ $json.limit }}' } });
		expect(error?.message).toBe('Spending Limit is "undefined"');
		expect(api().calls).toEqual([]);
	});

	// SECURITY, Known limits: Spending Limit holds for one run of one node
	it('lets a run through that costs exactly as much, and another after it', async () => {
		for (const calls of [1, 2]) {
			const { error } = await send({ options: { spendingLimit: 0.115 } });
			expect(error).toBeUndefined();
			expect(api().calls).toHaveLength(calls);
		}
	});
});

// README, Send to a spreadsheet: the dry run checks, and shows texts and prices
it('shows in a dry run what would be sent, its text and its price, without sending', async () => {
	const { json, hints } = await send({
		variablesInput: 'templateText',
		templateText: 'Hi {{1}}!',
		variable1: 'Asha',
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
	expect(api().calls).toEqual([]);
});

// README, Send to a spreadsheet: the dry run says how long the run will take
it.each<[string, INodeParameters, string]>([
	['the limit', {}, ' and take about 2 min at 60 a minute.'],
	['a limit of 120', { requestsPerMinute: 120 }, '.'],
	['no limit', { requestsPerMinute: 0 }, '.'],
	['a short wait', { waitFor: 'delivered' }, ' and take about 4 min at 27 a minute.'],
	[
		'a long wait',
		{ waitFor: 'delivered', waitTimeout: 61 },
		' and take about 2 min at 60 a minute.',
	],
	[
		'limits that differ',
		{ requestsPerMinute: '={{ $itemIndex < 60 ? 30 : 60 }}' },
		' and take about 3 min at 40 a minute.',
	],
])('says in a dry run how long the messages take with %s', async (_, options, told) => {
	const rows = Array.from({ length: 120 }, (__, row) => ({ to: `+1415555${2000 + row}` }));
	const { hints } = await send({ options: { ...options, dryRun: true } }, rows);
	expect(hints).toEqual([
		`Dry run: nothing was sent. 120 messages would cost about INR 13.80${told}`,
	]);
});

// README, Send to a spreadsheet: Include Input Fields
describe('Include Input Fields', () => {
	const rows = [
		{ to: '+14155552671', row_number: 2, error: 'of the row' },
		{ to: 'call me', row_number: 3 },
	];
	const options = { includeInputFields: true };
	const onError = 'continueErrorOutput';

	it.each<[string, INodeParameters, object]>([
		['a message', {}, { status: 'sent' }],
		['a raw response', { rawResponse: true }, { success: true }],
		['a dry run', { dryRun: true }, { dryRun: true }],
	])(
		'adds the row to %s, but not to what failed, to which n8n adds it',
		async (_, more, output) => {
			const { json, failed } = await send({ options: { ...options, ...more } }, rows, { onError });
			expect(json).toMatchObject([{ ...output, input: rows[0] }]);
			const error = expect.objectContaining({ outcome: 'notSent' });
			expect(failed.map((item) => item.json)).toEqual([{ error }]);
		},
	);

	it('adds the row to what failed where n8n does not: in the regular output', async () => {
		const { json } = await send({ options }, rows, { onError: 'continueRegularOutput' });
		const error = expect.objectContaining({ outcome: 'notSent' });
		expect(json).toMatchObject([
			{ status: 'sent', input: rows[0] },
			{ error, input: rows[1] },
		]);
	});

	it('adds the row to what an earlier attempt had sent, and keeps it out of the memory for retries', async () => {
		const server = await startFaultServer((number) =>
			number === 1 ? MISBEHAVIORS.refused400 : MISBEHAVIORS.sent,
		);
		const rows = [
			{ to: '+14155552671', row_number: 2 },
			{ to: '+14155552672', row_number: 3 },
		];
		const run = { baseUrl: server.url, items: rows };
		const parameters = { ...SEND, options: { ...options, concurrency: 1 } };
		const stopped = await runNode({ ...run, parameters });
		expect(stopped.error?.message).toContain('[item 1]');
		const stored = JSON.stringify(stopped.run.data.executionData?.contextData);
		expect(stored).toContain('message_id');
		expect(stored).not.toContain('row_number');
		const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		server.received.length = 0;
		const { json } = await runNode({ ...run, parameters, settings: retry });
		await server.close();
		expect(server.received).toHaveLength(3);
		expect(json).toMatchObject(rows.map((input) => ({ status: 'sent', input })));
	});

	it('adds the row to what was looked up', async () => {
		const [{ message_id: messageId }] = (await send({})).json;
		const row = { messageId, row_number: 2 };
		const { json } = await look({ messageId: '={{ $json.messageId }}', options }, [row]);
		expect(json).toMatchObject([{ message_id: messageId, input: row }]);
	});

	it('is off without the option', async () => {
		expect((await send({}, [rows[0]])).json[0]).not.toHaveProperty('input');
	});
});

// README, Send to a spreadsheet: items with one number go out in their order, never in parallel
describe('items of one number', () => {
	const [FIRST, SECOND] = ['+14155552671', '+14155552672'];
	const numbers = [FIRST, FIRST, SECOND, FIRST];
	const rows = numbers.map((to, row) => ({ to, name: `Row ${row}` }));
	const parameters = {
		variablesInput: 'list',
		variableList: { variables: [{ value: '={{ $json.name }}' }] },
	};
	const LATENCY_MS = 100;
	/** By number: the names, and the shortest time between two requests. */
	const received = (to: string) => {
		const ofNumber = api().calls.filter(({ body }) => (body as { to: string }).to === to);
		const times = ofNumber.map(({ receivedAt }) => receivedAt);
		return {
			names: ofNumber.map(({ body }) => (body as SendRequest).templateVariables?.[1]),
			gap: Math.min(...times.slice(1).map((time, index) => time - times[index])),
		};
	};

	it('go out in their order, one after the other, and are named above the output', async () => {
		api().settings.latencyMs = LATENCY_MS;
		const { hints } = await send(parameters, rows);
		expect(received(FIRST)).toEqual({
			names: ['Row 0', 'Row 1', 'Row 3'],
			gap: expect.any(Number),
		});
		expect(received(FIRST).gap).toBeGreaterThanOrEqual(LATENCY_MS - 10);
		expect(hints).toEqual([
			'4 messages sent, cost INR 0.46. 1 number appears more than once (items 0-1, 3).',
		]);
	});

	it("are those of a test recipient, but only the customers' numbers are named", async () => {
		api().settings.latencyMs = LATENCY_MS;
		const options = { testRecipient: SECOND };
		const { hints } = await send({ ...parameters, options }, rows, {}, byHand);
		expect(received(SECOND).names).toEqual(rows.map(({ name }) => name));
		expect(received(SECOND).gap).toBeGreaterThanOrEqual(LATENCY_MS - 10);
		expect(hints).toEqual([
			expect.stringContaining(' 1 number appears more than once (items 0-1, 3).'),
		]);
	});

	it('are named in a dry run', async () => {
		const { hints } = await send({ ...parameters, options: { dryRun: true } }, rows);
		expect(hints).toEqual([
			'Dry run: nothing was sent. 4 messages would cost about INR 0.46. 1 number appears more than once (items 0-1, 3).',
		]);
	});
});

it.each<[string, INodeParameters]>([
	['beside one with two braces', { templateText: 'Hi {{1}}, order {1}', variable1: 'Asha' }],
	['in a dry run', { templateText: 'Hi {1}!', options: { dryRun: true } }],
])('a number in single braces, %s, is told above the output', async (_, parameters) => {
	const { error, hints } = await send({ variablesInput: 'templateText', ...parameters });
	expect(error).toBeUndefined();
	expect(hints).toEqual([
		expect.stringContaining(
			' The template text has {1}, which is not a placeholder: write {{1}} if it is meant as one.',
		),
	]);
});

describe('line breaks, tabs and many spaces in a value', () => {
	const parameters = {
		variablesInput: 'templateText',
		templateText: 'To {{1}}',
		variable1: '={{ $json.address }}',
	};
	const items = [
		{ to: '+14155552671', address: 'Main Street 1\nBoston' },
		{ to: '+14155552672', address: 'Boston' },
	];

	it('become one space, which is counted', async () => {
		const { json, hints } = await send(parameters, items);
		expect(json).toMatchObject([{ preview: 'To Main Street 1 Boston' }, { preview: 'To Boston' }]);
		expect(bodies()).toMatchObject([
			{ templateVariables: { 1: 'Main Street 1 Boston' } },
			{ templateVariables: { 1: 'Boston' } },
		]);
		expect(hints).toEqual([expect.stringContaining('replaced by one space in 1 message.')]);
	});

	it('are kept on request, and refused by the network', async () => {
		const { error } = await send({ ...parameters, options: { keepWhitespace: true } }, items);
		expect(error?.message).toContain('refused the request as invalid');
		expect(error?.description).toContain('variable 1 has a line break');
		expect(bodies()).toContainEqual(
			expect.objectContaining({ templateVariables: { 1: 'Main Street 1\nBoston' } }),
		);
	});
});

it('sends nothing when an expression gives something else than on or off for Dry Run', async () => {
	const { json } = await send({ options: { dryRun: '={{ "true" }}' } });
	expect(json).toMatchObject([{ dryRun: true }]);
	const { error } = await send({ options: { dryRun: '={{ $json.test }}' } });
	expect(error?.message).toBe('Dry Run is "undefined" [item 0]');
	expect(api().calls).toEqual([]);
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

const items = [{ to: '+14155552671' }, { to: 'call me' }, { to: '' }];

// README, Send to a spreadsheet: all rows are checked before the first message
describe('wrong items', () => {
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
		[{ options: { concurrency: 2, timeout: '={{ 1 + }}' } }, 'Options → Timeout (Seconds)'],
		[{ options: { concurrency: '={{ 1 + }}' } }, 'Options → Requests in Parallel'],
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
		['a field that is not there', { variable2: '={{ $json.missing }}' }, 'is empty'],
		[
			'an expression in a fixed field',
			{ variable2: '{{ $json.order }}' },
			'has "{{ $json.order }}"',
		],
		['a text with an object in it', { variable2: '={{ "Hi " + $json }}' }, 'has [object Object]'],
	])('are found before any request: %s', async (_, variables, problem) => {
		const { error } = await send({
			variablesInput: 'templateText',
			templateText: 'Hi {{1}}, your order {{2}} is here.',
			variable1: 'Asha',
			...variables,
		});
		expect(error?.message).toContain(`The variable {{2}} ("your order {{2}} is here.") ${problem}`);
		expect(error?.description).toBeTruthy();
		expect(api().calls).toEqual([]);
	});
});

it('an unusable credential keeps everything from being sent in every error mode', async () => {
	const run = { baseUrl: 'http://api.example.com', parameters: SEND, items: [items[0]] };
	const stopped = await runNode(run);
	expect(stopped.error?.message).toContain('starts with http://');
	const kept = await runNode({ ...run, settings: { onError: 'continueErrorOutput' } });
	expect(kept.items).toEqual([]);
	expect(kept.failed).toMatchObject([{ json: { error: { outcome: 'notSent' } } }]);
});

// README, Send to a spreadsheet: another text over old values
describe('a run by hand after another text was pasted over the values of the last one', () => {
	const TO = { to: '+14155552671' };
	const VALUES = { variable1: '={{ $json.name }}', variable2: 'A-17' };
	const OLD = { ...VALUES, templateText: 'Hi {{1}}, your order {{2}} is on its way.' };
	const NEW = { ...VALUES, templateText: 'Your code {{1}} takes {{2}} off, Hi!' };

	/** As one node of a workflow, which is known by its ID. */
	async function runByHand(settings: { id: string }, ...parameters: INodeParameters[]) {
		const errors: Array<string | undefined> = [];
		for (const each of parameters) {
			const texts = { variablesInput: 'templateText', ...each };
			const items = [{ ...TO, name: 'Asha' }];
			const { error } = await send(texts, items, settings, { mode: 'manual' });
			errors.push(error && `${error.message}: ${error.description}`);
		}
		return errors;
	}

	it('is stopped once, before it sends, and names what to check', async () => {
		const errors = await runByHand({ id: 'once' }, OLD, OLD, NEW, NEW);
		const stopped = expect.stringMatching(
			/^Template Text was changed .* but none of its values were: Nothing was sent\. Check the values of \{\{1\}\} \("Your code \{\{1\}\} takes"\), \{\{2\}\} \(/,
		);
		expect(errors).toEqual([undefined, undefined, stopped, undefined]);
		expect(api().calls).toHaveLength(3);
	});

	it.each<[string, INodeParameters, INodeParameters]>([
		['a value was changed', OLD, { ...NEW, variable2: '10 %' }],
		['a value was added', OLD, { ...NEW, templateText: '{{3}} {{1}} {{2}}', variable3: 'Hi' }],
		[
			'only words far from the placeholders changed',
			OLD,
			{ ...OLD, templateText: `${OLD.templateText} Thank you for your patience!` },
		],
		['it only checks', OLD, { ...NEW, options: { dryRun: true } }],
		['it goes to the test recipient', OLD, { ...NEW, options: { testRecipient: TO.to } }],
		['a dry run had shown it', { ...NEW, options: { dryRun: true } }, NEW],
	])('is not stopped when %s', async (reason, before, after) => {
		expect(await runByHand({ id: reason }, OLD, before, after)).toEqual([
			undefined,
			undefined,
			undefined,
		]);
	});

	it('stays stopped when Retry On Fail runs it again', async () => {
		const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const errors = await runByHand({ id: 'retry', ...retry }, OLD, NEW);
		expect(errors).toEqual([undefined, expect.stringContaining('Nothing was sent.')]);
		expect(api().calls).toHaveLength(1);
	});

	it('is stopped by hand only', async () => {
		for (const templateText of [OLD.templateText, NEW.templateText]) {
			const parameters = { ...OLD, variablesInput: 'templateText', templateText };
			const { error } = await send(parameters, [{ ...TO, name: 'Asha' }], { id: 'production' });
			expect(error).toBeUndefined();
		}
	});
});

const TESTER = '+14155552600';
const ITEMS = [{ to: '+14155552671' }, { to: '+14155552672' }];
const byHand = { mode: 'manual' as WorkflowExecuteMode };

// README, Send to a spreadsheet: Test Recipient
describe('with a test recipient', () => {
	const options = { testRecipient: '(415) 555-2600', defaultCountry: 'US' };

	it('every message of a run by hand goes there, and the output says so', async () => {
		const { json, hints } = await send({ options }, ITEMS, {}, byHand);
		expect(bodies()).toMatchObject([{ to: TESTER }, { to: TESTER }]);
		expect(json).toMatchObject(ITEMS.map(({ to }) => ({ to: TESTER, intendedTo: to })));
		expect(hints).toEqual([
			`Run by hand: everything goes to the Test Recipient ${TESTER}, nothing to the customers. 2 messages sent, cost INR 0.23.`,
		]);
	});

	it('a run in production goes to the customers', async () => {
		const { json, hints } = await send({ options }, ITEMS);
		expect(bodies()).toMatchObject(ITEMS);
		expect(json[0]).not.toHaveProperty('intendedTo');
		expect(hints).toEqual(['2 messages sent, cost INR 0.23.']);
	});

	it('a dry run by hand shows both numbers', async () => {
		const { json } = await send({ options: { ...options, dryRun: true } }, ITEMS, {}, byHand);
		expect(json[0]).toMatchObject({
			to: TESTER,
			intendedTo: ITEMS[0].to,
			request: { to: TESTER },
		});
	});

	it('To is checked all the same', async () => {
		const { error } = await send({ options }, [{ to: 'call me' }], {}, byHand);
		expect(error?.message).toContain('The recipient "call me" is not a phone number');
		expect(api().calls).toEqual([]);
	});

	it('that is no number nothing is sent by hand, even with "continue on error"', async () => {
		const { json } = await send(
			{ options: { testRecipient: '={{ $json.me }}' } },
			ITEMS,
			{ onError: 'continueRegularOutput' },
			byHand,
		);
		const error = expect.objectContaining({ message: 'The test recipient is empty' });
		expect(json).toEqual([{ error }, { error }]);
		expect(api().calls).toEqual([]);
	});

	it('nothing is sent where n8n does not tell whether the run is by hand', async () => {
		const mode = { mode: 'integrated' as WorkflowExecuteMode };
		const { error } = await send({ options }, ITEMS, {}, mode);
		expect(error?.message).toContain('n8n does not tell if this run is by hand');
		expect(error?.description).toMatch(/^Nothing was sent\. .*remove Test Recipient under Options/);
		expect(api().calls).toEqual([]);
	});
});

// No text may pass for an option that was not added.
it.each<[string, INodeParameters, Pick<NodeRun, 'mode'>]>([
	['The test recipient "not set"', { testRecipient: 'not set' }, byHand],
	['Spending Limit is "not set"', { spendingLimit: '={{ "not set" }}' }, {}],
])('%s is refused', async (message, options, mode) => {
	const { error } = await send({ options }, ITEMS, {}, mode);
	expect(error?.message).toContain(message);
	expect(api().calls).toEqual([]);
});

const ASK = {
	operation: 'sendAndWait',
	variablesInput: 'list',
	variableList: { variables: [{ value: '[link]' }] },
	message: 'May we?',
};

it('a question is sent with its link, and the workflow waits for the answer', async () => {
	const { run } = await send(ASK);
	expect(bodies()).toMatchObject([
		{ templateVariables: { 1: expect.stringMatching(/^http.*[?&]round=/) } },
	]);
	expect(run.waitTill).toEqual(expect.any(Date));
});

it('a message that asks nothing lets the workflow go on', async () => {
	expect((await send({})).run.waitTill).toBeUndefined();
});

it('who opens the link sees the question', async () => {
	const { context, sent } = visit({ ...ASKED, until: Infinity }, { method: 'GET' });
	expect(await new BusinessMessaging().webhook.call(context)).toEqual({
		noWebhookResponse: true,
	});
	expect(sent).toMatchObject({ status: 200, body: expect.stringContaining('May we?') });
});
