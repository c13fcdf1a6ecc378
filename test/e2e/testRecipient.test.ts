import { randomUUID } from 'node:crypto';
import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { eventually } from '../../playground/eventually.ts';
import type { NodeSettings } from '../../playground/n8n/chain.ts';
import { publish } from '../../playground/n8n/publish.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { startChatModel, type ChatModel } from '../support/chatModel.ts';
import { runOnce } from '../support/manualRun.ts';
import { isN8nBefore, n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { webhookNode } from '../support/nativeNodes.ts';
import { answer, look, nextLink } from '../support/questionPage.ts';
import {
	FAILURE,
	LONG_WAIT,
	startSendingWays,
	type SendingWays,
} from '../support/sendingWays.ts';

jest.setTimeout(300_000);
const LONG_MS = 240_000;

const NODE = 'Send';
const TESTER = '+12025550199';
/** Whatever number it goes to. */
const REFUSED = { templateName: 'always_400' };

let n8n: N8nUnderTest;
let model: ChatModel;
let modelCredential: { id: string; name: string };
const opened: SendingWays[] = [];

beforeAll(async () => {
	n8n = await n8nUnderTest();
	model = await startChatModel();
	modelCredential = await n8n.client.credentials.save({
		name: 'Test recipient: model',
		type: 'openAiApi',
		data: { apiKey: 'not-used', url: model.url },
	});
});

afterAll(async () => {
	await Promise.all(opened.map(async ({ api }) => await api.close()));
	await model?.close();
});

async function open(options: Record<string, unknown> = { testRecipient: TESTER }) {
	const ways = await startSendingWays(n8n, modelCredential, options);
	opened.push(ways);
	return ways;
}

/** What comes between the start of a run and its message. */
interface Path {
	workflow: (ways: SendingWays) => Workflow | Promise<Workflow>;
	/** How many messages are sent, the questions among them. */
	messages?: number;
	/** Whether somebody answers a question. */
	asks?: boolean;
	/** Whether it takes more than a minute. */
	isLong?: boolean;
}

const AGENT_3 = isN8nBefore(11) ? 3 : 3.1;

const PATHS: Record<string, Path> = {
	'the workflow itself': {
		workflow: (ways) => ways.workflow({ [NODE]: ways.send() }),
	},
	'its loop': {
		workflow: (ways) => {
			const batches = { type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 };
			const two = {
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				parameters: { jsCode: 'return [{ json: {} }, { json: {} }]' },
			};
			const workflow = ways.workflow({ Two: two, Loop: batches, [NODE]: ways.send() });
			const to = (node: string) => [{ node, type: 'main', index: 0 }];
			const loop = { Loop: { main: [[], to(NODE)] }, [NODE]: { main: [to('Loop')] } };
			return { ...workflow, connections: { ...workflow.connections, ...loop } };
		},
		messages: 2,
	},
	'its Retry On Fail': {
		workflow: (ways) => {
			const retries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
			return ways.workflow({ [NODE]: { ...ways.send(REFUSED), ...retries } });
		},
		messages: 2,
	},
	'itself after a Wait node': {
		workflow: (ways) => ways.workflow({ Wait: LONG_WAIT, [NODE]: ways.send() }),
		isLong: true,
	},
	'itself after a question': {
		workflow: (ways) => ways.workflow({ Ask: ways.ask(), [NODE]: ways.send() }),
		messages: 2,
		asks: true,
	},
	'an AI Agent 2.2 whose tool sends': { workflow: (ways) => ways.agentSends(2.2) },
	'an AI Agent 3 whose tool sends': { workflow: (ways) => ways.agentSends(AGENT_3) },
	'a sub-workflow': {
		workflow: async (ways) =>
			ways.workflow({ Call: await ways.call({ [NODE]: ways.send() }) }),
	},
	'a sub-workflow that nobody waits for': {
		workflow: async (ways) =>
			ways.workflow({ Call: await ways.call({ [NODE]: ways.send() }, { waits: false }) }),
	},
	'a sub-workflow with a Wait node': {
		workflow: async (ways) =>
			ways.workflow({ Call: await ways.call({ Wait: LONG_WAIT, [NODE]: ways.send() }) }),
		isLong: true,
	},
	'a sub-workflow with a Wait node that nobody waits for': {
		workflow: async (ways) => {
			const nodes = { Wait: LONG_WAIT, [NODE]: ways.send() };
			return ways.workflow({ Call: await ways.call(nodes, { waits: false }) });
		},
		isLong: true,
	},
	'a sub-workflow after a question': {
		workflow: async (ways) =>
			ways.workflow({ Call: await ways.call({ Ask: ways.ask(), [NODE]: ways.send() }) }),
		messages: 2,
		asks: true,
	},
	'an AI Agent 2.2 whose tool calls a sub-workflow': {
		workflow: async (ways) => await ways.agentCalls({ [NODE]: ways.send() }, 2.2),
	},
	'an AI Agent 3 whose tool calls a sub-workflow': {
		workflow: async (ways) => await ways.agentCalls({ [NODE]: ways.send() }, AGENT_3),
	},
	'a sub-workflow of a sub-workflow': {
		workflow: async (ways) => {
			const Call = await ways.call({ [NODE]: ways.send() });
			return ways.workflow({ Call: await ways.call({ Call }) });
		},
	},
	'a sub-workflow that the sub-workflow of a tool calls': {
		workflow: async (ways) => {
			const Call = await ways.call({ [NODE]: ways.send() });
			return await ways.agentCalls({ Call }, AGENT_3);
		},
	},
	'a sub-workflow that a sub-workflow calls after a question': {
		workflow: async (ways) => {
			const Call = await ways.call({ [NODE]: ways.send() });
			return ways.workflow({ Call: await ways.call({ Ask: ways.ask(), Call }) });
		},
		messages: 2,
		asks: true,
	},
	'the error workflow of its sub-workflow': {
		workflow: async (ways) => {
			const trigger = { type: 'n8n-nodes-base.errorTrigger' };
			const errorWorkflow = await ways.saveCalled({ [NODE]: ways.send() }, { trigger });
			return ways.workflow({ Call: await ways.call({ FAILURE }, { settings: { errorWorkflow } }) });
		},
	},
};

/** The same workflow behind another start. */
function startedBy(workflow: Workflow, start: NodeSettings): Workflow {
	const [first, ...others] = workflow.nodes;
	return { ...workflow, nodes: [{ ...first, ...start }, ...others] };
}

async function byHand(workflow: Workflow) {
	await runOnce(n8n, workflow, 'Start', LONG_MS);
}

async function byWebhook(workflow: Workflow) {
	const { address } = await publish(n8n, startedBy(workflow, webhookNode()));
	await fetch(address, { method: 'POST' });
}

/** @returns to whom its messages went */
async function recipientsOf(path: Path, start: (workflow: Workflow) => Promise<void>) {
	const { workflow, messages = 1, asks, isLong } = path;
	const ways = await open();
	const started = start(await workflow(ways));
	if (asks) {
		const link = await nextLink(ways.api);
		await eventually('the page', async () => (await look(link)).status === 200);
		await answer(link, { choice: '0' });
	}
	const sent = () => ways.api.calls.length >= messages;
	const [all] = await Promise.all([
		eventually('all messages', sent, isLong ? LONG_MS : undefined),
		started,
	]);
	expect(all).toBe(true);
	return ways.recipients();
}

const STARTS = [
	{ start: 'a run by hand', begin: byHand, to: TESTER },
	{ start: 'a run in production', begin: byWebhook, to: CUSTOMER },
];

// README, Send to a spreadsheet: Test Recipient
describe.each(STARTS)('with a test recipient, $start sends to the right person', ({ begin, to }) => {
	const rows = Object.entries(PATHS);
	/** Those take more than a minute: all at the same time. */
	const running = new Map<string, Promise<string[]>>();

	beforeAll(() => {
		for (const [name, path] of rows.filter(([, { isLong }]) => isLong)) {
			const recipients = recipientsOf(path, begin);
			// Told by its own test.
			recipients.catch(() => undefined);
			running.set(name, recipients);
		}
	});

	// The long ones last.
	const inOrder = rows.sort(([, a], [, b]) => Number(a.isLong ?? false) - Number(b.isLong ?? false));
	test.each(inOrder)('through %s', async (name, path) => {
		const recipients = await (running.get(name) ?? recipientsOf(path, begin));
		expect(recipients).toEqual(Array(path.messages ?? 1).fill(to));
	});
});
