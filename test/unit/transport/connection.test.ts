import fc from 'fast-check';

import { SEND_PATH, STATUS_PATH } from '../../../nodes/BusinessMessaging/api';
import { InputError } from '../../../nodes/BusinessMessaging/errors/inputError';
import {
	readApiKey,
	readBaseUrl,
	readConnection,
} from '../../../nodes/BusinessMessaging/transport/connection';

function whatIsSaid(read: () => unknown): string {
	try {
		read();
	} catch (error) {
		if (error instanceof InputError) {
			expect(error.remedy).toMatch(/^[A-Z].*\.$/);
			return `${error.message} ${error.remedy}`;
		}
		throw error;
	}
	return '';
}

// SECURITY, The API key: the Base URL must be https
describe('the base URL', () => {
	it.each([
		['https://api.example.com', 'https://api.example.com'],
		['https://api.example.com/', 'https://api.example.com'],
		['https://api.example.com//', 'https://api.example.com'],
		[' https://api.example.com\n', 'https://api.example.com'],
		['https://api.example.com/gateway/v2/', 'https://api.example.com/gateway/v2'],
		['https://api.example.com:8443', 'https://api.example.com:8443'],
		['https://api.example.com:443', 'https://api.example.com'],
		['HTTPS://API.Example.com/Path', 'https://api.example.com/Path'],
		['https://203.0.113.7', 'https://203.0.113.7'],
		['https://[2001:db8::1]:8443/', 'https://[2001:db8::1]:8443'],
	])('%j is taken as %s', (typed, expected) => {
		expect(readBaseUrl(typed)).toBe(expected);
	});

	describe('that ends with a path of the API is taken without it:', () => {
		it.each([
			['https://api.example.com/api', 'https://api.example.com'],
			['https://api.example.com/api/integrations/', 'https://api.example.com'],
			['https://api.example.com//api//integrations//', 'https://api.example.com'],
			[
				'https://api.example.com//api//integrations//messages//status//m-1//',
				'https://api.example.com',
			],
			['https://api.example.com/API/Integrations/messages', 'https://api.example.com'],
			['https://api.example.com/api/integrations/messages/send', 'https://api.example.com'],
			['https://api.example.com/api/integrations/messages/status', 'https://api.example.com'],
			['https://api.example.com/api/integrations/messages/status/m-1', 'https://api.example.com'],
			['https://api.example.com/api/v1', 'https://api.example.com'],
			['https://api.example.com/API/V2/', 'https://api.example.com'],
			['https://api.example.com/api/2.0', 'https://api.example.com'],
			['https://api.example.com/api/v2.0/integrations/messages', 'https://api.example.com'],
			['https://api.example.com/gateway/v2/api', 'https://api.example.com/gateway/v2'],
			['https://api.example.com/gateway/api/v2', 'https://api.example.com/gateway'],
			['https://api.example.com/api/gateway/api', 'https://api.example.com/api/gateway'],
			// The way to write down a proxy that has the same path in front of the API's.
			['https://api.example.com/api/api', 'https://api.example.com/api'],
			['https://api.example.com/api/v1/api', 'https://api.example.com/api/v1'],
			['https://api.example.com/api/api/integrations', 'https://api.example.com/api'],
		])('%j as %s', (typed, expected) => {
			expect(readBaseUrl(typed)).toBe(expected);
		});

		it.each([
			'https://api.example.com/api/gateway',
			'https://api.example.com/myapi',
			'https://api.example.com/api.v2',
			'https://api.example.com/v2',
			'https://api.example.com/api/v2beta',
			'https://api.example.com/api/v2/gateway',
			'https://api.example.com/api/integrations-gateway',
			'https://api.example.com/integrations/messages/send',
			'https://api.example.com/api/integrations/messages/send/now',
		])('but %j, which is a path of its own, with all of it', (typed) => {
			expect(readBaseUrl(typed)).toBe(typed);
		});

		it('whatever stands before it, and wherever the address was cut from', () => {
			const paths = [SEND_PATH, `${STATUS_PATH}m-1`];
			const endings = paths.flatMap((path) =>
				[...path.matchAll(/(?<=[^/])(?=\/|$)/g)].map(({ index }) => path.slice(0, index)),
			);
			fc.assert(
				fc.property(
					fc.domain(),
					fc.array(fc.stringMatching(/^[a-z\d]{1,8}$/), { maxLength: 3 }),
					fc.constantFrom(...endings),
					fc.constantFrom('', '/', '//'),
					(domain, folders, ending, slashes) => {
						const baseUrl = ['https://' + domain, ...folders].join('/');
						expect(readBaseUrl(baseUrl + ending + slashes)).toBe(baseUrl);
					},
				),
			);
		});
	});

	it.each([
		['http://localhost:3000'],
		['http://LOCALHOST'],
		['http://api.localhost'],
		['http://127.0.0.1:3000'],
		['http://127.8.9.10'],
		['http://10.0.0.1'],
		['http://10.255.255.255'],
		['http://172.16.0.1'],
		['http://172.20.10.2'],
		['http://172.31.255.255'],
		['http://192.168.1.20:8080'],
		['http://169.254.1.1'],
		['http://169.254.169.254'],
		['http://[::1]:3000'],
		['http://[fc00::1]'],
		['http://[fd12:3456:789a::1]'],
		['http://[fe80::1]'],
		['http://messaging-api:3000'],
		['http://printer.local'],
		['http://api.internal'],
		['http://host.docker.internal:3000'],
	])('%s may be unencrypted: it is this computer or a private network', (typed) => {
		expect(readBaseUrl(typed)).toBe(typed.toLowerCase());
	});

	it.each([
		['http://api.example.com'],
		['http://203.0.113.7'],
		['http://8.8.8.8'],
		['http://172.15.0.1'],
		['http://172.32.0.1'],
		['http://192.169.0.1'],
		['http://11.0.0.1'],
		['http://10.evil.com'],
		['http://10.0.0.1.evil.com'],
		['http://127.0.0.1.evil.com'],
		['http://127.0.0.1.nip.io'],
		['http://192.168.1.1.evil.com'],
		['http://localhost.evil.com'],
		['http://evil-localhost.com'],
		['http://xlocalhost.com'],
		['http://localevil.com'],
		['http://evil.com/localhost'],
		['http://evil.com:80/127.0.0.1'],
		['http://local.evil.com'],
		['http://api.internal.evil.com'],
		['http://[2001:db8::1]'],
		['http://[::ffff:8.8.8.8]'],
		['http://[fd::1]'],
		['http://[2001:db8::fe80]'],
		['http://[::fd00:1]'],
		['http://fd00.evil.com'],
	])('%s must be encrypted', (typed) => {
		expect(whatIsSaid(() => readBaseUrl(typed))).toContain(
			'The Base URL in the credential starts with http://, which would send the API key',
		);
		expect(readBaseUrl(typed.replace('http:', 'https:'))).toMatch(/^https:/);
	});

	it.each<[unknown, string]>([
		['', 'The credential has no Base URL'],
		['  ', 'The credential has no Base URL'],
		[undefined, 'The credential has no Base URL'],
		[null, 'The credential has no Base URL'],
		[17, 'The credential has no Base URL'],
		[{ href: 'https://api.example.com' }, 'The credential has no Base URL'],
		['api.example.com', 'is not a web address'],
		['//api.example.com', 'is not a web address'],
		['https://', 'is not a web address'],
		['https://api example.com', 'is not a web address'],
		['https://api.example.com:99999', 'is not a web address'],
		['ftp://api.example.com', 'does not start with https://'],
		['file:///etc/hosts', 'does not start with https://'],
		['localhost:3000', 'does not start with https://'],
		['javascript:alert(1)', 'does not start with https://'],
		['https://user@api.example.com', 'contains a user name or password'],
		['https://user:secret@api.example.com', 'contains a user name or password'],
		['https://:secret@api.example.com', 'contains a user name or password'],
		['https://api.example.com@evil.com', 'contains a user name or password'],
		['https://api.example.com?key=1', 'contains a query'],
		['https://api.example.com/?', 'contains a query'],
		['https://api.example.com/#top', 'contains a fragment'],
		['https://api.example.com/#', 'contains a fragment'],
	])('%j is refused: %s', (typed, problem) => {
		expect(whatIsSaid(() => readBaseUrl(typed))).toContain(problem);
	});

	it.each(['/'.repeat(100_000), `${'/'.repeat(100_000)}x`, 'a.'.repeat(100_000)])(
		'of 100,000 characters and more is refused before they are read',
		(path) => {
			expect(whatIsSaid(() => readBaseUrl(`https://api.example.com/${path}`))).toMatch(
				/^The Base URL in the credential has (100|200),\d{3} characters Enter only the address/,
			);
		},
	);

	it('of 2,000 characters is taken, and of more refused', () => {
		const longest = 'https://api.example.com/'.padEnd(2000, 'p');
		expect(readBaseUrl(longest)).toBe(longest);
		expect(whatIsSaid(() => readBaseUrl(`${longest}p`))).toContain('has 2,001 characters');
	});

	it('that was read is read as itself, and a path can follow it', () => {
		fc.assert(
			fc.property(fc.webUrl({ validSchemes: ['https'] }), (typed) => {
				const baseUrl = readBaseUrl(typed);
				fc.pre(!baseUrl.endsWith('/api'));
				expect(readBaseUrl(baseUrl)).toBe(baseUrl);
				expect(baseUrl).not.toMatch(/\/$/);
				expect(new URL(`${baseUrl}/api`).origin).toBe(new URL(typed).origin);
			}),
		);
	});

	it('of an unencrypted address is private whenever it is taken', () => {
		fc.assert(
			fc.property(fc.ipV4(), fc.domain(), (address, domain) => {
				expect(() => readBaseUrl(`http://${address}.${domain}`)).toThrow('unencrypted');
				const isPrivate = /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(address);
				const said = whatIsSaid(() => readBaseUrl(`http://${address}`));
				expect(said === '').toBe(isPrivate);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('the API key', () => {
	it.each([
		['bm_live_1234567890', 'bm_live_1234567890'],
		['  bm_live_1234567890\n', 'bm_live_1234567890'],
		['!~+/=', '!~+/='],
	])('%j is taken as %s', (typed, expected) => {
		expect(readApiKey(typed)).toBe(expected);
	});

	it.each<[unknown, string]>([
		['', 'has no API key'],
		[' \n', 'has no API key'],
		[undefined, 'has no API key'],
		[null, 'has no API key'],
		[12345, 'has no API key'],
		[['key'], 'has no API key'],
		['bm_live\n1234', 'contains a line break'],
		['bm_live\r\nX-Other: 1', 'contains a line break'],
		['bm live', 'contains a space'],
		['bm\tlive', 'contains a space'],
		['bm\u0000live', 'contains a space or a character'],
		['bm_live_ü', 'contains a space or a character'],
		['bm\u200blive', 'contains a space or a character'],
		['“bm_live”', 'contains a space or a character'],
		['bm\\/live', 'contains a space or a character'],
	])('%j is refused: %s', (typed, problem) => {
		expect(whatIsSaid(() => readApiKey(typed))).toContain(problem);
	});

	it('of 2,000 characters is taken, and of more refused', () => {
		expect(readApiKey('k'.repeat(2000))).toHaveLength(2000);
		expect(whatIsSaid(() => readApiKey('k'.repeat(2001)))).toContain('has 2,001 characters');
	});

	it('that is taken can be sent in a header', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (typed) => {
				if (whatIsSaid(() => readApiKey(typed)) !== '') return;
				expect(() => new Headers({ 'X-API-Key': readApiKey(typed) })).not.toThrow();
				expect(readApiKey(typed)).toBe(typed.trim());
			}),
		);
	});
});

describe('what is said about a credential', () => {
	const secret = fc.stringMatching(/^[\w-]{12,30}$/);

	it('never holds the key, even when it was pasted into the Base URL', () => {
		const around = fc.constantFrom<(key: string) => string>(
			(key) => key,
			(key) => `https://${key}@api.example.com`,
			(key) => `https://user:${key}@api.example.com`,
			(key) => `https//user:${key}@api.example.com`,
			(key) => `https://us er:x@${key}@api.example.com`,
			(key) => `user:${key}@api.example.com:port`,
			(key) => `https://api example.com/?key=${key}`,
			(key) => `https://api.example.com/?key=${key}`,
			(key) => `https://api.example.com/#${key}`,
			(key) => `http://api.example.com/${key}`,
		);
		fc.assert(
			fc.property(secret, around, (key, place) => {
				const said = whatIsSaid(() => readBaseUrl(place(key)));
				expect(said).not.toBe('');
				expect(said).not.toContain(key);
			}),
		);
	});

	it('never holds the key that was refused', () => {
		fc.assert(
			fc.property(secret, fc.constantFrom('\n', ' ', 'ü', '\u200b'), (key, mistake) => {
				const said = whatIsSaid(() => readApiKey(`${key}${mistake}${key}`));
				expect(said).not.toBe('');
				expect(said).not.toContain(key);
			}),
		);
	});

	it('is nothing when both are right', () => {
		const credential = { baseUrl: 'https://api.example.com/', apiKey: ' key ', webhookSecret: '' };
		expect(readConnection(credential)).toEqual({
			baseUrl: 'https://api.example.com',
			apiKey: 'key',
		});
	});
});
