import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cacheFolder, n8nFolder } from '../../playground/folders.ts';
import { installCommunityPackage } from '../../playground/n8n/communityPackage.ts';
import { installN8n } from '../../playground/n8n/install.ts';
import { startN8n, type N8n } from '../../playground/n8n/start.ts';
import { packPackage } from '../../playground/n8n/tarball.ts';

declare global {
	var n8nsOfThisRun: N8n[];
}

/** One n8n for each Jest worker, because n8n takes 8 s to start. Each test file has a local API of its own. */
export default async function startOnce({ maxWorkers }: { maxWorkers: number }) {
	globalThis.n8nsOfThisRun = [];
	await installN8n();
	const tarball = await packPackage();
	const start = async (_: unknown, worker: number) => {
		const userFolder = join(cacheFolder, `e2e-${basename(n8nFolder)}-${worker + 1}`);
		await rm(userFolder, { recursive: true, force: true });
		await installCommunityPackage(userFolder, tarball);
		// As the README advises: an event takes a quarter of the CPU time.
		const env = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
		const n8n = await startN8n({ userFolder, env });
		globalThis.n8nsOfThisRun.push(n8n);
		return { url: n8n.url, userFolder, cookie: n8n.client.session.cookie };
	};
	const started = await Promise.all(Array.from({ length: maxWorkers }, start));
	process.env.E2E_N8N = JSON.stringify(started);
}
