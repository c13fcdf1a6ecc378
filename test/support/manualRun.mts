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
