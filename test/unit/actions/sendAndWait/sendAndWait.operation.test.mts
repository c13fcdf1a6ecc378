import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { RunContext } from '../../../../nodes/BusinessMessaging/actions/job';
import { codeOf } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/code';
import { sendAndWait } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/sendAndWait.operation';
import { connectionFailure } from '../../../../nodes/BusinessMessaging/errors/connectionErrors';
import { signing } from '../../../support/asked.mts';
import { noMemory } from '../../../support/emptyRetryMemory.mts';
import { withParameters } from '../../../support/parameters.mts';
import { sentencesOf } from '../../../support/sentencesOf.mts';
import { createVirtualClock } from '../../../support/virtualClock.mts';

const clock = createVirtualClock();
const HOUR = 3_600_000;
const SENT = { message_id: 'm1', status: 'sent' };
const QUESTION = {
	kind: 'approval',
	text: 'May we?',
	choices: ['Approve', 'Decline'],
	asksReason: true,
};

const list = (...values: string[]) => ({
	variablesInput: 'json',
	variablesJson: values,
});
const answers = (...labels: unknown[]) => ({
	responseType: 'answers',
	'answers.values': labels.map((label) => ({ label })),
});
const approval = (options: IDataObject) => ({ 'approvalOptions.values': options });

/**
 * @property entered by path: how a parameter was entered
 * @property json the item that comes in
 * @property tools behind a review, by the connections of the workflow
 * @property calls of tools that n8n keeps while it asks
 * @property runData what nodes have put out
 */
interface Node {
	type?: string;
	json?: object;
	entered?: IDataObject;
	tools?: object[];
	calls?: object[];
	runData?: object;
}

/** A node that asks "May we?", and counts its questions. */
function asking(
	parameters: IDataObject = {},
	{
		type = 'businessMessaging',
		json = {},
		entered,
		tools = [],
		calls = [],
		runData = {},
	}: Node = {},
	memory = {},
): IExecuteFunctions {
	const given = {
		to: '+14155552671',
		templateName: 'appointment',
		category: 'utility',
		message: ' May we? ',
		...list('[link]', '[link 2]'),
		...parameters,
	};
	const inN8n = {
		getTimezone: () => 'UTC',
		getNode: () => ({ type, name: 'Ask' }),
		getParentNodes: () => tools,
		runExecutionData: {
			resultData: { runData },
			executionData: {
				nodeExecutionStack: [
					{},
					{ metadata: {} },
					{ metadata: { subNodeExecutionData: { actions: calls } } },
				],
			},
		},
		getContext: () => memory,
		getWorkflow: () => ({ id: 'w1' }),
		getWorkflowDataProxy: () => ({}),
		getInputData: () => [{ json }],
		getExecuteData: () => ({}),
		putExecutionToWait: async () => undefined,
		addExecutionHints: () => undefined,
		getSignedResumeUrl: (query: Record<string, string>) =>
			`https://n8n/?${String(new URLSearchParams(query))}`,
	};
	return withParameters(given, inN8n, entered);
}

const read = (context: IExecuteFunctions) => sendAndWait.read(context, 0, clock.now());

/** Of an API that answers with this. */
function runWith(reply: object): RunContext {
	const client = {
		call: async () => await Promise.resolve(reply),
		reserveLookUp: () => () => undefined,
	};
	return { ...noMemory, client, clock } as unknown as RunContext;
}

/** @returns the outcome, what the execution asks then, and until when */
async function perform(options: IDataObject, reply: object, onWaiting: () => void = jest.fn()) {
	const run = runWith(reply);
	const context = asking({ options });
	const job = read(context);
	const wait = jest.spyOn(context, 'putExecutionToWait');
	const outcome = await job.perform(run, onWaiting);
	return { outcome, asked: context.getContext('node').asked, until: wait.mock.calls.flat() };
}

