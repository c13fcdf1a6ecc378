import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

import { startLink, type Link } from '../../../playground/cluster/link.mts';
import { close, listen } from '../../support/listen.mts';

let link: Link;
let server: Server;
const clients: Socket[] = [];

beforeEach(async () => {
	server = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
	link = await startLink((await listen(server)).replace('http://', 'postgres://someone@'));
});

afterEach(async () => {
	for (const client of clients.splice(0)) client.destroy();
	await link.close();
	await close(server);
});

function open() {
	const client = connect(Number(new URL(link.url).port), '127.0.0.1');
	client.on('error', () => undefined);
	clients.push(client);
	// Unlike `once`, also after an error.
	return { client, closed: new Promise((resolve) => client.once('close', resolve)) };
}

async function echoOf({ client }: ReturnType<typeof open>, text: string) {
	let echo = '';
	client.on('data', (chunk: Buffer) => (echo += chunk.toString()));
	for (const letter of text) {
		client.write(letter);
		await new Promise(setImmediate);
	}
	while (echo.length < text.length) await once(client, 'data');
	return echo;
}

it('hands on in both directions, in order, however long each packet takes', async () => {
	expect(link.url).toMatch(/^postgres:\/\/someone@127\.0\.0\.1:\d+$/);
	link.delayMs = [0, 5];
	expect(await echoOf(open(), 'in its order')).toBe('in its order');
});

it.each([0, 50])('breaks connections, and takes none for %i ms', async (ms) => {
	const before = open();
	await echoOf(before, 'a');
	const isOver = link.cut(ms);
	await before.closed;
	if (ms > 0) await open().closed;
	await isOver;
	expect(await echoOf(open(), 'b')).toBe('b');
});
