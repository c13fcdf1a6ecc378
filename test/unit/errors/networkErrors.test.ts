import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import fc from 'fast-check';
import { getRequestHelperFunctions } from 'n8n-core/dist/execution-engine/node-execution-context/utils/request-helper-functions';
import { type IAllExecuteFunctions, type IHttpRequestOptions, NodeApiError } from 'n8n-workflow';
import { lookup } from 'node:dns/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { Failure } from '../../../nodes/BusinessMessaging/errors/failure';
import {
	failureFromHttpError,
	NETWORK_ERROR_SENTENCES,
	networkFailure,
	type NetworkErrorKind,
} from '../../../nodes/BusinessMessaging/errors/networkErrors';
import { closedAddress, MISBEHAVIORS, startFaultServer } from '../../support/faultServer.ts';
import { NODE } from '../../support/sendNode.ts';
import { createSelfSignedCertificate } from '../transport/selfSignedCertificate.ts';

const CREDENTIALS_HELPER = {
	getParentTypes: () => [],
	preAuthentication: async () => undefined,
	authenticate: async (_data: unknown, _type: string, options: IHttpRequestOptions) => options,
};

/** The failure of a request through n8n's own HTTP helper; undefined when a response came, whatever its status. */
async function request(
	url: string,
	more: Partial<IHttpRequestOptions> = {},
	signal?: AbortSignal,
): Promise<Failure | undefined> {
	const [workflow, data] = [{}, { credentialsHelper: CREDENTIALS_HELPER }];
	const helpers = getRequestHelperFunctions(workflow as never, NODE, data as never);
	const context = {
		getNode: () => NODE,
		getCredentials: async () => ({}),
		helpers,
		...(signal ? { getExecutionCancelSignal: () => signal } : {}),
	} as unknown as IAllExecuteFunctions;
	try {
		await helpers.httpRequestWithAuthentication.call(context, 'businessMessagingApi', {
			method: 'POST',
			url,
			body: '{}',
			headers: { 'content-type': 'application/json' },
			timeout: 5000,
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			disableFollowRedirect: true,
			...more,
		});
		return undefined;
	} catch (error) {
		expect(error).toBeInstanceOf(NodeApiError);
		return failureFromHttpError(error);
	}
}

const open: Array<() => void> = [];
afterEach(() => open.splice(0).forEach((close) => close()));

