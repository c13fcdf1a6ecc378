import type { INodeParameters } from 'n8n-workflow';

import { answer, MISBEHAVIORS, REJECTIONS } from '../support/faultServer.mts';
import { localAccount } from '../support/localAccount.mts';
import { BY_HAND, CONTINUE, RETRY } from '../support/runNode.mts';

const { api, bodies, send, sendTo } = localAccount();

const [ONE, TWO] = ['+14155552671', '+14155552672'];
const ITEMS = [{ to: ONE }, { to: TWO }];
const TEXT = { variablesInput: 'templateText', templateText: 'Hi {{1}}!', variable1: 'Asha' };

/** What the node leaves behind that sends nothing. */
async function refusal(...given: Parameters<typeof send>): Promise<string> {
	const { error } = await send(...given);
	expect(api().calls).toEqual([]);
	return `${error?.message}. ${error?.description}`;
}

// README, What it does: variables from fields or JSON
it.each<[string, INodeParameters, object]>([
	['no variables', { variablesInput: 'none' }, {}],
	[
		'variables from pasted text',
		{ ...TEXT, templateText: 'Hi {{1}}, your order {{2}} is here.', variable2: '={{ "A-" + 17 }}' },
		{ templateVariables: { 1: 'Asha', 2: 'A-17' } },
	],
	[
		'variables from JSON',
		{ variablesInput: 'json', variablesJson: '["Asha", 17]' },
		{ templateVariables: { 1: 'Asha', 2: '17' } },
	],
])('the request with %s is what the API document says', async (_, parameters, variables) => {
	expect((await send(parameters)).error).toBeUndefined();
	const message = { to: ONE, type: 'template', templateName: 'order_update', category: 'utility' };
	expect(bodies()).toEqual([{ ...message, ...variables }]);
	expect(api().calls.flatMap(({ violations }) => violations)).toEqual([]);
});

function autoSince(hours: number, category = 'auto'): INodeParameters {
	const customerLastMessageAt = new Date(Date.now() - hours * 3_600_000).toISOString();
	return { category, customerLastMessageAt, fallbackCategory: 'marketing' };
}

// README, What it does: the category by the service window
it.each([
	['auto', 23, 'service'],
	['={{ "auto" }}', 25, 'marketing'],
])('category %s sends %d hours after the last message as %s', async (auto, hours, category) => {
	await api().customerWrites(ONE, 'Hello');
	await send(autoSince(hours, auto));
	expect(bodies()).toMatchObject([{ category }]);
});

// docs/sending.md: Auto and the fallback category
it('a message outside the window goes out once more, with the fallback category, which the output says', async () => {
	const { json, hints } = await send(autoSince(23));
	expect(bodies()).toMatchObject([{ category: 'service' }, { category: 'marketing' }]);
	expect(json).toMatchObject([{ status: 'sent', category: 'marketing', fallbackUsed: true }]);
	expect(hints).toEqual(['1 message sent, cost INR 0.8631.']);
});

/** An API that accepts the first message, with this data. */
const accepts = (data: object) =>
	answer('200 OK', JSON.stringify({ success: true, data: { message_id: 'm1', ...data } }));

// docs/good-to-know.md: a message that could not be delivered is not sent again by a retry
it('the error has the ID of a message that failed at once, which no retry sends again', async () => {
	const failed = accepts({ status: 'failed', cost: { amount: 0.115, currency: 'INR' } });
	const parameters = { options: { timeout: 1, concurrency: 1 } };
	const behave = (number: number) => (number === 0 ? failed : MISBEHAVIORS.neverAnswers);
	const { error, received } = await send(parameters, ITEMS, RETRY, { behave });
	expect(received).toHaveLength(2);
	expect(error?.context.data).toMatchObject({ messageIds: { 0: 'm1' } });
	expect(error?.description).toContain(' May have been sent: item 1. Retry in the list');
});

