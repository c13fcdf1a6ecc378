import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyFreePort } from '../ports.mts';
import { runningService, startService, type Service } from './service.mts';

export interface Redis extends Service {
	/** A restart as of one that keeps nothing on its disk. */
	restartEmpty(): Promise<void>;
}

/** Debian's Redis, empty, keeping its data, and on a free port; or the one of the address. */
export async function startRedis(runningUrl?: string): Promise<Redis> {
	if (runningUrl) {
		const running = runningService(runningUrl);
		return { ...running, restartEmpty: running.restart };
	}
	const port = await anyFreePort();
	const folder = await mkdtemp(join(tmpdir(), 'queue-redis-'));
	const parameters = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'yes' };
	const redis = await startService(`redis://127.0.0.1:${port}`, {
		path: 'redis-server',
		parameters: Object.entries(parameters).flatMap(([name, value]) => [`--${name}`, `${value}`]),
		folder,
	});
	const forget = async () => await rm(join(folder, 'appendonlydir'), { recursive: true });
	return { ...redis, restartEmpty: async () => await redis.restart(forget) };
}
