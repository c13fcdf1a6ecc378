import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runAgent } from '../support/agentRun.mts';
import { useDeduplicator } from '../support/deduplicator.mts';
import {
	answer,
	MISBEHAVIORS,
	type Misbehavior,
	startFaultServer,
	type FaultServer,
} from '../support/faultServer.mts';

const SEND = {
	operation: 'sendTemplate',
	to: "={{ $fromAI('phone', 'Phone number', 'string') }}",
	templateName: "={{ $fromAI('template', 'Template', 'string') }}",
	category: "={{ $fromAI('kind', 'Category', 'string') }}",
	variablesInput: 'templateText',
	templateText: 'Hi {{1}}, order {{2}} is on its way.',
	variable1: "={{ $fromAI('first_name', 'First name', 'string') }}",
	variable2: "={{ $fromAI('order', 'Order', 'string') }}",
};
const FIXED = {
	...SEND,
	to: '+12025550110',
	templateName: 'order_update',
	category: 'utility',
	variable1: 'Asha',
	variable2: 'A-17',
};
const JSON_VALUES = {
	variablesInput: 'json',
	variablesJson: "={{ $fromAI('values', '', 'json') }}",
};
const GOOD = {
	phone: '+12025550110',
	template: 'order_update',
	kind: 'utility',
	first_name: 'Asha',
	order: 'A-17',
};
const STATUS = {
	operation: 'getStatus',
	messageId: "={{ $fromAI('id', 'Message ID', 'string') }}",
};
const options = (given: INodeParameters) => ({ ...FIXED, options: given });
const failing = (status: string, error: object) => answer(status, JSON.stringify({ error }));
const another = (name: string) => `again with another value for ${name}: `;

const PHONE = another('phone');
const BUILDER = 'Only the builder of the workflow can correct this: tell the user';
const MAY = 'The message may have been sent: tell the user so. Do not call this tool again';
const GIVE_UP = 'Tell the user, and do not call this tool again for this message.';

/** What is wrong, the tool, what the model says, and what it can do. */
type Case = [string, INodeParameters, IDataObject, string, Misbehavior?];

