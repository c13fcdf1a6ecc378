import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { startLink, type Link } from '../../../playground/cluster/link.ts';

let link: Link;
let server: ReturnType<typeof createServer>;
const clients: Socket[] = [];

beforeEach(async () => {
	server = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	link = await startLink(
		`postgres://someone@127.0.0.1:${(server.address() as AddressInfo).port}/a`,
	);
});

afterEach(async () => {
	for (const client of clients.splice(0)) client.destroy();
	await link.close();
	await new Promise((resolve) => server.close(resolve));
});

function open() {
	const client = connect(Number(new URL(link.url).port), '127.0.0.1');
	client.on('error', () => undefined);
	clients.push(client);
	return client;
}

/** Unlike `once`, also after an error. */
async function closed(client: Socket) {
	await new Promise((resolve) => client.once('close', resolve));
}

async function echoOf(client: Socket, text: string) {
	let echo = '';
	client.on('data', (chunk: Buffer) => (echo += chunk.toString()));
	for (const letter of text) {
		client.write(letter);
		await new Promise(setImmediate);
	}
	while (echo.length < text.length) await once(client, 'data');
	return echo;
}

it('keeps the address but for the port', () => {
	expect(link.url).toMatch(/^postgres:\/\/someone@127\.0\.0\.1:\d+\/a$/);
});

it('hands on in both directions, in order, however long each packet takes', async () => {
	link.delayMs = [0, 5];
	expect(await echoOf(open(), 'in its order')).toBe('in its order');
});

it('breaks the connections there are, and takes new ones', async () => {
	const before = open();
	await echoOf(before, 'a');
	const broken = closed(before);
	await link.cut();
	await broken;
	expect(await echoOf(open(), 'b')).toBe('b');
});

it('takes no connection while it is cut', async () => {
	const isOver = link.cut(50);
	await closed(open());
	await isOver;
	expect(await echoOf(open(), 'c')).toBe('c');
});
