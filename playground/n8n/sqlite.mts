import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { cacheFolder, n8nFolder } from '../folders.mts';
import { run, type Log } from '../run.mts';
import { problemInOutput, SetupProblem } from '../setupProblem.mts';
import { findNodeHeaders, removeFetchedHeaders } from './nodeHeaders.mts';

const DRIVER = join('build', 'Release', 'node_sqlite3.node');
/** The one that sqlite3 names needs a Python older than 3.12. */
const NODE_GYP = 'node-gyp@12.1.0';
/** Of 2 MB. Some networks let nothing through from GitHub, and do not say so. */
const DOWNLOAD_DEADLINE_MS = 60_000;

function sqliteManifest() {
	const fromHere = createRequire(join(n8nFolder, 'package.json'));
	return createRequire(fromHere.resolve('n8n/package.json')).resolve('sqlite3/package.json');
}

const installedDriver = () => join(dirname(sqliteManifest()), DRIVER);

export function isSqliteDriverInstalled(): boolean {
	return existsSync(installedDriver());
}

/** Puts the driver into the n8n that is installed. */
export async function installSqliteDriver(log: Log): Promise<void> {
	const { version } = JSON.parse(readFileSync(sqliteManifest(), 'utf8')) as { version: string };
	const getDriver = await fetchSqliteDriver(version, log);
	const driver = await getDriver();
	await mkdir(dirname(installedDriver()), { recursive: true });
	await copyFile(driver, installedDriver());
}

/**
 * Downloads the prebuilt driver. It needs no n8n, and is kept in a folder of its own for the next one.
 * @returns gives the driver; where none can be downloaded, or it does not load, after building one
 */
export async function fetchSqliteDriver(version: string, log: Log): Promise<() => Promise<string>> {
	const folder = join(cacheFolder, 'sqlite3', version);
	const driver = join(folder, 'node_modules', 'sqlite3', DRIVER);
	await mkdir(folder, { recursive: true });
	const isReady = async () => driver;
	if (await loads(folder)) return isReady;

	log('Fetching the SQLite driver of n8n …');
	await fetchSource(folder, version);
	await download(folder);
	if (await loads(folder)) return isReady;
	checkTools();
	return async () => {
		await build(folder, log);
		return driver;
	};
}

async function loads(folder: string) {
	const { exitCode } = await run(process.execPath, ['--eval', "require('sqlite3')"], { folder });
	return exitCode === 0;
}

async function fetchSource(folder: string, version: string) {
	const { exitCode, output } = await run(
		'npm',
		[
			'install',
			'--no-save',
			'--no-package-lock',
			'--prefix',
			'.',
			'--ignore-scripts',
			'--omit=optional',
			'--legacy-peer-deps',
			`sqlite3@${version}`,
			NODE_GYP,
		],
		{ folder },
	);
	if (exitCode !== 0) throw problemOf(output, 'fetched');
}

/** As sqlite3 itself does when it is installed. What became of it shows when the driver is loaded. */
async function download(folder: string) {
	const { source, programs } = sourceIn(folder);
	const prebuildInstall = programs.resolve('prebuild-install/bin.js');
	await run(process.execPath, [prebuildInstall, '--runtime', 'napi'], {
		folder: source,
		timeoutMs: DOWNLOAD_DEADLINE_MS,
	});
}

/** Built in another folder, because make splits a path at its spaces, and the project's may have some. */
async function build(folder: string, log: Log) {
	log('The prebuilt driver cannot be used here, so it is built (about a minute) …');
	const place = await mkdtemp(join(tmpdir(), 'sqlite3-'));
	await cp(join(folder, 'node_modules'), join(place, 'node_modules'), { recursive: true });
	const headers = join(place, 'node');
	await symlink(await findNodeHeaders(log), headers);
	const { source, programs } = sourceIn(place);
	const nodeGyp = programs.resolve('node-gyp/bin/node-gyp.js');
	const { exitCode, output } = await run(
		process.execPath,
		[nodeGyp, 'rebuild', '--jobs', 'max', `--nodedir=${headers}`],
		{
			folder: source,
			// Half the CPU time of sqlite3's own -O3.
			env: { ...process.env, CFLAGS: '-O1', CXXFLAGS: '-O1' },
			onWait: (seconds) => log(`  ${seconds} s: still building`),
		},
	);
	if (exitCode === 0) {
		const built = join(sourceIn(folder).source, DRIVER);
		await mkdir(dirname(built), { recursive: true });
		await copyFile(join(source, DRIVER), built);
	}
	await removeFetchedHeaders();
	await rm(place, { recursive: true, force: true });
	if (exitCode !== 0 || !(await loads(folder))) throw problemOf(output, 'built');
}

function sourceIn(folder: string) {
	const source = join(folder, 'node_modules', 'sqlite3');
	return { source, programs: createRequire(join(source, 'package.json')) };
}

function problemOf(output: string, done: string) {
	const logFile = join(cacheFolder, 'sqlite.log');
	writeFileSync(logFile, output);
	return (
		problemInOutput(output) ??
		new SetupProblem(`The SQLite driver of n8n could not be ${done}: see ${logFile}.`)
	);
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
	].filter((tool) => tool !== false);
	if (missing.length === 0) return;
	throw new SetupProblem(
		"n8n's SQLite driver has to be built, because the prebuilt one from GitHub cannot be used here, but the build " +
			`lacks ${new Intl.ListFormat('en').format(missing)}: install with apt install build-essential python3 ` +
			'(Debian) or xcode-select --install (macOS), then run this again.',
	);
}
