import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../folders.mts';
import type { Workflow } from './rest/workflows.mts';
import { CREDENTIAL, PACKAGE_PREFIX } from './typeNames.mts';

export async function readExample(name: string): Promise<Workflow> {
	const file = join(projectFolder, 'examples', `${name}.json`);
	return JSON.parse(await readFile(file, 'utf8')) as Workflow;
}

/** With some parameters of a node changed. */
export function changed(workflow: Workflow, node: string, parameters: object): Workflow {
	const nodes = workflow.nodes.map((each) =>
		each.name === node ? { ...each, parameters: { ...each.parameters, ...parameters } } : each,
	);
	return { ...workflow, nodes };
}

/** As the editor does it when the user chooses a credential in one of the nodes. */
export function withCredential(
	workflow: Workflow,
	{ id, name }: { id: string; name: string },
): Workflow {
	const credentials = { [CREDENTIAL]: { id, name } };
	const nodes = workflow.nodes.map((node) =>
		node.type.startsWith(PACKAGE_PREFIX) ? { ...node, credentials } : node,
	);
	return { ...workflow, nodes };
}
