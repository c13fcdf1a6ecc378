/** Where a request goes, in the shapes of all of n8n's HTTP helpers: the older ones take `uri`. */
export interface Destination {
	url?: unknown;
	uri?: unknown;
	baseURL?: unknown;
	headers?: object;
}

const ABSOLUTE = /^https?:\/\/[^/\\]/i;
/** Neither `https:host`, `//host` nor `\\host`, not even behind characters that URLs drop. */
const RELATIVE = /^(?!\/\/|[a-z][a-z\d+.-]*:)[^\s\\\p{Cc}]*$/iu;

/**
 * Whether a request stays at an origin, whichever of its addresses the helper takes. A relative one
 * does: without an absolute `baseURL` it goes nowhere.
 */
export function staysAt(origin: string, { url, uri, baseURL, headers }: Destination): boolean {
	const addresses = [url, uri, baseURL].filter((address) => address !== undefined);
	return (
		addresses.map(String).every((address) => RELATIVE.test(address) || isAt(origin, address)) &&
		// By the Host header a shared front chooses whose server it passes the request to.
		hostsIn(headers).every((host) => isAt(origin, `${new URL(origin).protocol}//${host}`))
	);
}

function isAt(origin: string, address: string): boolean {
	// Read without a base, as the HTTP client does: against one, `https:host` would be relative.
	return ABSOLUTE.test(address) && URL.canParse(address) && new URL(address).origin === origin;
}

function hostsIn(headers?: object): string[] {
	return Object.entries(headers ?? {}).flatMap(([name, value]) =>
		name.toLowerCase() === 'host' ? [String(value)] : [],
	);
}
