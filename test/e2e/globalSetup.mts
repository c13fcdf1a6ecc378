import { basename } from 'node:path';
import { n8nFolder } from '../../playground/folders.mts';
import { installN8n } from '../../playground/n8n/install.mts';
import type { N8n } from '../../playground/n8n/start.mts';
import { packPackage } from '../../playground/n8n/tarball.mts';
import { startOwnN8n } from '../support/ownN8n.mts';

declare global {
	var n8nsOfThisRun: N8n[];
}

/** One n8n for each Jest worker, because n8n takes 8 s to start. Each test file has a local API of its own. */
export default async function startOnce({ maxWorkers }: { maxWorkers: number }) {
	globalThis.n8nsOfThisRun = [];
	await installN8n();
	await packPackage();
	const start = async (_: unknown, worker: number) => {
		const { n8n, userFolder } = await startOwnN8n(`${basename(n8nFolder)}-${worker + 1}`);
		globalThis.n8nsOfThisRun.push(n8n);
		return { url: n8n.url, userFolder, cookie: n8n.client.session.cookie };
	};
	const started = await Promise.all(Array.from({ length: maxWorkers }, start));
	process.env.E2E_N8N = JSON.stringify(started);
}
