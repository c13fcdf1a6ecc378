import type { IExecuteFunctions } from 'n8n-workflow';
import { internalsOf } from '../n8n';
import { OUTPUTS } from '../outcome';

/** Whether the node is in a loop that ends when no item leaves through Sent, because Skipped does not lead back. */
export function goesOnFromSentOnly(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	const { main } = internalsOf(context).workflow?.connectionsBySourceNode[name] ?? {};
	if (!main) return false;
	const parents = context.getParentNodes(name).map((parent) => parent.name);
	const [sent, skipped] = OUTPUTS.map((_, output) =>
		main[output]?.some(({ node }) => node === name || parents.includes(node)),
	);
	return sent === true && !skipped;
}
