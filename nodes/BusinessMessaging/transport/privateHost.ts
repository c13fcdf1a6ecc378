import { ipaddr } from '../ipaddr';

/** Without a dot, or with an ending that no public name has. */
const PRIVATE_NAME = /^([^.]+|.+\.(localhost|local|internal))$/i;
const PRIVATE_RANGES = ['loopback', 'private', 'uniqueLocal', 'linkLocal'];

/**
 * Whether only this computer, or its network, has the host.
 * @param hostname of a URL: an address has one spelling there, and one of IPv6 its brackets
 */
export function isPrivateHost(hostname: string): boolean {
	const address = hostname.replace(/^\[|\]$/g, '');
	return ipaddr.isValid(address)
		? PRIVATE_RANGES.includes(ipaddr.parse(address).range())
		: PRIVATE_NAME.test(hostname);
}
