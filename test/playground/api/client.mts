import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

import { startLocalApi, type LocalApi, type Settings } from '../../../playground/api/server.mts';
import { CUSTOMER, DEVELOPMENT_KEY } from '../../../playground/api/wellKnown.mts';
import { close, listen } from '../../support/listen.mts';

export const SEND = '/api/integrations/messages/send';
export const STATUS = '/api/integrations/messages/status';
export const validMessage = {
	to: CUSTOMER,
	type: 'template',
	templateName: 'order_update',
	templateVariables: { '1': 'Asha' },
	category: 'utility',
};

const started: Array<() => Promise<void>> = [];
afterEach(async () => {
	await Promise.all(started.splice(0).map(async (end) => await end()));
});

/** A local API until the end of the test. */
export async function start(settings?: Partial<Settings>): Promise<LocalApi> {
	const api = await startLocalApi(settings);
	started.push(api.close);
	return api;
}

/** Starts a script of the playground, as npm does. */
export function launch(script: string, parameters: string[], nodeOptions: string[] = []) {
	const all = [...nodeOptions, 'playground/launch.mjs', script, ...parameters];
	const child = spawn(process.execPath, all);
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
	}
	const ended = once(child, 'close').then(([exitCode]) => ({ exitCode, output }));
	return { child, ended };
}

interface Received {
	headers: IncomingHttpHeaders;
	body: string;
	/** Requests that have no answer when this one comes, itself included. */
	inFlight: number;
}

/** A receiver of webhooks until the end of the test, which answers the request of each number, from 1. */
export async function receive(
	answerTo: (count: number) => {
		status?: number;
		location?: string;
		afterMs?: number;
	} = () => ({}),
) {
	const received: Received[] = [];
	let inFlight = 0;
	const server = createServer((request, response) => {
		inFlight += 1;
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			received.push({ headers: request.headers, body, inFlight });
			const { status = 200, location, afterMs = 0 } = answerTo(received.length);
			const timer = setTimeout(() => {
				inFlight -= 1;
				response.writeHead(status, location ? { location } : {}).end('seen');
			}, afterMs);
			response.once('close', () => clearTimeout(timer));
		});
	});
	started.push(async () => await close(server));
	return { url: `${await listen(server)}/hook`, received };
}

export async function call(
	api: LocalApi,
	method: string,
	path: string,
	body?: unknown,
	headers: Record<string, string> = {},
) {
	const response = await fetch(api.url + path, {
		method,
		headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
		body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json');
	return {
		status: response.status,
		headers: Object.fromEntries(response.headers),
		text,
		/** Undefined when the text is not JSON. */
		json: isJson ? JSON.parse(text) : undefined,
	};
}

export async function send(api: LocalApi, changes: object = {}, key = DEVELOPMENT_KEY) {
	return await call(api, 'POST', SEND, { ...validMessage, ...changes }, { 'X-API-Key': key });
}

export async function lookUp(api: LocalApi, messageId: unknown, key = DEVELOPMENT_KEY) {
	return await call(api, 'GET', `${STATUS}/${messageId}`, undefined, { 'X-API-Key': key });
}
