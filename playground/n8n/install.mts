import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cacheFolder, n8nFolder, projectFolder } from '../folders.mts';
import { run, type Log } from '../run.mts';
import { problemInOutput, SetupProblem } from '../setupProblem.mts';
import { n8nImage } from './docker.mts';
import { fetchSqliteDriver, installSqliteDriver, isSqliteDriverInstalled } from './sqlite.mts';

const NEEDED_BYTES = 3 * 1024 ** 3;

const manifest = JSON.parse(readFileSync(join(n8nFolder, 'package.json'), 'utf8')) as {
	dependencies: { n8n: string };
};
export const n8nVersion = n8nImage?.split(':').at(-1) ?? manifest.dependencies.n8n;

// Written last, so that an interrupted installation is taken up again.
const stampFile = join(n8nFolder, 'node_modules', '.installed');

const LOCK_FILE = 'pnpm-lock.yaml';
const isLocked = () => existsSync(join(n8nFolder, LOCK_FILE));

function lockFileHash() {
	const hash = createHash('sha256');
	for (const name of ['package.json', LOCK_FILE, 'pnpm-workspace.yaml']) {
		hash.update(readFileSync(join(n8nFolder, name)));
	}
	return hash.digest('hex');
}

function readStamp() {
	try {
		return readFileSync(stampFile, 'utf8');
	} catch {
		return undefined;
	}
}

/** The version of the driver that n8n is going to want, unless no lock file says so. */
function lockedSqlite() {
	if (!isLocked()) return undefined;
	const [, version] =
		/^ {2}sqlite3@([\d.]+):/m.exec(readFileSync(join(n8nFolder, LOCK_FILE), 'utf8')) ?? [];
	return version;
}

/** Installs the pinned n8n and its SQLite driver; does nothing when both are there, or an image is used instead. */
export async function installN8n(log: Log = console.log): Promise<void> {
	if (n8nImage) return;
	if (process.platform === 'win32') {
		throw new SetupProblem('This needs Linux or macOS: on Windows, run it in WSL.');
	}
	if (!isLocked() || readStamp() !== lockFileHash()) {
		await checkDisk();
		const sqlite = lockedSqlite();
		// First, because it may fail for want of a compiler, and n8n is a large download.
		const getDriver = sqlite ? await fetchSqliteDriver(sqlite, log) : undefined;
		// Building it keeps a core busy for a minute, and the download waits for the network.
		await Promise.all([getDriver?.(), installPackages(log)]);
		writeFileSync(stampFile, lockFileHash());
	}
	if (!isSqliteDriverInstalled()) await installSqliteDriver(log);
}

async function checkDisk() {
	const { bavail, bsize } = await statfs(projectFolder);
	if (bavail * bsize >= NEEDED_BYTES) return;
	throw new SetupProblem('n8n needs 3 GB of free disk space: free some, then run this again.');
}

async function installPackages(log: Log) {
	log(`Installing n8n ${n8nVersion} (about a minute) …`);
	await mkdir(cacheFolder, { recursive: true });
	const pnpm = createRequire(join(projectFolder, 'package.json')).resolve('pnpm');
	const { exitCode, output } = await run(
		process.execPath,
		[
			join(dirname(pnpm), 'bin', 'pnpm.cjs'),
			'install',
			isLocked() ? '--frozen-lockfile' : '--no-frozen-lockfile',
			'--ignore-scripts',
			'--reporter=append-only',
			`--store-dir=${join(cacheFolder, 'pnpm-store')}`,
			`--cache-dir=${join(cacheFolder, 'pnpm')}`,
			// A folder made with another store is replaced without a question.
			'--config.confirmModulesPurge=false',
		],
		{
			folder: n8nFolder,
			onWait: (seconds, lastLine) => log(`  ${seconds} s: ${lastLine}`),
		},
	);
	if (exitCode === 0) return;
	const logFile = join(cacheFolder, 'install-n8n.log');
	writeFileSync(logFile, output);
	throw problemInOutput(output) ?? new SetupProblem(`n8n could not be installed: see ${logFile}.`);
}