// README, Top: spending limit
describe('the spending limit', () => {
	it('may be the price that a dry run shows', async () => {
		const run = async (options: INodeParameters) =>
			await send({ category: 'marketing', options }, Array(20).fill({ to: ONE }));
		const { hints } = await run({ dryRun: true });
		expect(hints.join()).toContain('cost about INR 17.27.');
		const { error } = await run({ spendingLimit: 17.26 });
		expect(error?.message).toContain('about INR 17.27, more than the spending limit of INR 17.26');
		expect((await run({ spendingLimit: 17.27, requestsPerMinute: 0 })).error).toBeUndefined();
	});

	it('goes by what an earlier attempt has cost in the country, before the next one sends', async () => {
		const items = ['+4915112345678', '+4915112345679'].map((to) => ({ to }));
		const cost = { amount: 4.9, currency: 'INR' };
		const dear = accepts({ ...items[0], status: 'sent', category: 'utility', cost });
		const parameters = { options: { spendingLimit: 9, concurrency: 1 } };
		const behave = (number: number) => (number === 0 ? dear : REJECTIONS.refused400);
		const { error, received } = await send(parameters, items, RETRY, { behave });
		expect(error?.message).toContain('about INR 9.80, more than the spending limit of INR 9.00');
		expect(received).toHaveLength(1);
	});

	// README, Top: no surprise costs
	it.each([
		[0.22, ' Spending Limit (INR 0.22) would stop this run.'],
		[0.23, ''],
	])('of INR %d: a dry run of two messages says whether it would stop them', async (...row) => {
		const [spendingLimit, told] = row;
		// What would not be sent costs nothing.
		const optedOut = '+14155552673';
		const items = [...ITEMS, { to: optedOut }];
		const options = { dryRun: '={{ "true" }}', spendingLimit, doNotSendTo: optedOut };
		const { hints } = await send({ options }, items);
		expect(hints).toEqual([
			`Dry run: nothing was sent. 2 messages would cost about INR 0.23.${told} 1 would be skipped: in the list of Do Not Send To. To send, turn off Dry Run under Options. The list of Do Not Send To has 1 number.`,
		]);
		expect(api().calls).toEqual([]);
	});
});

it('line breaks in a value become one space, or are kept on request and refused by the network', async () => {
	const parameters = { ...TEXT, variable1: 'Main Street 1\nBoston' };
	const { json, hints } = await send(parameters);
	expect(json).toMatchObject([{ preview: 'Hi Main Street 1 Boston!' }]);
	expect(hints).toEqual([expect.stringContaining('replaced by one space in 1 message.')]);
	const { error } = await send({ ...parameters, options: { keepWhitespace: true } });
	expect(error?.description).toContain('variable 1 has a line break');
	expect(bodies()).toMatchObject([
		{ templateVariables: { 1: 'Main Street 1 Boston' } },
		{ templateVariables: { 1: 'Main Street 1\nBoston' } },
	]);
});

it('with a wrong option in the first item sends the others with "continue on error"', async () => {
	const options = { defaultCountry: '={{ $json.country }}', spendingLimit: 1 };
	const items = [
		{ to: ONE, country: 'Atlantis' },
		{ to: TWO, country: 'US' },
	];
	const { json } = await send({ options }, items, CONTINUE);
	expect(json).toMatchObject([{ error: { outcome: 'notSent' } }, { to: TWO }]);
});

it.each<[string, INodeParameters, string]>([
	// docs/sending.md: what a customer would read as raw data
	[
		'On {{1}} pay {{2}}',
		{ variable1: '={{ $now.toISO() }}', variable2: '={{ 0.1 + 0.2 }}' },
		' Raw data in the text: a date in {{1}} ("On {{1}} pay") of 2 items, a number with many decimals in {{2}} ("pay {{2}}") of 2 items.',
	],
	['On {{1}}', { variable1: '={{ $now.toFormat("yyyy-MM-dd HH") }}' }, ''],
	// docs/sending.md: what may be meant as a placeholder
	[
		'Hi {{1}}, order {1}',
		{},
		' The template text has {1}, which is not a placeholder: write {{1}} if it is meant as one.',
	],
	// docs/sending.md: a part that gives nothing beside others
	[
		'Hi {{1}}, your order {{2}}',
		{
			variable1: '={{ $json.to }} {{ $json.middle }} {{ $json.last.trim() }}',
			variable2: '={{ $json.to }}{{ $itemIndex ? "" : "A-17" }}',
		},
		' An expression gave nothing: in {{1}} ("Hi {{1}}, your") of 2 items, in {{2}} ("your order {{2}}") of 1 item.',
	],
])('what is odd in the text of a message is told above the output: %s', async (...row) => {
	const [templateText, variables, told] = row;
	const { hints } = await send({ ...TEXT, templateText, ...variables }, ITEMS);
	expect(hints).toEqual([`2 messages sent, cost INR 0.23.${told}`]);
});

