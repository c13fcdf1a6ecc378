import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectFolder } from '../../playground/folders.mts';
import { changed, readExample } from '../../playground/n8n/examples.mts';
import type { Execution } from '../../playground/n8n/rest/executions.mts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.mts';
import { ACTION, PACKAGE_PREFIX } from '../../playground/n8n/typeNames.mts';

export { changed };

export const EXAMPLES = globSync(join(projectFolder, 'examples', '*.json'))
	.map((file) => basename(file, '.json'))
	.sort();

/** For `describe.each`. */
export const examples = EXAMPLES.map((name): [string, Workflow] => [
	name,
	JSON.parse(readFileSync(join(projectFolder, 'examples', `${name}.json`), 'utf8')) as Workflow,
]);

export const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
const DATA_TABLE = 'n8n-nodes-base.dataTable';

export function ownNodes({ nodes }: Workflow): WorkflowNode[] {
	return nodes.filter(({ type }) => type.startsWith(PACKAGE_PREFIX));
}

/** An example under a name that no other run has. */
export async function imported(name: string): Promise<Workflow> {
	const example = await readExample(name);
	return { ...example, name: `${example.name} ${randomUUID()}` };
}

/** Unpins what can run here: the action node, the Data Tables, which get this at the end of their names, and the nodes named. */
export function freed(workflow: Workflow, ending: string, names: string[]): Workflow {
	const pinData = { ...workflow.pinData };
	const nodes = workflow.nodes.map((node) => {
		const isTable = node.type === DATA_TABLE;
		if (isTable || node.type === ACTION || names.includes(node.name)) delete pinData[node.name];
		if (!isTable) return node;
		const { tableName, dataTableId } = node.parameters as {
			tableName?: string;
			dataTableId: { value: string };
		};
		const renamed = tableName
			? { tableName: tableName + ending }
			: { dataTableId: { ...dataTableId, value: dataTableId.value + ending } };
		return { ...node, parameters: { ...node.parameters, ...renamed } };
	});
	return { ...workflow, nodes, pinData };
}

/** The first of its triggers. */
export function triggerOf({ nodes }: Workflow): string {
	const trigger = nodes.find(({ type }) => /(?:Trigger|\.webhook)$/.test(type));
	if (!trigger) throw new Error('The workflow has no trigger.');
	return trigger.name;
}

export function pinnedItems({ pinData = {} }: Workflow, node: string) {
	return (pinData[node] ?? []).map(({ json }) => json);
}

/** A date as the rows of the examples have it, in the time zone of this machine and of the n8n under test. */
export function isoDate(daysFromNow: number): string {
	return new Date(Date.now() + daysFromNow * 24 * 3_600_000).toLocaleDateString('sv-SE');
}

/** With one pinned item instead of the example's own. */
export function pinnedTo(
	workflow: Workflow,
	node: string,
	json: Record<string, unknown>,
): Workflow {
	return { ...workflow, pinData: { ...workflow.pinData, [node]: [{ json }] } };
}

/** With options of a node beside its own. */
export function withOptions(workflow: Workflow, node: string, more: object): Workflow {
	const { options } = workflow.nodes.find(({ name }) => name === node)!.parameters;
	return changed(workflow, node, { options: { ...(options as object), ...more } });
}

/** The items that a node put out on its first output in all of its runs. */
export function itemsOf({ data }: Execution, node: string) {
	const runs = data.resultData.runData[node] ?? [];
	return runs.flatMap((run) => (run.data?.main[0] ?? []).map(({ json }) => json));
}
