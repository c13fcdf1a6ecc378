import { randomUUID } from 'node:crypto';
import { chain, type NodeSettings } from '../playground/n8n/chain.mts';
import type { N8nClient } from '../playground/n8n/client.mts';
import { publish } from '../playground/n8n/publish.mts';
import { post } from './post.mts';
import { WEBHOOK_SECRET } from './stage.mts';

const FINISH_DEADLINE_MS = 120_000;

export interface Target {
	workflowId: string;
	url: string;
}

/** Publishes a workflow that begins with a webhook. */
export async function publishReceiver(
	n8n: { url: string; client: Pick<N8nClient, 'workflows'> },
	name: string,
	nodes: Record<string, NodeSettings>,
): Promise<Target> {
	const { saved, address } = await publish(n8n, chain(name, nodes));
	return { workflowId: saved.id, url: address };
}

/**
 * Delivers events, several at a time, and waits until n8n is at rest again.
 * @returns events a second until the last answer, and until the end of the last execution
 */
export async function deliver(
	{ executions }: N8nClient,
	{ workflowId, url }: Target,
	event: string,
	count: number,
	atOnce: number,
) {
	const startedAt = performance.now();
	let left = count;
	const sender = async () => {
		while (left-- > 0) await post(url, eventBody(event), { 'x-webhook-token': WEBHOOK_SECRET });
	};
	await Promise.all(Array.from({ length: atOnce }, sender));
	const answered = count / secondsSince(startedAt);
	await executions.allEnded(workflowId, FINISH_DEADLINE_MS);
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
