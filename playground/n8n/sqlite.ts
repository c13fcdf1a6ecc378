import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { cacheFolder, n8nFolder } from '../folders.ts';
import { run, type Log } from '../run.ts';
import { problemInOutput, SetupProblem } from '../setupProblem.ts';
import { findNodeHeaders, removeFetchedHeaders } from './nodeHeaders.ts';

function sqliteManifest() {
	const fromHere = createRequire(join(n8nFolder, 'package.json'));
	return createRequire(fromHere.resolve('n8n/package.json')).resolve('sqlite3/package.json');
}

export function sqliteIsBuilt() {
	return existsSync(join(dirname(sqliteManifest()), 'build', 'Release', 'node_sqlite3.node'));
}

function onPath(...programs: string[]) {
	const folders = (process.env.PATH ?? '').split(delimiter);
	return programs.some((program) => folders.some((folder) => existsSync(join(folder, program))));
}

function checkTools() {
	const missing = [
		!onPath('python3', 'python') && 'Python 3',
		!onPath('make', 'gmake') && 'make',
		!onPath('c++', 'g++', 'clang++') && 'a C++ compiler',
	].filter(Boolean);
	if (missing.length === 0) return;
	throw new SetupProblem(
		`n8n's SQLite driver has to be built and ${missing.join(' and ')} cannot be found: install it ` +
			'(Debian: apt install build-essential python3; macOS: xcode-select --install), then run this again.',
	);
}

/** Builds from source: the prebuilt driver is on a server that many networks do not let through. */
export async function buildSqlite(log: Log): Promise<void> {
	checkTools();
	log('Building the SQLite driver of n8n (about a minute) …');
	const manifest = sqliteManifest();
	const nodeGyp = createRequire(manifest).resolve('node-gyp/bin/node-gyp.js');
	const { exitCode, output } = await run(
		process.execPath,
		[nodeGyp, 'rebuild', `--nodedir=${await findNodeHeaders(log)}`],
		{
			folder: dirname(manifest),
			onWait: (seconds) => log(`  ${seconds} s: still building`),
		},
	);
	await removeFetchedHeaders();
	if (exitCode === 0 && sqliteIsBuilt()) return;
	const logFile = join(cacheFolder, 'build-sqlite.log');
	writeFileSync(logFile, output);
	throw (
		problemInOutput(output) ??
		new SetupProblem(`The SQLite driver of n8n could not be built: see ${logFile}.`)
	);
}
