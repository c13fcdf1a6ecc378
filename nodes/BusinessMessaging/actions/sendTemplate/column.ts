import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { InputError, quote, reasonOf } from '../../inputError';
import { internalsOf } from '../../n8n';
import { readsLinkedItem, SAME_FOR_ALL } from '../../template/reads';
import { expressionsIn } from '../../template/text';
import { isExpression, textOf } from '../../values';

// What n8n writes for a column that is dragged into a field is of one item: the one that is linked to the item of the
// field. In a list of numbers it means all rows, and any other expression that reads one item is refused.

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
	const [, node, path] = (isExpression(entered) && DRAGGED.exec(entered)) || [];
	if (node === undefined) return undefined;
	const keys = path.match(new RegExp(KEY, 'gu')) ?? [];
	return {
		node: unquoted(node),
		path: keys.map((key) => unquoted(key.replace(/^[?.[]+|\]$/g, ''))),
	};
}

function unquoted(text: string): string {
	return /^['"]/.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text;
}

/** The values of all rows. A row may have none. */
export class Column {
	constructor(
		private readonly node: string,
		readonly values: unknown[],
	) {}

	/** At the beginning of a sentence. */
	nameOf(row: number): string {
		return `Row ${row + 1} of ${quote(this.node)} in Do Not Send To`;
	}
}

/** @throws InputError when numbers may be missing, and not because nobody entered them */
export function readColumn(
	context: IExecuteFunctions,
	itemIndex: number,
	{ node, path }: ColumnName,
): Column {
	const rows = latestRows(context, itemIndex, node);
	const values = rows.map(({ json }) => path.reduce(valueIn, json));
	const column = new Column(node, values);
	const failed = rows.findIndex(
		({ json, error = json.error }, row) => values[row] === undefined && error !== undefined,
	);
	if (failed >= 0) {
		throw new InputError(
			`${column.nameOf(failed)} is an error`,
			`Look at the output of the node ${quote(node)}, and correct what failed.`,
		);
	}
	// With Always Output Data an empty table gives one row without fields.
	const hasFields = rows.some(({ json }) => Object.keys(json).length > 0);
	if (hasFields && values.every((value) => value === undefined)) {
		throw new InputError(
			`No row of ${quote(node)} has ${quote(path.join('.'))}, which Do Not Send To reads`,
			'Drag the column into Do Not Send To again, because its name may have changed.',
		);
	}
	return column;
}

function valueIn(container: unknown, key: string): unknown {
	const fields = Object(container) as Record<string, unknown>;
	return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** What the latest run of the node gave, on each of its outputs that lead to this node. */
function latestRows(
	context: IExecuteFunctions,
	itemIndex: number,
	node: string,
): INodeExecutionData[] {
	const { workflow, runExecutionData } = internalsOf(context);
	const { runData = {} } = runExecutionData?.resultData ?? {};
	// If a node fails that is set to continue, n8n passes on what the node got.
	if (Object.hasOwn(runData, node) && runData[node].at(-1)?.error) {
		throw new InputError(
			`The node ${quote(node)} failed, so Do Not Send To has no list`,
			`Correct the node ${quote(node)}, and run the workflow again.`,
		);
	}
	const { $: nodeCalled } = context.getWorkflowDataProxy(itemIndex) as unknown as DataProxy;
	try {
		// For a tool, the agent, because the outputs lead to it.
		const reader = workflow?.getParentMainInputNode(context.getNode());
		const parents = reader ? workflow?.getParentNodesByDepth(reader.name) : undefined;
		const outputs = parents?.find((parent) => parent.name === node)?.indicies ?? [undefined];
		const { all } = nodeCalled(node, true);
		return outputs.flatMap((output) => all(output));
	} catch (error) {
		throw unreadable(node, error);
	}
}

/** What n8n's types leave out. `isWhole`: the row itself, also if the workflow keeps files and fields together. */
interface DataProxy {
	$: (node: string, isWhole: true) => { all: (output?: number) => INodeExecutionData[] };
}

function unreadable(node: string, error: unknown): InputError {
	return new InputError(
		`The list of Do Not Send To can't be read: ${reasonOf(error)}`,
		`Check the name of the node ${quote(node)}, and that it runs before this node.`,
	);
}

const CALL = String.raw`\??\.\w+\((?:-?\d+|\$itemIndex)?\)`;
const PATH = String.raw`\s*\$(?!${SAME_FOR_ALL})\w*(?:\((?:${STRING})\))?(?:${KEY}|${CALL})*\s*`;
/** Only a path, or a list of paths. */
const PATHS = new RegExp(String.raw`^=\s*\{\{\s*\[?${PATH}(?:,${PATH})*\]?\s*\}\}\s*$`, 'u');
const READS_ITEMS = new RegExp(String.raw`\$(?!${SAME_FOR_ALL})[A-Za-z_(]`);
/** A list that is written out, of what single items have. */
const WRITTEN_OUT = new RegExp(
	String.raw`^\{\{\s*\[(?!.*(?:\.\.\.|\.(?:all|map|flatMap)\())(?=.*\$(?!${SAME_FOR_ALL}))`,
	's',
);
/** Its text may have one number today, and several tomorrow. */
const JOINS_ALL = /\.all\([^)]*\)\s*\.(?!at\(|find|first\(|last\()\w+\(.*\.join\(/s;

/**
 * @param value of the expression that was entered
 * @returns the expression for the whole list, if what was entered is of one item
 */
export function wholeListOf(entered: unknown, value: unknown): string | undefined {
	if (!isExpression(entered)) return undefined;
	const mayBeOne = (each: string) => READS_ITEMS.test(each) && !JOINS_ALL.test(each);
	const isOne = textOf(value) !== '' && expressionsIn(entered).some(mayBeOne);
	const isLinked = (each: string) => readsLinkedItem(each) || WRITTEN_OUT.test(each);
	if (!isOne && !PATHS.test(entered) && !expressionsIn(entered).some(isLinked)) return undefined;
	const [, node] = new RegExp(String.raw`\$(?:node\[|items\(|\()(${STRING})`).exec(entered) ?? [];
	const [, path = '.phone'] = new RegExp(String.raw`\.json((?:${KEY})+)`, 'u').exec(entered) ?? [];
	const map = Array.isArray(value) ? 'flatMap' : 'map';
	return node
		? `$(${node}).all().${map}((row) => row.json${path})`
		: "$('Opt-outs').all().map((row) => row.json.phone)";
}
