import * as ipaddr from 'ipaddr.js';

import { InputError, quote } from '../inputError';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Reads addresses and CIDR ranges, separated by commas, spaces or lines.
 * @throws InputError on an entry that is neither
 */
export function readAllowlist(text: unknown): Range[] {
	const entries = typeof text === 'string' ? text.split(/[\s,;]+/).filter(Boolean) : [];
	return entries.map(readRange);
}

/** Whether an address is in one of the ranges; IPv4 mapped into IPv6 counts as IPv4. */
export function isAllowed(address: unknown, ranges: Range[]): boolean {
	if (typeof address !== 'string' || !ipaddr.isValid(address)) return false;
	const ip = ipaddr.process(address);
	return ranges.some(([network, bits]) => ip.kind() === network.kind() && ip.match(network, bits));
}

function readRange(entry: string): Range {
	try {
		const [network, bits] = entry.includes('/')
			? ipaddr.parseCIDR(entry)
			: wholeAddress(parseAddress(entry));
		return unmapped(network, bits);
	} catch {
		return invalid(entry);
	}
}

/** Without the shorthands for IPv4 (such as 10.1), which are typing mistakes in a list. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
	return text.includes(':') ? ipaddr.IPv6.parse(text) : parseFourParts(text);
}

function parseFourParts(text: string): ipaddr.IPv4 {
	return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : invalid(text);
}

function wholeAddress(address: ipaddr.IPv4 | ipaddr.IPv6): Range {
	return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** ::ffff:10.0.0.0/104 means 10.0.0.0/8. */
function unmapped(network: ipaddr.IPv4 | ipaddr.IPv6, bits: number): Range {
	if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96) {
		return [network.toIPv4Address(), bits - 96];
	}
	return [network, bits];
}

function invalid(entry: string): never {
	throw new InputError(
		`The IP allowlist has an entry that is no address: ${quote(entry)}`,
		'Use addresses such as 203.0.113.7 or ranges such as 203.0.113.0/24, separated by commas.',
	);
}
