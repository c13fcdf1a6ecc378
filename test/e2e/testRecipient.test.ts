import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { eventually } from '../../playground/eventually.ts';
import { n8nFolder } from '../../playground/folders.ts';
import type { NodeSettings } from '../../playground/n8n/chain.ts';
import { n8nEnvironment } from '../../playground/n8n/environment.ts';
import { publish } from '../../playground/n8n/publish.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { TRIGGER } from '../../playground/n8n/typeNames.ts';
import { anyFreePort } from '../../playground/ports.ts';
import { run } from '../../playground/run.ts';
import { saveModel, startChatModel, type ChatModel } from '../support/chatModel.ts';
import { runOnce } from '../support/manualRun.ts';
import { connectMcp } from '../support/mcpClient.ts';
import { mcpServer } from '../support/mcpServer.ts';
import {
	isN8nBefore,
	n8nOfThisWorker,
	n8nUnderTest,
	type N8nUnderTest,
} from '../support/n8nUnderTest.ts';
import { webhookNode } from '../support/nativeNodes.ts';
import { postJson } from '../support/postJson.ts';
import { answer, look, nextLink } from '../support/questionPage.ts';
import { FAILURE, LONG_WAIT, startSendingWays, type SendingWays } from '../support/sendingWays.ts';
import { incomingEvent } from '../support/webhookEvents.ts';

jest.setTimeout(300_000);
const LONG_MS = 180_000;

const NODE = 'Send';
const TESTER = '+12025550199';
/** Whatever number it goes to. */
const REFUSED = { templateName: 'always_400' };
const UNAWAITED = { waits: false };
const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';
const AGENT_3 = isN8nBefore(11) ? 3 : 3.1;

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

async function open() {
	const options = { testRecipient: TESTER, concurrency: 1 };
	const api = await startLocalApi();
	apis.push(api);
	return await startSendingWays(n8n, api, modelCredential, options);
}

/** What comes between the start of a run and its message. */
type Path = (ways: SendingWays) => Workflow | Promise<Workflow>;
type Nodes = Record<string, NodeSettings>;

const sends = (ways: SendingWays): Nodes => ({ [NODE]: ways.send() });
const sendsLater = (ways: SendingWays): Nodes => ({ Wait: LONG_WAIT, [NODE]: ways.send() });

const PATHS: Record<string, Path> = {
	'the workflow itself': (ways) => ways.workflow(sends(ways)),
	'its Retry On Fail': (ways) => {
		const retries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
		return ways.workflow({ [NODE]: { ...ways.send(REFUSED), ...retries } });
	},
	'itself after a Wait node': (ways) => ways.workflow(sendsLater(ways)),
	'itself after a question': (ways) => ways.workflow({ Ask: ways.ask(), ...sends(ways) }),
	'an AI Agent 2.2 whose tool sends': (ways) => ways.agentSends(2.2),
	'an AI Agent 3 whose tool sends': (ways) => ways.agentSends(AGENT_3),
	'a sub-workflow': calling(sends),
	'a sub-workflow that nobody waits for': calling(sends, UNAWAITED),
	'a sub-workflow with a Wait node': calling(sendsLater),
	'a sub-workflow with a Wait node that nobody waits for': calling(sendsLater, UNAWAITED),
	'a sub-workflow after a question': calling((ways) => ({ Ask: ways.ask(), ...sends(ways) })),
	'an AI Agent 2.2 whose tool calls a sub-workflow': async (ways) =>
		ways.agentCalls(await sender(ways), 2.2),
	'an AI Agent 3 whose tool calls a sub-workflow': async (ways) =>
		ways.agentCalls(await sender(ways), AGENT_3),
	'a sub-workflow of a sub-workflow': calling(async (ways) => ({
		Call: ways.call(await sender(ways)),
	})),
	'a sub-workflow that the sub-workflow of a tool calls': async (ways) => {
		const called = await ways.saveCalled({ Call: ways.call(await sender(ways)) });
		return ways.agentCalls(called, AGENT_3);
	},
	'a sub-workflow that a sub-workflow calls after a question': calling(async (ways) => ({
		Ask: ways.ask(),
		Call: ways.call(await sender(ways)),
	})),
	'the error workflow of its sub-workflow': async (ways) => {
		const errorWorkflow = await errorSender(ways);
		const called = await ways.saveCalled({ FAILURE }, { settings: { errorWorkflow } });
		return ways.workflow({ Call: ways.call(called) });
	},
};