const WRONG = [{ to: ONE }, { to: 'call me' }, { to: '' }];

// docs/sending.md: all rows are checked before the first message
describe('wrong items', () => {
	// docs/sending.md: the error lists the wrong rows; items are numbered from 0
	it.each([{}, { options: { dryRun: true } }])(
		'keep everything from being sent, and are all named (%j)',
		async (parameters) => {
			expect(await refusal(parameters, WRONG)).toMatch(
				/^2 of 3 items are wrong, the first is item 1, row 2: The recipient "call me" is not a phone number\. Item 1, row 2: The recipient "call me" is not a phone number\. Use .* Item 2, row 3: The recipient is empty\. .* Nothing was sent\.$/,
			);
		},
	);

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'become error items with %s, and the rest is sent',
		async (onError) => {
			const { items: regular, failed } = await send({}, WRONG, { onError });
			const wrong = onError === 'continueErrorOutput' ? failed : regular.slice(1);
			const message = expect.stringContaining('call me');
			expect(wrong).toMatchObject([
				{ json: { error: { message, outcome: 'notSent' } }, pairedItem: { item: 1 } },
				{ json: { error: { message: 'The recipient is empty' } }, pairedItem: { item: 2 } },
			]);
			expect(regular[0].json).toMatchObject({ to: ONE });
			expect(api().calls).toHaveLength(1);
		},
	);
});

const JSON_LIST = { variablesInput: 'json', variablesJson: '["[link]"]' };
const QUESTION = { ...JSON_LIST, operation: 'sendAndWait', message: 'May we?' };

// docs/sending.md: what an expression made of missing data
it.each([
	[' has "undefined" in it', '={{ "Hi " + $json.missing }}'],
	[' has "Invalid DateTime" in it', '=on {{ DateTime.fromISO("31.12.").toFormat("dd MMM") }}'],
	[' is empty', '={{ $json.missing }}'],
	[' is only "Hi", because its expressions give nothing. Correct', '=Hi {{ $json.missing }}'],
	// n8n swallows the TypeError.
	[' is only "Total",', '=Total {{ $json.price.toFixed(2) }}'],
	[
		' is not a number. Its expression calculates with something that is missing',
		'={{ $json.missing * 2 }}',
	],
	[' has the expression "{{ 1e21 }}", which is a number with more digits', '=Sum {{ 1e21 }}'],
	[
		' has the code of a function in its text. An expression gives a function. Add ()',
		'=on {{ $now.toFormat }}',
	],
	[' has [object Object]', '={{ "Hi " + $json }}'],
])('nothing is sent, because the variable%s', async (problem, variable2) => {
	const two = { ...TEXT, templateText: 'Hi {{1}}, your order {{2}}', variable2 };
	const sentence = `The variable {{2}} ("your order {{2}}")${problem}`;
	expect(await refusal(two, ITEMS)).toContain(sentence);
});

const ONE_BY_ONE = 'Add each option by itself under Options.';
const OF_EXPERTS = 'Add each option by itself under Expert Options.';

