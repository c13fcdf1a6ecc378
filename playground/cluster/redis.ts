import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyFreePort } from '../ports.ts';
import { startService, type Service } from './service.ts';

/** Debian's Redis, empty and on a free port; or the one of the address. */
export async function startRedis(runningUrl?: string): Promise<Service> {
	if (runningUrl) return { url: runningUrl, stop: async () => undefined };
	const port = await anyFreePort();
	const folder = await mkdtemp(join(tmpdir(), 'queue-redis-'));
	const parameters = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
	const stop = await startService(
		'redis-server',
		Object.entries(parameters).flatMap(([name, value]) => [`--${name}`, String(value)]),
		{ folder },
	);
	return {
		url: `redis://127.0.0.1:${port}`,
		stop: async () => {
			await stop();
			await rm(folder, { recursive: true });
		},
	};
}
