import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type AgentRun, runAgent } from '../support/agentRun.mts';
import { useDeduplicator } from '../support/deduplicator.mts';
import { MISBEHAVIORS, useFaultServer } from '../support/faultServer.mts';
import { RETRY } from '../support/runNode.mts';

const CUSTOMER = '+12025550110';
const OTHER = '+12025550199';

/** The model chooses the words, and the builder everything else. */
const ANSWER = {
	operation: 'sendTemplate',
	to: CUSTOMER,
	templateName: 'answer',
	category: 'utility',
	variablesInput: 'json',
	variablesJson: "={{ [$fromAI('answer', 'The answer', 'string')] }}",
};
const WORDS = { answer: 'Hello' };
const ONLY_ANSWER = 'Call it again with these values only: answer.';

const server = useFaultServer();

beforeAll(useDeduplicator);

/** What the model reads after each of its calls. */
const call = async (
	parameters: INodeParameters,
	calls: IDataObject[],
	more: Partial<AgentRun> = {},
) => await runAgent({ baseUrl: server.url, parameters, calls, ...more });

const refused = (message: string) =>
	expect.stringContaining(`"message":${JSON.stringify(message)}`);
const isSent = expect.stringContaining('"status":"sent"');
const wasSent = JSON.stringify([{ sentBefore: true, to: CUSTOMER, template_name: 'answer' }]);

