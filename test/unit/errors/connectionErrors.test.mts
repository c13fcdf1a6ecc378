import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import fc from 'fast-check';
import { getRequestHelperFunctions } from 'n8n-core/dist/execution-engine/node-execution-context/utils/request-helper-functions';
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { systemClock } from '../../../nodes/BusinessMessaging/clock';
import type { FailureCode } from '../../../nodes/BusinessMessaging/errors/catalogue';
import {
	connectionFailure,
	failureFromHttpError,
} from '../../../nodes/BusinessMessaging/errors/connectionErrors';
import { createHttpRequest } from '../../../nodes/BusinessMessaging/transport/httpRequest';
import { closedAddress } from '../../support/faultServer.mts';
import { createHttpsServer } from '../../support/httpsServer.mts';
import { listen } from '../../support/listen.mts';
import { NODE } from '../../support/sendNode.mts';

/** What the nodes make of a request through n8n's own HTTP helper. */
async function send(url: string, proxyUrl?: string) {
	const { hostname: host, port } = new URL(proxyUrl ?? 'http://none:0');
	const proxy = { protocol: 'http', host, port: Number(port) };
	const more = { skipSslCertificateValidation: true, ...(proxyUrl ? { proxy } : {}) };
	const credentialsHelper = {
		getParentTypes: () => [],
		preAuthentication: async () => undefined,
		authenticate: async (_data: unknown, _type: string, options: IHttpRequestOptions) => ({
			...options,
			...more,
		}),
	};
	const context = {
		getNode: () => NODE,
		getCredentials: async () => ({ apiKey: 'key-4711' }),
		getExecutionCancelSignal: () => undefined,
		helpers: getRequestHelperFunctions({} as never, NODE, { credentialsHelper } as never),
	} as unknown as IExecuteFunctions;
	const httpRequest = createHttpRequest(context, { baseUrl: url, apiKey: 'key-4711' }, systemClock);
	return await httpRequest({ method: 'POST', url, body: {}, timeoutMs: 5000 });
}

const open: Array<() => void> = [];
afterEach(() => open.splice(0).forEach((close) => close()));

async function start(server: Server): Promise<string> {
	server.on('connection', (socket) => {
		open.push(() => socket.destroy());
		socket.on('error', () => undefined);
	});
	open.push(() => server.close());
	return await listen(server);
}

/** A server that does this with the bytes that it gets first, encrypted or not. */
async function startServer(onFirstBytes: (socket: Socket) => void): Promise<string> {
	return await start(createServer((socket) => socket.once('data', () => onFirstBytes(socket))));
}

const says = async (text: string) => await startServer((socket) => socket.end(text));
const overHttps = (url: string) => url.replace('http:', 'https:');
const localhost = (url: string) => url.replace('127.0.0.1', 'localhost');

const BROKEN = 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 5\r\n\r\n"bad"';

