import { randomUUID } from 'node:crypto';
import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain, type NodeSettings } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { ACTION, CREDENTIAL, TRIGGER } from '../../playground/n8n/typeNames.mts';
import { agentWorkflow } from '../support/agentWorkflow.mts';
import { askNode } from '../support/askingWorkflow.mts';
import { saveModel, startChatModel, type ChatModel } from '../support/chatModel.mts';
import { newestThatIs, runOnce } from '../support/manualRun.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { CALLED, callNode, webhookNode } from '../support/nativeNodes.mts';
import { postJson } from '../support/postJson.mts';
import { answer, look, nextLink } from '../support/questionPage.mts';
import { incomingEvent } from '../support/webhookEvents.mts';

jest.setTimeout(300_000);

const NODE = 'Send';
const TESTER = '+12025550199';
/** Whatever number it goes to. */
const REFUSED = { templateName: 'always_400' };
const AGENT_3 = 3.1;
const FAILURE: NodeSettings = {
	type: 'n8n-nodes-base.stopAndError',
	parameters: { errorMessage: 'This always fails.' },
};

let n8n: N8nUnderTest;
let model: ChatModel;
let modelCredential: { id: string; name: string };
const apis: LocalApi[] = [];

beforeAll(async () => {
	n8n = await n8nUnderTest();
	model = await startChatModel();
	modelCredential = await saveModel(n8n, model);
});

afterAll(async () => {
	await Promise.all(apis.map(async (api) => await api.close()));
	await model?.close();
});

/** An account of an API of its own, and the parts of workflows that send a customer a message over it. */
async function open() {
	const api = await startLocalApi();
	apis.push(api);
	const credential = await saveAccount(n8n, `Ways ${randomUUID()}`, { baseUrl: api.url });
	const options = { testRecipient: TESTER };
	const message = {
		resource: 'message',
		operation: 'sendTemplate',
		to: CUSTOMER,
		templateName: 'order_update',
		variablesInput: 'none',
		options,
	};

	return {
		api,

		/** To whom messages went, in their order. */
		recipients: () => api.calls.map(({ body }) => (body as { to: string }).to),

		send: (parameters: object = {}): NodeSettings => ({
			type: ACTION,
			parameters: { ...message, ...parameters },
			credentials: { [CREDENTIAL]: credential },
		}),

		ask: () => askNode(credential, { options }),

		/** A workflow that begins with Start. */
		workflow: (nodes: Nodes): Workflow =>
			chain(`Way ${randomUUID()}`, { Start: { type: 'n8n-nodes-base.manualTrigger' }, ...nodes }),

		/** An agent whose tool is the action node, and sends another message in each call: the same one goes once. */
		agentSends: (agentVersion: number, ofModel = modelCredential): Workflow => {
			const variables = { variablesInput: 'json', variablesJson: '={{ [Math.random()] }}' };
			return agentWorkflow(ofModel, credential, { ...message, ...variables }, {}, agentVersion);
		},

		/** An agent whose tool calls a workflow. */
		agentCalls(id: string): Workflow {
			const tool = {
				type: '@n8n/n8n-nodes-langchain.toolWorkflow',
				typeVersion: 2.2,
				parameters: {
					description: 'Informs the customer',
					workflowId: { __rl: true, mode: 'id', value: id },
					workflowInputs: { mappingMode: 'defineBelow', value: {}, schema: [] },
				},
				credentials: {},
			};
			return agentWorkflow(modelCredential, credential, {}, tool);
		},
	};
}

type SendingWays = Awaited<ReturnType<typeof open>>;
type Nodes = Record<string, NodeSettings>;

/** Saves a workflow that others can call. @returns its ID */
async function saveCalled(nodes: Nodes, { trigger = CALLED, settings = {} } = {}): Promise<string> {
	const workflow = chain(`Called ${randomUUID()}`, { Called: trigger, ...nodes });
	const all = { ...workflow, settings: { ...workflow.settings, ...settings } };
	return (await savePublished(all)).id;
}

const sends = (ways: SendingWays): Nodes => ({ [NODE]: ways.send() });
const sender = async (ways: SendingWays) => await saveCalled(sends(ways));

