import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';

import { codeSpans, tableOf } from './markdown.mts';

const NODES = 'nodes/BusinessMessaging';

interface Found {
	name: string;
	file: string;
}

/** Everything in a file that the search finds, at any depth. */
function findIn(source: ts.SourceFile, namesOf: (node: ts.Node) => string[]): Found[] {
	const file = relative(NODES, source.fileName);
	const found: Found[] = [];
	const visit = (node: ts.Node): void => {
		found.push(...namesOf(node).map((name) => ({ name, file })));
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** Parts of a counter's name, and n8n's own name of a context. */
const NO_ROWS = ['name:', 'node:'];

/** Rows have names like `once:${key}`. */
function rowNames(node: ts.Node): string[] {
	if (!ts.isTemplateExpression(node)) return [];
	const { text } = node.head;
	return /^[a-z]+:$/i.test(text) && !NO_ROWS.includes(text) ? [text] : [];
}

/** What changes as long as the process lives: top-level `let`, and objects that begin empty or with a clock only. */
function processState(node: ts.Node): string[] {
	if (!ts.isVariableStatement(node) || !ts.isSourceFile(node.parent)) return [];
	const { flags, declarations } = node.declarationList;
	const isConst = (flags & ts.NodeFlags.Const) !== 0;
	return declarations
		.filter(({ initializer }) => !isConst || (initializer && beginsEmpty(initializer)))
		.map(({ name }) => name.getText());
}

function beginsEmpty(value: ts.Expression): boolean {
	if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0;
	if (!ts.isNewExpression(value) || value.expression.getText().startsWith('Intl.')) return false;
	return (value.arguments ?? []).every((each) => each.getText() === 'systemClock');
}

/** The type NodeContext names everything in the execution's context, so the compiler knows no other. */
function contextNames(node: ts.Node): string[] {
	if (!ts.isTypeAliasDeclaration(node) || node.name.text !== 'NodeContext') return [];
	return [...node.getText().matchAll(/'(\w+)'/g)].map(([, name]) => name);
}

const sources = globSync(`${NODES}/**/*.ts`).map((file) =>
	ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true),
);
const inCode = (namesOf: (node: ts.Node) => string[]) =>
	sources.flatMap((source) => findIn(source, namesOf));
const listed = tableOf('STATE.md', 'Name').map(([names, kind, , , , file]) => ({
	names: codeSpans(names),
	kind,
	file: codeSpans(file)[0],
}));
const inList = (kind: string) =>
	listed
		.filter((each) => each.kind === kind)
		.flatMap(({ names, file }) => names.map((name) => ({ name, file })));
const sorted = (all: Found[]) =>
	[...new Set(all.map(({ file, name }) => `${file}: ${name}`))].sort();

describe('STATE.md lists, and nothing else,', () => {
	it('what the process remembers', () => {
		expect(sorted(inList('process'))).toEqual(sorted(inCode(processState)));
	});

	it('the rows, with the file that names them', () => {
		expect(sorted(inList('row'))).toEqual(sorted(inCode(rowNames)));
	});

	it("what the execution's context of the node holds", () => {
		const names = (all: Found[]) => all.map(({ name }) => name).sort();
		expect(names(inList('context'))).toEqual(names(inCode(contextNames)));
	});
});

it("only one function reads n8n's context, and gives it the type that names all of it", () => {
	const calls = inCode((node) =>
		ts.isCallExpression(node) && node.expression.getText().endsWith('.getContext')
			? [node.getText()]
			: [],
	);
	expect(new Set(calls.map(({ file }) => file))).toEqual(new Set(['n8n.ts']));
});
