import { readFileSync } from 'node:fs';
import { EXAMPLES, examples } from '../../support/examples.ts';

test('there are the thirteen examples and the sample events, each with a line in the README', () => {
	expect(EXAMPLES).toHaveLength(14);
	const links = readFileSync('examples/README.md', 'utf8').matchAll(/^\| \[[^\]]+\]\((.+?)\)/gm);
	const files = EXAMPLES.map((name) => `${name}.json`);
	expect([...links].map(([, file]) => file).sort()).toEqual(files.sort());
});

test('no two nodes have the same ID or URL', () => {
	const nodes = examples.flatMap(([, workflow]) => workflow.nodes);
	const ids = nodes.map(({ id }) => id);
	const webhookIds = nodes.flatMap(({ webhookId }) => webhookId ?? []);
	expect(new Set(ids).size).toBe(ids.length);
	expect(new Set(webhookIds).size).toBe(webhookIds.length);
});

describe.each(examples)('%s', (_, workflow) => {
	const { nodes, connections, pinData = {} } = workflow;

	it('carries nothing of the machine that it was made on', () => {
		const parts = ['connections', 'name', 'nodes', 'pinData', 'settings'];
		expect(Object.keys(workflow).sort()).toEqual(parts);
		expect(workflow.settings).toEqual({ executionOrder: 'v1' });
	});

	it('has no credentials: n8n would refuse to run it, even with pinned data', () => {
		expect(nodes.filter((node) => 'credentials' in node)).toEqual([]);
	});

	it('names only nodes that it has', () => {
		const names = nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		const namedIn = (value: unknown, pattern: RegExp) =>
			[...JSON.stringify(value).matchAll(pattern)].map(([, name]) => name);
		const used = [
			...Object.keys(connections),
			...Object.keys(pinData),
			...namedIn(connections, /"node":"([^"]+)"/g),
			...namedIn(nodes, /\$\('([^']+)'\)/g),
		];
		expect(used.filter((name) => !names.includes(name))).toEqual([]);
	});
});
