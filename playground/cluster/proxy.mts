import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
	url: string;
	close(): Promise<void>;
}

/**
 * Hands requests to the targets in turn. As usual proxies do, it asks the next target when one
 * refuses the connection, and answers 502 when one dies with a request that it has taken.
 */
export async function startRoundRobinProxy(targets: string[]): Promise<Proxy> {
	let turn = 0;
	const server = createServer((incoming, outgoing) => {
		void readBody(incoming).then((body) => {
			const first = turn++;
			const order = targets.map((_, index) => targets[(first + index) % targets.length]);
			forward(incoming, body, outgoing, order);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function readBody(incoming: IncomingMessage) {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

function forward(
	incoming: IncomingMessage,
	body: Buffer,
	outgoing: ServerResponse,
	[target, ...others]: string[],
) {
	const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress };
	const forwarded = request(target + incoming.url, { method: incoming.method, headers });
	forwarded.once('response', (response) => {
		outgoing.writeHead(response.statusCode ?? 502, response.headers);
		response.on('error', () => outgoing.destroy()).pipe(outgoing);
	});
	forwarded.on('error', ({ code }: NodeJS.ErrnoException) => {
		if (code === 'ECONNREFUSED' && others.length > 0) forward(incoming, body, outgoing, others);
		else if (outgoing.headersSent) outgoing.destroy();
		else outgoing.writeHead(502).end();
	});
	forwarded.end(body);
}
