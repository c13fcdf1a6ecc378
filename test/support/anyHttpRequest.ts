import fc from 'fast-check';
import { request as open } from 'node:http';

import { anyText } from './anyBody.ts';

export interface HttpRequest {
	method: string;
	query: string;
	headers: Record<string, string>;
	body: Buffer;
}

export interface HttpAnswer {
	status: number;
	body: string;
}

const METHODS = ['POST', 'POST', 'POST', 'POST', 'GET', 'PUT', 'HEAD', 'DELETE', 'OPTIONS'];
// Without text/xml: n8n itself never answers such a request when its body is no XML.
const CONTENT_TYPES = [
	'application/json',
	'application/json; charset=utf-16',
	'text/plain',
	'application/x-www-form-urlencoded',
	'multipart/form-data',
	'multipart/form-data; boundary=x',
	'application/octet-stream',
	'a/b',
	'nonsense',
];

/** Requests that HTTP allows, one in thirty a good event. @param timestamp of good events */
export function anyHttpRequest(secret: string, timestamp: string): fc.Arbitrary<HttpRequest> {
	const odd = oddRequest(secret, timestamp);
	return fc.oneof({ arbitrary: odd, weight: 29 }, goodRequest(secret, timestamp));
}

function goodRequest(secret: string, timestamp: string): fc.Arbitrary<HttpRequest> {
	return fc.uuid().map((text) => ({
		method: 'POST',
		query: `token=${secret}`,
		headers: { 'content-type': 'application/json' },
		body: Buffer.from(JSON.stringify({ event: 'message.incoming', timestamp, data: { text } })),
	}));
}

function oddRequest(secret: string, timestamp: string): fc.Arbitrary<HttpRequest> {
	const good = `token=${secret}`;
	const query = fc.oneof(
		{ arbitrary: fc.constant(good), weight: 3 },
		fc.constantFrom('', `${good}&${good}`, `token[a]=${secret}`, 'token=', '%', '__proto__[a]=1'),
		fc.webQueryParameters(),
	);
	const headers = fc.dictionary(
		fc.constantFrom('x-webhook-token', 'authorization', 'content-encoding', 'x-forwarded-for'),
		fc.oneof(
			fc.constantFrom(secret, `Bearer ${secret}`, 'gzip', 'identity', '::1'),
			fc.stringMatching(/^[!-~]{0,30}$/),
		),
	);
	const contentType = fc.option(fc.constantFrom(...CONTENT_TYPES));
	const body = fc.oneof(
		{ arbitrary: anyText(timestamp).map((text) => Buffer.from(text)), weight: 4 },
		fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
	);
	return fc
		.tuple(fc.constantFrom(...METHODS), query, headers, contentType, body)
		.map(([method, query_, headers_, type, body_]) => ({
			method,
			query: query_,
			headers: { ...headers_, ...(type === null ? {} : { 'content-type': type }) },
			body: body_,
		}));
}

/** Unlike fetch, with a body in any method and headers as they are. */
export async function send(url: string, { method, query, headers, body }: HttpRequest) {
	return await new Promise<HttpAnswer>((resolve, reject) => {
		const outgoing = open(
			`${url}?${query}`,
			{ method, headers: { ...headers, 'content-length': body.length } },
			(response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('error', reject);
				response.on('end', () =>
					resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
				);
			},
		);
		outgoing.on('error', reject);
		outgoing.end(body);
	});
}
