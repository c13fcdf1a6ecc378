import { createServer } from 'node:http';
import { chain, type NodeSettings } from '../../playground/n8n/chain.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { close, listen } from './listen.mts';
import { triggerWorkflow } from './triggerWorkflow.mts';

/** Counts the runs of a workflow that calls it: no list of executions is as sure and as cheap. */
export async function startRunCounter() {
	/** How often each address below the URL was called. */
	const runs = new Map<string, number>();
	const server = createServer((request, response) => {
		const id = decodeURIComponent((request.url ?? '').slice(1));
		runs.set(id, (runs.get(id) ?? 0) + 1);
		response.end();
	});
	return { url: await listen(server), runs, close: async () => await close(server) };
}

export type RunCounter = Awaited<ReturnType<typeof startRunCounter>>;

/** The trigger, and one request to the counter for each run, which names the event's message. */
export function countingWorkflow(
	counterUrl: string,
	credential: { id: string; name: string },
): Workflow {
	const { name, nodes } = triggerWorkflow(
		{ events: ['message.delivered', 'message.read'], authentication: 'secretToken' },
		credential,
	);
	return chain(name, {
		Receiver: { ...nodes[0], name: 'Receiver' },
		Count: countNode(`${counterUrl}/{{ $json.data.message_id }}`),
	});
}

/** Calls the counter. @param url may have an expression */
export function countNode(url: string): NodeSettings {
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { method: 'POST', url: `=${url}`, options: {} },
	};
}
