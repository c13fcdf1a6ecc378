import type { FunctionsBase } from 'n8n-workflow';
import { lineForLog, quoteForLog } from '../values';

/** Writes a line about a delivery into n8n's log. n8n prints nothing but the line, so it names the workflow and the node. */
export function logDelivery(context: FunctionsBase, level: 'info' | 'warn', text: string): void {
	const { id, name } = context.getWorkflow();
	const node = context.getNode().name;
	const place = ` (workflow ${quoteForLog(name)}, node ${quoteForLog(node)})`;
	// A long text must not cut off the place.
	context.logger[level](lineForLog(text) + lineForLog(place), { workflowId: id, node });
}
