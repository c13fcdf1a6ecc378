import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rounds, type Benchmark } from '../benchmark.mts';
import { nodeFolders, runBesideN8n } from '../besideN8n.mts';
import { atMost, pairUp } from '../figures.mts';

const OURS = ['BusinessMessaging.node.js', 'BusinessMessagingTrigger.node.js'];
const THEIRS = ['WhatsApp/WhatsApp.node.js', 'WhatsApp/WhatsAppTrigger.node.js'];

/** A load takes milliseconds, so more of them are cheap and steadier. */
const LOADS_PER_PAIR = 5;

export const loading: Benchmark = {
	title: "loading the built nodes, n8n's libraries being there already",
	async run({ pairs, tarball, say }) {
		const folders = await nodeFolders(tarball);
		const times = await rounds(
			pairs * LOADS_PER_PAIR,
			{
				ours: async () => await load(OURS.map((file) => join(folders.ours, file))),
				theirs: async () => await load(THEIRS.map((file) => join(folders.theirs, file))),
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
				{ what: 'unpacked', value: sizeOf(folders.package) / 1000, unit: 'kB' },
			],
		};
	},
};

function sizeOf(folder: string): number {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true });
	return files
		.filter((entry) => entry.isFile())
		.reduce((total, entry) => total + statSync(join(entry.parentPath, entry.name)).size, 0);
}

async function load(files: string[]): Promise<number> {
	return Number(await runBesideN8n('loadOnce.cjs', files));
}
