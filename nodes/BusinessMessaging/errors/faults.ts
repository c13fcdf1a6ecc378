/** Why a request got no answer. */
export type FaultKind =
	| 'refused'
	| 'unknownHost'
	| 'unreachable'
	| 'certificate'
	| 'notEncrypted'
	| 'credential'
	| 'timeout'
	| 'closed'
	| 'canceled'
	| 'other';

export interface Fault {
	kind: FaultKind;
	/** True when the request certainly did not reach the API. */
	beforeSending: boolean;
}

/**
 * A certificate or a handshake that failed. Not ERR_SSL_BAD_RECORD_TYPE and its like: they come after
 * the handshake, when the request has gone.
 */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH|^EPROTO$/;
/** What a server that speaks no TLS sends first is read as TLS of an unknown version. */
const NO_TLS = /\bEPROTO\b.*wrong version number/is;
/** The credential's own checks, and what n8n throws while it reads a credential. */
const CREDENTIAL_ERROR = /^(InputError|Credential\w*Error|QueryFailedError)$/;
/** n8n's protection against requests to addresses that its administrator has blocked. */
const BLOCKED = /^SsrfBlocked/;
const HANDSHAKE_CUT = /before secure TLS connection was established/i;
const MAX_DEPTH = 6;

const KIND_BY_CODE = new Map<unknown, FaultKind>([
	['ECONNREFUSED', 'refused'],
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

/**
 * Reads what n8n's HTTP helper threw. The node error wraps the client's error, which wraps the
 * system's; only the innermost says during which call (`syscall`) it happened.
 */
export function readFault(error: unknown): Fault {
	const chain = causes(error);
	const code = first(chain, 'code');
	const syscall = first(chain, 'syscall');
	const says = (what: RegExp) => chain.some(({ message }) => what.test(textOrNone(message)));
	if (chain.some((link) => CREDENTIAL_ERROR.test(classNameOf(link)))) {
		return { kind: 'credential', beforeSending: true };
	}
	if (says(HANDSHAKE_CUT)) return { kind: 'closed', beforeSending: true };
	if (says(NO_TLS)) return { kind: 'notEncrypted', beforeSending: true };
	if (chain.some(({ name }) => BLOCKED.test(textOrNone(name)))) {
		return { kind: 'unreachable', beforeSending: true };
	}
	if (chain.some((link) => CERTIFICATE.test(textOrNone(link.code)))) {
		return { kind: 'certificate', beforeSending: true };
	}
	const beforeSending = syscall === 'connect' || syscall === 'getaddrinfo';
	return { kind: KIND_BY_CODE.get(code) ?? 'other', beforeSending };
}

type Link = Record<string, unknown>;

function causes(error: unknown): Link[] {
	const chain: Link[] = [];
	let pending: unknown[] = [error];
	for (let depth = 0; depth < MAX_DEPTH; depth++) {
		const links = pending.filter((link): link is Link => typeof link === 'object' && link !== null);
		chain.push(...links);
		// Several addresses tried in a row are reported as one error with a list.
		pending = links.flatMap(({ cause, errors }) => [
			cause,
			...(Array.isArray(errors) ? errors : []),
		]);
	}
	return chain;
}

/** n8n gives many of its errors no name of their own. */
function classNameOf({ name, constructor }: Link): string {
	if (name === 'Error' && typeof constructor === 'function') return constructor.name;
	return textOrNone(name);
}

function textOrNone(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

function first(chain: Link[], key: 'code' | 'syscall'): string | undefined {
	const known = chain.map((link) => link[key]).filter((value) => typeof value === 'string');
	return known.find((code) => KIND_BY_CODE.has(code)) ?? known[0];
}
