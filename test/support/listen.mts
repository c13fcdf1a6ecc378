import { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Starts a server on a free port of this computer. @returns its URL, without a slash at the end */
export async function listen(server: Server, host = '127.0.0.1'): Promise<string> {
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	const { address, family, port } = server.address() as AddressInfo;
	return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

export async function close(server: Server): Promise<void> {
	if (server instanceof HttpServer) server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
}
