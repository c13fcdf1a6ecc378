import fc from 'fast-check';
import { request as open } from 'node:http';

import { saveAccount } from '../../playground/n8n/account.mts';
import { publish } from '../../playground/n8n/publish.mts';
import type { Execution } from '../../playground/n8n/rest/executions.mts';
import { anyText } from '../support/anyBody.mts';
import { isN8nBefore, n8nUnderTest } from '../support/n8nUnderTest.mts';
import { RANDOM_TIMES } from '../support/sample.mts';
import { triggerWorkflow } from '../support/triggerWorkflow.mts';

const REQUESTS = 400 * RANDOM_TIMES;
const AT_ONCE = 10;
const SECRET = 'secret-of-the-requests';

jest.setTimeout(60_000 + 200 * REQUESTS);

const ANSWERS: Record<number, RegExp> = {
	200: /^\{"status":"(accepted|ignored|duplicate)"\}$|^This address receives events/,
	400: /^\{"status":"error","message":".+"\}$/,
	401: /^\{"status":"error","message":"The token is missing or wrong"\}$/,
};

/** Before the node: methods without a webhook, bodies that it can't read, broken gzip (500). */
const ANSWERS_OF_N8N: Record<number, RegExp> = {
	204: /^$/,
	400: /"The submitted form data could not be parsed/,
	404: /^$|"This webhook is not registered for (PUT|DELETE) requests/,
	422: /"Failed to parse request body"/,
	500: /^\{"code":0,/,
};

test('no request whatsoever makes an error of the node or a run that should not be', async () => {
	const n8n = await n8nUnderTest();
	const credential = await saveAccount(n8n, 'Requests', { webhookSecret: SECRET });
	const { saved, address } = await publish(
		n8n,
		triggerWorkflow({ events: ['message.incoming'], authentication: 'secretToken' }, credential),
	);

	const requests = fc.sample(anyHttpRequest(SECRET, new Date().toISOString()), REQUESTS).values();
	const unexpected: unknown[] = [];
	let accepted = 0;
	const sender = async () => {
		for (const request of requests) {
			const answer = await send(address, request);
			if (answer.body === '{"status":"accepted"}') accepted++;
			if (!isExpected(request, answer)) unexpected.push({ request, answer });
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, sender));

	expect(unexpected).toEqual([]);
	expect(accepted).toBeGreaterThan(0);
	const runs = async (...status: Array<Execution['status']>) =>
		await n8n.client.executions.countOf(saved.id, status);
	await n8n.client.executions.allEnded(saved.id);
	expect(await runs('success')).toBe(accepted);
	expect(await runs('error', 'crashed')).toBe(0);
});

function isExpected({ headers }: HttpRequest, { status, body }: HttpAnswer): boolean {
	if (status === 500 && !n8nFailsOn(headers)) return false;
	return [ANSWERS[status], ANSWERS_OF_N8N[status]].some((answer) => answer?.test(body));
}

/** Before the node gets the request: older n8n also on forms that they can't read. */
function n8nFailsOn(headers: HttpRequest['headers']): boolean {
	if (headers['content-encoding'] === 'gzip') return true;
	return isN8nBefore(41) && /^multipart/.test(headers['content-type'] ?? '');
}

interface HttpRequest {
	method: string;
	query: string;
	headers: Record<string, string>;
	body: Buffer;
}

interface HttpAnswer {
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
function anyHttpRequest(secret: string, timestamp: string): fc.Arbitrary<HttpRequest> {
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
async function send(url: string, { method, query, headers, body }: HttpRequest) {
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
