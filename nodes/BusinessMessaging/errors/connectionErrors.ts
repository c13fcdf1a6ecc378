import { isRecord, textOf } from '../values';
import { causeNamed, type FailureCode } from './catalogue';
import { type Failure, failureOf } from './failure';

/** The same request would fail again. */
const PERMANENT: FailureCode[] = ['certificate', 'notEncrypted', 'credentialUnusable', 'canceled'];

/** Of a request that got no response. @param outcome `notSent` when it certainly did not reach the API */
export function connectionFailure(code: FailureCode, outcome: 'notSent' | 'unknown'): Failure {
	return failureOf(causeNamed(code), outcome, !PERMANENT.includes(code));
}

/**
 * Reads what n8n's HTTP helper threw. n8n's error wraps the client's error, which wraps the system's; only the
 * innermost says during which call (`syscall`) it happened.
 */
export function failureFromHttpError(error: unknown): Failure {
	const chain = causes([error]);
	const has = (key: 'message' | 'name' | 'code', what: RegExp) =>
		chain.some((link) => what.test(textOf(link[key])));
	if (chain.some((link) => CREDENTIAL_ERROR.test(classNameOf(link)))) {
		return connectionFailure('credentialUnusable', 'notSent');
	}
	if (chain.some(isTunnelRefused)) return connectionFailure('unreachable', 'notSent');
	if (has('message', HANDSHAKE_CUT)) return connectionFailure('connectionFailed', 'notSent');
	if (has('message', NO_TLS)) return connectionFailure('notEncrypted', 'notSent');
	if (has('name', BLOCKED)) return connectionFailure('unreachable', 'notSent');
	if (has('code', CERTIFICATE)) return connectionFailure('certificate', 'notSent');
	const syscall = chain.find((link) => link.syscall)?.syscall;
	const isBefore = syscall === 'connect' || syscall === 'getaddrinfo' || chain.some(isInHandshake);
	const [code = 'connectionFailed'] = chain.flatMap((link) => CODE_OF.get(link.code) ?? []);
	return connectionFailure(code, isBefore ? 'notSent' : 'unknown');
}

/** The credential's own checks, and what n8n throws while it reads a credential. */
const CREDENTIAL_ERROR = /^(InputError|Credential\w*Error|QueryFailedError)$/;
/** With the server, or before that with a proxy, which is asked by CONNECT to reach the server. */
const HANDSHAKE_CUT =
	/before (?:secure TLS connection was established|receiving CONNECT response)|from proxy CONNECT response/i;
/** OpenSSL takes the first bytes of a server that speaks no TLS for TLS of an unknown version. */
const NO_TLS = /\bEPROTO\b.*wrong version number/is;
/** n8n's protection against requests to addresses that its administrator has blocked. */
const BLOCKED = /^SsrfBlocked/;
/**
 * The certificate or the handshake failed. ERR_SSL_BAD_RECORD_TYPE and similar codes are not among them: they come
 * after the handshake, when the request was sent.
 */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH|^EPROTO$/;

/** Whether the connection was still being encrypted: only then the client writes the request. */
function isInHandshake({ request }: Link): boolean {
	return isRecord(request) && isRecord(request.socket) && request.socket.secureConnecting === true;
}

/**
 * Whether a proxy refused to connect n8n with the API. HTTP clients read the refusal as the response to the request,
 * but on a connection that is not encrypted.
 */
function isTunnelRefused({ request, response }: Link): boolean {
	if (!isRecord(response) || !isRecord(request) || !isRecord(request.socket)) return false;
	return request.protocol === 'https:' && request.socket.encrypted !== true;
}

/** The response in what n8n's HTTP helper threw because of a status. @returns undefined if the API did not send it */
export function responseIn(error: unknown): Record<string, unknown> | undefined {
	const link = causes([error]).find(({ response }) => isRecord(response));
	return link && !isTunnelRefused(link) ? (link.response as Link) : undefined;
}

/** By the code of the system or of the HTTP client. */
const CODE_OF = new Map<unknown, FailureCode>([
	['ECONNREFUSED', 'connectionRefused'],
	['ENOTFOUND', 'unknownHost'],
	['EAI_AGAIN', 'unknownHost'],
	['EHOSTUNREACH', 'unreachable'],
	['ENETUNREACH', 'unreachable'],
	['ENETDOWN', 'unreachable'],
	['ETIMEDOUT', 'timeout'],
	['ECONNABORTED', 'timeout'],
	['ESOCKETTIMEDOUT', 'timeout'],
]);

type Link = Record<string, unknown>;

const DEEPEST_CAUSE = 5;

/** Errors and their causes, outermost first. */
function causes(errors: unknown[], depth = 0): Link[] {
	const links: Link[] = errors.filter(isRecord);
	if (depth === DEEPEST_CAUSE) return links;
	// When all addresses of a host fail, Node.js throws one error with a list.
	const inner = links.flatMap((link) => [link.cause, link.errors].flat());
	return [...links, ...causes(inner, depth + 1)];
}

/** Many of n8n's errors have the name "Error". */
function classNameOf({ name, constructor }: Link): string {
	if (name === 'Error' && typeof constructor === 'function') return constructor.name;
	return textOf(name);
}
