import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import fc from 'fast-check';
import { getRequestHelperFunctions } from 'n8n-core/dist/execution-engine/node-execution-context/utils/request-helper-functions';
import {
	type IAllExecuteFunctions,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	NodeApiError,
} from 'n8n-workflow';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { systemClock } from '../../../nodes/BusinessMessaging/clock';
import type { FailureCode } from '../../../nodes/BusinessMessaging/errors/catalogue';
import {
	connectionFailure,
	failureFromHttpError,
} from '../../../nodes/BusinessMessaging/errors/connectionErrors';
import type { Failure } from '../../../nodes/BusinessMessaging/errors/failure';
import { createHttpRequest } from '../../../nodes/BusinessMessaging/transport/httpRequest';
import { closedAddress, MISBEHAVIORS, startFaultServer } from '../../support/faultServer.mts';
import { createHttpsServer } from '../../support/httpsServer.mts';
import { listen } from '../../support/listen.mts';
import { NODE } from '../../support/sendNode.mts';

const CREDENTIALS_HELPER = {
	getParentTypes: () => [],
	preAuthentication: async () => undefined,
	authenticate: async (_data: unknown, _type: string, options: IHttpRequestOptions) => options,
};

/** The failure of a request through n8n's own HTTP helper. */
async function request(
	url: string,
	more: Partial<IHttpRequestOptions> = {},
	signal?: AbortSignal,
): Promise<Failure> {
	const [workflow, data] = [{}, { credentialsHelper: CREDENTIALS_HELPER }];
	const helpers = getRequestHelperFunctions(workflow as never, NODE, data as never);
	const context = {
		getNode: () => NODE,
		getCredentials: async () => ({}),
		helpers,
		...(signal ? { getExecutionCancelSignal: () => signal } : {}),
	} as unknown as IAllExecuteFunctions;
	const response = helpers.httpRequestWithAuthentication.call(context, 'businessMessagingApi', {
		method: 'POST',
		url,
		body: '{}',
		headers: { 'content-type': 'application/json' },
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
		disableFollowRedirect: true,
		...more,
	});
	const error: unknown = await response.catch((thrown) => thrown);
	expect(error).toBeInstanceOf(NodeApiError);
	return failureFromHttpError(error);
}

