import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalApi } from '../../../playground/api/server.mts';
import { close, listen } from '../../support/listen.mts';
import type { Row } from './rows.mts';

/** `cutOff`: the message is not sent. `slow`: it is sent, and answered later than the shorter Timeout. */
export type Fault = 'limitedOnce' | 'refusedOnce' | 'cutOff' | 'sentAnd500' | 'slow';

/** A request of a message. */
export interface Post {
	tag: string;
	to: string;
	/** Undefined if it got no answer. */
	status?: number;
}

const SLOW_MS = 3000;
const REFUSED = '{"success":false,"error":{"code":"BAD_REQUEST","message":"Not this time"}}';

/** A local API, behind a server that has the faults of these rows. */
export async function startFaultyApi(rows: Row[]) {
	const course = { deliveredAfterMs: 200, readAfterMs: 200 };
	const api = await startLocalApi({ requestsPerWindow: 0, ...course });
	const posts: Post[] = [];

	async function answer({ method, url, headers }: IncomingMessage, body: string, fault?: Fault) {
		if (fault === 'cutOff') throw new Error('No answer.');
		const passed = ['content-type', 'x-api-key'].map((name) => [name, String(headers[name])]);
		const init = { method, headers: Object.fromEntries(passed) as Record<string, string> };
		const response = await fetch(api.url + url, method === 'POST' ? { ...init, body } : init);
		if (fault === 'slow') await sleep(SLOW_MS);
		const { status } = response;
		return fault === 'sentAnd500' ? { status: 500 } : { status, body: await response.text() };
	}

	async function handle(request: IncomingMessage) {
		const body = await text(request);
		if (request.method !== 'POST') return await answer(request, body);
		const { to, templateVariables } = JSON.parse(body) as Record<string, string>;
		const post: Post = { tag: templateVariables?.[1], to };
		const isFirst = posts.every(({ tag }) => tag !== post.tag);
		posts.push(post);
		const fault = rows.find(({ tag }) => tag === post.tag)?.fault;
		const isOnce = fault === 'limitedOnce' || fault === 'refusedOnce';
		const once = { status: fault === 'limitedOnce' ? 429 : 400, body: REFUSED };
		const answered = isOnce && isFirst ? once : await answer(request, body, fault);
		// Who has gone away by now gets no answer.
		if (!request.socket.destroyed) post.status = answered.status;
		return answered;
	}

	const server = createServer((request, response) => {
		const headers = { 'content-type': 'application/json' };
		handle(request).then(
			({ status, body = REFUSED }) => response.writeHead(status, headers).end(body),
			() => request.socket.destroy(),
		);
	});
	const url = await listen(server);
	const closeBoth = async () => {
		await close(server);
		await api.close();
	};
	return { url, api, posts, close: closeBoth };
}

export type FaultyApi = Awaited<ReturnType<typeof startFaultyApi>>;
