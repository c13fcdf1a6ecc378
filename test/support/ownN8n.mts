import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../../playground/folders.mts';
import { installCommunityPackage } from '../../playground/n8n/communityPackage.mts';
import { startN8n, type N8n } from '../../playground/n8n/start.mts';
import { packPackage } from '../../playground/n8n/tarball.mts';

/** An n8n with an empty database for one Jest worker, or for one test file, which may stop it, kill it and start it again. */
export async function startOwnN8n(name: string, more: Record<string, string> = {}) {
	// As the README advises: an event takes a quarter of the CPU time.
	const env = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true', ...more };
	const userFolder = join(cacheFolder, `e2e-${name}`);
	await rm(userFolder, { recursive: true, force: true });
	await installCommunityPackage(userFolder, await packPackage());
	const start = async (port?: number) => await startN8n({ userFolder, port, env });
	const own = {
		userFolder,
		n8n: await start(),
		/** At the same address. */
		async restart(): Promise<N8n> {
			await own.n8n.stop();
			own.n8n = await start(Number(new URL(own.n8n.url).port));
			return own.n8n;
		},
	};
	return own;
}

/** The files below a folder whose bytes hold a text, such as a database, its journal or a log. */
export function filesWith(folder: string, text: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((path) => readFileSync(path).includes(text));
}