/** No text may pass for an option that was not added, nor what is missing for no limit. */
it.each<[string, INodeParameters]>([
	// docs/sending.md: in JSON no part is looked at
	['The variable {{2}} has "#N/A" in it', { ...JSON_LIST, variablesJson: '={{ ["Hi", "#N/A"] }}' }],
	// docs/ask-and-wait.md: one item at a time
	['asks one question at a time, but there are 2 items', QUESTION],
	[
		'Send Once Key has the expression "{{ 2 ** 53 }}", which is a number with more digits',
		{ options: { sendOnceKey: '=order-{{ 2 ** 53 }}-{{ $json.to }}' } },
	],
	[
		'Variables (JSON) has the expression "{{ 1e21 }}", which is a number with more digits',
		{ ...JSON_LIST, variablesJson: '=["Sum {{ 1e21 }}"]' },
	],
	[
		'The expression in Default Country gives nothing. Correct it',
		{ to: '51987654321', options: { defaultCountry: '={{ $json.country }}' } },
	],
	['Wait For is "undefined"', { options: { waitFor: '={{ $json.no }}' } }],
	['Dry Run is "undefined"', { options: { dryRun: '={{ $json.test }}' } }],
	['Requests in Parallel is "0.9"', { options: { concurrency: 0.9 } }],
	[
		'The expression {{ $json.to }} in Test Recipient reads the item, so the first customer could get all messages. Enter your own number, or an expression that is the same',
		{ options: { testRecipient: '={{ $json.to }}' } },
	],
	['Test Messages is "0". Enter', { options: { testRecipient: ONE, testMessages: 0 } }],
	['The recipient "-" is not a phone', { to: '-', options: { testRecipient: ONE } }],
	// README, Top: spending limit
	[
		'about INR 0.23, more than the spending limit of INR 0.20. Nothing was sent. Send fewer',
		{ options: { spendingLimit: 0.2 } },
	],
	['Limit is "-1". Enter a number from 0 up.', { options: { spendingLimit: -1 } }],
	['Limit is "1e999". Enter', { options: { spendingLimit: '1e999' } }],
	[
		"The expression in Expert Options → Requests in Parallel can't be computed: invalid syntax. Check",
		{ options: { concurrency: '={{ 1 + }}' } },
	],
	["The expression in To can't be computed: invalid syntax. Check", { to: '={{ 1 + }}' }],
	[
		"The expression in Template Name can't be computed: Referenced node doesn't exist. Check",
		{ to: `={{ "${ONE}" }}`, templateName: "={{ $('Nowhere').item.json.name }}" },
	],
	[
		"The expression in Variables (JSON) can't be computed: invalid syntax. Check",
		{ variablesInput: 'json', variablesJson: ['={{ 1 + }}'] },
	],
	// docs/sending.md: one expression in place of all options
	[ONE_BY_ONE, { options: '={{ { testRecipient: "+14155552600" } }}' }],
	[ONE_BY_ONE, { options: '{"dryRun": true}' }],
	[ONE_BY_ONE, { operation: 'sendAndWait', message: 'May we?', options: '={{ {} }}' }],
	[ONE_BY_ONE, { options: { sendBetween: { hours: '={{ $json.hours }}' } } }],
	[ONE_BY_ONE, { options: [{ testRecipient: '+14155552600' }] }],
	[OF_EXPERTS, { expertOptions: '={{ { timeout: 5 } }}' }],
	[OF_EXPERTS, { operation: 'sendAndWait', message: 'May we?', expertOptions: '={{ {} }}' }],
	[OF_EXPERTS, { operation: 'getStatus', messageId: 'm1', expertOptions: '={{ {} }}' }],
	[
		'Send Between is empty. Fill it in, or remove the option. An expression can give each of its',
		{ options: { sendBetween: '={{ $json.between }}' } },
	],
	['Send Only To is empty', { options: { sendOnlyTo: ['+12025550110'] } }],
])('nothing is sent: %s', async (sentence, parameters) => {
	expect(await refusal(parameters, ITEMS, {}, BY_HAND)).toContain(sentence);
});

