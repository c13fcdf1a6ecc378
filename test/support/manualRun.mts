import { eventually } from '../../playground/eventually.mts';
import type { Execution } from '../../playground/n8n/rest/executions.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import type { N8nUnderTest } from './n8nUnderTest.mts';

/** Runs a workflow once from one of its triggers, as the editor's button does. */
export async function runOnce(
	{ client }: Pick<N8nUnderTest, 'client'>,
	workflow: Workflow,
	trigger = 'Start',
	timeoutMs?: number,
): Promise<Execution> {
	const { id } = await client.workflows.save(workflow);
	const { executionId } = await client.workflows.run(id, trigger);
	const ended = async () => {
		const [execution] = await client.executions.list(id, 1);
		const hasEnded = ['success', 'error'].includes(execution?.status);
		return hasEnded && execution.id === executionId ? execution : undefined;
	};
	return await eventually('the manual run', ended, timeoutMs);
}

/** The newest execution, once it has this status. */
export async function newestThatIs(
	status: Execution['status'],
	{ client }: Pick<N8nUnderTest, 'client'>,
	workflowId: string,
	timeoutMs?: number,
): Promise<Execution> {
	const found = async () => {
		const [newest] = await client.executions.list(workflowId, 1);
		return newest?.status === status ? newest : undefined;
	};
	return await eventually(`an execution to be ${status}`, found, timeoutMs);
}
