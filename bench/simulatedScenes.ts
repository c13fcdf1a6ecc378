import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { cacheFolder, projectFolder } from '../playground/folders.ts';

type Scenes = typeof import('../test/support/simulation/scenes.ts');

/** The simulated APIs of the tests, with the nodes' own client; Node alone does not read its imports. */
export async function simulatedScenes(): Promise<Scenes> {
	const file = join(cacheFolder, 'bench', 'scenes.cjs');
	await build({
		entryPoints: [join(projectFolder, 'test/support/simulation/scenes.ts')],
		outfile: file,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		external: ['n8n-workflow'],
		logLevel: 'warning',
	});
	return createRequire(file)(file) as Scenes;
}