// docs/sending.md: Test Recipient
describe('with a test recipient', () => {
	const TESTER = '+14155552600';
	const options = { testRecipient: '(415) 555-2600', defaultCountry: 'US' };

	it('messages of a manual run go there, and the output says so', async () => {
		const { json, hints } = await send({ options }, ITEMS, {}, BY_HAND);
		expect(bodies()).toMatchObject([{ to: TESTER }, { to: TESTER }]);
		expect(json).toMatchObject(ITEMS.map(({ to }) => ({ to: TESTER, intendedTo: to })));
		expect(hints).toEqual([
			'Manual run: messages go to the Test Recipient, none to the customers. 2 messages sent, cost INR 0.23.',
		]);
	});

	it('a run in production goes to the customers', async () => {
		const { json, hints } = await sendTo([ONE, TWO], { ...options, testMessages: 1 });
		expect(bodies()).toMatchObject(ITEMS);
		expect(json[0]).not.toHaveProperty('intendedTo');
		expect(hints).toEqual(['2 messages sent, cost INR 0.23.']);
	});

	it('that is no number nothing is sent by hand, even with "continue on error"', async () => {
		const mine = { options: { testRecipient: '={{ "" }}' } };
		const { json } = await send(mine, ITEMS, CONTINUE, BY_HAND);
		const error = expect.objectContaining({ message: 'Test Recipient of the first item is empty' });
		expect(json).toEqual([{ error }, { error }]);
		expect(api().calls).toEqual([]);
	});

	// README, Quick start: the first three
	it.each([
		[undefined, 3],
		[1, 1],
		[5.9, 5],
	])('with Test Messages %p it gets %d of 5, and the others are skipped', async (set, count) => {
		const customers = [1, 2, 3, 4, 5].map((number) => `+1415555267${number}`);
		const testMessages = set === undefined ? {} : { testMessages: set };
		const given = { ...options, ...testMessages, spendingLimit: 0.115 * count };
		const rows = customers.map((to) => ({ to }));
		const { json, hints } = await send({ options: given }, rows, {}, BY_HAND);
		expect(bodies()).toMatchObject(Array(count).fill({ to: TESTER }));
		expect(json.slice(count)).toMatchObject(
			customers.slice(count).map((intendedTo) => ({
				skipped: 'onlyTested',
				to: TESTER,
				intendedTo,
				estimatedCost: { amount: 0.115, currency: 'INR' },
			})),
		);
		const beyond =
			/ (\d) skipped: beyond the number of Test Messages \(would cost about INR 0\.\d\d\)\./;
		expect(Number(beyond.exec(hints[0])?.[1] ?? 0)).toBe(5 - count);
	});

	it('a wrong row beyond the messages of a test is told, and a wrong one before uses up none', async () => {
		const rows = [{ to: 'call me' }, ...ITEMS, ...ITEMS, { to: '' }];
		const wrong = await refusal({ options }, rows, {}, BY_HAND);
		expect(wrong).toMatch(/^2 of 6 items are wrong.*Item 5, row 6: The recipient is empty/s);
		const goingOn = { onError: 'continueErrorOutput' } as const;
		const { json, failed } = await send({ options }, rows, goingOn, BY_HAND);
		const left = json.map(({ skipped }) => skipped);
		expect([left, failed.length]).toEqual([[undefined, undefined, undefined, 'onlyTested'], 2]);
	});

	it('a dry run shows what a test would send', async () => {
		const dry = { ...options, dryRun: true, testMessages: 1 };
		const { json } = await send({ options: dry }, ITEMS, {}, BY_HAND);
		expect(json).toMatchObject([
			{ skipped: 'dryRun', to: TESTER, intendedTo: ONE },
			{ skipped: 'dryRun', wouldBeSkipped: 'onlyTested' },
		]);
	});

	it('nothing is sent where n8n does not tell whether the run is by hand', async () => {
		expect(await refusal({ options }, ITEMS, {}, { mode: 'integrated' })).toMatch(
			/n8n gives no sign whether this run is manual\. Nothing was sent\. .*remove Test Recipient under/,
		);
	});
});

const ORDER = '={{ "Order " + $json.order + "?" }}';

// docs/sending.md: leftovers, also in a question
it.each<[string, INodeParameters]>([
	[
		'Question is only "Do you want ?", because its expressions give nothing',
		{ message: '=Do you want {{ $json.order }}?' },
	],
	[
		'Answer 1 has "null" in it',
		{ responseType: 'answers', answers: { values: [{ label: ORDER }] } },
	],
])('no question is sent: %s', async (sentence, parameters) => {
	expect(await refusal({ ...QUESTION, ...parameters }, [{ to: ONE, order: null }])).toContain(
		sentence,
	);
});

it('a question is sent with its link, and the workflow waits for the answer', async () => {
	const { run } = await send(QUESTION);
	const link = expect.stringMatching(/^http.*[?&]round=/);
	expect(bodies()).toMatchObject([{ templateVariables: { 1: link } }]);
	expect(run.waitTill).toEqual(expect.any(Date));
	expect((await send({})).run.waitTill).toBeUndefined();
});
