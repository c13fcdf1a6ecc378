import { randomUUID } from 'node:crypto';
import { eventually } from '../../playground/eventually.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import type { Benchmark } from '../benchmark.ts';
import { atLeast, pairUp } from '../figures.ts';
import { chain, type NodeSettings } from '../nodes.ts';
import { post } from '../post.ts';
import { rounds } from '../rounds.ts';
import { onStage, WEBHOOK_SECRET, type CredentialIds, type Stage } from '../stage.ts';

const EVENTS = 200;
const WARM_UP_EVENTS = 20;
const AT_ONCE = 10;
const CHOSEN = 'message.incoming';
const NOT_CHOSEN = 'message.read';
const FINISH_DEADLINE_MS = 120_000;

export const events: Benchmark = {
	title: `${EVENTS} events, ${AT_ONCE} at a time`,
	async run({ pairs, say }) {
		return await onStage({}, async (stage) => {
			const { credentials } = stage;
			const trigger = await publish(stage, 'Trigger', {
				Trigger: businessMessagingTrigger(credentials),
			});
			const webhook = await publish(stage, 'Webhook', { Webhook: webhookNode(credentials) });
			const filtered = await publish(stage, 'Webhook and Filter', {
				Webhook: webhookNode(credentials),
				Filter: filterNode,
			});
			const sides = {
				accepted: async () => await receive(stage, trigger, CHOSEN),
				webhook: async () => await receive(stage, webhook, CHOSEN),
				ignored: async () => await receive(stage, trigger, NOT_CHOSEN),
				filtered: async () => await receive(stage, filtered, NOT_CHOSEN),
			};
			for (const target of [trigger, webhook, filtered]) {
				await receive(stage, target, CHOSEN, WARM_UP_EVENTS);
			}
			const samples = await rounds(pairs, sides, say);
			return {
				figures: [
					{
						what: 'accepted events a second',
						reference: 'Webhook',
						unit: '1/s',
						pairs: pairUp(samples.accepted, samples.webhook, ({ answered }) => answered),
						aim: atLeast(0.9),
					},
					{
						what: 'accepted events a second until all executions are over',
						reference: 'Webhook',
						unit: '1/s',
						pairs: pairUp(samples.accepted, samples.webhook, ({ finished }) => finished),
					},
					{
						what: 'not chosen events a second',
						reference: 'Webhook and Filter',
						unit: '1/s',
						pairs: pairUp(samples.ignored, samples.filtered, ({ answered }) => answered),
						aim: atLeast(2),
					},
				],
			};
		});
	},
};

interface Target {
	workflowId: string;
	url: string;
}

async function publish(
	{ n8n }: Stage,
	name: string,
	nodes: Record<string, NodeSettings>,
): Promise<Target> {
	const workflow: Workflow = chain(name, nodes);
	const saved = await n8n.client.workflows.save(workflow);
	await n8n.client.workflows.publish(saved);
	const { webhookId, parameters } = workflow.nodes[0];
	const url = `${n8n.url}/webhook/${String(parameters.path ?? `${webhookId}/webhook`)}`;
	await n8n.client.workflows.waitForWebhook(url);
	return { workflowId: saved.id, url };
}

function businessMessagingTrigger({ ours }: CredentialIds): NodeSettings {
	return {
		type: 'n8n-nodes-business-messaging.businessMessagingTrigger',
		webhookId: randomUUID(),
		credentials: { businessMessagingApi: ours },
		parameters: { events: [CHOSEN], authentication: 'secretToken' },
	};
}

function webhookNode({ token }: CredentialIds): NodeSettings {
	const path = randomUUID();
	return {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: path,
		credentials: { httpHeaderAuth: token },
		parameters: {
			httpMethod: 'POST',
			path,
			authentication: 'headerAuth',
			responseMode: 'onReceived',
		},
	};
}

const filterNode: NodeSettings = {
	type: 'n8n-nodes-base.filter',
	typeVersion: 2.3,
	parameters: {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 3 },
			combinator: 'and',
			conditions: [
				{
					id: randomUUID(),
					leftValue: '={{ $json.body.event }}',
					rightValue: CHOSEN,
					operator: { type: 'string', operation: 'equals' },
				},
			],
		},
	},
};

/** Events a second until the last answer, and until n8n is at rest again. */
async function receive({ n8n }: Stage, target: Target, event: string, count = EVENTS) {
	const startedAt = performance.now();
	let left = count;
	const sender = async () => {
		while (left-- > 0) {
			await post(target.url, eventBody(event), { 'x-webhook-token': WEBHOOK_SECRET });
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, sender));
	const answered = count / secondsSince(startedAt);
	await eventually(
		'the end of all executions',
		async () => ((await unfinished(n8n.client, target.workflowId)) === 0 ? true : undefined),
		FINISH_DEADLINE_MS,
	);
	return { answered, finished: count / secondsSince(startedAt) };
}

function eventBody(event: string): string {
	return JSON.stringify({
		event,
		timestamp: new Date().toISOString(),
		data: { message_id: randomUUID(), from: '+15550000000', text: 'Is it on its way?' },
	});
}

function secondsSince(startedAt: number): number {
	return (performance.now() - startedAt) / 1000;
}

async function unfinished({ session }: Stage['n8n']['client'], workflowId: string) {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['new', 'running'] }));
	const { results } = await session.call<{ results: unknown[] }>(
		'GET',
		`/executions?filter=${filter}`,
	);
	return results.length;
}
