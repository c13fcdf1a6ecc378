import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse } from 'yaml';

/**
 * Runs the core end-to-end tests in several versions of n8n, one after the other: in those that are named, or in all
 * that are listed here. Any other version or tag, such as "next", gets the overrides of the pinned n8n.
 * Each takes a few minutes and 3 GB for its installation in .cache, the first time. An image, such as n8nio/n8n:3.0.0,
 * is run by Docker instead.
 */
const PINNED = { '1.123.81': 'playground/n8n1' };
/** With what their own dependencies have to be replaced by, since it is no longer to be had or does not fit any more. */
const RANGE = {
	'2.0.0': {
		xlsx: '0.18.5',
		'@langchain/langgraph': '1.0.2',
		'@langchain/langgraph-checkpoint': '1.0.0',
	},
	'2.11.4': {
		xlsx: '0.18.5',
		linkedom: '0.18.12',
		'@langchain/langgraph-checkpoint': '1.0.0',
	},
	'2.20.12': {
		xlsx: '0.18.5',
		linkedom: '0.18.12',
		'@langchain/langgraph': '1.2.9',
		'@langchain/langgraph-checkpoint': '1.0.1',
	},
	'2.30.0': {
		xlsx: '0.18.5',
		linkedom: '0.18.12',
		'@langchain/langgraph': '1.4.18',
		'@langchain/protocol': '0.0.19',
	},
};
const VERSIONS = [...Object.keys(RANGE), ...Object.keys(PINNED)];
const newest = () => parse(readFileSync('playground/n8n/pnpm-workspace.yaml', 'utf8')).overrides;

function folderOf(version) {
	if (PINNED[version]) return PINNED[version];
	const folder = `.cache/n8n/${version}`;
	const manifest = { name: 'n8n-of-range', private: true, dependencies: { n8n: version } };
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	// JSON is YAML as well.
	const overrides = RANGE[version] ?? newest();
	const workspace = { packages: [], overrides, ignoredBuiltDependencies: [] };
	const text = JSON.stringify(workspace);
	const file = join(folder, 'pnpm-workspace.yaml');
	if (existsSync(file) && readFileSync(file, 'utf8') !== text) {
		rmSync(join(folder, 'pnpm-lock.yaml'), { force: true });
	}
	writeFileSync(file, text);
	return folder;
}

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');

function passes(version) {
	console.log(`n8n ${version}`);
	const which = version.includes(':')
		? { PLAYGROUND_N8N_IMAGE: version }
		: { PLAYGROUND_N8N: folderOf(version) };
	const { status } = spawnSync(
		process.execPath,
		[jest, '--selectProjects', 'e2e:core', '--runInBand'],
		{ env: { ...process.env, ...which }, stdio: 'inherit' },
	);
	return status === 0;
}

const named = process.argv.slice(2);
const failed = (named.length > 0 ? named : VERSIONS).filter((version) => !passes(version));
if (failed.length > 0) {
	console.error(`Tests fail in n8n ${failed.join(' and ')}.`);
	process.exitCode = 1;
}
