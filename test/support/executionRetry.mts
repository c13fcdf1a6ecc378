import type { Execution } from '../../playground/n8n/rest/executions.mts';
import type { N8nUnderTest } from './n8nUnderTest.mts';

/** Presses Retry at an execution. @param loadWorkflow with the currently saved workflow */
export async function retry(
	{ client }: N8nUnderTest,
	{ id, workflowId }: Execution,
	loadWorkflow = false,
): Promise<Execution> {
	const retried = await client.executions.retry(id, loadWorkflow);
	const all = await client.executions.list(workflowId);
	const found = all.find((execution) => execution.id === retried.id);
	if (!found) throw new Error(`n8n does not list the execution ${retried.id}.`);
	return found;
}