async function sender(ways: SendingWays) {
	return await ways.saveCalled(sends(ways));
}

async function errorSender(ways: SendingWays) {
	const trigger = { type: 'n8n-nodes-base.errorTrigger' };
	return await ways.saveCalled(sends(ways), { trigger });
}

/** A workflow that calls one of these nodes. */
function calling(
	nodes: (ways: SendingWays) => Nodes | Promise<Nodes>,
	call: { waits?: boolean } = {},
): Path {
	return async (ways) => {
		const called = await ways.saveCalled(await nodes(ways));
		return ways.workflow({ Call: ways.call(called, call) });
	};
}

async function startByHand(workflow: Workflow) {
	const { id } = await n8n.client.workflows.save(workflow);
	await n8n.client.workflows.run(id, 'Start');
}

async function byWebhook(workflow: Workflow) {
	const { saved, address } = await publish(n8n, startedBy(workflow, webhookNode()));
	await fetch(address, { method: 'POST' });
	return saved;
}

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

/** By beginning and path. */
const begun = new Map<string, SendingWays>();

/** Begun first and looked at last, because some take more than a minute. */
beforeAll(async () => {
	for (const { beginning, begin } of BEGINNINGS) {
		for (const [name, workflow] of Object.entries(PATHS)) {
			const ways = await open();
			await begin(await workflow(ways));
			begun.set(`${beginning}: ${name}`, ways);
		}
	}
});

/** Runs that begin in other ways. */
type Start = (ways: SendingWays) => Promise<unknown>;

/** Presses Retry at the newest execution, which has failed. */
async function retryOf(id: string, saved = false) {
	await n8n.client.executions.retry((await failureOf(id)).id, saved);
}

