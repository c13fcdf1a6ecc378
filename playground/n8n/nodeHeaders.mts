import { mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cacheFolder, projectFolder } from '../folders.mts';
import { run, type Log } from '../run.mts';
import { problemInOutput, SetupProblem } from '../setupProblem.mts';

function binaryPackage() {
	const { platform, arch } = process;
	const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
	return `${prefix}-${platform}-${arch}`;
}

function installedWithNode() {
	const node = createRequire(join(projectFolder, 'package.json')).resolve('node/package.json');
	try {
		return dirname(createRequire(node).resolve(`${binaryPackage()}/package.json`));
	} catch {
		return undefined;
	}
}

const fetchedHeaders = join(cacheFolder, 'node-headers');

/** 190 MB that are of no use after the build. */
export async function removeFetchedHeaders() {
	await rm(fetchedHeaders, { recursive: true, force: true });
}

/**
 * The folder with Node's C headers. `npm ci` leaves them beside the `node` package, but a later
 * `npm install` removes them, as no lock file names them: then they are fetched again.
 */
export async function findNodeHeaders(log: Log): Promise<string> {
	const installed = installedWithNode();
	if (installed) return installed;

	log('Fetching the headers of Node …');
	await mkdir(fetchedHeaders, { recursive: true });
	const specifier = `${binaryPackage()}@${process.versions.node}`;
	const { exitCode, output } = await run(
		'npm',
		['install', '--no-save', '--ignore-scripts', '--no-package-lock', '--prefix', '.', specifier],
		{ folder: fetchedHeaders },
	);
	if (exitCode === 0) return join(fetchedHeaders, 'node_modules', binaryPackage());
	throw (
		problemInOutput(output) ?? new SetupProblem(`npm has no package ${specifier} to build with.`)
	);
}
