import { TRY_LATER } from '../inputError';
import { CANCELED, type Failure, failureOf, type Sentence } from './failure';

/** Why a request got no response. */
export type ConnectionErrorKind =
	| 'connectionRefused'
	| 'unknownHost'
	| 'unreachable'
	| 'certificate'
	| 'notEncrypted'
	| 'credential'
	| 'timeout'
	| 'closed'
	| 'canceled'
	| 'other';

export const CONNECTION_ERROR_SENTENCES: Record<ConnectionErrorKind, Sentence> = {
	connectionRefused: {
		message: 'The API could not be reached: the connection was refused',
		remedy: 'Check the Base URL in the credential, and that the service is running.',
	},
	unknownHost: {
		message: 'The API could not be reached: its address was not found',
		remedy: 'Check the Base URL in the credential for typos, and the network of n8n.',
	},
	unreachable: {
		message: 'The API could not be reached: there is no route to it',
		remedy: 'Check the network, proxy and firewall of n8n.',
	},
	certificate: {
		message: 'The API could not be reached securely: its certificate was not accepted',
		remedy:
			'Check the Base URL in the credential. A server of your own needs a certificate that n8n trusts.',
	},
	notEncrypted: {
		message: 'The API could not be reached securely: the server at this address does not use https',
		remedy:
			'Check the port in the Base URL of the credential. A server in your own network may need http://.',
	},
	credential: {
		message:
			'The credential could not be used: it was changed or deleted, or n8n could not read it',
		remedy: 'Open the credential, test it, and run the failed items again.',
	},
	timeout: {
		message: 'The API did not answer in time',
		remedy: 'Try again later, or raise Timeout under Options.',
	},
	closed: {
		message: 'The connection to the API was closed before it answered',
		remedy: TRY_LATER,
	},
	canceled: CANCELED,
	other: {
		message: 'The request to the API failed',
		remedy: 'Check the Base URL in the credential and the network of n8n.',
	},
};

/** The same request would fail again. */
const PERMANENT = new Set<ConnectionErrorKind>([
	'certificate',
	'notEncrypted',
	'credential',
	'canceled',
]);

/** @param outcome `notSent` when the request certainly did not reach the API */
export function connectionFailure(
	kind: ConnectionErrorKind,
	outcome: 'notSent' | 'unknown',
): Failure {
	return failureOf(CONNECTION_ERROR_SENTENCES[kind], outcome, !PERMANENT.has(kind));
}

/**
 * Reads what n8n's HTTP helper threw. n8n's error wraps the client's error, which wraps the system's; only the
 * innermost says during which call (`syscall`) it happened.
 */
export function failureFromHttpError(error: unknown): Failure {
	const chain = causes(error);
	const says = (what: RegExp) => chain.some(({ message }) => what.test(textOrNone(message)));
	if (chain.some((link) => CREDENTIAL_ERROR.test(classNameOf(link)))) {
		return connectionFailure('credential', 'notSent');
	}
	if (says(HANDSHAKE_CUT)) return connectionFailure('closed', 'notSent');
	if (says(NO_TLS)) return connectionFailure('notEncrypted', 'notSent');
	if (chain.some(({ name }) => BLOCKED.test(textOrNone(name)))) {
		return connectionFailure('unreachable', 'notSent');
	}
	if (chain.some(({ code }) => CERTIFICATE.test(textOrNone(code)))) {
		return connectionFailure('certificate', 'notSent');
	}
	const syscall = first(chain, 'syscall');
	const outcome = syscall === 'connect' || syscall === 'getaddrinfo' ? 'notSent' : 'unknown';
	return connectionFailure(KIND_BY_CODE.get(first(chain, 'code')) ?? 'other', outcome);
}

/** The credential's own checks, and what n8n throws while it reads a credential. */
const CREDENTIAL_ERROR = /^(InputError|Credential\w*Error|QueryFailedError)$/;
const HANDSHAKE_CUT = /before secure TLS connection was established/i;
/** OpenSSL takes the first bytes of a server that speaks no TLS for TLS of an unknown version. */
const NO_TLS = /\bEPROTO\b.*wrong version number/is;
/** n8n's protection against requests to addresses that its administrator has blocked. */
const BLOCKED = /^SsrfBlocked/;
/**
 * The certificate or the handshake failed. ERR_SSL_BAD_RECORD_TYPE and similar codes are not among them: they come
 * after the handshake, when the request was sent.
 */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH|^EPROTO$/;

const KIND_BY_CODE = new Map<unknown, ConnectionErrorKind>([
	['ECONNREFUSED', 'connectionRefused'],
	['ENOTFOUND', 'unknownHost'],
	['EAI_AGAIN', 'unknownHost'],
	['EHOSTUNREACH', 'unreachable'],
	['ENETUNREACH', 'unreachable'],
	['ENETDOWN', 'unreachable'],
	['ETIMEDOUT', 'timeout'],
	['ECONNABORTED', 'timeout'],
	['ESOCKETTIMEDOUT', 'timeout'],
	['ERR_CANCELED', 'canceled'],
	['ABORT_ERR', 'canceled'],
	['ECONNRESET', 'closed'],
	['EPIPE', 'closed'],
]);

type Link = Record<string, unknown>;

const MAX_DEPTH = 6;

/** An error and its causes, outermost first. */
function causes(error: unknown): Link[] {
	const chain: Link[] = [];
	let pending: unknown[] = [error];
	for (let depth = 0; depth < MAX_DEPTH; depth++) {
		const links = pending.filter((link): link is Link => typeof link === 'object' && link !== null);
		chain.push(...links);
		// When all addresses of a host fail, Node.js throws one error with a list.
		pending = links.flatMap(({ cause, errors }) => [
			cause,
			...(Array.isArray(errors) ? errors : []),
		]);
	}
	return chain;
}

/** Many of n8n's errors have the name "Error". */
function classNameOf({ name, constructor }: Link): string {
	if (name === 'Error' && typeof constructor === 'function') return constructor.name;
	return textOrNone(name);
}

function textOrNone(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

function first(chain: Link[], key: 'code' | 'syscall'): string | undefined {
	const texts = chain.map((link) => link[key]).filter((value) => typeof value === 'string');
	return texts.find((code) => KIND_BY_CODE.has(code)) ?? texts[0];
}
