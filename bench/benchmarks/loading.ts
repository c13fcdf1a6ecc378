import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cacheFolder, n8nFolder } from '../../playground/folders.ts';
import { unpackPackage } from '../../playground/n8n/unpack.ts';
import { run } from '../../playground/run.ts';
import { rounds, type Benchmark } from '../benchmark.ts';
import { atMost, pairUp } from '../figures.ts';

const OURS = [
	'dist/nodes/BusinessMessaging/BusinessMessaging.node.js',
	'dist/nodes/BusinessMessaging/BusinessMessagingTrigger.node.js',
];
const THEIRS = [
	'dist/nodes/WhatsApp/WhatsApp.node.js',
	'dist/nodes/WhatsApp/WhatsAppTrigger.node.js',
];

/** A load takes milliseconds, so more of them are cheap and steadier. */
const LOADS_PER_PAIR = 5;

export const loading: Benchmark = {
	title: "loading the built nodes, n8n's libraries being there already",
	async run({ pairs, tarball, say }) {
		const ours = join(cacheFolder, 'bench-package');
		await unpackPackage(tarball, ours);
		const theirs = dirname(n8nRequire()('n8n-nodes-base/package.json'));
		const times = await rounds(
			pairs * LOADS_PER_PAIR,
			{
				ours: async () => await load(OURS.map((file) => join(ours, file))),
				theirs: async () => await load(THEIRS.map((file) => join(theirs, file))),
			},
			() => undefined,
		);
		say(`  ${pairs * LOADS_PER_PAIR} of each`);
		return {
			figures: [
				{
					what: 'time to load both nodes',
					reference: "n8n's WhatsApp nodes",
					unit: 'ms',
					pairs: pairUp(times.ours, times.theirs, (ms) => ms),
					aim: atMost(2),
				},
			],
			facts: [
				{ what: 'packed', value: statSync(tarball).size / 1000, unit: 'kB' },
				{ what: 'unpacked', value: sizeOf(ours) / 1000, unit: 'kB' },
			],
		};
	},
};

function n8nRequire() {
	const n8n = createRequire(join(n8nFolder, 'package.json')).resolve('n8n/package.json');
	return createRequire(n8n).resolve;
}

function sizeOf(folder: string): number {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true });
	return files
		.filter((entry) => entry.isFile())
		.reduce((total, entry) => total + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Both sides use the n8n-workflow of the same n8n. */
async function load(files: string[]): Promise<number> {
	const libraries = join(dirname(n8nRequire()('n8n-workflow/package.json')), '..');
	const { exitCode, output } = await run(
		process.execPath,
		[join(import.meta.dirname, '..', 'loadOnce.cjs'), ...files],
		{ folder: n8nFolder, env: { ...process.env, NODE_PATH: libraries } },
	);
	if (exitCode !== 0) throw new Error(`The nodes could not be loaded: ${output}`);
	return Number(output);
}
