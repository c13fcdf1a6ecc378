import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type LocalApi, startLocalApi } from '../../playground/api/server.mts';
import { cacheFolder, projectFolder } from '../../playground/folders.mts';
import { installCommunityPackage } from '../../playground/n8n/communityPackage.mts';
import { type N8n, startN8n } from '../../playground/n8n/start.mts';
import type { Facts } from './scenes.mts';

const here = join(projectFolder, 'test', 'upgrade');
const fixtures = join(here, 'fixtures');
const MAX_BYTES = 200 * 1024;

/** Slow enough to kill n8n in the middle of a run, and to refuse a message of one. */
export async function startApi(): Promise<LocalApi> {
	return await startLocalApi({ requestsPerWindow: 0, latencyMs: 250, deliveredAfterMs: 0 });
}

/** Of all messages that were accepted. */
export function recipientsOf({ messages }: LocalApi): string[] {
	return [...messages.values()].map(({ to }) => to);
}

/** The versions that have a fixture, the newest last. */
export function versions(): string[] {
	const names = readdirSync(fixtures).filter((name) => name.endsWith('.json'));
	const byNumber = new Intl.Collator('en', { numeric: true }).compare;
	return names.map((name) => name.replace('.json', '')).sort(byNumber);
}

/** An empty folder of an n8n that has this package. */
export async function newUserFolder(name: string, tarball: string): Promise<string> {
	const userFolder = join(cacheFolder, `upgrade-${name}`);
	await rm(userFolder, { recursive: true, force: true });
	await mkdir(join(userFolder, '.n8n'), { recursive: true });
	await installCommunityPackage(userFolder, tarball);
	return userFolder;
}

/** @param clockBehindMs how late n8n believes that it is */
export async function start(userFolder: string, clockBehindMs = 0): Promise<N8n> {
	const env = {
		N8N_ENCRYPTION_KEY: 'of all fixtures',
		EXECUTIONS_DATA_PRUNE: 'false',
		NODE_OPTIONS: `--require ${join(here, 'clock.cjs')}`,
		UPGRADE_CLOCK_BEHIND_MS: String(clockBehindMs),
	};
	return await startN8n({ userFolder, env });
}

const databaseIn = (userFolder: string) => join(userFolder, '.n8n', 'database.sqlite');

/** Of an n8n that has ended. */
export function store(version: string, userFolder: string, facts: Facts): void {
	const database = new DatabaseSync(databaseIn(userFolder));
	database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM');
	database.close();
	const zipped = gzipSync(readFileSync(databaseIn(userFolder)), { level: 9 });
	if (zipped.length > MAX_BYTES) throw new Error(`The fixture has ${zipped.length} bytes.`);
	writeFileSync(join(fixtures, `${version}.sqlite.gz`), zipped);
	writeFileSync(join(fixtures, `${version}.json`), `${JSON.stringify(facts, null, '\t')}\n`);
	console.log(`test/upgrade/fixtures/${version}.sqlite.gz has ${zipped.length} bytes.`);
}

export function restore(version: string, userFolder: string): Facts {
	const zipped = readFileSync(join(fixtures, `${version}.sqlite.gz`));
	writeFileSync(databaseIn(userFolder), gunzipSync(zipped));
	return JSON.parse(readFileSync(join(fixtures, `${version}.json`), 'utf8')) as Facts;
}