it('the message has the links of its round, and nothing is waited for but the answer', () => {
	const options = { waitFor: 'read', sendOnceKey: 'order-1', rawResponse: true };
	const context = asking({ options, 'options.sendOnceKey': 'order-1' });
	const job = read(context);
	expect(job).toMatchObject({
		message: {
			templateVariables: { 1: 'https://n8n/?round=1', 2: 'https://n8n/?round=1&choice=1' },
		},
		question: QUESTION,
		rawResponse: false,
	});
	expect([job.wait, job.sendOnceKey]).toEqual([undefined, undefined]);
	expect(read(context).message.templateVariables?.[1]).toBe('https://n8n/?round=2');
	expect(sendAndWait.sends).toBe(true);
});

it('what was sent is asked until the time is over, and what was not sent is not', async () => {
	const until = clock.now() + 24 * HOUR;
	expect(await perform({}, { data: SENT })).toMatchObject({
		outcome: { kind: 'sent', json: SENT },
		asked: { round: 1, question: QUESTION, until, message: SENT },
		until: [new Date(until)],
	});
	const failure = connectionFailure('connectionRefused', 'notSent');
	const failed = await perform({}, { kind: 'failed', failure });
	expect(failed).toMatchObject({ outcome: { failure: { outcome: 'notSent' } }, until: [] });
	expect(failed.outcome).not.toHaveProperty('json');
	expect(failed.asked).toBeUndefined();
});

it('what was sent is known as sent, even if its execution can then not wait', async () => {
	const onWaiting = jest.fn(() => {
		throw new Error('before it waits');
	});
	const performed = perform({}, { data: SENT }, onWaiting);
	await expect(performed).rejects.toThrow('before it waits');
	expect(onWaiting).toHaveBeenCalledWith(expect.objectContaining({ kind: 'sent', json: SENT }));
});

it('a dry run shows the question, and asks nothing', async () => {
	const shown = await perform({ dryRun: true }, {});
	const json = { skipped: 'dryRun', question: QUESTION };
	expect(shown).toMatchObject({ outcome: { json }, until: [] });
	expect(shown.asked).toBeUndefined();
});

it('a variable gets its links, as the preview does', () => {
	const variable2 = 'Answer: [ Link ], [link 1], [LINK2].';
	const text = { variablesInput: 'templateText', templateText: '{{1}} {{2}}', variable1: 'Asha' };
	const { message, preview } = read(asking({ ...text, variable2 }));
	const [page, answer] = ['https://n8n/?round=1', 'https://n8n/?round=1&choice='];
	const filled = `Answer: ${page}, ${answer}0, ${answer}1.`;
	expect(message.templateVariables).toEqual({ 1: 'Asha', 2: filled });
	expect(preview).toBe(`Asha ${filled}`);
});

it.each<[IDataObject, RegExp]>([
	[
		list('[link 3]'),
		/^A variable has "\[link 3]", but the number of answers to choose from is 2\. Write \[link] for the page, or/,
	],
	[list('[link 0]'), /^A variable has "\[link 0]"/],
	[{ ...list('[link 1]'), responseType: 'freeText' }, /answers to choose from is 0\./],
	[
		list('[links] link'),
		/^No variable has the link to the question\. Write \[link] into the field/,
	],
	[{ variablesInput: 'none' }, /^No variable has the link to the question/],
])('a message with %j is refused', (parameters, sentences) => {
	expect(sentencesOf(() => read(asking(parameters)))).toMatch(sentences);
});

