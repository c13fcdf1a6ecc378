import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { runInNewContext } from 'node:vm';

import type { RunContext } from '../../../../nodes/BusinessMessaging/actions/job';
import { codeOf } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/code';
import { sendAndWait } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/sendAndWait.operation';
import { recallAsked } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/wait';
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

/** Of the execution, which may say anything. */
const INPUT = [{ json: { approved: true, timedOut: false } }];

/** A node that asks "May we?", and counts its questions. @param entered by path: how a parameter was entered */
function asking(parameters: IDataObject = {}, more: object = {}, entered: IDataObject = {}) {
	const execution = { data: { main: [INPUT] } };
	const memory = {};
	const given = {
		to: '+14155552671',
		templateName: 'appointment',
		category: 'utility',
		message: ' May we? ',
		...list('[link]', '[link 2]'),
		...parameters,
	};
	const inN8n = {
		// None that there is.
		getTimezone: () => 'UTC+5:30',
		getNode: () => ({ type: 'businessMessaging', name: 'Ask' }),
		getContext: () => memory,
		getWorkflow: () => ({ id: 'w1' }),
		getWorkflowDataProxy: () => ({}),
		getInputData: () => [{ json: { toolCallId: '1' } }],
		getExecuteData: () => execution,
		putExecutionToWait: async () => undefined,
		addExecutionHints: () => undefined,
		getSignedResumeUrl: (query: Record<string, string>) =>
			`https://n8n/?${String(new URLSearchParams(query))}`,
		...more,
	};
	return withParameters(given, inN8n, entered);
}

const read = (context: IExecuteFunctions) => sendAndWait.read(context, 0, clock.now());

/** Of an API that answers with this. */
function runWith(reply: object): RunContext {
	const client = { call: async () => await Promise.resolve(reply) };
	return { ...noMemory, client, clock } as unknown as RunContext;
}

/** @returns the outcome, what the execution asks then, until when, and what n8n outputs at the end of that time */
async function perform(context: IExecuteFunctions, reply: object, onWaiting = jest.fn()) {
	const wait = jest.spyOn(context, 'putExecutionToWait');
	const outcome = await read(context).perform(runWith(reply), onWaiting);
	const { asked } = context.getContext('node');
	const until = wait.mock.calls.flat();
	return { outcome, asked, until, left: context.getExecuteData().data.main };
}

it('the message has the links of its round, and nothing is waited for but the answer', () => {
	const budget = { budget: { amount: 1, period: 'day', people: 0 } };
	const options = { waitFor: 'read', sendOnceKey: 'order-1', rawResponse: true, budget };
	const context = asking({ options, 'options.sendOnceKey': 'order-1' });
	const job = read(context);
	const links = { 1: 'https://n8n/?round=1', 2: 'https://n8n/?round=1&choice=1' };
	const limited = { budget: { limit: 1, timeZone: 'UTC' } };
	const asked = { question: QUESTION, incomplete: [], rawResponse: false, ...limited };
	expect(job).toMatchObject({ message: { templateVariables: links }, ...asked });
	expect([job.wait, job.sendOnceKey]).toEqual([undefined, undefined]);
	expect(read(context).message.templateVariables?.[1]).toBe('https://n8n/?round=2');
	expect(sendAndWait.sends).toBe(true);
	// Each question waits for the tester, however many there were in a loop.
	const test = { recipient: '+14155552671', areOver: true, count: jest.fn() } as never;
	expect(sendAndWait.read(context, 0, clock.now(), test)).toMatchObject({ isBeyondTest: false });
});

