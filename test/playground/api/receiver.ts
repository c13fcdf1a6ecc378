import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen } from '../../support/listen.ts';

export interface Received {
	method?: string;
	headers: IncomingHttpHeaders;
	body: string;
	/** Requests being answered when this one came, itself included. */
	underWay: number;
}

export interface ReceiverAnswer {
	status?: number;
	headers?: Record<string, string>;
	body?: string;
	afterMs?: number;
}

/** The receivers of webhooks in a spec file, all closed after each test. */
export function receivers() {
	const closers: Array<() => void> = [];
	afterEach(() => closers.splice(0).forEach((close) => close()));

	return async function receive(answerTo: (count: number) => ReceiverAnswer = () => ({})) {
		const received: Received[] = [];
		let underWay = 0;
		const server = createServer((request, response) => {
			underWay += 1;
			const { method, headers } = request;
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				received.push({ method, headers, body: Buffer.concat(chunks).toString(), underWay });
				const answer = answerTo(received.length);
				const timer = setTimeout(() => {
					underWay -= 1;
					response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
				}, answer.afterMs ?? 0);
				response.once('close', () => clearTimeout(timer));
			});
		});
		const url = await listen(server);
		closers.push(() => {
			server.closeAllConnections();
			server.close();
		});
		return { url: `${url}/hook`, received };
	};
}