describe('the question', () => {
	const REVIEW = 'n8n-nodes-business-messaging.businessMessagingHitlTool';
	const EXPRESSION = '={{ "Order " + $json.number }}';

	const FIVE = ['a'.repeat(80), 'b', 'c', 'd', '5'];
	const NAMED = { approveLabel: 'Ja', disapproveLabel: 'Nein', askReason: false };

	it.each<[IDataObject, object]>([
		[approval({ approvalType: 'single', approveLabel: 'OK' }), { choices: ['OK'] }],
		[approval(NAMED), { kind: 'approval', choices: ['Ja', 'Nein'] }],
		[answers(...FIVE.slice(0, 4), 5), { kind: 'answers', choices: FIVE }],
		[{ responseType: 'FREETEXT' }, { kind: 'freeText', choices: [] }],
	])('of %j is %j', (parameters, expected) => {
		const { question } = read(asking({ ...parameters, ...list('[link]') }));
		expect(question).toMatchObject({ text: 'May we?', asksReason: false, ...expected });
	});

	it.each<[string, IDataObject]>([
		['Question is empty', { message: null }],
		['Question has', { message: 'Hi *|FNAME|*' }],
		['Question has "{{ \\$json.no }}" in its text', { message: 'Is order {{ $json.no }} yours?' }],
		['There are 0 answers', answers()],
		['There are 6 answers', answers('a', 'b', 'c', 'd', 'e', 'f')],
		['Answer 2 is empty', answers('a', ' ')],
		['Two buttons say "on friday"\\. Give', answers('On Friday', 'x', 'on  friday')],
		['Two buttons say "Yes\u200b"\\. Give', answers('Yes', 'Yes\u200b')],
		['Two buttons say "Cafe\u0301"\\. Give', answers('Café', 'Cafe\u0301')],
		['Two buttons say "no"\\. Give', approval({ approveLabel: 'No', disapproveLabel: 'no' })],
		['Answer 1 has 81 characters', answers('a'.repeat(81))],
		['Ask for a Reason is "perhaps"', approval({ askReason: 'perhaps' })],
		['Response Type is "customForm"', { responseType: 'customForm' }],
	])('is refused, with what to do: %s', (sentence, parameters) => {
		const sentences = sentencesOf(() => read(asking(parameters)));
		expect(sentences).toMatch(new RegExp(`^${sentence}.*\\. [A-Z].+\\.$`));
	});

	it.each<[string, IDataObject]>([
		['wrongOption', { limitWaitTime: 1, limitWaitTimeUnit: 'seconds' }],
		['wrongVariable', list('no link')],
		// What n8n makes of one expression in place of all texts.
		['wrongQuestion', { options: { pageTexts: {} } }],
	])('is refused as %s', (code, parameters) => {
		expect(() => read(asking(parameters))).toThrow(expect.objectContaining({ code }) as Error);
	});

	const decline = 'approvalOptions.values.disapproveLabel';
	const HEADING = 'options.pageTexts.texts.heading';
	const pageTexts = (texts: IDataObject) => ({ options: { pageTexts: { texts } } });

	it.each<[string, IDataObject, string]>([
		['Question has "undefined"', { message: 'Is order undefined yours?' }, 'message'],
		['Answer 2 has "NaN"', answers('Yes', 'Order NaN'), 'answers.values[1].label'],
		['Decline Button Label has "undefined"', approval({ disapproveLabel: 'undefined' }), decline],
		[
			'Heading under Page Language and Texts has "undefined"',
			pageTexts({ heading: 'undefined' }),
			HEADING,
		],
	])('is refused for what an expression left, not for what was typed: %s', (text, given, path) => {
		const sentences = sentencesOf(() => read(asking(given, { entered: { [path]: EXPRESSION } })));
		expect(sentences).toContain(`${text} in it`);
		expect(() => read(asking(given))).not.toThrow();
	});

	// docs/ask-and-wait.md: the language of the page
	it.each<[IDataObject, object | undefined]>([
		[
			{ lang: 'ar', heading: ' سؤال لك ', send: '' },
			{ lang: 'ar', heading: 'سؤال لك' },
		],
		[
			{ lang: ' pt_br ', thanks: 'Obrigado\r\nEnviado:\rSim' },
			{ lang: 'pt-BR', thanks: 'Obrigado\nEnviado:\nSim' },
		],
		[{ lang: '', heading: ' ', send: null }, undefined],
		[{ lang: 'en', more: 'x' }, { more: 'x' }],
	])(
		'keeps of the texts %j the language if it is not English, and what is filled in: %j',
		(texts, expected) => {
			expect(read(asking(pageTexts(texts))).question.texts).toEqual(expected);
		},
	);

	it.each<[string, IDataObject]>([
		['Language under Page Language and Texts is "german"', { lang: 'german' }],
		['Language under Page Language and Texts is "1"', { lang: 1 }],
		['Heading under Page Language and Texts has "{{ $json.no }}"', { heading: '{{ $json.no }}' }],
		['Send Button under .* has invisible characters only', { send: '\u2800' }],
	])('is refused for its page, with what to do: %s', (sentence, texts) => {
		const sentences = sentencesOf(() => read(asking(pageTexts(texts))));
		expect(sentences).toMatch(new RegExp(`^${sentence.replace(/[{$]/g, '\\$&')}.*\\. [A-Z].+\\.$`));
	});

	// SECURITY, The link of a question: the values that the tool is run with
	describe('of a review', () => {
		const asks = { message: 'Run Send?\n\n[object Object]' };
		const call = (
			toolName: string,
			gatedToolNodeName: string,
			originalInput?: unknown,
			id = '1',
		) => {
			const hitl = { toolName, gatedToolNodeName, originalInput };
			return { action: { id, nodeName: 'Ask', metadata: { hitl } } };
		};
		const ofReview = (more: Node) => ({ type: REVIEW, json: { toolCallId: '1' }, ...more });
		/** @param tool behind the review, which the model has called by its name */
		const reviewing = (values: unknown, tool: { name: string }, more: Node = {}, memory = {}) => {
			const calls = [call(tool.name, tool.name, values)];
			return asking(asks, ofReview({ tools: [tool], calls, ...more }), memory);
		};
		const reviewOf = (...given: Parameters<typeof reviewing>) =>
			read(reviewing(...given)).question.review;

		const SEND = {
			name: 'Inform',
			type: 'n8n-nodes-business-messaging.businessMessagingTool',
			parameters: {
				to: "={{ $fromAI('to', 'Phone number', 'string') }}",
				templateName: 'order_update',
				templateText: 'Hi {{1}},\nyour order {{2}}.',
				variable1: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('name', ``, 'string') }}",
				variable2: "=No. {{ $fromAI('order') }}",
			},
		};
		const CHOSEN = { order: 'A-17', to: '+12025550110', name: 'Asha' };
		const changed = (parameters: object) => ({
			...SEND,
			parameters: { ...SEND.parameters, ...parameters },
		});

		it('of Send Template has what is sent, whoever chose it, and the values in the order of its fields', () => {
			const { question } = read(reviewing(CHOSEN, SEND));
			expect(question.text).toBe('Run Send?');
			expect(question.review).toEqual({
				tool: 'Inform',
				sends: ['+12025550110', 'order_update', 'utility: INR 0.115'],
				country: 'US',
				text: 'Hi Asha,\nyour order No. A-17.',
				values: [
					{ name: 'to', value: '+12025550110' },
					{ name: 'name', value: 'Asha' },
					{ name: 'order', value: 'A-17' },
				],
				isWhole: true,
			});
		});

		const EARLIER = "{{ $('Chat').first().json.phone }}";

		const NO_TEXT = { variablesInput: 'none', templateText: '' };
		const LATER = '{{ $json.phone }}';

		it.each<[object, object, string[], string?]>([
			[
				{
					to: '98765 43210',
					options: { defaultCountry: 'IN' },
					category: 'marketing',
					fallbackCategory: '={{ $json.category }}',
				},
				{},
				['+919876543210', 'order_update', 'marketing: INR 0.8631'],
				'IN',
			],
			[
				{ to: `=${EARLIER}`, category: 'auto', fallbackCategory: 'authentication' },
				{},
				['+14155550123', 'order_update', 'service: INR 0.00 / authentication: INR 0.115'],
				'US',
			],
			[
				{ to: `=${LATER}`, templateName: "={{ $fromAI('order') }}" },
				{ order: 'offer' },
				[LATER, 'offer', 'utility: INR 0.115'],
			],
			[
				{ category: "={{ $fromAI('order') }}", options: { defaultCountry: '={{ "IN" }}' } },
				{ to: '98765 43210', order: 'auto' },
				['98765 43210', 'order_update', 'service: INR 0.00 / utility: INR 0.115'],
			],
		])('shows of the fields %j with %j what is sent: %j', (...row) => {
			const [fields, values, sends, country] = row;
			const context = reviewing(values, changed({ ...NO_TEXT, ...fields }));
			const evaluateExpression = (text: string) => (text === EARLIER ? '+1 415 555 0123' : {});
			Object.assign(context, { evaluateExpression });
			const { review } = read(context).question;
			expect(review).toMatchObject({ sends, isWhole: !sends.includes(LATER) });
			expect(review?.country).toBe(country);
		});

		const ALL = "{{ $fromAI('all', '', 'json') }}";
		const asJson = (variablesJson: string) => ({ variablesInput: 'json', variablesJson });
		const CHOOSING = { variablesInput: "={{ $fromAI('order') }}", variablesJson: '["B", "C"]' };
		const keeping = (keepWhitespace: unknown) => ({ expertOptions: { keepWhitespace } });
		const withBreak = { ...CHOSEN, name: 'A\nB' };

		it.each<[string, object, object, string?]>([
			[
				'a value left out',
				{},
				{ ...CHOSEN, order: null },
				"Asha,\nyour order No. {{ $fromAI('order') }}.",
			],
			[
				'a value in query',
				{ to: "={{ $fromAI('query').to }}" },
				{ name: 'Asha', query: { order: 'B' } },
				'Asha,\nyour order No. B.',
			],
			['JSON', asJson(`=${ALL}`), { all: ['Asha', 'B'] }, 'Asha,\nyour order B.'],
			['JSON, chosen by the model', CHOOSING, { ...CHOSEN, order: 'JSON' }, 'B,\nyour order C.'],
			['a choice that there is not', CHOOSING, CHOSEN],
			['a choice that is computed later', { ...CHOOSING, variablesInput: `=${LATER}` }, CHOSEN],
			['JSON that n8n makes a text', asJson(`= ${ALL} `), { all: ['Asha', 'B'] }],
			['line breaks, as most networks take them', {}, withBreak, 'A B,\nyour order No. A-17.'],
			['line breaks that are kept', keeping(true), withBreak, 'A\nB,\nyour order No. A-17.'],
			['line breaks that may be kept', keeping('={{ 1 }}'), CHOSEN],
			['a template of the model', { templateName: "={{ $fromAI('template') }}" }, CHOSEN],
			['no text', NO_TEXT, CHOSEN],
			['a text that the tool refuses', { templateText: 'Hi {{name}}' }, CHOSEN],
			['another operation', { operation: 'getStatus' }, CHOSEN],
		])('has the text for the customer only if it is known: %s', (...row) => {
			const [, fields, values, expected] = row;
			const { text } = reviewOf(values, changed(fields))!;
			expect(text).toBe(expected && `Hi ${expected}`);
		});

		it.each([
			["{{ $fromAI('order') }}", true],
			['{{ $fromAI("order", "say \\"x\\"", "number", 1.5) }}', true],
			['{{ /*n8n-auto-generated-fromAI-override*/ $fromAI(`order`, `plain`) }}', true],
			["{{ $fromAI('order', `a ${$json.x}`) }}", false],
			["{{ 'x' + $fromAI('order') }}", false],
		])('shows the value for %s: %s, otherwise the expression', (expression, isValue) => {
			const tool = changed({ variable2: `={{ $fromAI('name') }} ${expression}` });
			expect(reviewOf(CHOSEN, tool)).toMatchObject({
				text: `Hi Asha,\nyour order Asha ${isValue ? 'A-17' : expression}.`,
				isWhole: isValue,
			});
		});

		const UNASKED =
			/^The tool does not ask for note\. Call it again with(out note| these values only: .*)\.$/;
		const LOOK_UP = { name: 'Look up', type: 'n8n-nodes-base.httpRequestTool' };
		const NOTE = { note: 'x' };

		it.each<[string, { name: string; parameters?: object }, object, boolean]>([
			['ours', SEND, { ...CHOSEN, ...NOTE }, true],
			[
				'another one that asks by $fromAI',
				{ ...LOOK_UP, parameters: { url: "={{ $fromAI('to') }}" } },
				NOTE,
				true,
			],
			[
				'one that asks deep inside',
				changed({ options: { none: null, list: ["={{ $fromAI ('note') }}", 17] } }),
				NOTE,
				false,
			],
			['one that asks in its own way', { ...LOOK_UP, parameters: { url: 'x' } }, NOTE, false],
			['one of which n8n does not tell', { ...LOOK_UP, parameters: undefined }, NOTE, false],
		])(
			'is refused for a value that the tool does not ask for: %s',
			(_, tool, values, isRefused) => {
				const sentences = sentencesOf(() => read(reviewing(values, tool)));
				if (isRefused) expect(sentences).toMatch(UNASKED);
				else expect(sentences).toBe('Nothing was refused');
			},
		);

		const MCP = {
			name: 'MCP Client',
			type: '@n8n/n8n-nodes-langchain.mcpClientTool',
			parameters: { endpointUrl: 'https://x' },
		};
		const ofMcp = (...calls: object[]) => ({ tools: [SEND, MCP], calls });
		const DELETE = call('MCP_Client_delete', MCP.name, { path: '/' });

		it.each<[string, Node]>([
			["The tool's values have no names", ofMcp(call('x', MCP.name, 'to: +12025550123'))],
			['values have "to" twice', ofMcp(call('x', MCP.name, { to: '1', query: { to: '2' } }))],
			['values have "tool"', ofMcp(call('x', MCP.name, { tool: 'MCP_Client_delete' }))],
			['which call of a tool would run', ofMcp()],
			['which call of a tool would run', ofMcp(DELETE, call('MCP_Client_read', MCP.name))],
			['which call of a tool would run', ofMcp(DELETE, call('MCP_Client_delete', MCP.name))],
		])('is refused if it could show something else: %s', (reason, node) => {
			const sentences = sentencesOf(() => read(asking({ message: 'Run it?' }, ofReview(node))));
			expect(sentences).toMatch(/^The question could show .*\. [A-Z].+\.$/);
			expect(sentences).toContain(reason);
		});

		it.each<[string, object[], string]>([
			['of several in one node', [DELETE], 'MCP_Client_delete'],
			['as its node is named', [call('MCP_Client', MCP.name, { path: '/' })], 'MCP Client'],
			[
				'among calls of others',
				[{ action: { id: '1', nodeName: 'Ask' } }, call('Inform', SEND.name, {}, '2'), DELETE],
				'MCP_Client_delete',
			],
		])('names the tool that n8n will run: %s', (_, calls, tool) => {
			expect(read(asking(asks, ofReview(ofMcp(...calls)))).question.review).toEqual({
				tool,
				values: [{ name: 'path', value: '/' }],
				isWhole: true,
			});
		});

		it('may have a value "tool" that the tool asks for, and one that is no text', () => {
			const fields = { to: "={{ $fromAI('tool') }}", templateName: "={{ $fromAI('count') }}" };
			const tool = changed(fields);
			expect(reviewOf({ count: 2, tool: 'Hammer' }, tool)?.values).toEqual([
				{ name: 'tool', value: 'Hammer' },
				{ name: 'count', value: '2' },
			]);
		});

		// docs/ask-and-wait.md: who declines is not asked again
		it.each<[string, object, object, boolean]>([
			['declined', { approved: false, respondedAt: '2026' }, CHOSEN, true],
			['approved', { approved: true, respondedAt: '2026' }, CHOSEN, false],
			['not answered in time', { approved: false, timedOut: true }, CHOSEN, false],
			[
				'declined for other values',
				{ approved: false, respondedAt: '2026' },
				{ ...CHOSEN, name: 'B' },
				false,
			],
		])('that was %s before', async (_, answer, values, isKnown) => {
			const memory = {};
			const first = reviewing(CHOSEN, SEND, {}, memory);
			const message = { message_id: 'm1' };
			await read(first).perform(runWith({ data: message }), () => undefined);
			const json = { ...answer, message };
			const runData = { Ask: [{}, { data: { ai_tool: [null, [{ json }]] } }] };
			const job = read(reviewing(values, SEND, { runData }, memory));
			expect(await job.perform(runWith({ data: SENT }), () => undefined)).toMatchObject(
				isKnown
					? { kind: 'skipped', json: { skipped: 'declinedBefore', approved: false } }
					: { kind: 'sent' },
			);
		});
	});

	// docs/ask-and-wait.md: the model must not choose who approves
	it.each([
		'={{ $json.phone }}',
		"={{ $FROMAI('phone') }}",
		'=+1{{ $input.first().json.phone }}',
		'={{ $tool.parameters.to }}',
	])('is not sent for a review to somebody whom the model can choose: %s', (to) => {
		const node = { entered: { to } };
		const forReview = asking({}, { ...node, type: REVIEW });
		expect(() => read(forReview)).toThrow(
			expect.objectContaining({ code: 'wrongRecipient' }) as Error,
		);
		expect(sentencesOf(() => read(forReview))).toMatch(
			/^To reads "\$.*\. Enter a fixed number, or/,
		);
		expect(() => read(asking({}, node))).not.toThrow();
	});

	it.each(["={{ $('Chat').item.json.phone }}", '={{ $vars.json }}', '$json'])(
		'is sent for a review to %s, which no model can change',
		(to) => {
			const hitl = { toolName: 'x', gatedToolNodeName: 'x' };
			const calls = [{ action: { id: '1', nodeName: 'Ask', metadata: { hitl } } }];
			const node = { type: REVIEW, entered: { to }, json: { toolCallId: '1' }, calls };
			expect(() => read(asking({}, node))).not.toThrow();
		},
	);
});

