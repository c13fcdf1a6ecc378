import { eventually } from '../../playground/eventually.ts';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import { actionWorkflow } from './actionWorkflow.ts';
import type { N8nUnderTest } from './n8nUnderTest.ts';

/** Runs the action node once, as the editor's button does. */
export async function runActionNode(
	{ client }: N8nUnderTest,
	credential: { id: string; name: string },
	parameters: Record<string, unknown>,
): Promise<Execution> {
	const { id } = await client.workflows.save(actionWorkflow(credential, parameters));
	await client.workflows.run(id, 'Start');
	return await eventually('the manual run', async () => {
		const [execution] = await client.executions.list(id, 1);
		return ['success', 'error'].includes(execution?.status) ? execution : undefined;
	});
}