/** What the nodes make of a request through n8n's own HTTP helper. */
async function send(url: string, proxyUrl?: string) {
	const { hostname: host, port } = new URL(proxyUrl ?? 'http://none:0');
	const proxy = { protocol: 'http', host, port: Number(port) };
	const more = { skipSslCertificateValidation: true, ...(proxyUrl ? { proxy } : {}) };
	const credentialsHelper = {
		...CREDENTIALS_HELPER,
		authenticate: async (_data: unknown, _type: string, options: IHttpRequestOptions) => ({
			...options,
			...more,
		}),
	};
	const helpers = getRequestHelperFunctions({} as never, NODE, { credentialsHelper } as never);
	const context = {
		getNode: () => NODE,
		getCredentials: async () => ({ apiKey: 'key-4711' }),
		getExecutionCancelSignal: () => undefined,
		helpers,
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

/** It has no certificate. */
async function startTlsServer(): Promise<string> {
	return (await start(createTlsServer())).replace('http:', 'https:');
}

it('a request without a response may be repeated, unless it would fail again', () => {
	const mayBeRepeated = (codes: FailureCode[]) =>
		new Set(codes.map((code) => connectionFailure(code, 'notSent').retryable));
	expect(mayBeRepeated(['connectionRefused', 'timeout', 'connectionFailed'])).toEqual(
		new Set([true]),
	);
	const permanent: FailureCode[] = [
		'certificate',
		'notEncrypted',
		'credentialUnusable',
		'canceled',
	];
	expect(mayBeRepeated(permanent)).toEqual(new Set([false]));
});

const misbehaving = (name: keyof typeof MISBEHAVIORS) => async () => {
	const server = await startFaultServer(() => MISBEHAVIORS[name]);
	open.push(() => void server.close());
	return server.url;
};
const says = async (text: string) => await startServer((socket) => socket.end(text));
const saysOverHttps = async (text: string) => (await says(text)).replace('http:', 'https:');
const localhost = (url: string) => url.replace('127.0.0.1', 'localhost');

type Row = [FailureCode, string, () => Promise<string>, Partial<IHttpRequestOptions>?];

describe('a request over n8n did not reach', () => {
	it.each<Row>([
		['connectionRefused', 'a port where nobody listens', closedAddress],
		['connectionRefused', 'any of several addresses', async () => localhost(await closedAddress())],
		['certificate', 'a server without a common cipher', async () => await startTlsServer()],
		['notEncrypted', 'an HTTP server', async () => await saysOverHttps('HTTP/1.1 400 Bad\r\n\r\n')],
		['connectionFailed', 'a server that closes at once', async () => await saysOverHttps('')],
	])('(%s) %s', async (kind, _, startIt) => {
		expect(await request(await startIt())).toEqual(connectionFailure(kind, 'notSent'));
	});

	it.each([
		['', 'closes at once'],
		['HTTP/1.1 200 OK\r\nnonsense\r\n\r\n', 'answers with nonsense'],
	])('a proxy that says %j: it %s', async (answer) => {
		const { hostname, port } = new URL(await says(answer));
		const proxy = { protocol: 'http', host: hostname, port: Number(port) };
		expect(await request('https://127.0.0.1:9', { proxy })).toEqual(
			connectionFailure('connectionFailed', 'notSent'),
		);
	});

	it('an address that the administrator of n8n has blocked', async () => {
		const protection = Container.get(SsrfProtectionConfig);
		protection.enabled = true;
		open.push(() => (protection.enabled = false));
		const url = await closedAddress();
		const blocked = connectionFailure('unreachable', 'notSent');
		expect(await request(url)).toEqual(blocked);
		expect(await request(localhost(url))).toEqual(blocked);
	});
});

const BROKEN = 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 5\r\n\r\n"bad"';
const broken = { status: 502, headers: { 'content-length': '5' }, body: 'bad' };

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

describe('over https', () => {
	it('a proxy that answers 502 in place of the API has not passed the request on', async () => {
		expect(await send('https://127.0.0.1:9', await says(BROKEN))).toEqual(
			connectionFailure('unreachable', 'notSent'),
		);
	});

	it('the API itself may have sent the message before it answers 502, also behind a proxy', async () => {
		const url = (await start(createHttpsServer(BROKEN))).replace('http:', 'https:');
		expect(await send(url)).toEqual(broken);
		expect(await send(url, await startTunnel())).toEqual(broken);
		expect(await send(await says(BROKEN))).toEqual(broken);
	});

	it('a connection that is reset while it is being encrypted has carried no request', async () => {
		const reset = await startServer((socket) => socket.resetAndDestroy());
		expect(await send(reset.replace('http:', 'https:'))).toEqual(
			connectionFailure('connectionFailed', 'notSent'),
		);
	});
});

describe('a request over n8n may have reached', () => {
	it.each<Row>([
		['connectionFailed', 'a server that resets the connection', misbehaving('resetAfterSending')],
		[
			'connectionFailed',
			'a server that closes without a response',
			misbehaving('closedWithoutAnswer'),
		],
		[
			'connectionFailed',
			'a server that closes in the middle of its response',
			misbehaving('truncatedBody'),
		],
		['timeout', 'a server that is too slow', misbehaving('neverAnswers'), { timeout: 100 }],
		[
			'connectionFailed',
			'a server that is none of HTTP',
			async () => await says('220 mail ESMTP\r\n'),
		],
	])('(%s) %s', async (...[kind, , startIt, options]) => {
		expect(await request(await startIt(), options)).toEqual(connectionFailure(kind, 'unknown'));
	});

	it('(canceled) a server, when the execution is canceled', async () => {
		const controller = new AbortController();
		const url = await startServer(() => controller.abort());
		const failure = await request(url, {}, controller.signal);
		expect(failure).toEqual(connectionFailure('canceled', 'unknown'));
	});
});

/** An error as n8n wraps it: node error, client's error, system's error. */
function wrapped(system: Record<string, unknown>): Error {
	const cause = Object.assign(new Error(String(system.message ?? 'failed')), system);
	const client = Object.assign(new Error(cause.message, { cause }), { code: system.code });
	return new Error('The service failed', { cause: client });
}

describe('an error that can not be made over loopback', () => {
	it.each<[FailureCode, 'notSent' | 'unknown', Record<string, unknown>]>([
		['connectionFailed', 'notSent', { code: 'ECONNRESET', syscall: 'connect' }],
		['timeout', 'notSent', { code: 'ETIMEDOUT', syscall: 'connect' }],
		['timeout', 'unknown', { code: 'ETIMEDOUT', syscall: 'read' }],
		['unreachable', 'notSent', { code: 'EHOSTUNREACH', syscall: 'connect' }],
		['unknownHost', 'notSent', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
		['connectionFailed', 'unknown', { code: 'EPIPE', syscall: 'write' }],
		['canceled', 'unknown', { code: 'ABORT_ERR' }],
		['connectionFailed', 'unknown', { code: 'NO_EPROTO' }],
		['certificate', 'notSent', { code: 'EPROTO', message: 'write EPROTO' }],
		['certificate', 'notSent', { code: 'CERT_HAS_EXPIRED' }],
		['certificate', 'notSent', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
		['connectionFailed', 'unknown', { code: 'ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC' }],
		['connectionFailed', 'unknown', { message: 'wrong version number' }],
		['credentialUnusable', 'notSent', { name: 'InputError' }],
		['connectionFailed', 'unknown', { name: 'NotAnInputErrors' }],
		['unreachable', 'notSent', { name: 'SsrfBlockedHostnameError' }],
		['connectionFailed', 'unknown', { name: 'NotSsrfBlockedError' }],
		['connectionFailed', 'unknown', { code: 'toString' }],
	])('has the code %s, with the outcome %s, when it has %j', (kind, outcome, system) => {
		expect(failureFromHttpError(wrapped(system))).toEqual(connectionFailure(kind, outcome));
	});

	it('about a credential that n8n does not find is known by its class', () => {
		class CredentialNotFoundError extends Error {}
		const error = new Error('not found', { cause: new CredentialNotFoundError('not found') });
		expect(failureFromHttpError(error)).toEqual(connectionFailure('credentialUnusable', 'notSent'));
	});

	it('about several addresses is that of the first', () => {
		const errors = ['ECONNREFUSED', 'ETIMEDOUT'].map((code) =>
			Object.assign(new Error('failed'), { code, syscall: 'connect' }),
		);
		const error = new Error('failed', { cause: new AggregateError(errors) });
		expect(failureFromHttpError(error)).toEqual(connectionFailure('connectionRefused', 'notSent'));
	});

	it('goes by the code of the system in it, when that of the client says less', () => {
		const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
		const client = Object.assign(new Error('failed', { cause }), { code: 'ERR_NETWORK' });
		expect(failureFromHttpError(client)).toEqual(connectionFailure('connectionRefused', 'unknown'));
	});

	it('has its cause up to five levels deep', () => {
		const causedBy = (depth: number, cause: unknown): unknown =>
			depth === 0 ? cause : new Error('failed', { cause: causedBy(depth - 1, cause) });
		const failureAt = (depth: number) =>
			failureFromHttpError(causedBy(depth, { code: 'ETIMEDOUT' }));
		expect(failureAt(5)).toEqual(connectionFailure('timeout', 'unknown'));
		expect(failureAt(6)).toEqual(connectionFailure('connectionFailed', 'unknown'));
	});

	it('of any other kind, cyclic causes included, has an unknown outcome', () => {
		const cyclic = new Error('round');
		cyclic.cause = cyclic;
		/** Not even by `String`. */
		const noText: unknown = Object.create(null);
		const odd: unknown[] = [
			null,
			'failed',
			{ cause: null },
			{ name: 'Error', constructor: null },
			cyclic,
			{ name: noText, message: noText, code: noText },
		];
		for (const thrown of odd) {
			expect(failureFromHttpError(thrown)).toEqual(
				connectionFailure('connectionFailed', 'unknown'),
			);
		}
		fc.assert(
			fc.property(fc.anything(), (thrown) => {
				expect(failureFromHttpError(thrown)).toEqual(
					connectionFailure('connectionFailed', 'unknown'),
				);
			}),
		);
	});
});