describe('a request over n8n did not reach', () => {
	it.each<[FailureCode, string, () => Promise<string>]>([
		['connectionRefused', 'a port where nobody listens', closedAddress],
		['connectionRefused', 'any of several addresses', async () => localhost(await closedAddress())],
		[
			'certificate',
			'a server without a certificate',
			async () => overHttps(await start(createTlsServer())),
		],
		[
			'notEncrypted',
			'an HTTP server',
			async () => overHttps(await says('HTTP/1.1 400 Bad\r\n\r\n')),
		],
		['connectionFailed', 'a server that closes at once', async () => overHttps(await says(''))],
		[
			'connectionFailed',
			'a server that resets the connection while it is encrypted',
			async () => overHttps(await startServer((socket) => socket.resetAndDestroy())),
		],
	])('(%s) %s', async (code, _, startIt) => {
		expect(await send(await startIt())).toEqual(connectionFailure(code, 'notSent'));
	});

	it.each<[string, string, FailureCode]>([
		['closes at once', '', 'connectionFailed'],
		['answers with nonsense', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n', 'connectionFailed'],
		['answers in place of the API', BROKEN, 'unreachable'],
	])('an API behind a proxy that %s', async (_, answer, code) => {
		expect(await send('https://127.0.0.1:9', await says(answer))).toEqual(
			connectionFailure(code, 'notSent'),
		);
	});

	it('an address that the administrator of n8n has blocked', async () => {
		const protection = Container.get(SsrfProtectionConfig);
		protection.enabled = true;
		open.push(() => (protection.enabled = false));
		const url = await closedAddress();
		const blocked = connectionFailure('unreachable', 'notSent');
		expect(await send(url)).toEqual(blocked);
		expect(await send(localhost(url))).toEqual(blocked);
	});
});

/** A proxy that connects its client with the server that the client names. */
async function startTunnel(): Promise<string> {
	return await start(
		createServer((socket) =>
			socket.once('data', (asked) => {
				const [, port] = /:(\d+) /.exec(String(asked)) ?? [];
				const server = connect(Number(port), '127.0.0.1', () => {
					socket.write('HTTP/1.1 200 OK\r\n\r\n');
					server.pipe(socket).pipe(server);
				});
				server.on('error', () => undefined);
				open.push(() => server.destroy());
			}),
		),
	);
}

it('the API itself may have sent the message before it answers 502, also behind a proxy', async () => {
	const broken = { status: 502, headers: { 'content-length': '5' }, body: 'bad' };
	const url = overHttps(await start(createHttpsServer(BROKEN)));
	expect(await send(url)).toEqual(broken);
	expect(await send(url, await startTunnel())).toEqual(broken);
	expect(await send(await says(BROKEN))).toEqual(broken);
});

/** An error as n8n wraps it: node error, client's error, system's error. */
function wrapped(system: Record<string, unknown>): Error {
	const cause = Object.assign(new Error(String(system.message ?? 'failed')), system);
	const client = Object.assign(new Error(cause.message, { cause }), { code: system.code });
	return new Error('The service failed', { cause: client });
}

describe('an error that can not be made over loopback', () => {
	it.each<FailureCode>(['certificate', 'notEncrypted', 'credentialUnusable', 'canceled'])(
		'repeating the request would not help after %s',
		(code) => expect(connectionFailure(code, 'notSent').retryable).toBe(false),
	);

	it.each<[FailureCode, 'notSent' | 'unknown', Record<string, unknown>]>([
		['connectionFailed', 'notSent', { code: 'ECONNRESET', syscall: 'connect' }],
		['timeout', 'notSent', { code: 'ETIMEDOUT', syscall: 'connect' }],
		['timeout', 'unknown', { code: 'ETIMEDOUT', syscall: 'read' }],
		['unreachable', 'notSent', { code: 'EHOSTUNREACH', syscall: 'connect' }],
		['unknownHost', 'notSent', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
		['connectionFailed', 'unknown', { code: 'EPIPE', syscall: 'write' }],
		['connectionFailed', 'unknown', { code: 'EPROTOTYPE' }],
		['certificate', 'notSent', { code: 'EPROTO', message: 'write EPROTO' }],
		['certificate', 'notSent', { code: 'CERT_HAS_EXPIRED' }],
		['connectionFailed', 'unknown', { code: 'ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC' }],
		['connectionFailed', 'unknown', { message: 'wrong version number' }],
		['credentialUnusable', 'notSent', { name: 'InputError' }],
		['connectionFailed', 'unknown', { request: { protocol: 'https:', socket: {} } }],
	])('has the code %s, with the outcome %s, when it has %j', (kind, outcome, system) => {
		expect(failureFromHttpError(wrapped(system))).toEqual(connectionFailure(kind, outcome));
	});

	class CredentialNotFoundError extends Error {}
	const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
	const several = new AggregateError([refused, { ...refused, code: 'ETIMEDOUT' }]);
	const causedBy = (depth: number, cause: unknown): unknown =>
		depth === 0 ? cause : new Error('failed', { cause: causedBy(depth - 1, cause) });

	it.each<[string, FailureCode, 'notSent' | 'unknown', unknown]>([
		['its class', 'credentialUnusable', 'notSent', new CredentialNotFoundError('not found')],
		['the first of several addresses', 'connectionRefused', 'notSent', several],
		["the system's code", 'connectionRefused', 'notSent', { code: 'ERR_NETWORK', cause: refused }],
		['a cause five levels deep', 'timeout', 'unknown', causedBy(4, { code: 'ETIMEDOUT' })],
		['no deeper cause', 'connectionFailed', 'unknown', causedBy(5, { code: 'ETIMEDOUT' })],
	])('is known by %s', (_, code, outcome, cause) => {
		expect(failureFromHttpError(causedBy(1, cause))).toEqual(connectionFailure(code, outcome));
	});

	it('of any other kind, cyclic causes included, has an unknown outcome', () => {
		const cyclic = new Error('round');
		cyclic.cause = cyclic;
		/** Not even by `String`. */
		const noText: unknown = Object.create(null);
		const odd: unknown[] = [
			{ cause: null },
			{ name: 'Error', constructor: null },
			cyclic,
			{ name: noText, message: noText, code: noText },
		];
		fc.assert(
			fc.property(fc.anything(), (thrown) => {
				expect(failureFromHttpError(thrown)).toEqual(
					connectionFailure('connectionFailed', 'unknown'),
				);
			}),
			{ examples: odd.map((thrown) => [thrown]) },
		);
	});
});
