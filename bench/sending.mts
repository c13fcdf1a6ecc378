import { eventually } from '../playground/eventually.mts';
import { chain, type NodeSettings } from '../playground/n8n/chain.mts';
import { publish } from '../playground/n8n/publish.mts';
import { ROWS, webhookNode } from '../test/support/nativeNodes.mts';
import { post } from './post.mts';
import type { Stage } from './stage.mts';

const SENDER = 'Sender';

export interface Sending {
	workflowId: string;
	address: string;
}

/**
 * A published workflow that sends the rows it is given and answers when it is done. Only native nodes
 * stand around the sender, so that no task runner is part of the figures.
 */
export async function publishSending(
	{ n8n }: Stage,
	name: string,
	sender: NodeSettings,
	settings: Record<string, unknown> = {},
): Promise<Sending> {
	const workflow = chain(name, {
		Webhook: webhookNode({ responseMode: 'lastNode' }),
		Rows: ROWS,
		[SENDER]: sender,
		Limit: { type: 'n8n-nodes-base.limit', parameters: { maxItems: 1 } },
	});
	const { saved, address } = await publish(n8n, {
		...workflow,
		settings: { ...workflow.settings, ...settings },
	});
	return { workflowId: saved.id, address };
}

/** Rows with numbers that belong to nobody: there is no area 555. */
export function rowsOf(count: number): string {
	const rows = Array.from({ length: count }, (_, index) => ({
		to: `+1555${String(index).padStart(7, '0')}`,
		name: `Customer ${index}`,
	}));
	return JSON.stringify({ rows });
}

/** @throws when the workflow did not come to its end */
export async function send({ address }: Sending, rows: string): Promise<void> {
	const answer = await post(address, rows);
	if (!answer.includes('{')) throw new Error(`The workflow answered: ${answer}`);
}

/** Sends, and gives the time that n8n recorded for the sending node alone, in ms. */
export async function timeOfSending(
	{ n8n }: Stage,
	sending: Sending,
	rows: string,
): Promise<number> {
	const newest = async () => (await n8n.client.executions.list(sending.workflowId, 1)).at(0);
	const before = await newest();
	await send(sending, rows);
	const execution = await eventually('the stored execution', async () => {
		const found = await newest();
		return found?.id !== before?.id && found?.status === 'success' ? found : undefined;
	});
	return execution.data.resultData.runData[SENDER][0].executionTime;
}
