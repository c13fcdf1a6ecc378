import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cacheFolder, n8nFolder } from '../../playground/folders.ts';
import { installCommunityPackage } from '../../playground/n8n/communityPackage.ts';
import { installN8n } from '../../playground/n8n/install.ts';
import { startN8n, type N8n } from '../../playground/n8n/start.ts';
import { packPackage } from '../../playground/n8n/tarball.ts';

declare global {
	var n8nOfThisRun: N8n | undefined;
}

/** One n8n for all files: it takes 8 s to start. Each file has a local API of its own. */
export default async function startOnce() {
	await installN8n();
	const tarball = await packPackage();
	const userFolder = join(cacheFolder, `e2e-${basename(n8nFolder)}`);
	await rm(userFolder, { recursive: true, force: true });
	await installCommunityPackage(userFolder, tarball);
	globalThis.n8nOfThisRun = await startN8n({ userFolder });
	process.env.E2E_N8N_URL = globalThis.n8nOfThisRun.url;
	process.env.E2E_N8N_USER_FOLDER = userFolder;
	process.env.E2E_N8N_COOKIE = globalThis.n8nOfThisRun.client.session.cookie;
}
