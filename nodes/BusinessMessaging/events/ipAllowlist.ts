import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { ipaddr } from '../bundled/ipaddr';
import { InputError, quote } from '../inputError';
import { RAW, type ValuesOf } from '../parameters';
import { isExpression, textOf } from '../values';

export const ipAllowlistField = {
	displayName: 'IP Allowlist',
	name: 'ipAllowlist',
	type: 'string',
	default: '',
	placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
	description:
		'Addresses and ranges that may send events, separated by commas. Empty allows all. Behind a proxy, n8n must be set up to know the real address.',
} as const satisfies INodeProperties;

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Reads addresses and CIDR ranges, separated by commas, spaces or lines. A list that was left empty allows every
 * address.
 * @throws InputError on an entry that is neither, or when an expression gives nothing
 */
export function readAllowlist(
	options: ValuesOf<typeof ipAllowlistField>,
	context: IHookFunctions | IWebhookFunctions,
): Range[] {
	if (!(ipAllowlistField.name in options)) return [];
	const list: unknown = options.ipAllowlist;
	if (typeof list !== 'string') return invalid(list);
	const entered = context.getNodeParameter(`options.${ipAllowlistField.name}`, undefined, RAW);
	if (list.trim() === '' && !isExpression(entered)) return [];
	return (list.match(/[^\s,;]+/g) ?? invalid(list)).map(readRange);
}

/** Whether an address is in one of the ranges; IPv4 mapped into IPv6 counts as IPv4. */
export function isAllowed(sender: unknown, ranges: Range[]): boolean {
	const address = withoutPort(textOf(sender));
	if (!isAddress(address)) return false;
	const ip = ipaddr.process(address);
	return ranges.some(([network, bits]) => ip.kind() === network.kind() && ip.match(network, bits));
}

/** Some proxies write 203.0.113.7:51234, [2001:db8::1] or [2001:db8::1]:51234. */
function withoutPort(address: string): string {
	return address.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');
}

function readRange(entry: string): Range {
	const [address, bits] = entry.split('/');
	if (!isAddress(address)) return invalid(entry);
	const ip = ipaddr.process(address);
	if (bits === undefined) return [ip, 8 * ip.toByteArray().length];
	try {
		const range = ipaddr.parseCIDR(entry);
		// Otherwise nobody would be in it, because a sender that is mapped counts as IPv4.
		return range[0].kind() === ip.kind() ? range : invalid(entry);
	} catch {
		return invalid(entry);
	}
}

/** No shorthands or octal digits of IPv4 (10/8, 010.0.0.1), which mean another address than they seem to. */
function isAddress(text: string): boolean {
	return text.includes(':') ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text);
}

function invalid(entry: unknown): never {
	throw new InputError(
		`The IP allowlist has an entry that is no address: ${quote(entry)}`,
		'Use addresses such as 203.0.113.7 or ranges such as 203.0.113.0/24, separated by commas.',
	);
}