async function listen(server: Server): Promise<string> {
	const sockets: Socket[] = [];
	server.on('connection', (socket) => {
		sockets.push(socket);
		socket.on('error', () => undefined);
	});
	open.push(
		() => server.close(),
		() => sockets.forEach((socket) => socket.destroy()),
	);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that does this with the bytes that it gets first, encrypted or not. */
async function startServer(onFirstBytes: (socket: Socket) => void): Promise<string> {
	return await listen(createServer((socket) => socket.once('data', () => onFirstBytes(socket))));
}

async function startTlsServer(
	options: TlsOptions,
	onRequest: (plain: Socket) => void,
): Promise<string> {
	let plain: Socket | undefined;
	const server = createTlsServer(options, (socket) => {
		socket.on('error', () => undefined);
		socket.once('data', () => plain && onRequest(plain));
	});
	server.on('tlsClientError', () => undefined);
	server.on('connection', (socket) => (plain = socket));
	return `https://${await listen(server)}`;
}

describe('a request without a response', () => {
	const KINDS = Object.keys(NETWORK_ERROR_SENTENCES) as NetworkErrorKind[];

	it.each(KINDS)('because of %s can succeed later, unless its cause stays', (kind) => {
		expect(networkFailure(kind, 'notSent')).toEqual({
			...NETWORK_ERROR_SENTENCES[kind],
			httpStatus: null,
			networkCode: null,
			outcome: 'notSent',
			retryable: !['certificate', 'notEncrypted', 'credential', 'canceled'].includes(kind),
		});
	});

	it('has a sentence of its own for each kind', () => {
		const sentences = Object.values(NETWORK_ERROR_SENTENCES);
		expect(new Set(sentences.map(({ message }) => message)).size).toBe(KINDS.length);
	});
});

describe('a request over n8n that did not reach the API', () => {
	it('to a port where nobody listens is refused', async () => {
		expect(await request(await closedAddress())).toEqual(
			networkFailure('connectionRefused', 'notSent'),
		);
	});

	it('to a name with several addresses, all refused, is refused', async () => {
		const url = (await closedAddress()).replace('127.0.0.1', 'localhost');
		expect(await request(url)).toEqual(networkFailure('connectionRefused', 'notSent'));
	});

	it('to a server with a certificate of its own is stopped by it', async () => {
		const url = await startTlsServer(createSelfSignedCertificate(), () => undefined);
		expect(await request(url)).toEqual(networkFailure('certificate', 'notSent'));
	});

	it('to a server that has no common way to encrypt is stopped by it', async () => {
		const url = await startTlsServer({}, () => undefined);
		expect(await request(url)).toEqual(networkFailure('certificate', 'notSent'));
	});

	it.each(['HTTP/1.1 400 Bad Request\r\n\r\n', '220 mail.example.com ESMTP ready\r\n'])(
		'with https to a server that answers %j in plain text is told from a bad certificate',
		async (text) => {
			const host = await startServer((socket) => socket.end(text));
			const networkError = await request(`https://${host}`);
			expect(networkError).toEqual(networkFailure('notEncrypted', 'notSent'));
		},
	);

	it('is closed when the connection ends before it is encrypted', async () => {
		const host = await startServer((socket) => socket.end());
		expect(await request(`https://${host}`)).toEqual(networkFailure('closed', 'notSent'));
	});

	it('to an address that the administrator of n8n has blocked is not sent', async () => {
		const protection = Container.get(SsrfProtectionConfig);
		protection.enabled = true;
		open.push(() => (protection.enabled = false));
		const url = await closedAddress();
		const blocked = networkFailure('unreachable', 'notSent');
		expect(await request(url)).toEqual(blocked);
		expect(await request(url.replace('127.0.0.1', 'localhost'))).toEqual(blocked);
	});
});

describe('a request over n8n that may have reached the API', () => {
	it.each<[keyof typeof MISBEHAVIORS, NetworkErrorKind]>([
		['resetAfterSending', 'closed'],
		['closedWithoutAnswer', 'closed'],
		['truncatedBody', 'other'],
		['neverAnswers', 'timeout'],
	])('to a server of the kind %s fails as %s', async (misbehavior, kind) => {
		const server = await startFaultServer(() => MISBEHAVIORS[misbehavior]);
		open.push(() => void server.close());
		const timeout = misbehavior === 'neverAnswers' ? 100 : 5000;
		expect(await request(server.url, { timeout })).toEqual(networkFailure(kind, 'unknown'));
		expect(server.received).toEqual(['{}']);
	});

	it('whose response is no HTTP has an unknown outcome', async () => {
		const host = await startServer((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
		expect(await request(`http://${host}`)).toEqual(networkFailure('other', 'unknown'));
	});

	it('whose response breaks the encryption has an unknown outcome', async () => {
		const url = await startTlsServer(createSelfSignedCertificate(), (plain) =>
			plain.write('x'.repeat(50)),
		);
		const networkError = await request(url, { skipSslCertificateValidation: true });
		expect(networkError).toEqual(networkFailure('other', 'unknown'));
	});

	it('that is canceled fails as canceled', async () => {
		const controller = new AbortController();
		const server = await startFaultServer(() => () => controller.abort());
		open.push(() => void server.close());
		const networkError = await request(server.url, {}, controller.signal);
		expect(networkError).toEqual(networkFailure('canceled', 'unknown'));
	});

	it('that gets a response does not fail', async () => {
		const server = await startFaultServer(() => MISBEHAVIORS.error500Empty);
		open.push(() => void server.close());
		expect(await request(server.url)).toBeUndefined();
	});
});

/** An error as n8n wraps it: node error, client's error, system's error. */
function wrapped(system: Record<string, unknown>): Error {
	const cause = Object.assign(new Error(String(system.message ?? 'failed')), system);
	const client = Object.assign(new Error(cause.message, { cause }), { code: system.code });
	return new Error('The service failed', { cause: client });
}

describe('an error that can not be made over loopback', () => {
	it.each<[NetworkErrorKind, 'notSent' | 'unknown', Record<string, unknown>]>([
		['closed', 'notSent', { code: 'ECONNRESET', syscall: 'connect' }],
		['timeout', 'notSent', { code: 'ETIMEDOUT', syscall: 'connect' }],
		['unreachable', 'notSent', { code: 'EHOSTUNREACH', syscall: 'connect' }],
		['unreachable', 'notSent', { code: 'ENETUNREACH', syscall: 'connect' }],
		['unknownHost', 'notSent', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }],
		['timeout', 'unknown', { code: 'ETIMEDOUT', syscall: 'read' }],
		['closed', 'unknown', { code: 'ECONNRESET', syscall: 'write' }],
		['closed', 'unknown', { code: 'EPIPE', syscall: 'write' }],
		['unreachable', 'unknown', { code: 'EHOSTUNREACH', syscall: 'read' }],
		['unreachable', 'notSent', { code: 'ENETDOWN', syscall: 'connect' }],
		['canceled', 'unknown', { code: 'ABORT_ERR' }],
		['other', 'unknown', { code: 'EPROTONOSUPPORT' }],
		['other', 'unknown', { code: 'NO_EPROTO' }],
		['other', 'unknown', { name: 'NotSsrfBlockedError' }],
		['certificate', 'notSent', { code: 'CERT_HAS_EXPIRED' }],
		['certificate', 'notSent', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
		['certificate', 'notSent', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
		['other', 'unknown', { code: 'ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC' }],
		['other', 'unknown', { code: 'ERR_SSL_UNEXPECTED_EOF_WHILE_READING' }],
		['certificate', 'notSent', { code: 'EPROTO', message: 'write EPROTO' }],
		['other', 'unknown', { message: 'wrong version number' }],
		['credential', 'notSent', { name: 'InputError' }],
		['credential', 'notSent', { name: 'QueryFailedError' }],
		['other', 'unknown', { name: 'NotAnInputError' }],
		['other', 'unknown', { name: 'InputErrors' }],
		['unreachable', 'notSent', { name: 'SsrfBlockedHostnameError' }],
		['other', 'unknown', { code: 'NOT_KNOWN' }],
		['other', 'unknown', { code: 'toString' }],
		['other', 'unknown', {}],
	])('is of the kind %s, with the outcome %s, when it has %j', (kind, outcome, system) => {
		expect(failureFromHttpError(wrapped(system))).toEqual(networkFailure(kind, outcome));
	});

	it('about a name that does not exist says so', async () => {
		// A label longer than names may have: no name server is asked.
		const error: unknown = await lookup(`${'a'.repeat(64)}.example`).catch((reason) => reason);
		const client = new Error('getaddrinfo ENOTFOUND', { cause: error });
		const networkError = failureFromHttpError(
			new Error('The connection cannot be established', { cause: client }),
		);
		expect(networkError).toEqual(networkFailure('unknownHost', 'notSent'));
	});

	it('about a credential that n8n does not find is known by its class', () => {
		class CredentialNotFoundError extends Error {}
		const error = new Error('not found', { cause: new CredentialNotFoundError('not found') });
		expect(failureFromHttpError(error)).toEqual(networkFailure('credential', 'notSent'));
	});

	it('about several addresses is that of the first', () => {
		const errors = [
			Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' }),
			Object.assign(new Error('timed out'), { code: 'ETIMEDOUT', syscall: 'connect' }),
		];
		const error = new Error('failed', { cause: new AggregateError(errors) });
		expect(failureFromHttpError(error)).toEqual(networkFailure('connectionRefused', 'notSent'));
	});

	it('goes by the code of the system in it, when that of the client says less', () => {
		const system = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
		const client = Object.assign(new Error('failed', { cause: system }), { code: 'ERR_NETWORK' });
		expect(failureFromHttpError(client)).toEqual(networkFailure('connectionRefused', 'unknown'));
	});

	it('has its cause up to five levels deep', () => {
		const causedBy = (depth: number, cause: unknown): unknown =>
			depth === 0 ? cause : new Error('failed', { cause: causedBy(depth - 1, cause) });
		const messageAt = (depth: number) =>
			failureFromHttpError(causedBy(depth, { code: 'EPIPE' })).message;
		expect(messageAt(5)).toBe(NETWORK_ERROR_SENTENCES.closed.message);
		expect(messageAt(6)).toBe(NETWORK_ERROR_SENTENCES.other.message);
	});

	/** Not even by `String`. */
	const noText: unknown = Object.create(null);

	it.each([
		[null],
		[undefined],
		['failed'],
		[{ cause: null }],
		[{ name: 'Error', constructor: null }],
		[{ name: noText, message: noText, code: noText }],
	])('that is %j tells nothing', (thrown) => {
		expect(failureFromHttpError(thrown)).toEqual(networkFailure('other', 'unknown'));
	});

	it('of any other kind, cyclic causes included, has an unknown outcome', () => {
		const cyclic = new Error('round');
		cyclic.cause = cyclic;
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.constant(cyclic)), (thrown) => {
				expect(failureFromHttpError(thrown)).toEqual(networkFailure('other', 'unknown'));
			}),
		);
	});
});