it('what was sent is asked until the time is over, but not what was not sent, or shown in a dry run', async () => {
	const until = clock.now() + 24 * HOUR;
	expect(await perform(asking(), { data: SENT })).toMatchObject({
		outcome: { kind: 'sent', json: SENT },
		asked: { round: 1, question: QUESTION, until, message: SENT },
		until: [new Date(until)],
		// SECURITY, The link of a question: nothing of what came in is handed on
		left: [[{ json: { timedOut: true, message: SENT }, pairedItem: { item: 0 } }]],
	});
	expect(INPUT).toEqual([{ json: { approved: true, timedOut: false } }]);
	const failure = connectionFailure('connectionRefused', 'notSent');
	const failed = await perform(asking(), { kind: 'failed', failure });
	expect(failed.outcome).toMatchObject({ failure: { outcome: 'notSent' } });
	expect(failed.outcome).not.toHaveProperty('json');
	const shown = await perform(asking({ options: { dryRun: true } }), {});
	expect(shown.outcome).toMatchObject({ json: { skipped: 'dryRun', question: QUESTION } });
	for (const { outcome: _, ...ended } of [failed, shown]) {
		expect(ended).toEqual({ asked: undefined, until: [], left: [INPUT] });
	}
});

it('what was sent is known as sent, even if its execution can then not wait', async () => {
	const onWaiting = jest.fn(() => {
		throw new Error('before it waits');
	});
	await expect(perform(asking(), { data: SENT }, onWaiting)).rejects.toThrow('before it waits');
	expect(onWaiting).toHaveBeenCalledWith(expect.objectContaining({ kind: 'sent', json: SENT }));
});

it('a hint says if no customer can open the link, whose signature n8n checks', async () => {
	const [addExecutionHints, setSignatureValidationRequired] = [jest.fn(), jest.fn()];
	for (const origin of ['https://n8n.example.com', 'http://n8n:5678']) {
		const getSignedResumeUrl = () => `${origin}/?round=1`;
		const inN8n = { getSignedResumeUrl, setSignatureValidationRequired, addExecutionHints };
		await perform(asking({}, inN8n), { data: SENT });
	}
	expect(setSignatureValidationRequired).toHaveBeenCalledTimes(2);
	const message = expect.stringMatching(/^The link leads to http:\/\/n8n:5678, .*WEBHOOK_URL/);
	const hint = { message, type: 'warning', location: 'outputPane' };
	expect(addExecutionHints.mock.calls).toEqual([[hint]]);
});

