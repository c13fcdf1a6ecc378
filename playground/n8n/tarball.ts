import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, projectFolder } from '../folders.ts';
import { run, type Log } from '../run.ts';
import { problemInOutput } from '../setupProblem.ts';

const SOURCES = [
	'credentials/**/*',
	'nodes/**/*',
	'gulpfile.*',
	'package.json',
	'package-lock.json',
	'tsconfig*.json',
	'*.md',
];

function sourceHash() {
	const hash = createHash('sha256');
	const names = globSync(SOURCES, { cwd: projectFolder, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.sort();
	for (const name of names) hash.update(name).update(readFileSync(name));
	return hash.digest('hex').slice(0, 16);
}

async function npm(parameters: string[], failure: string) {
	const { exitCode, output } = await run('npm', parameters, { folder: projectFolder });
	if (exitCode === 0) return;
	throw problemInOutput(output) ?? new Error(`${failure}\n${output}`);
}

/** Builds and packs the package as it would be published; the same sources are packed only once. */
export async function packPackage(log: Log = console.log): Promise<string> {
	const folder = join(cacheFolder, 'package');
	const tarball = join(folder, `${sourceHash()}.tgz`);
	if (existsSync(tarball)) return tarball;

	log('Building and packing the package …');
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await npm(['run', 'build'], 'The package could not be built.');
	await npm(['pack', '--pack-destination', folder], 'The package could not be packed.');
	const [packed] = globSync(join(folder, '*.tgz'));
	await rename(packed, tarball);
	return tarball;
}
