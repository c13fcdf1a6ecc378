import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cacheFolder, n8nFolder } from '../playground/folders.mts';
import { unpackPackage } from '../playground/n8n/unpack.mts';
import { run } from '../playground/run.mts';

const require = createRequire(join(n8nFolder, 'package.json'));
const resolve = (path: string) => createRequire(require.resolve('n8n/package.json')).resolve(path);

/** The folders of the packed package, unpacked, of its nodes, and of n8n's own nodes. */
export async function nodeFolders(tarball: string) {
	const unpacked = join(cacheFolder, 'bench-package');
	await unpackPackage(tarball, unpacked);
	return {
		package: unpacked,
		ours: join(unpacked, 'dist/nodes/BusinessMessaging'),
		theirs: join(dirname(resolve('n8n-nodes-base/package.json')), 'dist/nodes'),
	};
}

/** Runs a script of this folder in a process of its own, with the n8n-workflow of n8n for all nodes, and gives what it prints. */
export async function runBesideN8n(script: string, parameters: string[]): Promise<string> {
	const libraries = join(dirname(resolve('n8n-workflow/package.json')), '..');
	const { exitCode, output } = await run(
		process.execPath,
		[join(import.meta.dirname, script), ...parameters],
		{ folder: n8nFolder, env: { ...process.env, NODE_PATH: libraries } },
	);
	if (exitCode !== 0) throw new Error(`The nodes could not be loaded: ${output}`);
	return output;
}
