import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A connection between two programs that can be made slow, and be broken. */
export interface Link {
	/** That of the target, on the port of this link. */
	url: string;
	/** How long each packet takes in each direction, at random between two limits in ms; [0, 0] = at once. */
	delayMs: [least: number, most: number];
	/** Breaks all connections and refuses new ones for a while; 0 ms = new ones are taken at once. */
	cut(forMs?: number): Promise<void>;
	close(): Promise<void>;
}

/** Listens on a free port of this computer, and hands all that comes to the target. */
export async function startLink(target: string): Promise<Link> {
	const { hostname, port } = new URL(target);
	const sockets = new Set<Socket>();
	let refuses = false;

	const server = createServer({ noDelay: true }, (near) => {
		if (refuses) {
			near.resetAndDestroy();
			return;
		}
		const far = connect({ host: hostname, port: Number(port), noDelay: true });
		for (const [from, to] of [
			[near, far],
			[far, near],
		]) {
			sockets.add(from);
			from.once('close', () => {
				sockets.delete(from);
				to.destroy();
			});
			// What follows is "close".
			from.on('error', () => undefined);
			passOn(from, to, () => randomOf(link.delayMs));
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const cut = () => sockets.forEach((socket) => socket.resetAndDestroy());

	const url = new URL(target);
	url.hostname = '127.0.0.1';
	url.port = String((server.address() as AddressInfo).port);
	const link: Link = {
		url: url.href,
		delayMs: [0, 0],
		async cut(forMs = 0) {
			refuses = forMs > 0;
			cut();
			await sleep(forMs);
			refuses = false;
		},
		async close() {
			cut();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return link;
}

/** Packets that are under way at once stay in their order. */
function passOn(from: Socket, to: Socket, delayMs: () => number) {
	let last = Promise.resolve();
	const after = (pass: () => void) => {
		const arrived = sleep(delayMs());
		last = last.then(async () => await arrived).then(pass);
	};
	from.on('data', (packet) => after(() => to.writable && to.write(packet)));
	from.on('end', () => after(() => to.end()));
}

function randomOf([least, most]: Link['delayMs']) {
	return least + Math.random() * (most - least);
}
