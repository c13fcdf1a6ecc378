import { readdirSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';

const TIERS = readdirSync('test')
	.map((name) => `./test/${name}`)
	.filter((path) => path !== './test/support' && statSync(path).isDirectory());

/** Each folder of the nodes, with the folders that it may import besides the files beside all of them. */
const MAY_IMPORT = {
	errors: [],
	memory: [],
	template: ['errors'],
	'transport/pacing': [],
	transport: ['errors', 'transport/pacing'],
	'transport/credential': ['errors', 'transport'],
	actions: ['errors', 'template', 'transport', 'transport/pacing'],
	'actions/sentBefore': ['actions', 'errors'],
	'actions/sendTemplate': ['actions', 'errors', 'template', 'transport', 'transport/pacing'],
	'actions/sendAndWait/page': ['actions'],
	'actions/sendAndWait': [
		'actions',
		'actions/sendAndWait/page',
		'actions/sendTemplate',
		'errors',
		'template',
		'transport',
	],
	'actions/sendOnce': ['actions', 'errors', 'memory'],
	'actions/run': [
		'actions',
		'actions/sendOnce',
		'actions/sentBefore',
		'errors',
		'template',
		'transport',
		'transport/pacing',
	],
	'events/duplicates': [],
	events: ['errors', 'events/duplicates', 'memory', 'template'],
};
const NODES = './nodes/BusinessMessaging';

for (const { parentPath, name } of readdirSync(NODES, { recursive: true, withFileTypes: true })) {
	const room = relative(NODES, parentPath).replaceAll(sep, '/');
	if (name.endsWith('.ts') && room && !MAY_IMPORT[room]) {
		throw new Error(`eslint.layers.mjs does not say what ${room} may import.`);
	}
}

const filesIn = (room) => `${NODES}/${room}/!(index).ts`;
const rooms = [
	...Object.entries(MAY_IMPORT).map(([room, allowed]) => ({
		target: filesIn(room),
		from: Object.keys(MAY_IMPORT)
			.filter((other) => other !== room && !allowed.includes(other))
			.map((other) => `${NODES}/${other}/*.ts`),
	})),
	// The table of operations, for the node.
	{ target: `${NODES}/actions/!(index).ts`, from: `${NODES}/actions/index.ts` },
	{
		target: `${NODES}/!(*.node).ts`,
		from: Object.keys(MAY_IMPORT)
			.filter((room) => room !== 'errors')
			.map((room) => `${NODES}/${room}/*.ts`),
	},
];

/** Arrows point downward: a folder may not import what stands above it. test/unit/structure/imports.test.ts finds cycles. */
export const layers = [
	{ target: ['./nodes', './credentials'], from: ['./playground', './test', './bench'] },
	{ target: './playground', from: ['./nodes', './credentials', './test', './bench'] },
	{
		target: './playground/!(start|prepare).ts',
		from: ['./playground/api', './playground/n8n', './playground/cluster', './playground/demo'],
	},
	{
		target: './playground/api',
		from: ['./playground/n8n', './playground/cluster', './playground/demo'],
	},
	{ target: './playground/n8n', from: ['./playground/cluster', './playground/demo'] },
	{ target: './playground/cluster', from: ['./playground/api', './playground/demo'] },
	{ target: './playground/demo', from: './playground/cluster' },
	{ target: './test', from: './bench' },
	{ target: ['./test/support', './bench'], from: [...TIERS, './playground/demo'] },
	...TIERS.map((tier) => ({ target: tier, from: TIERS.filter((other) => other !== tier) })),
	...rooms,
];
