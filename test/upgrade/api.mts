import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { close, listen } from '../support/listen.mts';

/** Slow enough to kill n8n in the middle of a run. */
const LATENCY_MS = 150;

interface Send {
	to: string;
	templateVariables?: Record<string, string>;
}

/** An API that delivers everything, except to numbers that it refuses. */
export async function startApi() {
	const sends: Send[] = [];
	const refused = new Set<string>();
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk) => (text += String(chunk)));
		request.on('end', () => {
			const body = text === '' ? undefined : (JSON.parse(text) as Send);
			const [status, answer] = body ? receive(body) : [200, { status: 'delivered' }];
			const data = { message_id: randomUUID(), ...answer };
			setTimeout(() => {
				response.writeHead(status, { 'content-type': 'application/json' });
				response.end(JSON.stringify({ success: status === 200, data }));
			}, LATENCY_MS);
		});
	});

	function receive(body: Send): [status: number, data: object] {
		if (refused.has(body.to)) return [400, { code: 131026 }];
		sends.push(body);
		return [200, { to: body.to, status: 'sent' }];
	}

	const url = await listen(server);
	return {
		url,
		refused,
		/** Of all messages that were accepted. */
		recipients: () => sends.map(({ to }) => to),
		linkTo: (to: string) =>
			Object.values(sends.find((send) => send.to === to)?.templateVariables ?? {}).find((value) =>
				value.includes('/webhook-waiting/'),
			),
		close: async () => await close(server),
	};
}

export type Api = Awaited<ReturnType<typeof startApi>>;
