import fc from 'fast-check';
import type { IHookFunctions } from 'n8n-workflow';
import { BlockList } from 'node:net';

import { isAllowed, readAllowlist } from '../../../nodes/BusinessMessaging/events/ipAllowlist';
import { refusal } from '../../support/refusal.mts';
import { sample } from '../../support/sample.mts';

/** @param entered if an expression gave the list */
function allows(list: unknown, address: unknown, entered = list): boolean {
	const context = { getNodeParameter: () => entered } as unknown as IHookFunctions;
	return isAllowed(address, readAllowlist({ ipAllowlist: list }, context));
}

it.each<[unknown, unknown, boolean]>([
	['203.0.113.7', '::ffff:cb00:7107', true],
	['::ffff:203.0.113.7', '203.0.113.7', true],
	[' 198.51.100.1, 198.51.100.2;203.0.113.7 ', '203.0.113.7', true],
	[' 198.51.100.1  203.0.113.7 ', '203.0.113.7', true],
	// As some proxies write them.
	['2001:db8::1', '[2001:db8::1]', true],
	['203.0.113.7', '[::ffff:203.0.113.7]:443', true],
	['0.0.0.0/0', '7:443', false],
	['::/0', '[2001:db8::1', false],
	['::/0', '1[::1]', false],
	['::/0', '[2001:db8::1]:443:5', false],
	['0.0.0.0/0', '203.0.113:7.7', false],
	// An IPv6 address has no port without brackets.
	['2001:db8::1', '2001:db8::1:443', false],
	['0.0.0.0/0', '2001:db8::1', false],
	['::/0', '203.0.113.7', false],
	['0.0.0.0/0', undefined, false],
	// No ways to write 10.0.0.1.
	['10.0.0.0/8', '10.1', false],
	['10.0.0.0/8', '012.0.0.1', false],
])('the list %j allows %p: %p', (list, address, expected) => {
	expect(allows(list, address)).toBe(expected);
});

it.each([{}, { ipAllowlist: ' \n' }])('without entries there are no ranges: %j', (options) => {
	const context = { getNodeParameter: () => '' } as unknown as IHookFunctions;
	expect(readAllowlist(options, context)).toEqual([]);
});

it.each([
	'010.0.0.1',
	'203.0.113.0/33',
	'203.0.113.0/',
	'10/8',
	'::/129',
	'example.com',
	'203.0.113.7:443',
	'::ffff:10.0.0.0/104',
])('a list with the entry %s is refused, and the entry is named', (entry) => {
	const message = `The IP allowlist has an entry that is no address: "${entry}"`;
	expect(() => allows(`::1, ${entry}`, '::1')).toThrow(refusal(message));
});

it.each<[unknown, string?]>([
	[' \n', '={{ $vars.senders }} '],
	[undefined],
	[[]],
	[' , ;'],
	[['203.0.113.7']],
])('%j is not taken for an empty list, which allows all', (...[list, entered]) => {
	expect(() => allows(list, '::1', entered)).toThrow('an entry that is no address');
});

describe("compared with Node's own block list", () => {
	/** Close to each other, so that ranges are hit as often as missed. */
	const ipV4 = fc.oneof(
		fc.ipV4(),
		fc.nat(255).map((last) => `10.0.0.${last}`),
		fc.nat(255).map((third) => `10.0.${third}.1`),
	);
	const nearV6 = fc.nat(0xffff).map((last) => `2001:db8::${last.toString(16)}`);
	// Those with an IPv4 address inside are another test's.
	const isPlain = (ip: string) => !ip.includes('.') && !/^[0:]*:ffff:/i.test(ip);
	const ipV6 = fc.oneof(fc.ipV6(), nearV6).filter(isPlain);

	it.each([
		['ipv4', ipV4, 32],
		['ipv6', ipV6, 128],
	] as const)(
		'%s addresses and ranges are judged alike, also mapped or with a port',
		(kind, ip, maxBits) => {
			fc.assert(
				fc.property(ip, fc.nat(maxBits), ip, (network, bits, address) => {
					const reference = new BlockList();
					reference.addSubnet(network, bits, kind);
					const expected = reference.check(address, kind);
					expect(allows(`${network}/${bits}`, address)).toBe(expected);
					const withPort = kind === 'ipv6' ? `[${address}]:443` : `${address}:443`;
					expect(allows(`${network}/${bits}`, withPort)).toBe(expected);
					if (kind === 'ipv6') return;
					expect(allows(`${network}/${bits}`, `::ffff:${address}`)).toBe(expected);
				}),
				sample(100),
			);
		},
	);
});
