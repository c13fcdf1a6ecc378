import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../folders.mts';
import { unpackPackage } from './unpack.mts';

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
 * @returns its folder
 */
export async function installCommunityPackage(
	userFolder: string,
	tarball: string,
): Promise<string> {
	const { name, version } = await readManifest(projectFolder);
	const downloads = join(userFolder, '.n8n', 'nodes');
	const target = join(downloads, 'node_modules', name);
	await unpackPackage(tarball, target);

	const { devDependencies, peerDependencies, ...manifest } = await readManifest(target);
	await writeManifest(target, manifest);
	await writeManifest(downloads, {
		name: 'installed-nodes',
		private: true,
		dependencies: { [name]: version },
	});
	return target;
}
