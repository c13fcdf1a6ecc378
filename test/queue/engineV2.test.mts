import { randomUUID } from 'node:crypto';
import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { runSql, startPostgres } from '../../playground/cluster/postgres.mts';
import type { Service } from '../../playground/cluster/service.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain, type NodeSettings } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { anyFreePort } from '../../playground/ports.mts';
import { askNode } from '../support/askingWorkflow.mts';
import { CALLED, callNode } from '../support/nativeNodes.mts';
import { startOwnN8n } from '../support/ownN8n.mts';
import { postJson } from '../support/postJson.mts';
import { countNode, startRunCounter, type RunCounter } from '../support/runCounter.mts';
import { triggerWorkflow } from '../support/triggerWorkflow.mts';
import { accepted, duplicate, incomingWith, refused } from '../support/webhookEvents.mts';

// It is in this tier because engine v2 needs a PostgreSQL of its own; n8n refuses it in queue mode.

/** Of its own, so that a running server may be used: it has a table of a name that n8n's own has. */
const DATABASE = 'engine_v2';

let postgres: Service;
let n8n: Awaited<ReturnType<typeof startOwnN8n>>['n8n'];
let api: LocalApi;
let counter: RunCounter;
let credential: Awaited<ReturnType<typeof saveAccount>>;

beforeAll(async () => {
	postgres = await startPostgres(process.env.QUEUE_POSTGRES_URL);
	await runSql(postgres.url, `DROP DATABASE IF EXISTS ${DATABASE}`);
	await runSql(postgres.url, `CREATE DATABASE ${DATABASE}`);
	({ n8n } = await startOwnN8n('engine-v2', {
		N8N_ENABLED_MODULES: 'engine-v2',
		N8N_ENGINE_DATABASE_URL: new URL(DATABASE, postgres.url).href,
		N8N_ENGINE_HOST: '127.0.0.1',
		N8N_ENGINE_PORT: String(await anyFreePort()),
		N8N_ENGINE_CONTROL_PLANE_PORT: String(await anyFreePort()),
		N8N_EXPRESSION_ENGINE: 'vm',
	}));
	api = await startLocalApi();
	counter = await startRunCounter();
	credential = await saveAccount(n8n, 'Engine v2', { baseUrl: api.url });
});

beforeEach(() => {
	counter.runs.clear();
	api.calls.length = 0;
});

afterAll(async () => {
	await n8n?.stop();
	await counter?.close();
	await api?.close();
	await postgres?.stop();
});

function inEngineV2(workflow: Workflow): Workflow {
	return { ...workflow, settings: { ...workflow.settings, engineType: 'v2' } };
}

/** The trigger, with a request to the counter at its outputs for "Received" and "Read". */
function branches(outputMode: 'single' | 'perEvent'): Workflow {
	const trigger = triggerWorkflow({ events: ['*'], authentication: 'none', outputMode });
	const end = (name: string) => countNode(`${counter.url}/${name} {{ $json.event }}`);
	const nodes = { Trigger: trigger.nodes[0], received: end('received'), read: end('read') };
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	const connections = { Trigger: { main: [to('received'), [], [], to('read')] } };
	return inEngineV2({ ...chain(trigger.name, nodes), connections });
}

async function post(address: string, { body }: { body: string }) {
	const response = await postJson(address, JSON.parse(body));
	return { status: response.status, body: (await response.json()) as unknown };
}

async function expectRuns(runs: Record<string, number>) {
	const { length } = Object.keys(runs);
	await eventually(`${length} runs`, async () => counter.runs.size >= length);
	expect(Object.fromEntries(counter.runs)).toEqual(runs);
}

it('an event leaves through the output of its kind, and a repeated one not at all', async () => {
	const { address } = await publish(n8n, branches('perEvent'));
	const read = incomingWith({ event: 'message.read', data: { message_id: randomUUID() } });
	expect(await post(address, read)).toEqual(accepted);
	expect(await post(address, read)).toEqual(duplicate);
	expect(await post(address, incomingWith({}))).toEqual(accepted);
	await expectRuns({ 'read message.read': 1, 'received message.incoming': 1 });
});

it('a test event that is refused starts nothing, and the editor goes on listening', async () => {
	const saved = await n8n.client.workflows.save(branches('single'));
	await n8n.client.workflows.run(saved.id, 'Trigger');
	const address = `${n8n.url}/webhook-test/${saved.nodes[0].webhookId}/webhook`;
	expect(await post(address, { body: '{}' })).toEqual(refused(400, /"event"/));
	expect(await post(address, incomingWith({}))).toEqual(accepted);
	await expectRuns({ 'received message.incoming': 1 });
});

/** @returns runs an action node by hand, and gives the execution as n8n stores it */
async function byHand(node: NodeSettings) {
	const start = { type: 'n8n-nodes-base.manualTrigger' };
	const workflow = inEngineV2(chain(`Engine v2 ${randomUUID()}`, { Start: start, Node: node }));
	const { id } = await n8n.client.workflows.save(workflow);
	return async () => {
		const { executionId } = await n8n.client.workflows.run(id, 'Start');
		return await eventually('the end of the run', async () => {
			const stored = await n8n.client.executions.stored(executionId);
			return stored.includes('"Node":') && !stored.includes('"running"') ? stored : undefined;
		});
	};
}

it.each([undefined, 'continueRegularOutput' as const])(
	'a question is refused before its message is sent, on error: %s',
	async (onError) => {
		const run = await byHand({ ...askNode(credential), onError });
		expect(await run()).toContain(
			"n8n's engine v2 can't wait for an answer, so the question was not sent",
		);
		expect(api.calls).toEqual([]);
	},
);

/** Sends a message without variables, with these options. */
function sendNode(options: object) {
	return askNode(credential, { operation: 'sendTemplate', variablesInput: 'none', options });
}

it('a message with a Send Once Key is sent once', async () => {
	const run = await byHand(sendNode({ sendOnceKey: 'engine-v2' }));
	expect(await run()).toContain('"sent"');
	expect(await run()).toContain('"sentBefore"');
	expect(api.calls).toHaveLength(1);
});

it('a run by hand sends to the Test Recipient, also through a sub-workflow', async () => {
	const to = '+12025550199';
	const send = sendNode({ testRecipient: to });
	const called = chain(`Sends ${randomUUID()}`, { Called: CALLED, Send: send });
	const child = await n8n.client.workflows.save(called);
	await n8n.client.workflows.publish(child);
	for (const node of [send, callNode(child.id)]) {
		const run = await byHand(node);
		expect(await run()).toContain('"intendedTo"');
	}
	expect(api.calls.map(({ body }) => body)).toMatchObject([{ to }, { to }]);
});
