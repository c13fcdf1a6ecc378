import { createServer, type Socket } from 'node:net';
import { close, listen } from './listen.mts';

/** What the server does with a request that it has received whole. */
export type Misbehavior = (socket: Socket) => void;

export function answer(status: string, body: string, headers: string[] = []): Misbehavior {
	const length = `content-length: ${Buffer.byteLength(body)}`;
	const head = [`HTTP/1.1 ${status}`, length, 'connection: close', ...headers];
	return (socket) => socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const sent = '{"success":true,"data":{"message_id":"m1","status":"sent"}}';

/** An answer that gives the message this ID. */
export function sentAs(messageId: string): Misbehavior {
	return answer('200 OK', sent.replace('m1', messageId));
}

function drips(start: string, drop: string): Misbehavior {
	return (socket) => {
		socket.write(`HTTP/1.1 200 OK\r\n${start}`);
		const dripping = setInterval(() => socket.write(drop), 50);
		socket.on('close', () => clearInterval(dripping));
	};
}

/** After these nobody knows whether the message was sent. */
export const UNCLEAR = {
	resetAfterSending: (socket: Socket) => socket.resetAndDestroy(),
	closedWithoutAnswer: (socket: Socket) => socket.end(),
	neverAnswers: () => undefined,
	dripsForever: drips('content-length: 100000\r\n\r\n', ' '),
	dripsHeadersForever: drips('', 'x-header: x\r\n'),
	switchesProtocol: (socket: Socket) =>
		socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
	truncatedBody: (socket: Socket) =>
		socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n${sent}`),
	error500WithBody: answer('500 Internal Server Error', '{"error":{"message":"boom"}}'),
	error500Empty: answer('500 Internal Server Error', ''),
	error503Page: answer('503 Service Unavailable', '<!doctype html><h1>Sorry</h1>'),
	unreadable200: answer('200 OK', '{"success":true,"data":'),
	page200: answer('200 OK', '<!doctype html><p>Welcome</p>'),
	captivePortal: answer('200 OK', '<html><head><title>Wi-Fi</title></head></html>', [
		'content-type: text/html',
	]),
	idless200: answer('200 OK', '{"success":true,"data":{"status":"sent"}}'),
	falseWithId: answer('200 OK', sent.replace('true', 'false')),
	seeOther303: answer('303 See Other', '', ['location: http://127.0.0.1:9/elsewhere']),
	conflict409: answer('409 Conflict', '{"error":"already under way"}'),
} satisfies Record<string, Misbehavior>;

export const REJECTIONS = {
	plan403: answer('403 Forbidden', '{"success":false,"error":"No API access on this plan"}'),
	page404: answer('404 Not Found', '<!DOCTYPE html><title>Not Found</title>'),
	route404: answer('404 Not Found', '{"message":"Cannot POST /x"}'),
	redirect: answer('302 Found', '', ['location: http://127.0.0.1:9/elsewhere']),
	falseWithoutId: answer('200 OK', '{"success":false,"error":"no such template"}'),
	sentAndFailed: answer('200 OK', sent.replace('"sent"', '"failed"')),
	refused400: answer('400 Bad Request', '{"code":131026}'),
} satisfies Record<string, Misbehavior>;

export const MISBEHAVIORS = {
	...UNCLEAR,
	...REJECTIONS,
	withoutStatus: answer('200 OK', '{"success":true,"data":{"message_id":"m1"}}'),
	sent: answer('200 OK', sent),
	read: answer('200 OK', sent.replace('"sent"', '"read"')),
} satisfies Record<string, Misbehavior>;

/** What to do with the request of this number, from 0, and this body. */
export type Behavior = (requestNumber: number, body: string) => Misbehavior;

/** A plain TCP server that reads HTTP requests and misbehaves. */
export async function startFaultServer(behave: Behavior) {
	/** The bodies of all requests that arrived whole. */
	const received: string[] = [];
	/** Their request lines, such as `POST /path HTTP/1.1`. */
	const requestLines: string[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => undefined);
		let text = '';
		socket.on('data', (chunk) => {
			text += chunk.toString();
			const [head, body] = text.split('\r\n\r\n');
			const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
			if (body === undefined || Buffer.byteLength(body) < length) return;
			text = '';
			received.push(body);
			requestLines.push(head.split('\r\n')[0]);
			behave(received.length - 1, body)(socket);
		});
	});
	const end = async () => {
		for (const socket of sockets) socket.destroy();
		await close(server);
	};
	return { url: await listen(server), received, requestLines, close: end };
}

export type FaultServer = Awaited<ReturnType<typeof startFaultServer>>;

/** A server for each test of a file. It says that each message was sent, unless a test has it `behave` in another way. */
export function useFaultServer() {
	let server: FaultServer;
	const ofTest = {
		behave: (() => MISBEHAVIORS.sent) as Behavior,
		get url() {
			return server.url;
		},
		get received() {
			return server.received;
		},
		/** The recipients of all messages so far. */
		get sentTo() {
			return server.received.map((body) => (JSON.parse(body) as { to: string }).to);
		},
	};
	beforeEach(async () => {
		ofTest.behave = () => MISBEHAVIORS.sent;
		server = await startFaultServer((...request) => ofTest.behave(...request));
	});
	afterEach(async () => await server.close());
	return ofTest;
}

/** The address of a port that nobody listens on. */
export async function closedAddress(): Promise<string> {
	const server = createServer();
	const url = await listen(server);
	await close(server);
	return url;
}