/** The newest execution, once it has failed. */
async function failureOf(id: string) {
	return await eventually('the failure', async () => {
		const [execution] = await n8n.client.executions.list(id, 1);
		return execution?.status === 'error' && execution;
	});
}

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
	'the chat of the editor': async (ways) => {
		const sessionId = randomUUID();
		const chat = { type: CHAT, typeVersion: 1.1, webhookId: randomUUID() };
		const { id } = await n8n.client.workflows.save(sendingFrom(chat, ways));
		await n8n.client.workflows.run(id, 'Start', sessionId);
		await sendChat(`${n8n.url}/webhook-test/${id}/${sessionId}`);
	},
	'an evaluation': async (ways) => {
		const table = await n8n.client.dataTables.save(`Cases ${randomUUID()}`, ['name']);
		await n8n.client.dataTables.insert(table.id, [{ name: 'Asha' }]);
		const trigger = {
			type: 'n8n-nodes-base.evaluationTrigger',
			typeVersion: 4.7,
			parameters: { source: 'dataTable', dataTableId: { __rl: true, mode: 'id', value: table.id } },
		};
		const assignments = [{ id: '1', name: 'sent', value: 1, type: 'number' }];
		const metrics = {
			type: 'n8n-nodes-base.evaluation',
			typeVersion: 4.7,
			parameters: { operation: 'setMetrics', metric: 'customMetrics', metrics: { assignments } },
		};
		const workflow = ways.workflow({ [NODE]: ways.send(), Metrics: metrics });
		const { id } = await n8n.client.workflows.save(startedBy(workflow, trigger));
		await n8n.client.session.call('POST', `/workflows/${id}/test-runs/new`, {});
	},
	'the test URL of an MCP server': async (ways) => {
		const path = randomUUID();
		const { id } = await n8n.client.workflows.save(mcpServer(path, ways.send()));
		await n8n.client.workflows.run(id, 'Server');
		const mcp = await connectMcp(`${n8n.url}/mcp-test/${path}`);
		await mcp.call('tools/call', { name: 'Tool', arguments: {} });
	},
	'Retry with the original workflow': async (ways) => {
		const { workflowId } = await runOnce(n8n, ways.workflow({ [NODE]: ways.send(REFUSED) }));
		await retryOf(workflowId);
	},
	'Retry of what calls a sub-workflow': async (ways) => {
		const called = await ways.saveCalled({ [NODE]: ways.send(REFUSED) });
		const { workflowId } = await runOnce(n8n, ways.workflow({ Call: ways.call(called) }));
		await retryOf(workflowId);
	},
	'Retry with the currently saved workflow': async (ways) => {
		const { workflowId } = await runOnce(n8n, ways.workflow({ [NODE]: ways.send(REFUSED) }));
		await retryOf(workflowId, true);
	},
	'Retry of the sub-workflow': async (ways) => {
		const called = await ways.saveCalled({ [NODE]: ways.send(REFUSED) });
		await runOnce(n8n, ways.workflow({ Call: ways.call(called) }));
		await retryOf(called);
	},
	// The run itself starts none.
	'the error workflow of a Retry': async (ways) => {
		const workflow = ways.workflow({ FAILURE });
		const settings = { ...workflow.settings, errorWorkflow: await errorSender(ways) };
		const { workflowId } = await runOnce(n8n, { ...workflow, settings });
		await retryOf(workflowId);
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
	'a public chat': async (ways) => {
		const webhookId = randomUUID();
		const chat = { type: CHAT, typeVersion: 1.1, webhookId, parameters: { public: true } };
		await savePublished(sendingFrom(chat, ways));
		const url = `${n8n.url}/webhook/${webhookId}/chat`;
		await n8n.client.workflows.waitForWebhook(url);
		await sendChat(url);
	},
	'an MCP server': async (ways) => {
		const path = randomUUID();
		await savePublished(mcpServer(path, ways.send()));
		const url = `${n8n.url}/mcp/${path}`;
		await n8n.client.workflows.waitForWebhook(url);
		await (await connectMcp(url)).call('tools/call', { name: 'Tool', arguments: {} });
	},
	'the command line': async (ways) => {
		const { id } = await n8n.client.workflows.save(ways.workflow(sends(ways)));
		const { exitCode, output } = await executeByCommand(id);
		expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
	},
	'Retry with the original workflow': async (ways) => {
		await retryOf((await byWebhook(ways.workflow({ [NODE]: ways.send(REFUSED) }))).id);
	},
	'Retry with the currently saved workflow': async (ways) => {
		await retryOf((await byWebhook(ways.workflow({ [NODE]: ways.send(REFUSED) }))).id, true);
	},
	'Retry of the sub-workflow': async (ways) => {
		const called = await ways.saveCalled({ [NODE]: ways.send(REFUSED) });
		await byWebhook(ways.workflow({ Call: ways.call(called) }));
		await retryOf(called);
	},
	'the error workflow': async (ways) => {
		const workflow = ways.workflow({ FAILURE });
		const settings = { ...workflow.settings, errorWorkflow: await errorSender(ways) };
		await byWebhook({ ...workflow, settings });
	},
};

async function savePublished(workflow: Workflow) {
	const saved = await n8n.client.workflows.save(workflow);
	await n8n.client.workflows.publish(saved);
	return saved;
}