it.each<[unknown, unknown, number]>([
	[15, 'seconds', 15_000],
	[2, ' Hours', 2 * HOUR],
	[30, 'days', 30 * 24 * HOUR],
])('an answer can come for %j %j', async (limitWaitTime, limitWaitTimeUnit, limitMs) => {
	const context = asking({ limitWaitTime, limitWaitTimeUnit } as IDataObject);
	await read(context).perform(runWith({ data: SENT }), () => undefined);
	expect(context.getContext('node').asked).toMatchObject({ until: clock.now() + limitMs });
});

it.each<[unknown, unknown]>([
	[14, 'seconds'],
	[31, 'days'],
	[1, 'constructor'],
])('no answer can come for %j %j', (limitWaitTime, limitWaitTimeUnit) => {
	const parameters = { limitWaitTime, limitWaitTimeUnit } as IDataObject;
	const sentences = sentencesOf(() => read(asking(parameters)));
	expect(sentences).toMatch(/^Limit Wait Time is ".*15 seconds to 30 days/);
});

describe('a variable "[code]"', () => {
	const TEXT = {
		variablesInput: 'templateText',
		templateText: 'Open {{1}} with {{2}}',
		variable1: '[link]',
		variable2: '[ Code ]',
	};
	const withCode = (options: IDataObject = {}) =>
		read(Object.assign(asking({ ...TEXT, options }), signing()));

	it('is the code of the round for the customer only', () => {
		const { message, knownBy, preview, question } = withCode();
		expect(message.templateVariables).toMatchObject({ 2: codeOf(signing(), 1) });
		// What a tool asks is part of the message: an agent may ask several questions.
		expect(knownBy).toMatchObject({
			templateVariables: { 2: '[ Code ]' },
			question: question.text,
		});
		expect(preview).toMatch(/^Open https:\/\/.* with \[ Code \]$/);
		expect(question.asksCode).toBe(true);
	});

	it('stays as it is in a dry run', () => {
		const { message } = withCode({ dryRun: true });
		expect(message.templateVariables).toMatchObject({ 2: '[ Code ]' });
	});
});

describe('a run', () => {
	const NODE = 'businessMessaging';
	const check = (type: string, items: number, executionId = '7') =>
		sendAndWait.checkRun?.({
			getExecutionId: () => executionId,
			getNode: () => ({ type, name: 'Ask' }),
			getMode: () => 'trigger',
			getInputData: () => Array(items).fill({ json: {} }),
		} as unknown as IExecuteFunctions);

	const UUID = '01a205a4-7c32-72c4-8490-177ceebd57d8';

	it.each([
		['businessMessagingHitlTool', '7'],
		[NODE, `${UUID}0`],
	])('of %s in the execution %s asks for one item', (type, executionId) => {
		expect(() => check(type, 1, executionId)).not.toThrow();
	});

	it.each<[RegExp, Parameters<typeof check>]>([
		[/one question at a time, but there are 2 items\. .*Loop Over Items/, [NODE, 2]],
		[/can't be a tool of an AI agent\. .*Human review/, ['businessMessagingTool', 1]],
		[/engine v2 can't wait for an answer, .* not sent\. Remove engineType/, [NODE, 1, UUID]],
	])('is refused: %s', (sentences, run) => {
		expect(sentencesOf(() => check(...run))).toMatch(sentences);
	});
});
