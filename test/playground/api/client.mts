import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

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

/** A receiver of webhooks until the end of the test. @param statusOf its answers, from 1; undefined when there is none */
export async function receive(statusOf: (count: number) => number | undefined = () => 200) {
	const received: Array<{ headers: IncomingHttpHeaders; body: string }> = [];
	const server = createServer(async (request, response) => {
		received.push({ headers: request.headers, body: await text(request) });
		const status = statusOf(received.length);
		if (status) response.writeHead(status, { location: '/' }).end('seen');
	});
	started.push(async () => await close(server));
	return { url: `${await listen(server)}/hook`, received };
}

export async function call(
	api: LocalApi,
	method: string,
	path: string,
	content?: unknown,
	headers: Record<string, string> = {},
) {
	const response = await fetch(api.url + path, {
		method,
		headers: {
			...(content === undefined ? {} : { 'content-type': 'application/json' }),
			...headers,
		},
		body: content === undefined ? undefined : JSON.stringify(content),
	});
	const body = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json');
	return {
		status: response.status,
		headers: Object.fromEntries(response.headers),
		text: body,
		/** Undefined when the text is not JSON. */
		json: isJson ? JSON.parse(body) : undefined,
	};
}

export async function send(api: LocalApi, changes: object = {}, key = DEVELOPMENT_KEY) {
	return await call(api, 'POST', SEND, { ...validMessage, ...changes }, { 'X-API-Key': key });
}

export async function lookUp(api: LocalApi, messageId: unknown, key = DEVELOPMENT_KEY) {
	return await call(api, 'GET', `${STATUS}/${messageId}`, undefined, { 'X-API-Key': key });
}
