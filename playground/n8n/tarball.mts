import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, projectFolder } from '../folders.mts';
import { run, type Log } from '../run.mts';
import { problemInOutput } from '../setupProblem.mts';

const SOURCES = [
	'credentials/**/*',
	'nodes/**/*',
	'gulpfile.*',
	'package.json',
	'package-lock.json',
	'tsconfig*.json',
	'*.md',
];

const KEEP_MS = 24 * 60 * 60 * 1000;

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
	const destination = join(folder, `${process.pid}`);
	await mkdir(destination, { recursive: true });
	await npm(['run', 'build'], 'The package could not be built.');
	await npm(['pack', '--pack-destination', destination], 'The package could not be packed.');
	const [packed] = globSync(join(destination, '*.tgz'));
	await rename(packed, tarball);
	await rm(destination, { recursive: true });
	await removeOld(folder);
	return tarball;
}

/** Not at once: another run may use one of other sources. */
async function removeOld(folder: string) {
	for (const file of globSync(join(folder, '*.tgz'))) {
		if (Date.now() - statSync(file).mtimeMs > KEEP_MS) await rm(file, { force: true });
	}
}