it('the webhook finds the question of this version only', async () => {
	const memory: IDataObject = {};
	const name = 'Ask "Ben" }}.constructor';
	const { asked } = await perform(asking({}, { getContext: () => memory }), { data: SENT });
	const evaluateExpression = (expression: string): unknown =>
		runInNewContext(expression.slice(2, -2), { $node: { [name]: { context: memory } } });
	const webhook = { getNode: () => ({ name }), evaluateExpression } as never;
	expect(recallAsked(webhook)).toEqual(asked);
	expect(memory).toEqual({ askedRounds: 1, asked });
	memory.layout = 2;
	expect(() => recallAsked(webhook)).toThrow('asked by another version');
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

it('the code of the round is for the customer only, and in a dry run for nobody', () => {
	const text = { variablesInput: 'templateText', templateText: 'Open {{1}} with {{2}}' };
	const variables = { variable1: '[link]', variable2: '[ Code ], [code]' };
	const readWith = (options: IDataObject) =>
		read(asking({ ...text, ...variables, options }, signing()));
	const { message, knownBy, preview, question } = readWith({});
	const code = codeOf(signing(), 1);
	expect(message.templateVariables).toMatchObject({ 2: `${code}, ${code}` });
	// What a tool asks is part of the message: an agent may ask several questions.
	const known = { templateVariables: { 2: '[ Code ], [code]' }, question: question.text };
	expect(knownBy).toMatchObject(known);
	expect(preview).toMatch(/^Open https:\/\/.* with \[ Code \], \[code\]$/);
	expect(question.asksCode).toBe(true);
	const dry = readWith({ dryRun: true });
	expect(dry.message.templateVariables).toMatchObject({ 2: '[ Code ], [code]' });
});

const pageTexts = (texts: IDataObject) => ({ options: { pageTexts: { texts } } });

describe('the question', () => {
	const DAYS_31 = { limitWaitTime: 31, limitWaitTimeUnit: 'days' };
	const FIVE = ['a'.repeat(80), 'b', 'Maße', 'Masse', '5'];
	const NAMED = { approveLabel: ' Ja ', disapproveLabel: 'Nein', askReason: false };

	it.each<[IDataObject, object]>([
		[approval({ approvalType: 'single', approveLabel: 'OK' }), { choices: ['OK'] }],
		[approval(NAMED), { kind: 'approval', choices: ['Ja', 'Nein'] }],
		[answers(...FIVE.slice(0, 3), ' Masse ', 5), { kind: 'answers', choices: FIVE }],
		[{ responseType: 'FREETEXT' }, { kind: 'freeText', choices: [] }],
	])('of %j is %j', (parameters, expected) => {
		const { question } = read(asking({ ...parameters, ...list('[link]') }));
		expect(question).toMatchObject({ text: 'May we?', asksReason: false, ...expected });
	});

	// docs/ask-and-wait.md: the language of the page
	it.each<[string, IDataObject, object?]>([
		['spaces', { lang: 'ar', heading: ' سؤال لك ', send: '' }, { lang: 'ar', heading: 'سؤال لك' }],
		[
			'line breaks',
			{ lang: ' pt_br ', thanks: 'A\r\nB:\rC' },
			{ lang: 'pt-BR', thanks: 'A\nB:\nC' },
		],
		['nothing', { lang: '', heading: ' ', send: null }, undefined],
		['English', { lang: 'en', more: 'x' }, { more: 'x' }],
	])('keeps of its texts what is not the default: %s', (_, texts, expected) => {
		expect(read(asking(pageTexts(texts))).question.texts).toEqual(expected);
	});

	it.each<[string, IDataObject, string?]>([
		['Question is empty', { message: null }],
		['Question has', { message: 'Hi *|FNAME|*' }],
		['Question has "{{ $json.no }}" in its text', { message: 'Is order {{ $json.no }} yours?' }],
		['There are 0 answers', answers()],
		['There are 6 answers', answers('a', 'b', 'c', 'd', 'e', 'f')],
		['Answer 2 is empty', answers('a', undefined)],
		['Answer 1 has 81 characters', answers('a'.repeat(81))],
		['Two buttons say "on friday"', answers('On Friday', 'x', 'on  friday')],
		['Two buttons say "Yes\u200b"', answers('Yes', 'Yes\u200b')],
		['Two buttons say "Cafe\u0301"', answers('Café', 'Cafe\u0301')],
		['Two buttons say "no"', approval({ approveLabel: 'No', disapproveLabel: 'no' })],
		['Ask for a Reason is "perhaps"', approval({ askReason: 'perhaps' })],
		['Response Type is "customForm"', { responseType: 'customForm' }],
		['Language under Page Language and Texts is "german"', pageTexts({ lang: 'german' })],
		['Heading under Page Language and Texts has "{{ $x }}"', pageTexts({ heading: '{{ $x }}' })],
		['Send Button under Page Language and Texts has invis', pageTexts({ send: '\u2800' })],
		// What n8n makes of one expression in place of all texts.
		['Page Language and Texts', { options: { pageTexts: {} } }],
		['is "14" with the unit "seconds". Enter from 15', { limitWaitTime: 14 }, 'wrongOption'],
		['Limit Wait Time is "31" with the unit "days". Enter from 15 sec', DAYS_31, 'wrongOption'],
		['Limit Wait Time is "1"', { limitWaitTimeUnit: 'constructor' }, 'wrongOption'],
		['A variable has "[link 10]", but the number of', list('[link 10]'), 'wrongVariable'],
		['A variable has "[link 0]"', list('[link 0]'), 'wrongVariable'],
		['No variable has the link', list('[links] link'), 'wrongVariable'],
	])('is refused, with what to do: %s', (...[sentence, parameters, code = 'wrongQuestion']) => {
		const limit = { limitWaitTime: 1, limitWaitTimeUnit: 'seconds' };
		const given = code === 'wrongOption' ? { ...limit, ...parameters } : parameters;
		const sentences = expect.stringContaining(sentence);
		const refused = { code, sentences, remedy: expect.stringMatching(/^[A-Z].+\.$/) };
		expect(() => read(asking(given))).toThrow(expect.objectContaining(refused) as Error);
	});

	const LABELED = approval({ disapproveLabel: 'NaN' });

	it.each<[string, IDataObject, string]>([
		['Answer 2', answers('Yes', 'Order NaN'), 'answers.values[1].label'],
		['Decline Button Label', LABELED, 'approvalOptions.values.disapproveLabel'],
		['Page Language and Texts', pageTexts({ send: 'NaN' }), 'options.pageTexts.texts.send'],
	])('is refused for what an expression left, not for what was typed: %s', (field, given, path) => {
		const entered = { [path]: '={{ "Order " + $json.number }}' };
		expect(sentencesOf(() => read(asking(given, {}, entered)))).toContain(`${field} has "NaN" in`);
		expect(() => read(asking(given))).not.toThrow();
	});

	it('of an expression may read like a program, and the hint says which values are missing', () => {
		const variables = { variable1: '[link]', variable2: 'Hi Asha', message: 'Hi *|FNAME|*' };
		const given = { variablesInput: 'templateText', templateText: '{{1}} {{2}}', ...variables };
		const partly = '=Hi {{ $json.name }}{{ $json.none }}';
		const evaluateExpression = (text: string) => (text.includes('none') ? null : '1');
		const entered = { message: partly, variable2: partly };
		const { remarks } = read(asking(given, { evaluateExpression }, entered));
		expect(remarks?.incomplete).toEqual(['{{2}}', 'Question']);
	});

	it.each<[unknown, unknown, number]>([
		[15, 'seconds', 15_000],
		[2, ' Hours', 2 * HOUR],
		[30, 'days', 30 * 24 * HOUR],
	])('can be answered for %j %j', async (limitWaitTime, limitWaitTimeUnit, limitMs) => {
		const limit = { limitWaitTime, limitWaitTimeUnit } as IDataObject;
		const { asked } = await perform(asking(limit), { data: SENT });
		expect(asked).toMatchObject({ until: clock.now() + limitMs });
	});
});

const REVIEW = 'n8n-nodes-business-messaging.businessMessagingHitlTool';

// SECURITY, The link of a question: the values that the tool is run with
describe('a review', () => {
	const call = (toolName: string, gatedToolNodeName: string, originalInput?: unknown) => {
		const hitl = { toolName, gatedToolNodeName, originalInput };
		return { action: { id: '1', nodeName: 'Ask', metadata: { hitl } } };
	};
	const getNode = () => ({ type: REVIEW, name: 'Ask' });
	/** @param calls of tools, which n8n keeps while it asks */
	const asksFor = (tools: object[], calls: object[], more: object = {}, runData = {}) => {
		const withCalls = { metadata: { subNodeExecutionData: { actions: calls } } };
		const executionData = { nodeExecutionStack: [{}, { metadata: {} }, withCalls] };
		const inN8n = {
			getNode,
			getParentNodes: () => tools,
			runExecutionData: { resultData: { runData }, executionData },
			...more,
		};
		return asking({ message: 'Run Send?\n\n[object Object]' }, inN8n);
	};
	/** @param tool behind the review, which the model has called by its name */
	const reviewing = (values: unknown, tool: { name: string }, more = {}, runData = {}) =>
		asksFor([tool], [call(tool.name, tool.name, values)], more, runData);
	const reviewOf = (context: IExecuteFunctions) => read(context).question.review!;
	const listed = (values: object) =>
		Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));

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
		const { question, remarks } = read(reviewing(CHOSEN, SEND));
		expect([question.text, remarks?.incomplete]).toEqual(['Run Send?', []]);
		const halved = asking({ message: '\ud83d?' }, { getNode });
		expect(() => read(halved)).toThrow('Question has half a character');
		const { to, name, order } = CHOSEN;
		const sent = { sends: [to, 'order_update', 'utility: INR 0.115'], country: 'US' };
		const text = 'Hi Asha,\nyour order No. A-17.';
		const values = listed({ to, name, order });
		expect(question.review).toEqual({ tool: 'Inform', ...sent, text, values, isWhole: true });
	});

	const EARLIER = "{{ $('Chat').first().json.phone }}";
	const LATER = '{{ $json.phone }}';
	const NO_TEXT = { variablesInput: 'none', templateText: undefined };
	const MARKETING = { category: 'marketing', fallbackCategory: '={{ $json.x }}' };
	const IN_INDIA = { to: '98765 43210', options: { defaultCountry: 'IN' }, ...MARKETING };
	const SOMEWHERE = { options: { defaultCountry: '={{ "IN" }}' } };
	const BY_ORDER = { category: "={{ $fromAI('order') }}" };
	const BY_MODEL = { to: `=${LATER}`, templateName: "={{ $fromAI('order') }}" };
	const TO_EARLIER = { to: `=${EARLIER}`, category: 'auto', fallbackCategory: 'authentication' };
	const NOTHING = { to: undefined, templateName: undefined };
	const LOCAL = { to: '98765 43210', order: 'auto' };
	const orElse = (category: string) => `order_update, service: INR 0.00 / ${category}: INR 0.115`;

	it.each<[string, object, object, string?]>([
		['+919876543210, order_update, marketing: INR 0.8631', IN_INDIA, {}, 'IN'],
		[`+14155550123, ${orElse('authentication')}`, TO_EARLIER, {}, 'US'],
		[`${LATER}, offer, utility: INR 0.115`, BY_MODEL, { order: 'offer' }],
		[`98765 43210, ${orElse('utility')}`, { ...BY_ORDER, ...SOMEWHERE }, LOCAL],
		[', , utility: INR 0.115', NOTHING, {}],
	])('shows what is sent: %s', (...[sends, fields, values, country]) => {
		const evaluateExpression = (text: string) => (text === EARLIER ? '+1 415 555 0123' : {});
		const tool = changed({ ...NO_TEXT, ...fields });
		const review = reviewOf(reviewing(values, tool, { evaluateExpression }));
		expect(review.sends?.join(', ')).toBe(sends);
		expect([review.isWhole, review.country]).toEqual([!sends.includes(LATER), country]);
	});

	const ALL = "{{ $fromAI('all', '', 'json') }}";
	const asJson = (variablesJson: string) => ({ variablesInput: 'json', variablesJson });
	const CHOOSING = { variablesInput: "={{ $fromAI('order') }}", variablesJson: '["B", "C"]' };
	const LIST = { all: ['Asha', 'B'] };
	const keeping = (keepWhitespace: unknown) => ({ expertOptions: { keepWhitespace } });
	const withBreak = { ...CHOSEN, name: 'A\nB' };
	const WITHOUT = "Asha,\nyour order No. {{ $fromAI('order') }}.";
	const QUERY = { name: 'Asha', query: { order: 'B' } };

	it.each<[string, object, object, string?]>([
		['an empty field', { variable1: undefined }, { order: 'A-17' }, ',\nyour order No. A-17.'],
		['a value left out', {}, { ...CHOSEN, order: null }, WITHOUT],
		['a value in query', { to: "={{ $fromAI('query').to }}" }, QUERY, 'Asha,\nyour order No. B.'],
		['JSON', { ...asJson(`=${ALL}`), templateText: 'Hi {{1}}={{2}}' }, LIST, 'Asha=B'],
		['a "=" of older editors', { variablesInput: 'none', templateText: '=Hi all' }, {}, 'all'],
		['JSON, chosen by the model', CHOOSING, { ...CHOSEN, order: 'JSON' }, 'B,\nyour order C.'],
		['a choice that there is not', CHOOSING, CHOSEN],
		['JSON that n8n makes a text', asJson(`= ${ALL} `), LIST],
		['line breaks, as most networks take them', {}, withBreak, 'A B,\nyour order No. A-17.'],
		['line breaks that are kept', keeping(true), withBreak, 'A\nB,\nyour order No. A-17.'],
		['line breaks that may be kept', keeping('={{ 1 }}'), CHOSEN],
		['a template of the model', { templateName: "={{ $fromAI('template') }}" }, CHOSEN],
		['no text', NO_TEXT, CHOSEN],
		['a text that the tool refuses', { templateText: 'Hi {{name}}' }, CHOSEN],
		['another operation', { operation: 'getStatus' }, CHOSEN],
	])('has the text for the customer only if it is known: %s', (...row) => {
		const [, fields, values, expected] = row;
		const { text, isWhole } = reviewOf(reviewing(values, changed(fields)));
		expect(text).toBe(expected && `Hi ${expected}`);
		expect(isWhole && text).not.toEqual(expect.stringContaining('{{'));
	});

	it.each([
		['{{ $fromAI("order", "say \\"x\\"", "number", 1.5) }}', true],
		['{{ /*n8n-auto-generated-fromAI-override*/$fromAI(`order`, `plain`) }}', true],
		["{{ $fromAI('order', `a ${$json.x}`) }}", false],
		["{{ 'x' + $fromAI('order') }}", false],
		["{{$('Chat').last().json['phone number'].mobile}}", true],
		["{{ $('Chat').first().json.phone.trim() }}", false],
		["{{ $('Chat').item.json.phone }}", false],
		["{{ $('Chat').first().json }}", false],
		// Its node did not run.
		["{{ $('Gone').first().json.phone }}", false],
	])('shows the value for %s: %s, otherwise the expression', (expression, isValue) => {
		const tool = changed({ ...BY_ORDER, variable2: `={{ $fromAI('name') }} ${expression}` });
		const evaluateExpression = () => {
			if (expression.includes('Gone')) throw new Error('No execution data');
			return 'A-17';
		};
		expect(reviewOf(reviewing(CHOSEN, tool, { evaluateExpression }))).toMatchObject({
			text: `Hi Asha,\nyour order Asha ${isValue ? 'A-17' : expression}.`,
			isWhole: isValue,
		});
	});

	const NOTE = { note: 'x' };
	const DEEP = changed({ options: { none: null, list: ["={{ $fromAI ('note') }}", 17] } });
	const WITH_TOOL = changed({ to: "={{ $fromAI('tool') }}" });
	const LOOK_UP = { name: 'Look up', type: 'n8n-nodes-base.httpRequestTool' };
	const ASKING = { ...LOOK_UP, parameters: { url: "={{ $fromAI('to') }}" } };

	it.each<[string, { name: string; parameters?: object }, object, boolean]>([
		['ours', SEND, { ...CHOSEN, ...NOTE }, true],
		['another one that asks by $fromAI', ASKING, NOTE, true],
		['one that asks deep inside', DEEP, NOTE, false],
		['one that asks in its own way', { ...LOOK_UP, parameters: { url: 'x' } }, NOTE, false],
		['one that asks for "tool"', WITH_TOOL, { tool: 'Hammer' }, false],
		['one of which n8n does not tell', { ...SEND, parameters: undefined }, NOTE, false],
	])('refuses a value that the tool does not ask for: %s', (_, tool, values, isRefused) => {
		const refusal =
			/^The tool does not ask for note\. Call it again with these values only: to(, name, order)?\.$/;
		const sentences = sentencesOf(() => read(reviewing(values, tool)));
		expect(sentences).toMatch(isRefused ? refusal : /^Nothing was refused/);
	});

	const MCP = { ...LOOK_UP, name: 'MCP Client', parameters: { endpointUrl: 'https://x' } };
	const ofMcp = (...calls: object[]) => asksFor([SEND, MCP], calls);
	const PATH = { path: '/', depth: 2 };
	const DELETE = call('MCP_Client_delete', MCP.name, PATH);

	it.each<[string, object[]]>([
		["The tool's values have no names", [call('x', MCP.name, 'to: +12025550123')]],
		['values have "to" twice', [call('x', MCP.name, { to: '1', query: { to: '2' } })]],
		['values have "tool"', [call('x', MCP.name, { tool: 'MCP_Client_delete' })]],
		['which call of a tool would run', []],
		['which call of a tool would run', [DELETE, call('MCP_Client_read', MCP.name)]],
		['which call of a tool would run', [DELETE, call('MCP_Client_delete', MCP.name)]],
	])('is refused if it could show something else: %s', (reason, calls) => {
		const sentences = sentencesOf(() => read(ofMcp(...calls)));
		expect(sentences).toMatch(/^The question could show .*\. [A-Z].+\.$/);
		expect(sentences).toContain(reason);
	});

	const { action } = call('Inform', SEND.name);
	const ofOthers = [
		{ id: '1', nodeName: 'Ask' },
		{ ...action, nodeName: 'Other' },
	];
	const OTHERS = [...ofOthers, { ...action, id: '2' }].map((each) => ({ action: each }));

	it.each<[string, object[], string]>([
		['of several in one node, called twice alike', [DELETE, DELETE], 'MCP_Client_delete'],
		['as its node is named', [call('MCP_Client', MCP.name, PATH)], 'MCP Client'],
		['among calls of others', [...OTHERS, DELETE], 'MCP_Client_delete'],
	])('names the tool that n8n will run: %s', (_, calls, tool) => {
		expect(reviewOf(ofMcp(...calls))).toEqual({ tool, values: listed(PATH), isWhole: true });
	});

	// SECURITY, The link of a question: no answer is no approval
	it('that nobody answers is no approval', async () => {
		const { left } = await perform(reviewing(CHOSEN, SEND), { data: SENT });
		const chatInput = 'Nobody answered in time.';
		expect(left[0]).toMatchObject([{ json: { timedOut: true, approved: false, chatInput } }]);
	});

	const OTHER_NAME = { ...CHOSEN, name: 'B' };

	// docs/ask-and-wait.md: who declines is not asked again
	it.each<[string, boolean, string | undefined, object, boolean]>([
		['declined', false, '2026', CHOSEN, true],
		['approved', true, '2026', CHOSEN, false],
		['not answered in time', false, undefined, CHOSEN, false],
		['declined for another', false, '2026', OTHER_NAME, false],
	])('that was %s before', async (_, approved, respondedAt, values, isKnown) => {
		const memory = {};
		const inExecution = { getContext: () => memory };
		await perform(reviewing(CHOSEN, SEND, inExecution), { data: SENT });
		const json = { approved, respondedAt, message: SENT };
		const runData = { Ask: [{}, { data: { ai_tool: [null, [{ json }]] } }] };
		const again = reviewing(values, SEND, inExecution, runData);
		const { outcome } = await perform(again, { data: SENT });
		const chatInput = 'The reviewer has declined this before. Do not ask again.';
		const told = { skipped: 'declinedBefore', approved: false, chatInput };
		expect(outcome).toMatchObject(isKnown ? { json: told } : { kind: 'sent' });
	});

	// docs/ask-and-wait.md: the model must not choose who approves
	it.each<[string, boolean]>([
		['={{ $json.phone }}', true],
		["=+1{{ $FROMAI('phone') }}", true],
		['={{ $tool.parameters.to }}', true],
		["={{ $('Chat').item.json.phone }}", false],
		['$json', false],
	])('to %s is refused, because the model can choose it: %s', (to, isRefused) => {
		const remedy = expect.stringMatching(/^Enter a fixed number, or/);
		const message = expect.stringMatching(/^To reads "\$/);
		const error = expect.objectContaining({ code: 'wrongRecipient', message, remedy }) as Error;
		const reviewed = expect(() => read(asking({}, { getNode }, { to })));
		reviewed.toThrow(isRefused ? error : 'The question could show something else');
		expect(() => read(asking({}, {}, { to }))).not.toThrow();
	});
});

const NODE = 'businessMessaging';
const UUID = '01a205a4-7c32-72c4-8490-177ceebd57d8';

it.each([
	[/^Nothing was refused/, REVIEW, 1, '7'],
	[/^Nothing was refused/, NODE, 1, `${UUID}0`],
	[/one question at a time, but there are 2 items\. .*Loop Over Items/, NODE, 2, '7'],
	[/can't be a tool of an AI agent\. .*Human review/, `${NODE}Tool`, 1, '7'],
	[/engine v2 can't wait for an answer, .* not sent\. Remove engineType/, NODE, 1, UUID],
])('a run is answered %s', (sentences, type, items, executionId) => {
	const getExecutionId = () => executionId;
	const getNode = () => ({ type, name: 'Ask' });
	const getInputData = () => Array(items).fill({ json: {} });
	const run = asking({}, { getExecutionId, getNode, getInputData });
	expect(sentencesOf(() => sendAndWait.checkRun(run))).toMatch(sentences);
});
