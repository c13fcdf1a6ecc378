import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runAgent } from '../support/agentRun.mts';
import { useDeduplicator } from '../support/deduplicator.mts';
import { answer, MISBEHAVIORS, type Misbehavior, useFaultServer } from '../support/faultServer.mts';

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
const AUTO = { ...FIXED, category: 'auto', customerLastMessageAt: "={{ $fromAI('at') }}" };
const STATUS = {
	operation: 'getStatus',
	messageId: "={{ $fromAI('id', 'Message ID', 'string') }}",
};
const options = (given: INodeParameters) => ({ ...FIXED, options: given });
const onlyTo = (only: INodeParameters) => options({ sendOnlyTo: { only } });
const failing = (status: string, error: object) => answer(status, JSON.stringify({ error }));
/** What the model may give, besides the values of the template. */
const WANTED: Record<string, string> = {
	phone: 'a phone number with its plus sign and country code, such as +14155552671',
	template: 'the exact name of an approved template',
	kind: 'utility, marketing, authentication or service',
	at: 'the time of the last message of the customer, such as 2026-01-31T12:00:00Z',
	values: 'a JSON list of plain texts, one for each placeholder, such as ["Asha", "A-17"]',
	id: 'the message_id of a message that was sent',
	look: 'one that is allowed',
};
const another = (name: string) =>
	`again with another value for ${name}: ${WANTED[name] ?? 'plain text, as the customer reads it'}.`;

const PHONE = another('phone');
const BUILDER = 'Only the builder of the workflow can correct this: tell the user';
const MAY = 'The message may have been sent: tell the user so. Do not call this tool again';
const NOBODY = 'Do not call this tool again with this number';
const GIVE_UP = 'Tell the user, and do not call this tool again for this message.';

/** What is wrong, the tool, what the model says, and what it can do. */
type Case = [string, INodeParameters, IDataObject, string, Misbehavior?];

const CASES: Case[] = [
	['no country code', SEND, { ...GOOD, phone: '2025550110' }, PHONE],
	['no template', SEND, { ...GOOD, template: '' }, another('template')],
	['another category', SEND, { ...GOOD, kind: 'news' }, another('kind')],
	['no value', SEND, { ...GOOD, order: '' }, another('order')],
	['a placeholder as value', SEND, { ...GOOD, first_name: '{{1}}' }, another('first_name')],
	['too few values', { ...FIXED, ...JSON_VALUES }, { values: ['Asha'] }, another('values')],
	['words for values', { ...FIXED, ...JSON_VALUES }, { values: 'Asha' }, another('values')],
	['a value that nobody asked for', FIXED, { category: 'marketing' }, 'again without category.'],
	['no date', AUTO, { at: 'yesterday' }, another('at')],
	['no message ID', STATUS, { id: '' }, another('id')],
	['a switch', options({ dryRun: "={{ $fromAI('look') }}" }), { look: 'maybe' }, another('look')],
	['a limit', options({ spendingLimit: 0.01 }), {}, BUILDER],
	['an empty field of the builder', { ...FIXED, variable1: '' }, {}, BUILDER],
	[
		'the question as a tool',
		{ ...FIXED, operation: 'sendAndWait', message: 'May we?' },
		{},
		BUILDER,
	],
	[
		'a number that is not in the list',
		onlyTo({ who: 'list', numbers: '+12025550111' }),
		{},
		NOBODY,
	],
	['who wrote, where nobody wrote', onlyTo({ who: 'whoWrote' }), {}, BUILDER],
	['no such number', SEND, GOOD, PHONE, failing('400 Bad Request', { code: 131026 })],
	['no such template', SEND, GOOD, another('template'), failing('404 Not Found', { code: 133004 })],
	['a closed window', SEND, GOOD, another('kind'), failing('400 Bad Request', { code: 131047 })],
	['the same, fixed', FIXED, {}, GIVE_UP, failing('400 Bad Request', { code: 131047 })],
	['a customer who wants none', SEND, GOOD, GIVE_UP, failing('400 Bad Request', { code: 131050 })],
	['a web page', SEND, GOOD, BUILDER, MISBEHAVIORS.page404],
	['no response', SEND, GOOD, MAY, MISBEHAVIORS.resetAfterSending],
];

/** What only the builder of a workflow sees. */
const OF_EDITOR =
	/Fixed|Expression\b|Options|Switch|Open |Paste|paste|Map |Drag|credential|dashboard|Enter |spreadsheet|\{\{ /;

const server = useFaultServer();

beforeAll(useDeduplicator);

// docs/ai-agents.md: AI agents
test.each(CASES)('%s: a model reads what it can do', async (...given) => {
	const [, tool, words, can, behave = MISBEHAVIORS.sent] = given;
	server.behave = () => behave;
	const [read] = await runAgent({ baseUrl: server.url, parameters: tool, calls: [words] });
	const [{ error }] = JSON.parse(read) as Array<{ error: IDataObject }>;
	expect(error.message).toContain(can);
	expect(error).not.toHaveProperty('remedy');
	const isSaid = String(error.message).split('Nothing was sent.').length - 1;
	expect(isSaid).toBe(error.outcome === 'notSent' ? 1 : 0);
	const advice = String(error.message).split('. ').slice(1).join('. ');
	expect(advice).not.toMatch(OF_EDITOR);
});
