import { build } from 'esbuild';
import { join } from 'node:path';
import { cacheFolder, projectFolder } from '../playground/folders.mts';

/** A file together with the nodes' own code; Node alone does not read its imports. */
export async function bundled(source: string, name: string): Promise<string> {
	const file = join(cacheFolder, 'bench', name);
	await build({
		entryPoints: [join(projectFolder, source)],
		outfile: file,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		external: ['n8n-workflow'],
		logLevel: 'warning',
	});
	return file;
}
