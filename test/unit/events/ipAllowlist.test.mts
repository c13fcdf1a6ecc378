import type { IHookFunctions } from 'n8n-workflow';

import { isAllowed, readAllowlist } from '../../../nodes/BusinessMessaging/events/ipAllowlist';
import { refusal } from '../../support/refusal.mts';

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
	['203.0.113.0/25', '203.0.113.127:80', true],
	['203.0.113.0/25', '203.0.113.128', false],
	['2001:db8::/33', '2001:db8:7fff::1', true],
	['2001:db8::/33', '2001:db8:8000::1', false],
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
