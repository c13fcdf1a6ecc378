import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../folders.ts';
import { run } from '../run.ts';

interface Manifest {
	name: string;
	version: string;
	devDependencies?: unknown;
	peerDependencies?: unknown;
}

async function readManifest(folder: string) {
	return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

async function writeManifest(folder: string, manifest: object) {
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
}

/**
 * Puts the packed tarball where n8n puts a community package, and as n8n does it: unpacked, without
 * its development and peer dependencies, entered in the ledger. Its node types get their real names.
 */
export async function installCommunityPackage(userFolder: string, tarball: string): Promise<void> {
	const { name, version } = await readManifest(projectFolder);
	const downloads = join(userFolder, '.n8n', 'nodes');
	const target = join(downloads, 'node_modules', name);
	await rm(target, { recursive: true, force: true });
	await mkdir(target, { recursive: true });
	const { exitCode, output } = await run(
		'tar',
		['-xzf', tarball, '-C', target, '--strip-components=1'],
		{ folder: downloads },
	);
	if (exitCode !== 0) throw new Error(`The tarball could not be unpacked: ${output}`);

	const { devDependencies, peerDependencies, ...manifest } = await readManifest(target);
	await writeManifest(target, manifest);
	await writeManifest(downloads, {
		name: 'installed-nodes',
		private: true,
		dependencies: { [name]: version },
	});
}
