import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import fc from 'fast-check';
import { getRequestHelperFunctions } from 'n8n-core/dist/execution-engine/node-execution-context/utils/request-helper-functions';
import { NodeApiError } from 'n8n-workflow';
import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { lookup } from 'node:dns/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';

import { readFault } from '../../../nodes/BusinessMessaging/errors/faults';
import type { Fault, FaultKind } from '../../../nodes/BusinessMessaging/errors/faults';
import { closedAddress, MISBEHAVIORS, startFaultServer } from '../../support/faultServer.ts';
import { NODE } from '../../support/sendNode.ts';
import { createSelfSignedCertificate } from '../transport/selfSignedCertificate.ts';

const CREDENTIALS_HELPER = {
	getParentTypes: () => [],
	preAuthentication: async () => undefined,
	authenticate: async (_data: unknown, _type: string, options: IHttpRequestOptions) => options,
};

/** What a request through n8n's own HTTP helper ends in; answers are no faults. */
async function request(
	url: string,
	more: Partial<IHttpRequestOptions> = {},
	signal?: AbortSignal,
): Promise<Fault | undefined> {
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
		return readFault(error);
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

describe('a request over n8n that did not reach the API', () => {
	it('to a port where nobody listens is refused', async () => {
		expect(await request(await closedAddress())).toEqual({ kind: 'refused', beforeSending: true });
	});

	it('to a name with several addresses, all refused, is refused', async () => {
		const url = (await closedAddress()).replace('127.0.0.1', 'localhost');
		expect(await request(url)).toEqual({ kind: 'refused', beforeSending: true });
	});

	it('to a server with a certificate of its own is stopped by it', async () => {
		const url = await startTlsServer(createSelfSignedCertificate(), () => undefined);
		expect(await request(url)).toEqual({ kind: 'certificate', beforeSending: true });
	});

	it('to a server that has no common way to encrypt is stopped by it', async () => {
		const url = await startTlsServer({}, () => undefined);
		expect(await request(url)).toEqual({ kind: 'certificate', beforeSending: true });
	});

	it.each(['HTTP/1.1 400 Bad Request\r\n\r\n', '220 mail.example.com ESMTP ready\r\n'])(
		'with https to a server that answers %j in plain text is told from a bad certificate',
		async (text) => {
			const host = await startServer((socket) => socket.end(text));
			const fault = await request(`https://${host}`);
			expect(fault).toEqual({ kind: 'notEncrypted', beforeSending: true });
		},
	);

	it('is closed when the connection ends before it is encrypted', async () => {
		const host = await startServer((socket) => socket.end());
		expect(await request(`https://${host}`)).toEqual({ kind: 'closed', beforeSending: true });
	});

	it('to an address that the administrator of n8n has blocked is not sent', async () => {
		const protection = Container.get(SsrfProtectionConfig);
		protection.enabled = true;
		open.push(() => (protection.enabled = false));
		const url = await closedAddress();
		const blocked = { kind: 'unreachable', beforeSending: true };
		expect(await request(url)).toEqual(blocked);
		expect(await request(url.replace('127.0.0.1', 'localhost'))).toEqual(blocked);
	});
});

describe('a request over n8n that may have reached the API', () => {
	it.each<[keyof typeof MISBEHAVIORS, FaultKind]>([
		['resetAfterSending', 'closed'],
		['closedWithoutAnswer', 'closed'],
		['truncatedBody', 'other'],
		['neverAnswers', 'timeout'],
	])('to a server of the kind %s has the fault %s', async (misbehavior, kind) => {
		const server = await startFaultServer(() => MISBEHAVIORS[misbehavior]);
		open.push(() => void server.close());
		const timeout = misbehavior === 'neverAnswers' ? 100 : 5000;
		expect(await request(server.url, { timeout })).toEqual({ kind, beforeSending: false });
		expect(server.received).toEqual(['{}']);
	});

	it('that is answered by no HTTP is in doubt', async () => {
		const host = await startServer((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
		expect(await request(`http://${host}`)).toEqual({ kind: 'other', beforeSending: false });
	});

	it('that is answered with broken encryption is in doubt', async () => {
		const url = await startTlsServer(createSelfSignedCertificate(), (plain) =>
			plain.write('x'.repeat(50)),
		);
		const fault = await request(url, { skipSslCertificateValidation: true });
		expect(fault).toEqual({ kind: 'other', beforeSending: false });
	});

	it('that is canceled has the fault canceled', async () => {
		const controller = new AbortController();
		const server = await startFaultServer(() => () => controller.abort());
		open.push(() => void server.close());
		const fault = await request(server.url, {}, controller.signal);
		expect(fault).toEqual({ kind: 'canceled', beforeSending: false });
	});

	it('that is answered has no fault', async () => {
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
	it.each<[FaultKind, 'before' | 'after', Record<string, unknown>]>([
		['closed', 'before', { code: 'ECONNRESET', syscall: 'connect' }],
		['timeout', 'before', { code: 'ETIMEDOUT', syscall: 'connect' }],
		['unreachable', 'before', { code: 'EHOSTUNREACH', syscall: 'connect' }],
		['unreachable', 'before', { code: 'ENETUNREACH', syscall: 'connect' }],
		['unknownHost', 'before', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }],
		['timeout', 'after', { code: 'ETIMEDOUT', syscall: 'read' }],
		['closed', 'after', { code: 'ECONNRESET', syscall: 'write' }],
		['closed', 'after', { code: 'EPIPE', syscall: 'write' }],
		['unreachable', 'after', { code: 'EHOSTUNREACH', syscall: 'read' }],
		['unreachable', 'before', { code: 'ENETDOWN', syscall: 'connect' }],
		['canceled', 'after', { code: 'ABORT_ERR' }],
		['other', 'after', { code: 'EPROTONOSUPPORT' }],
		['other', 'after', { code: 'NO_EPROTO' }],
		['other', 'after', { name: 'NotSsrfBlockedError' }],
		['certificate', 'before', { code: 'CERT_HAS_EXPIRED' }],
		['certificate', 'before', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
		['certificate', 'before', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
		['other', 'after', { code: 'ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC' }],
		['other', 'after', { code: 'ERR_SSL_UNEXPECTED_EOF_WHILE_READING' }],
		['certificate', 'before', { code: 'EPROTO', message: 'write EPROTO' }],
		['other', 'after', { message: 'wrong version number' }],
		['credential', 'before', { name: 'InputError' }],
		['credential', 'before', { name: 'QueryFailedError' }],
		['other', 'after', { name: 'NotAnInputError' }],
		['other', 'after', { name: 'InputErrors' }],
		['unreachable', 'before', { name: 'SsrfBlockedHostnameError' }],
		['other', 'after', { code: 'NOT_KNOWN' }],
		['other', 'after', { code: 'toString' }],
		['other', 'after', {}],
	])('is the fault %s %s sending when it has %j', (kind, when, system) => {
		const fault = { kind, beforeSending: when === 'before' };
		expect(readFault(wrapped(system))).toEqual(fault);
	});

	it('about a name that does not exist says so', async () => {
		// A label longer than names may have: no name server is asked.
		const error: unknown = await lookup(`${'a'.repeat(64)}.example`).catch((reason) => reason);
		const client = new Error('getaddrinfo ENOTFOUND', { cause: error });
		const fault = readFault(new Error('The connection cannot be established', { cause: client }));
		expect(fault).toEqual({ kind: 'unknownHost', beforeSending: true });
	});

	it('about a credential that n8n does not find is known by its class', () => {
		class CredentialNotFoundError extends Error {}
		const error = new Error('not found', { cause: new CredentialNotFoundError('not found') });
		expect(readFault(error)).toEqual({ kind: 'credential', beforeSending: true });
	});

	it('about several addresses is that of the first', () => {
		const errors = [
			Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' }),
			Object.assign(new Error('timed out'), { code: 'ETIMEDOUT', syscall: 'connect' }),
		];
		const error = new Error('failed', { cause: new AggregateError(errors) });
		expect(readFault(error)).toEqual({ kind: 'refused', beforeSending: true });
	});

	it('goes by the code of the system in it, when that of the client says less', () => {
		const system = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
		const client = Object.assign(new Error('failed', { cause: system }), { code: 'ERR_NETWORK' });
		expect(readFault(client).kind).toBe('refused');
	});

	it('has its cause up to five levels deep', () => {
		const causedBy = (depth: number, cause: unknown): unknown =>
			depth === 0 ? cause : new Error('failed', { cause: causedBy(depth - 1, cause) });
		expect(readFault(causedBy(5, { code: 'EPIPE' })).kind).toBe('closed');
		expect(readFault(causedBy(6, { code: 'EPIPE' })).kind).toBe('other');
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
		expect(readFault(thrown)).toEqual({ kind: 'other', beforeSending: false });
	});

	it('of any other kind, cyclic causes included, is a fault in doubt', () => {
		const cyclic = new Error('round');
		cyclic.cause = cyclic;
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.constant(cyclic)), (thrown) => {
				expect(readFault(thrown)).toEqual({ kind: 'other', beforeSending: false });
			}),
		);
	});
});