// SECURITY, Tools of AI agents: a value that no $fromAI names
it.each<[string, INodeParameters, unknown, unknown, RegExp]>([
	['To', { to: '={{ $json.x }}' }, CUSTOMER, OTHER, /"sent"/],
	['Dry Run', { options: { dryRun: '={{ $json.x }}' } }, true, false, /dryRun"/],
	['Spending Limit', { options: { spendingLimit: '={{ $json.x }}' } }, 0.1, 10_000, /INR 0\.10/],
])(
	'%s reads the item: a model that would replace it is refused, and what the item has counts',
	async (_, parameters, x, ofModel, expected) => {
		const tool = { ...ANSWER, ...parameters };
		const item = { x } as IDataObject;
		expect(await call(tool, [{ ...WORDS, x: ofModel } as IDataObject], { item })).toEqual([
			refused(`The tool does not ask for x. ${ONLY_ANSWER} Nothing was sent.`),
		]);
		expect(server.received).toEqual([]);
		expect(await call(tool, [WORDS], { item })).toEqual([expect.stringMatching(expected)]);
	},
);

it('of several calls in one step each is judged by its own values', async () => {
	const calls = [WORDS, { ...WORDS, phone: OTHER, 'a b': 1 }, { answer: 'Bye' }];
	const read = await call({ ...ANSWER, to: '={{ $json.phone }}' }, calls, {
		item: { phone: CUSTOMER },
	});
	expect(read).toEqual([
		isSent,
		refused(`The tool does not ask for phone, "a b". ${ONLY_ANSWER} Nothing was sent.`),
		isSent,
	]);
	expect(server.sentTo).toEqual([CUSTOMER, CUSTOMER]);
});

const LOOK_UP = { operation: 'getStatus', messageId: "={{ $fromAI('id') }}" };

it.each<[string, INodeParameters, string]>([
	['asks for nothing', { ...ANSWER, variablesInput: 'none' }, 'without query. Nothing was sent.'],
	['looks up', LOOK_UP, 'with these values only: id. Nothing was looked up.'],
])('a tool that %s says so', async (_, parameters, how) => {
	expect(await call(parameters, [{ query: { to: OTHER } }])).toEqual([
		refused(`The tool does not ask for query. Call it again ${how}`),
	]);
});

const IN_TEXT = { variablesInput: 'templateText', templateText: '{{1}}' };
const IN_OPTION = { keepWhitespace: "={{ $fromAI('answer') === 1 }}" };

it.each<[string, INodeParameters]>([
	['inside of a text', { ...IN_TEXT, variable1: "=So: {{ $fromAI('answer') }}" }],
	['in a list', { variablesJson: ["={{ $fromAI('answer') }}"] }],
	['in an option', { variablesInput: 'none', options: IN_OPTION }],
])('$fromAI is known %s', async (_, parameters) => {
	expect(await call({ ...ANSWER, ...parameters }, [WORDS])).toEqual([isSent]);
});

// docs/ai-agents.md: a person approves, and n8n adds the name of the tool
it('after a Human review n8n gives the name of the tool, and a model nothing else', async () => {
	const added = [{ tool: 'Tool' }, { tool: OTHER }, { name: 'Tool' }];
	const calls = added.map((each) => ({ ...each, ...WORDS }));
	const unasked = (name: string) =>
		refused(`The tool does not ask for ${name}. ${ONLY_ANSWER} Nothing was sent.`);
	const read = await call(ANSWER, calls);
	expect(read).toEqual([isSent, unasked('tool'), unasked('name')]);
});

describe('a Human review', () => {
	const asked = "={{ ['[link]', $fromAI('answer')] }}";
	const REVIEW = { ...ANSWER, operation: 'sendAndWait', message: 'May we?', variablesJson: asked };
	const gated = { ...WORDS, tool: 'Refund', toolParameters: { amount: 5 } };
	const isReview = true;

	it('takes what it asks for, and the tool with its values, which n8n adds', async () => {
		const read = await call(REVIEW, [{ ...gated, approved: true }], { isReview });
		const error = `The tool does not ask for approved. ${ONLY_ANSWER} Nothing was sent.`;
		// It fails, so that nobody takes it for an approval.
		expect(read).toEqual([JSON.stringify([{ error }])]);
		expect(server.received).toEqual([]);
		await call(REVIEW, [gated], { isReview });
		expect(server.sentTo).toEqual([CUSTOMER]);
	});

	// docs/good-to-know.md: Retry On Fail sends only the rest
	it('does not ask again in a second try what may have been asked', async () => {
		server.behave = () => MISBEHAVIORS.resetAfterSending;
		await call(REVIEW, [gated], { isReview, settings: RETRY }).catch(() => undefined);
		expect(server.sentTo).toEqual([CUSTOMER]);
	});
});

describe('of an agent that runs its tools itself', () => {
	const agentVersion = 2.2;
	const REPLY = { ...ANSWER, to: '={{ $json.phone }}' };
	const item = { phone: CUSTOMER };

	it('the tool gets what it asks for, and reads the input of the agent', async () => {
		const calls = [{ ...WORDS, phone: OTHER }, { answer: 'Bye' }];
		const named = { ...REPLY, variablesJson: "={{ [$fromAI('phone'), $fromAI('answer')] }}" };
		expect(await call(REPLY, calls, { item, agentVersion })).toEqual([isSent, isSent]);
		expect(await call(named, [calls[0]], { item, agentVersion })).toEqual([isSent]);
		expect(server.sentTo).toEqual([CUSTOMER, CUSTOMER, CUSTOMER]);
	});

	it('no field of the tool reads what the model of an agent above has said', async () => {
		const run = { item, agentVersion } as const;
		const saidToAgent = { prompt: 'Answer' };
		expect(await call(REPLY, [WORDS], { ...run, saidToAgent })).toEqual([isSent]);
		const replaced = { ...saidToAgent, phone: OTHER };
		const [read] = await call(REPLY, [WORDS], { ...run, saidToAgent: replaced });
		expect(read).toContain('To reads');
		expect(server.sentTo).toEqual([CUSTOMER]);
	});
});

// docs/ai-agents.md: a value that $fromAI names
describe('a value that another field asks for', () => {
	const ask = (to: string) => ({
		...ANSWER,
		to: `=${to}`,
		variablesJson: "={{ [$fromAI('phone')] }}",
	});

	it.each([
		['$json?.phone', '{{ $json?.phone.trim() }}'],
		// It may read any field.
		['$json', '{{ Object.values($json)[0] }}'],
	])('must not be read by To as %s', async (read, to) => {
		const item = { phone: CUSTOMER };
		expect(await call(ask(to), [{ phone: OTHER }], { item })).toEqual([
			refused(
				`To reads "${read}", but n8n puts there what the agent's model gives as phone. Nothing was sent. Only the builder of the workflow can correct this: tell the user, and do not call this tool again.`,
			),
		]);
		expect(server.received).toEqual([]);
	});

	it.each(["{{ $json.from || $fromAI('phone') }}", "{{ $fromAI('phone') || $json.phone }}"])(
		'may be read by To: %s',
		async (to) => {
			const item = { from: CUSTOMER, phone: OTHER };
			expect(await call(ask(to), [{ phone: CUSTOMER }], { item })).toEqual([isSent]);
			expect(server.sentTo).toEqual([CUSTOMER]);
		},
	);

	const READS = '={{ $json.answer }}';

	it.each<[string, INodeParameters]>([
		['Send Once Key', { dryRun: true, sendOnceKey: READS }],
		['Frequency Cap', { frequencyCap: { cap: { messages: 1, period: READS, unit: 'days' } } }],
		['Timeout (Seconds)', { timeout: READS }],
	])('is named with the option that reads it: %s', async (option, options) => {
		const [read] = await call({ ...ANSWER, options }, [WORDS]);
		expect(read).toContain(`${option} reads`);
	});
});

// docs/ai-agents.md: AI agents
describe.each([2.2, 3] as const)('in agent %s a message goes once', (agentVersion) => {
	const TO_MODEL = { ...ANSWER, to: "={{ $fromAI('to', 'Phone number', 'string') }}" };
	const said = (answer: string, to = CUSTOMER) => ({ to, answer });
	const run = { agentVersion };

	it('whatever else the model says in the same step', async () => {
		const loop = Array.from({ length: 10 }, () => said('Hello'));
		const read = await call(TO_MODEL, [...loop, said('Bye'), said('Hello', OTHER)], run);
		expect(read.slice(0, 10).sort()).toEqual([...Array<string>(9).fill(wasSent), isSent].sort());
		expect(read.slice(10)).toEqual([isSent, isSent]);
		expect(server.sentTo.sort()).toEqual([CUSTOMER, CUSTOMER, OTHER]);
	});

	it('for each of its Send Once Keys', async () => {
		const options = { sendOnceKey: '={{ $execution.id }}-{{ $runIndex }}' };
		const calls = [said('Hello'), said('Hello')];
		expect(await call({ ...TO_MODEL, options }, calls, run)).toEqual([isSent, isSent]);
	});
});