async function errorSender(ways: SendingWays) {
	const trigger = { type: 'n8n-nodes-base.errorTrigger' };
	return await saveCalled(sends(ways), { trigger });
}

/** Begins a run. @returns the ID of its workflow */
type Begin = (workflow: Workflow) => Promise<string>;

const startByHand: Begin = async (workflow) => {
	const { id } = await n8n.client.workflows.save(workflow);
	await n8n.client.workflows.run(id, 'Start');
	return id;
};

const byWebhook: Begin = async (workflow) => {
	const { saved, address } = await publish(n8n, startedBy(workflow, webhookNode()));
	await fetch(address, { method: 'POST' });
	return saved.id;
};

/** The same workflow behind another start. */
function startedBy(workflow: Workflow, start: NodeSettings): Workflow {
	const [first, ...others] = workflow.nodes;
	return { ...workflow, nodes: [{ ...first, ...start }, ...others] };
}

const sendingFrom = (start: NodeSettings, ways: SendingWays) =>
	startedBy(ways.workflow(sends(ways)), start);

async function answerQuestion({ api }: SendingWays) {
	const link = await nextLink(api);
	await eventually('the page', async () => (await look(link)).status === 200);
	await answer(link, { choice: '0' });
}

const BEGINNINGS = [
	{ beginning: 'a run by hand', begin: startByHand, to: TESTER },
	{ beginning: 'a run in production', begin: byWebhook, to: CUSTOMER },
];

/** Presses Retry at the newest execution, once it has failed. */
async function retryOf(id: string, saved = false) {
	const failed = await newestThatIs('error', n8n, id);
	await n8n.client.executions.retry(failed.id, saved);
}

/** Begins a workflow that calls one of these nodes. @returns the ID of the called one */
async function calling(nodes: Nodes, { workflow }: SendingWays, begin: Begin, settings = {}) {
	const called = await saveCalled(nodes, { settings });
	await begin(workflow({ Call: callNode(called) }));
	return called;
}

/** What comes between the beginning of a run and its messages, one unless it says how many. */
const PATHS: Record<string, (ways: SendingWays, begin: Begin) => Promise<unknown>> = {
	'the workflow itself': async (ways, begin) => await begin(ways.workflow(sends(ways))),
	'an AI Agent 2.2 whose tool sends': async (ways, begin) => await begin(ways.agentSends(2.2)),
	'an AI Agent 3 whose tool sends': async (ways, begin) => await begin(ways.agentSends(AGENT_3)),
	'a sub-workflow': async (ways, begin) => await calling(sends(ways), ways, begin),
	'a sub-workflow that the sub-workflow of a tool calls': async (ways, begin) => {
		const called = await saveCalled({ Call: callNode(await sender(ways)) });
		await begin(ways.agentCalls(called));
	},
	'a sub-workflow that a sub-workflow calls after a question (2)': async (ways, begin) => {
		await calling({ Ask: ways.ask(), Call: callNode(await sender(ways)) }, ways, begin);
		await answerQuestion(ways);
	},
	'the error workflow of its sub-workflow': async (ways, begin) => {
		const errorWorkflow = await errorSender(ways);
		await calling({ FAILURE }, ways, begin, { errorWorkflow });
	},
	'its error workflow': async (ways, begin) => {
		const workflow = ways.workflow({ FAILURE });
		const settings = { ...workflow.settings, errorWorkflow: await errorSender(ways) };
		const id = await begin({ ...workflow, settings });
		// By hand only a Retry starts it.
		if (begin === startByHand) await retryOf(id);
	},
	'its Retry (2)': async (ways, begin) => {
		const id = await begin(ways.workflow({ [NODE]: ways.send(REFUSED) }));
		// With the currently saved or with the original workflow.
		await retryOf(id, begin === startByHand);
	},
	'the Retry of its sub-workflow (2)': async (ways, begin) => {
		await retryOf(await calling({ [NODE]: ways.send(REFUSED) }, ways, begin));
	},
};

/** Runs that begin in other ways. */
type Start = (ways: SendingWays) => Promise<unknown>;

