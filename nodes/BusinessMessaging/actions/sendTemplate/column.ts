import type { IExecuteFunctions, INodeExecutionData, Workflow } from 'n8n-workflow';
import { InputError, quote, reasonOf } from '../../inputError';
import { internalsOf } from '../../n8n';
import { isBlank, isExpression, linesOf } from '../../values';

// What n8n writes for a column that is dragged into a field is of one item: the one that is linked to the item of the
// field. In a list of numbers it means all rows.

const STRING = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`;
/** A part of a path: .phone, ["phone number"], [0]. */
const KEY = String.raw`\??\.[\p{ID_Start}_$][\p{ID_Continue}$]*(?![\p{ID_Continue}$(])|(?:\?\.)?\[(?:\d+|${STRING})\]`;
/** If a workflow keeps files and fields together, n8n writes no `.json`. */
const DRAGGED = new RegExp(
	String.raw`^=\s*\{\{\s*\$\((${STRING})\)\.item(?:\??\.json)?((?:${KEY})+)\s*\}\}\s*$`,
	'u',
);

/** A column of another node. */
interface ColumnName {
	node: string;
	/** Within the fields of a row. */
	path: string[];
}

/** @returns undefined if what was entered is no dragged column */
export function findColumn(entered: unknown): ColumnName | undefined {
	const dragged = isExpression(entered) && DRAGGED.exec(entered);
	if (!dragged) return undefined;
	const [, node, path] = dragged;
	const keys = path.match(new RegExp(KEY, 'gu')) ?? [];
	return {
		node: unquoted(node),
		path: keys.map((key) => unquoted(key.replace(/^[?.[]+|\]$/g, ''))),
	};
}

function unquoted(text: string): string {
	return text.replace(/^['"]|['"]$/g, '').replace(/\\(.)/gs, '$1');
}

export interface ListEntry {
	entry: unknown;
	/** In an error, at the beginning of a sentence. */
	name: string;
}

/**
 * @param list what errors call the list that the column is
 * @throws InputError when numbers may be missing, and not because nobody entered them
 */
export function readColumn(
	context: IExecuteFunctions,
	{ node, path }: ColumnName,
	list: string,
): ListEntry[] {
	const rows = latestRows(context, node, list);
	const values = rows.map(({ json }) => path.reduce(valueIn, json));
	const nameOf = (row: number) => `Row ${row + 1} of ${quote(node)} in ${list}`;
	const failed = rows.findIndex(
		({ json, error = json.error }, row) => values[row] === undefined && error !== undefined,
	);
	if (failed >= 0) {
		throw new InputError(
			`${nameOf(failed)} is an error`,
			`Look at the output of the node ${quote(node)}, and correct what failed.`,
		);
	}
	// With Always Output Data an empty table gives one row without fields.
	const hasFields = rows.some(({ json }) => Object.keys(json).length > 0);
	if (hasFields && values.every((value) => value === undefined)) {
		throw new InputError(
			`No row of ${quote(node)} has ${quote(path.join('.'))}, which ${list} reads`,
			`Drag the column into ${list} again, because its name may have changed.`,
		);
	}
	return values.flatMap((cell, row) => {
		// A spreadsheet has empty cells. A cell may hold a list as well, such as the one of an Aggregate node.
		const entries: unknown[] = typeof cell === 'string' ? linesOf(cell) : [cell].flat();
		return entries
			.filter((entry) => !isBlank(entry))
			.map((entry) => ({ entry, name: nameOf(row) }));
	});
}

function valueIn(container: unknown, key: string): unknown {
	const fields = Object(container) as Record<string, unknown>;
	return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** What the latest run of the node gave, on each of its outputs that lead to this node. */
function latestRows(context: IExecuteFunctions, node: string, list: string): INodeExecutionData[] {
	const { runData = {} } = internalsOf(context).runExecutionData?.resultData ?? {};
	// If a node fails that is set to continue, n8n passes on what the node got.
	if (Object.hasOwn(runData, node) && runData[node].at(-1)?.error) {
		throw new InputError(
			`The node ${quote(node)} failed, so ${list} has no list`,
			`Correct the node ${quote(node)}, and run the workflow again.`,
		);
	}
	const { $: nodeCalled } = context.getWorkflowDataProxy(0) as unknown as DataProxy;
	try {
		const { workflow } = internalsOf(context) as { workflow: Workflow };
		// For a tool, the agent, because the outputs lead to it.
		const reader = workflow.getParentMainInputNode(context.getNode());
		const parents = workflow.getParentNodesByDepth(reader.name);
		const outputs = parents.find((parent) => parent.name === node)?.indicies ?? [undefined];
		const { all } = nodeCalled(node, true);
		return outputs.flatMap((output) => all(output));
	} catch (error) {
		throw unreadable(node, list, error);
	}
}

/** What n8n's types leave out. `isWhole`: the row itself, also if the workflow keeps files and fields together. */
interface DataProxy {
	$: (node: string, isWhole: true) => { all: (output?: number) => INodeExecutionData[] };
}

function unreadable(node: string, list: string, error: unknown): InputError {
	return new InputError(
		`${list} can't be read: ${reasonOf(error)}`,
		`Check the name of the node ${quote(node)}, and that it runs before this node.`,
	);
}

/** The expression for all rows of the node of which what was entered reads one. */
export function wholeListOf(entered: unknown): string {
	const node = new RegExp(String.raw`\$(?:node\[|items\(|\()(${STRING})`).exec(String(entered));
	const path = new RegExp(String.raw`\.json((?:${KEY})+)`, 'u').exec(String(entered));
	return `$(${node?.[1] ?? "'Numbers'"}).all().flatMap((row) => row.json${path?.[1] ?? '.phone'})`;
}
