import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalApi } from '../../../playground/api/server.mts';
import { close, listen } from '../../support/listen.mts';
import type { Row } from './rows.mts';

/** `cutOff`: the message is not sent. `slow`: it is sent, and the answer takes longer than the shorter Timeout. */
export type Fault = 'limitedOnce' | 'refusedOnce' | 'cutOff' | 'sentAnd500' | 'slow';

/** A request of a message, and how it looked to who sent it: `limited` and `refused` are certainly not sent. */
export interface Post {
	tag: string;
	to: string;
	seen: 'accepted' | 'refused' | 'limited' | 'unclear';
	status?: number;
}

const SLOW_MS = 3000;

/** A local API, behind a server that has the faults that depend on the row. */
export async function startFaultyApi(rows: Row[]) {
	const api = await startLocalApi({
		requestsPerWindow: 0,
		deliveredAfterMs: 200,
		readAfterMs: 200,
	});
	const posts: Post[] = [];

	async function forward({ method, url, headers }: IncomingMessage, body: string) {
		const names = ['content-type', 'x-api-key'].filter((name) => headers[name] !== undefined);
		const passed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
		const init = { method, headers: passed, body: method === 'POST' ? body : undefined };
		const response = await fetch(api.url + url, init);
		return { status: response.status, body: await response.text() };
	}

	async function answer(
		request: IncomingMessage,
		body: string,
		fault: Fault | undefined,
		isFirst: boolean,
	) {
		if (fault === 'limitedOnce' && isFirst) return { status: 429, body: REFUSED };
		if (fault === 'refusedOnce' && isFirst) return { status: 400, body: REFUSED };
		if (fault === 'cutOff') throw new Error('No answer.');
		const answered = await forward(request, body);
		if (fault === 'slow') await sleep(SLOW_MS);
		return fault === 'sentAnd500' ? { status: 500, body: REFUSED } : answered;
	}

	const server = createServer((request: IncomingMessage, response: ServerResponse) => {
		void (async () => {
			const body = await text(request);
			const post = request.method === 'POST' ? postOf(body) : undefined;
			const isFirst = !posts.some(({ tag }) => tag === post?.tag);
			if (post) posts.push(post);
			const fault = rows.find(({ tag }) => tag === post?.tag)?.fault;
			try {
				const answered = await answer(request, body, fault, isFirst);
				const headers = { 'content-type': 'application/json' };
				response.writeHead(answered.status, headers).end(answered.body);
				// Who has gone away in the meantime has seen no answer.
				if (post && !response.destroyed)
					Object.assign(post, { seen: seenAs(answered.status), status: answered.status });
			} catch {
				request.socket.destroy();
			}
		})();
	});
	return {
		url: await listen(server),
		api,
		posts,
		async close() {
			await close(server);
			await api.close();
		},
	};
}

export type FaultyApi = Awaited<ReturnType<typeof startFaultyApi>>;

const REFUSED = '{"success":false,"error":{"code":"BAD_REQUEST","message":"Not this time"}}';

function postOf(body: string): Post {
	const { to, templateVariables = {} } = JSON.parse(body) as {
		to: string;
		templateVariables?: Record<string, string>;
	};
	return { tag: templateVariables[1], to, seen: 'unclear' };
}

function seenAs(status: number): Post['seen'] {
	if (status < 300) return 'accepted';
	if (status === 429) return 'limited';
	return status < 500 ? 'refused' : 'unclear';
}