const STARTS_BY_HAND: Record<string, Start> = {
	'Execute step, with what was put out before': async (ways) => {
		const workflow = ways.workflow(sends(ways));
		// n8n looks for pinned data, even if there is none.
		const { id } = await n8n.client.workflows.save({ ...workflow, pinData: {} });
		const data = { main: [[{ json: {} }]] };
		const run = { startTime: 0, executionTime: 0, executionStatus: 'success', source: [], data };
		await n8n.client.workflows.executeStep(id, NODE, { Start: [run] });
	},
	'a test event of a webhook': async (ways) => {
		const webhook = webhookNode();
		const { id } = await n8n.client.workflows.save(sendingFrom(webhook, ways));
		await n8n.client.workflows.run(id, 'Start');
		await fetch(`${n8n.url}/webhook-test/${webhook.webhookId}`, { method: 'POST' });
	},
};

const STARTS_IN_PRODUCTION: Record<string, Start> = {
	'a schedule': async (ways) => {
		const interval = [{ field: 'seconds', secondsInterval: 1 }];
		const parameters = { rule: { interval } };
		const schedule = { type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2, parameters };
		const saved = await savePublished(sendingFrom(schedule, ways));
		await eventually('a message', () => ways.api.calls.length > 0);
		await n8n.client.workflows.unpublish(saved.id);
	},
	'an event of the trigger': async (ways) => {
		const webhookId = randomUUID();
		const parameters = { events: ['*'], authentication: 'none' };
		const trigger = { type: TRIGGER, typeVersion: 2, webhookId, parameters };
		const { address } = await publish(n8n, sendingFrom(trigger, ways));
		await postJson(address, incomingEvent());
	},
};

async function savePublished(workflow: Workflow) {
	const saved = await n8n.client.workflows.save(workflow);
	await n8n.client.workflows.publish(saved);
	return saved;
}

describe.each([
	{ person: 'test recipient', to: TESTER, starts: STARTS_BY_HAND },
	{ person: 'customer', to: CUSTOMER, starts: STARTS_IN_PRODUCTION },
])('to the $person only goes', ({ to, starts }) => {
	test.each(Object.entries(starts))('%s', async (_, start) => {
		const ways = await open();
		await start(ways);
		await eventually('a message', () => ways.api.calls.length > 0);
		expect([...new Set(ways.recipients())]).toEqual([to]);
	});
});

// README, Quick start: the first three
test('in one run by hand it gets three messages of all calls of a tool of an AI Agent', async () => {
	const ways = await open();
	const ownModel = await startChatModel();
	ownModel.toolCalls = 5;
	const credential = await saveModel(n8n, ownModel);
	await runOnce(n8n, ways.agentSends(AGENT_3, credential));
	await ownModel.close();
	expect(ways.recipients()).toEqual(Array(3).fill(TESTER));
	const told = ownModel.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
	const isLeftOut = told.map(({ content }) => String(content).includes('onlyTested'));
	expect(isLeftOut).toEqual([false, false, false, true, true]);
});

// docs/sending.md: nothing is sent
test.each(BEGINNINGS)(
	'$beginning sends to nobody where n8n has deleted the execution that would tell',
	async ({ begin, to }) => {
		const ways = await open();
		// B goes on after A that called it is over, and deleted.
		const b = await saveCalled({ Ask: ways.ask(), [NODE]: ways.send() });
		const settings = { saveDataSuccessExecution: 'none' };
		const a = await saveCalled({ Call: callNode(b, false) }, { settings });
		await begin(ways.workflow({ Call: callNode(a, false) }));
		await answerQuestion(ways);
		const { data } = await newestThatIs('error', n8n, b);
		expect(data.resultData.runData[NODE].at(-1)?.error).toMatchObject({
			message: expect.stringContaining('n8n gives no sign whether this run is manual'),
			description: expect.stringContaining('remove Test Recipient under Options'),
		});
		expect(ways.recipients()).toEqual([to]);
	},
);

// docs/sending.md: Test Recipient
describe.each(BEGINNINGS)('$beginning sends to the right person', ({ begin, to }) => {
	test.each(Object.entries(PATHS))('through %s', async (name, path) => {
		const ways = await open();
		await path(ways, begin);
		const messages = name.endsWith('(2)') ? 2 : 1;
		await eventually('all messages', () => ways.api.calls.length >= messages);
		expect(ways.recipients()).toEqual(Array(messages).fill(to));
	});
});
