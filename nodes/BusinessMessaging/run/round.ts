import type { IExecuteFunctions, ISourceData } from 'n8n-workflow';
import { internalsOf } from '../n8n';
import { OUTPUTS } from '../outcome';

type RunSource = ISourceData | null | undefined;

/**
 * How often this node has run before since the workflow began at its trigger: 0, except in loops. `$runIndex` also
 * counts a run that a Retry repeats, and what ran before a Retry that begins at the trigger once more.
 */
export function roundOf(context: IExecuteFunctions): number {
	const { runData = {} } = internalsOf(context).runExecutionData?.resultData ?? {};
	// A node may have the name of what every object has.
	const runsOf = (node: string) => (Object.hasOwn(runData, node) ? runData[node] : []);
	const beginnings = new Map<string, string>();

	/** The run of the trigger that a run goes back to. */
	function beginningOf(source: RunSource): string {
		const path: string[] = [];
		let at = source;
		while (at && !beginnings.has(runOf(at))) {
			path.push(runOf(at));
			beginnings.set(runOf(at), '');
			at = sourceOf(runsOf(at.previousNode)[at.previousNodeRun ?? 0]?.source);
		}
		const beginning = (at ? beginnings.get(runOf(at)) : path.at(-1)) ?? '';
		for (const each of path) beginnings.set(each, beginning);
		return beginning;
	}

	const own = sourceOf(context.getExecuteData().source?.main);
	const earlier = runsOf(context.getNode().name).map(({ source }) => sourceOf(source));
	const others = earlier.filter(
		(each) => inputOf(each) !== inputOf(own) && beginningOf(each) === beginningOf(own),
	);
	return new Set(others.map(inputOf)).size;
}

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

/** The first of a node's inputs that got something: n8n has null for the others, such as those of a Merge node. */
function sourceOf(sources: RunSource[] = []): RunSource {
	return sources.find(Boolean);
}

function runOf({ previousNode, previousNodeRun = 0 }: ISourceData): string {
	return `${previousNodeRun}:${previousNode}`;
}

function inputOf(source: RunSource): string {
	return source ? `${source.previousNodeOutput ?? 0}:${runOf(source)}` : '';
}
