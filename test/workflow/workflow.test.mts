import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { recallAsked } from '../../nodes/BusinessMessaging/actions/sendAndWait/wait';
import { madeUpNode, runWorkflow, type WorkflowToRun } from '../support/engine.mts';
import { MISBEHAVIORS, startFaultServer, type FaultServer } from '../support/faultServer.mts';
import { API_KEY, SEND } from '../support/runNode.mts';

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const FAILING = '+14155552671';
const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];

let server: FaultServer;

afterEach(async () => await server?.close());

async function run(toRun: Omit<WorkflowToRun, 'credentials'>) {
	const data = { baseUrl: server.url, apiKey: API_KEY };
	const credentials = [{ type: new BusinessMessagingApi(), data }];
	return await runWorkflow({ ...toRun, credentials });
}

test('requests of tests never leave this machine', async () => {
	const cause = { message: 'Tests reach loopback addresses only, not api.example.com.' };
	await expect(fetch('https://api.example.com/')).rejects.toMatchObject({ cause });
});

describe('a loop', () => {
	const ROUNDS = 3;
	/** The first one is skipped, so the failing one comes first on its output. */
	const batch = [
		{ to: '+14155552670', category: 'marketing' },
		...[FAILING, '+14155552672', '+14155552673'].map((to) => ({ to, category: 'authentication' })),
	];
	const timeOf = (hoursFromNow: number) =>
		new Date(Date.now() + hoursFromNow * 3_600_000).toISOString().slice(11, 16);
	/** Messages that are no authentication codes are skipped now. */
	const sendBetween = {
		hours: { from: timeOf(2), until: timeOf(3), timeZone: 'other', otherTimeZone: 'UTC' },
	};

	/** Puts out the batch several times, then what came back. */
	const loop = madeUpNode(
		async function () {
			const memory = this.getContext('node');
			memory.round = Number(memory.round ?? 0) + 1;
			const items = batch.map((json, item) => ({ json, pairedItem: { item } }));
			return Number(memory.round) <= ROUNDS ? [items, []] : [[], this.getInputData()];
		},
		{ outputs: ['main', 'main'] },
	);

	// docs/outputs.md: a loop goes on with the items that come back
	it.each<[string, object, Array<ReturnType<typeof to>>, number, boolean]>([
		['a dry run, with Sent wired back', { dryRun: true }, [to('Loop')], 1, true],
		['the same by way of another node', { dryRun: true }, [to('Mark')], 1, true],
		['with Skipped as well', { dryRun: true }, [to('Loop'), to('Mark')], ROUNDS, false],
		['the same, wired to the node itself', { dryRun: true }, [to('Send')], 1, true],
		['with Skipped leading elsewhere', { dryRun: true }, [to('Loop'), to('End')], 1, true],
		['with nothing wired', { dryRun: true }, [], 1, false],
		['with Skipped alone', { dryRun: true }, [[], to('Loop')], ROUNDS, false],
		[
			'a list that all are in',
			{ doNotSendTo: batch.map((json) => json.to).join('\n') },
			[to('Loop')],
			1,
			true,
		],
		['a list that some are in', { doNotSendTo: FAILING }, [to('Loop')], ROUNDS, false],
	])('%s: says if it ends after one batch', async (_, options, main, rounds, isTold) => {
		server = await startFaultServer(() => MISBEHAVIORS.sent);
		const parameters = { ...SEND, options: { requestsPerMinute: 0, ...options } };
		const pass = madeUpNode(async function () {
			return await Promise.resolve([this.getInputData()]);
		});
		const { run: ended } = await run({
			nodes: [
				{ name: 'Loop', type: 'loop' },
				{ name: 'Send', type: 'businessMessaging', parameters },
				{ name: 'Mark', type: 'pass' },
				{ name: 'End', type: 'pass' },
			],
			connections: {
				Loop: { main: [to('Send')] },
				Send: { main },
				Mark: { main: [to('Loop')] },
			},
			nodeTypes: { loop, pass, businessMessaging: new BusinessMessaging() },
		});
		const hints = ended.data.resultData.runData.Send.map((each) => each.hints?.[0].message);
		expect(hints).toHaveLength(rounds);
		const told = 'The loop ends after this batch, because all its items left through Skipped.';
		expect(hints.map((hint) => hint?.includes(told))).toEqual(Array(rounds).fill(isTold));
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'sends each item of each round once, skips on an output of its own, with Retry On Fail and %s',
		async (onError) => {
			server = await startFaultServer((_, body) =>
				body.includes(FAILING) ? MISBEHAVIORS.resetAfterSending : MISBEHAVIORS.sent,
			);
			const options = { requestsPerMinute: 0, sendBetween };
			const parameters = { ...SEND, category: '={{ $json.category }}', options };
			const back = to('Loop');
			const hasErrorOutput = onError === 'continueErrorOutput';
			const { output } = await run({
				nodes: [
					{ name: 'Loop', type: 'loop' },
					{ name: 'Send', type: 'businessMessaging', parameters, onError, ...RETRY_ON_FAIL },
				],
				connections: {
					Loop: { main: [to('Send')] },
					Send: { main: hasErrorOutput ? [back, back, back] : [back, back] },
				},
				nodeTypes: { loop, businessMessaging: new BusinessMessaging() },
			});
			const counts = batch.map(
				(item) => server.received.filter((body) => body.includes(item.to)).length,
			);
			expect(counts).toEqual([0, ROUNDS, ROUNDS, ROUNDS]);
			const left = [0, 1, 2].map((index) =>
				output('Send', index).map(({ pairedItem }) => pairedItem),
			);
			const items = (...numbers: number[]) => numbers.map((item) => ({ item }));
			const sentAndFailed = hasErrorOutput ? [items(2, 3), items(1)] : [items(1, 2, 3), []];
			expect(left).toEqual([sentAndFailed[0], items(0), sentAndFailed[1]]);
		},
	);
});

// docs/sending.md: Test Messages, all rounds of a loop together
it.each<[string, number, object]>([
	['one item each', 1, {}],
	['two items each', 2, {}],
	['two items each, with Retry On Fail', 2, RETRY_ON_FAIL],
])('a test of a loop sends three messages in all its rounds of %s', async (_, size, settings) => {
	const isFirstTry = new Map<string, boolean>();
	server = await startFaultServer((__, body) => {
		const { templateName } = JSON.parse(body) as { templateName: string };
		const isFirst = !isFirstTry.has(templateName);
		isFirstTry.set(templateName, false);
		return 'retryOnFail' in settings && isFirst ? MISBEHAVIORS.refused400 : MISBEHAVIORS.sent;
	});
	const customers = [1, 2, 3, 4, 5, 6].map((number) => `+1415555267${number}`);
	const loop = madeUpNode(
		async function () {
			const memory = this.getContext('node');
			const at = Number(memory.at ?? 0);
			memory.at = at + size;
			const items = customers.slice(at, at + size).map((to) => ({ json: { to } }));
			return items.length > 0 ? [items, []] : [[], []];
		},
		{ outputs: ['main', 'main'] },
	);
	const parameters = {
		...SEND,
		templateName: '=of_{{ $json.to }}',
		options: { requestsPerMinute: 0, testRecipient: '+14155552600' },
	};
	const { run: ended } = await run({
		mode: 'manual',
		nodes: [
			{ name: 'Loop', type: 'loop' },
			{ name: 'Send', type: 'businessMessaging', parameters, ...settings },
		],
		connections: { Loop: { main: [to('Send')] }, Send: { main: [to('Loop'), to('Loop')] } },
		nodeTypes: { loop, businessMessaging: new BusinessMessaging() },
	});
	const outputs = ended.data.resultData.runData.Send.map(({ data }) => data?.main ?? []);
	const left = [0, 1].map((output) =>
		outputs.flatMap((each) => each[output] ?? []).map(({ json }) => json.intendedTo),
	);
	expect(left).toEqual([customers.slice(0, 3), customers.slice(3)]);
	const tested = server.received.map(
		(body) => (JSON.parse(body) as { templateName: string }).templateName,
	);
	expect([...new Set(tested)]).toEqual(customers.slice(0, 3).map((each) => `of_${each}`));
});

// docs/sending.md: Wrong rows
it.each<[string, number[], object, RegExp]>([
	['a wrong row', [2, 2, 0], {}, /This round of the loop has sent nothing\./],
	['one row at a time', [1, 1, 0], {}, /This round of the loop has sent nothing\./],
	['a spending limit', [1, 2], { spendingLimit: 0.2 }, /This round of the loop has sent nothing\./],
	['a wrong option', [1, 1], { concurrency: '={{ $runIndex ? "x" : 5 }}' }, /^Enter a number/],
])(
	'the error of a later round of a loop says that earlier ones may have sent: %s',
	async (_, rounds, options, nothing) => {
		server = await startFaultServer(() => MISBEHAVIORS.sent);
		const loop = madeUpNode(
			async function () {
				const memory = this.getContext('node');
				const round = Number(memory.round ?? 0);
				memory.round = round + 1;
				if (round === rounds.length) return [[], []];
				const right = Array.from({ length: rounds[round] }, () => ({ json: { to: FAILING } }));
				return [[...right, ...(rounds[round] === 0 ? [{ json: { to: '' } }] : [])], []];
			},
			{ outputs: ['main', 'main'] },
		);
		const parameters = { ...SEND, options: { requestsPerMinute: 0, ...options } };
		const { run: ended } = await run({
			nodes: [
				{ name: 'Loop', type: 'loop' },
				{ name: 'Send', type: 'businessMessaging', parameters },
			],
			connections: { Loop: { main: [to('Send')] }, Send: { main: [to('Loop')] } },
			nodeTypes: { loop, businessMessaging: new BusinessMessaging() },
		});
		const { description } = ended.data.resultData.error as { description?: string };
		expect(description).toMatch(nothing);
		expect(description).toMatch(/loop before it may have sent messages: a Retry does not send/);
	},
);

describe('a question', () => {
	const parameters = {
		...SEND,
		operation: 'sendAndWait',
		to: FAILING,
		variablesInput: 'json',
		variablesJson: '{"1": "[link]"}',
		message: 'May we?',
		options: { requestsPerMinute: 0 },
	};

	/** The first message may have gone, and each one after it has. @returns the links in them */
	async function ask(node: Partial<WorkflowToRun['nodes'][0]>, connections = {}) {
		server = await startFaultServer((number) =>
			number === 0 ? MISBEHAVIORS.resetAfterSending : MISBEHAVIORS.sent,
		);
		const asking = new BusinessMessaging();
		await run({
			nodes: [{ name: 'Ask', type: 'businessMessaging', parameters, ...node }],
			connections,
			nodeTypes: { businessMessaging: asking, businessMessagingHitlTool: asking },
		});
		return server.received.map((body) => /https?:[^"]*/.exec(body)?.[0]);
	}

	// SECURITY, The link of a question: an earlier one answers no later question
	it('the link of a message that may have gone does not answer the next question', async () => {
		const connections = { Ask: { main: [[], [], to('Ask')] } };
		const links = await ask({ onError: 'continueErrorOutput' }, connections);
		expect(links).toEqual([expect.stringContaining('round='), expect.stringContaining('round=')]);
		expect(links[0]).not.toBe(links[1]);
	});

	it.each(['Ask', '{{ Ask }} "now"', 'Mr. constructor', 'Ask\u2028'])(
		'of a node named %j has a page',
		async (name) => {
			server = await startFaultServer(() => MISBEHAVIORS.sent);
			const node = { name, type: 'businessMessaging', parameters };
			const nodeTypes = { businessMessaging: new BusinessMessaging() };
			const { webhookOf } = await run({ nodes: [node], nodeTypes });
			expect(recallAsked(webhookOf(name))).toMatchObject({ round: 1 });
		},
	);

	// docs/good-to-know.md: Retry On Fail sends only the rest
	it('a second try does not ask again what may have been asked', async () => {
		expect(await ask(RETRY_ON_FAIL)).toHaveLength(1);
	});
});