const CASES: Case[] = [
	['no number', SEND, { ...GOOD, phone: '' }, PHONE],
	['words for a number', SEND, { ...GOOD, phone: 'the customer' }, PHONE],
	['no country code', SEND, { ...GOOD, phone: '2025550110' }, PHONE],
	['a short number', SEND, { ...GOOD, phone: '+1202' }, PHONE],
	['two numbers', SEND, { ...GOOD, phone: '+12025550110, +12025550111' }, PHONE],
	['an extension', SEND, { ...GOOD, phone: '+1 202 555 0110 ext. 5' }, PHONE],
	['a list of numbers', SEND, { ...GOOD, phone: ['+12025550110'] }, PHONE],
	['an expression as number', SEND, { ...GOOD, phone: '{{ $json.phone }}' }, PHONE],
	['no template', SEND, { ...GOOD, template: '' }, another('template')],
	['a placeholder as template', SEND, { ...GOOD, template: 'Hi {{1}}' }, another('template')],
	['another category', SEND, { ...GOOD, kind: 'news' }, another('kind')],
	['no value', SEND, { ...GOOD, order: '' }, another('order')],
	['a placeholder as value', SEND, { ...GOOD, first_name: '{{1}}' }, another('first_name')],
	['an expression as value', SEND, { ...GOOD, order: '{{ $json.order }}' }, another('order')],
	['code as value', SEND, { ...GOOD, order: '$json.order' }, another('order')],
	['an object as value', SEND, { ...GOOD, order: { id: 'A-17' } }, another('order')],
	['undefined in a value', SEND, { ...GOOD, order: 'order undefined' }, another('order')],
	['half a character', SEND, { ...GOOD, order: 'a\ud83c' }, another('order')],
	['too few values', { ...FIXED, ...JSON_VALUES }, { values: ['Asha'] }, another('values')],
	['too many values', { ...FIXED, ...JSON_VALUES }, { values: ['a', 'b', 'c'] }, another('values')],
	['words for values', { ...FIXED, ...JSON_VALUES }, { values: 'Asha' }, another('values')],
	[
		'a value that nobody asked for',
		FIXED,
		{ category: 'marketing' },
		'The tool does not ask for category. Call it again without category.',
	],
	[
		'no date',
		{ ...FIXED, category: 'auto', customerLastMessageAt: "={{ $fromAI('at') }}" },
		{ at: 'yesterday' },
		another('at'),
	],
	['no message ID', STATUS, { id: '' }, another('id')],
	['a web address as message ID', STATUS, { id: 'https://example.com/1' }, another('id')],
	['a switch', options({ dryRun: "={{ $fromAI('look') }}" }), { look: 'maybe' }, another('look')],
	['a limit', options({ spendingLimit: 0.01 }), {}, BUILDER],
	['a number of the builder', { ...FIXED, to: '12' }, {}, BUILDER],
	['an empty field of the builder', { ...FIXED, variable1: '' }, {}, BUILDER],
	['a fixed expression', { ...FIXED, variable1: '{{ $json.name }}' }, {}, BUILDER],
	['a wrong option', options({ doNotSendTo: '12' }), {}, BUILDER],
	['a key', options({ sendOnceKey: '={{ $now }}' }), {}, BUILDER],
	[
		'the question as a tool',
		{ ...FIXED, operation: 'sendAndWait', message: 'May we?' },
		{},
		BUILDER,
	],
	[
		'a number that may not be sent to',
		{ ...SEND, options: { sendOnlyTo: { only: { who: 'list', numbers: '+12025550111' } } } },
		GOOD,
		'Do not call this tool again with this number',
	],
	[
		'who wrote, where nobody wrote',
		{ ...SEND, options: { sendOnlyTo: { only: { who: 'whoWrote' } } } },
		GOOD,
		BUILDER,
	],
	['no such number', SEND, GOOD, PHONE, failing('400 Bad Request', { code: 131026 })],
	['no such template', SEND, GOOD, another('template'), failing('404 Not Found', { code: 133004 })],
	['a closed window', SEND, GOOD, another('kind'), failing('400 Bad Request', { code: 131047 })],
	['the same, fixed', FIXED, {}, GIVE_UP, failing('400 Bad Request', { code: 131047 })],
	['a customer who wants none', SEND, GOOD, GIVE_UP, failing('400 Bad Request', { code: 131050 })],
	['a wrong key', SEND, GOOD, BUILDER, failing('401 Unauthorized', {})],
	['no plan', SEND, GOOD, BUILDER, MISBEHAVIORS.plan403],
	['a web page', SEND, GOOD, BUILDER, MISBEHAVIORS.page404],
	['no response', SEND, GOOD, MAY, MISBEHAVIORS.resetAfterSending],
	['an unclear response', SEND, GOOD, MAY, MISBEHAVIORS.error500Empty],
];

/** What only the builder of a workflow sees. */
const OF_EDITOR =
	/Fixed|Expression\b|Options|Switch|Open |Paste|paste|Map |Drag|credential|dashboard|Enter |spreadsheet|\{\{ /;

let server: FaultServer;
let response: Misbehavior;

beforeAll(useDeduplicator);

beforeEach(async () => {
	server = await startFaultServer(() => response);
});

afterEach(async () => await server.close());

// docs/ai-agents.md: AI agents
test.each(CASES)('%s: a model reads what it can do', async (...given) => {
	const [, tool, words, can, behave = MISBEHAVIORS.sent] = given;
	response = behave;
	const [read] = await runAgent({ baseUrl: server.url, parameters: tool, calls: [words] });
	const [{ error }] = JSON.parse(read) as Array<{ error: IDataObject }>;
	expect(error.message).toContain(can);
	expect(error).not.toHaveProperty('remedy');
	const advice = String(error.message).split('. ').slice(1).join('. ');
	expect(advice).not.toMatch(OF_EDITOR);
});
