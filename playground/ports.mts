import { createServer } from 'node:net';
import type { Log } from './run.mts';

/** The port that was free a moment ago: the one asked for (0 = any), or undefined when it is taken. */
export async function freePort(wanted = 0): Promise<number | undefined> {
	const server = createServer();
	return await new Promise((resolve) => {
		server.once('error', () => resolve(undefined));
		server.listen({ port: wanted, host: '127.0.0.1', exclusive: true }, () => {
			const address = server.address();
			const port = address && typeof address === 'object' ? address.port : undefined;
			server.close(() => resolve(port));
		});
	});
}

export async function anyFreePort(): Promise<number> {
	const port = await freePort();
	if (port === undefined) throw new Error('No free port on 127.0.0.1.');
	return port;
}

/** The usual port, so that addresses stay the same from start to start, unless it is taken. */
export async function preferredPort(usual: number, user: string, say: Log): Promise<number> {
	const port = (await freePort(usual)) ?? (await anyFreePort());
	if (port !== usual) say(`Port ${usual} is in use, so ${user} is on ${port} this time.`);
	return port;
}
