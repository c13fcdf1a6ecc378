import fc from 'fast-check';
import { BlockList } from 'node:net';

import { isAllowed, readAllowlist } from '../../../nodes/BusinessMessaging/events/ipAllowlist';

function allows(list: unknown, address: unknown): boolean {
	return isAllowed(address, readAllowlist({ ipAllowlist: list }));
}

describe('an address', () => {
	it.each([
		['203.0.113.7', '203.0.113.7'],
		['2001:db8::7', '2001:DB8:0:0::7'],
		['203.0.113.7', '::ffff:203.0.113.7'],
		['203.0.113.7', '::ffff:cb00:7107'],
		['::ffff:203.0.113.7', '203.0.113.7'],
		['::ffff:203.0.113.0/120', '203.0.113.9'],
		['198.51.100.1, 203.0.113.7', '203.0.113.7'],
		['198.51.100.1;203.0.113.7', '203.0.113.7'],
		[' 198.51.100.1  203.0.113.7 ', '203.0.113.7'],
	])('the list %j allows %s', (list, address) => {
		expect(allows(list, address)).toBe(true);
	});

	it.each<[string, unknown]>([
		['203.0.113.7', '203.0.113.8'],
		['203.0.113.7', '::cb00:7107'],
		['0.0.0.0/0', '2001:db8::1'],
		['::/0', '203.0.113.7'],
		['::ffff:203.0.113.0/64', '203.0.113.7'],
		['0.0.0.0/0', ''],
		['0.0.0.0/0', '203.0.113.7, 8.8.8.8'],
		['0.0.0.0/0', undefined],
		['0.0.0.0/0', ['203.0.113.7']],
	])('the list %s does not allow %p', (list, address) => {
		expect(allows(list, address)).toBe(false);
	});

	it.each([['10.1'], ['012.0.0.1'], ['0x0a.0.0.1'], ['167772161'], ['10.0.0.1 ']])(
		'%s is no way to write 10.0.0.1',
		(address) => {
			expect(allows('10.0.0.0/8', address)).toBe(false);
		},
	);
});

describe('a list', () => {
	it('can be a list of texts, as an expression gives it', () => {
		expect(allows(['198.51.100.1', '203.0.113.0/24, 192.0.2.1'], '192.0.2.1')).toBe(true);
	});

	it.each([[{}], [{ ipAllowlist: '' }], [{ ipAllowlist: ' \n' }]])(
		'of the options %j has no ranges',
		(options) => {
			expect(readAllowlist(options)).toEqual([]);
		},
	);

	it.each([
		['203.0.113'],
		['010.0.0.1'],
		['203.0.113.0/33'],
		['203.0.113.0/'],
		['10/8'],
		['0x0a.0.0.1/8'],
		['::/129'],
		['2001:db8::1::2'],
		['203.0.113.1-203.0.113.9'],
		['example.com'],
		['203.0.113.7:443'],
	])('with the entry %s is refused, and the entry is named', (entry) => {
		expect(() => readAllowlist({ ipAllowlist: `198.51.100.1, ${entry}` })).toThrow(
			expect.objectContaining({
				message: `The IP allowlist has an entry that is no address: "${entry}"`,
				remedy: expect.stringContaining('203.0.113.0/24'),
			}),
		);
	});

	it.each<[unknown]>([[undefined], [[]], [' , ;'], [true], [[17]], [[['203.0.113.7']]]])(
		'%j is refused: it must not pass for an empty list, which allows all',
		(list) => {
			expect(() => readAllowlist({ ipAllowlist: list })).toThrow('an entry that is no address');
		},
	);
});

describe("compared with Node's own block list", () => {
	const bits4 = fc.integer({ min: 0, max: 32 });
	const bits6 = fc.integer({ min: 0, max: 128 });
	/** Close to each other, so that ranges are hit as often as missed. */
	const ipV4 = fc.oneof(
		fc.ipV4(),
		fc.nat(255).map((last) => `10.0.0.${last}`),
		fc.nat(255).map((third) => `10.0.${third}.1`),
	);
	const ipV6 = fc
		.oneof(
			fc.ipV6(),
			fc.nat(0xffff).map((last) => `2001:db8::${last.toString(16)}`),
		)
		// Those with an IPv4 address inside are another test's.
		.filter((address) => !address.includes('.') && !/^[0:]*:ffff:/i.test(address));

	it('IPv4 addresses and ranges, also mapped into IPv6, are judged alike', () => {
		fc.assert(
			fc.property(ipV4, bits4, ipV4, (network, bits, address) => {
				const reference = new BlockList();
				reference.addSubnet(network, bits, 'ipv4');
				const expected = reference.check(address, 'ipv4');
				expect(allows(`${network}/${bits}`, address)).toBe(expected);
				expect(allows(`${network}/${bits}`, `::ffff:${address}`)).toBe(expected);
				expect(allows(`::ffff:${network}/${bits + 96}`, address)).toBe(expected);
			}),
			{ numRuns: 500 },
		);
	});

	it('IPv6 addresses and ranges are judged alike', () => {
		fc.assert(
			fc.property(ipV6, bits6, ipV6, (network, bits, address) => {
				const reference = new BlockList();
				reference.addSubnet(network, bits, 'ipv6');
				expect(allows(`${network}/${bits}`, address)).toBe(reference.check(address, 'ipv6'));
			}),
			{ numRuns: 500 },
		);
	});
});

describe('a list that many requests are compared with', () => {
	const ipAllowlist = '10.0.0.0/8, ::1';

	it('is read once, as a text or as a list of texts', () => {
		expect(readAllowlist({ ipAllowlist })).toBe(readAllowlist({ ipAllowlist }));
		const lines = () => ({ ipAllowlist: ['10.0.0.0/8', '::1'] });
		expect(readAllowlist(lines())).toBe(readAllowlist(lines()));
	});

	it('is remembered beside those of other triggers', () => {
		const first = readAllowlist({ ipAllowlist });
		readAllowlist({ ipAllowlist: '192.0.2.1' });
		expect(readAllowlist({ ipAllowlist })).toBe(first);
	});

	it('is read again when it was changed, or when a thousand others came since', () => {
		const first = readAllowlist({ ipAllowlist });
		expect(readAllowlist({ ipAllowlist: '10.0.0.0/8' })).toHaveLength(1);
		for (let last = 0; last < 1000; last++) {
			readAllowlist({ ipAllowlist: `10.0.${Math.floor(last / 250)}.${last % 250}` });
		}
		expect(readAllowlist({ ipAllowlist })).not.toBe(first);
		expect(readAllowlist({ ipAllowlist })).toEqual(first);
	});

	it('is refused each time when it is wrong', () => {
		for (let time = 0; time < 2; time++) {
			expect(() => readAllowlist({ ipAllowlist: 'everywhere' })).toThrow('"everywhere"');
		}
	});
});