async function executeByCommand(id: string) {
	const n8nCommand = join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n');
	const { userFolder: folder } = n8nOfThisWorker();
	const port = String(await anyFreePort());
	const env = { ...n8nEnvironment(), N8N_USER_FOLDER: folder, N8N_RUNNERS_BROKER_PORT: port };
	return await run(process.execPath, [n8nCommand, 'execute', `--id=${id}`], { folder, env });
}

async function sendChat(url: string) {
	await postJson(url, { action: 'sendMessage', sessionId: randomUUID(), chatInput: 'Hello' });
}

describe.each([
	{ person: 'test recipient', to: TESTER, starts: STARTS_BY_HAND },
	{ person: 'customer', to: CUSTOMER, starts: STARTS_IN_PRODUCTION },
])('to the $person only goes', ({ to, starts }) => {
	test.each(Object.entries(starts))('%s', async (name, start) => {
		const ways = await open();
		await start(ways);
		const messages = name.startsWith('Retry') ? 2 : 1;
		await eventually('all messages', () => ways.api.calls.length >= messages);
		expect([...new Set(ways.recipients())]).toEqual([to]);
	});
});

// docs/sending.md: nothing is sent
test.each(BEGINNINGS)(
	'$beginning sends to nobody where n8n has deleted the execution that would tell',
	async ({ begin, to }) => {
		const ways = await open();
		// B goes on after A that called it is over, and deleted.
		const b = await ways.saveCalled({ Ask: ways.ask(), [NODE]: ways.send() });
		const settings = { saveDataSuccessExecution: 'none' };
		const a = await ways.saveCalled({ Call: ways.call(b, UNAWAITED) }, { settings });
		await begin(ways.workflow({ Call: ways.call(a, UNAWAITED) }));
		await answerQuestion(ways);
		const { data } = await failureOf(b);
		expect(data.resultData.runData[NODE].at(-1)?.error).toMatchObject({
			message: expect.stringContaining('n8n does not tell if this run is by hand'),
			description: expect.stringContaining('remove Test Recipient under Options'),
		});
		expect(ways.recipients()).toEqual([to]);
	},
);

test('the output of a run by hand, also of a sub-workflow, says to whom everything went', async () => {
	const ways = await open();
	const called = await sender(ways);
	await runOnce(n8n, ways.agentCalls(called, AGENT_3));
	const [execution] = await n8n.client.executions.list(called, 1);
	expect(outputOf(execution, NODE)).toEqual([
		expect.objectContaining({ to: TESTER, intendedTo: CUSTOMER }),
	]);
	const [hint] = execution.data.resultData.runData[NODE][0].hints ?? [];
	expect(hint.message).toContain(`everything goes to the Test Recipient ${TESTER}`);
});

test('Retry without it sends to the customer what went to the test recipient', async () => {
	const ways = await open();
	const send = ways.send({ templateName: '={{ $json.template }}' });
	const tested = ways.workflow({ [NODE]: send });
	const pinned = ['order_update', 'always_400'].map((template) => ({ json: { template } }));
	const { workflowId } = await runOnce(n8n, { ...tested, pinData: { Start: pinned } });

	const parameters = { ...send.parameters, templateName: 'order_update', options: {} };
	const [start, action] = tested.nodes;
	await n8n.client.workflows.save({ ...tested, nodes: [start, { ...action, parameters }] });
	await retryOf(workflowId, true);
	expect(ways.recipients()).toEqual([TESTER, TESTER, CUSTOMER, CUSTOMER]);
});

// docs/sending.md: Test Recipient
describe.each(BEGINNINGS)('$beginning sends to the right person', ({ beginning, to }) => {
	test.each(Object.keys(PATHS))('through %s', async (name) => {
		const ways = begun.get(`${beginning}: ${name}`)!;
		const asks = name.includes('question');
		const messages = asks || name.includes('Retry') ? 2 : 1;
		if (asks) await answerQuestion(ways);
		await eventually('all messages', () => ways.api.calls.length >= messages, LONG_MS);
		expect(ways.recipients()).toEqual(Array(messages).fill(to));
	});
});
