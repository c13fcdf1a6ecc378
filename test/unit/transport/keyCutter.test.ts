import fc from 'fast-check';

import { createKeyCutter } from '../../../nodes/BusinessMessaging/transport/keyCutter';

const KEY = `k"e/y-4<7>'&1~`;

const asJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** How servers, frameworks and proxies write a text into another one. */
const WRITINGS: Record<string, (key: string) => string> = {
	'as it is': (key) => key,
	'as JSON': asJson,
	'as JSON with escaped slashes': (key) => asJson(key).replaceAll('/', '\\/'),
	'as JSON in JSON': (key) => asJson(asJson(key)),
	'as code points': (key) =>
		[...key].map((c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase()}`).join(''),
	'in a URL': (key) => encodeURIComponent(key),
	'in HTML': (key) =>
		key
			.replaceAll('&', '&amp;')
			.replaceAll('<', '&lt;')
			.replaceAll('>', '&gt;')
			.replaceAll('"', '&quot;')
			.replaceAll("'", '&apos;'),
	'in HTML, by number': (key) =>
		key.replaceAll('/', '&#x2F;').replaceAll('"', '&#34;').replaceAll('&1', '&#038;1'),
};

// SECURITY, The API key: cut out however it is written
describe('the key, where a server repeats it', () => {
	it.each(Object.entries(WRITINGS))('is cut out when it is written %s', (_, write) => {
		const { cutText } = createKeyCutter(KEY);
		expect(cutText(`Key ${write(KEY)} and ${write(KEY)}!`)).toBe('Key ••• and •••!');
	});

	it('is cut out however it is made of characters', () => {
		const key = fc.stringMatching(/^[!-[\]-~]{8,40}$/);
		fc.assert(
			fc.property(key, fc.constantFrom(...Object.values(WRITINGS)), (secret, write) => {
				expect(createKeyCutter(secret).cutText(write(secret))).toBe('•••');
			}),
		);
	});

	it('is cut out of names, values and lists, and nothing else changes', () => {
		const { cutValue } = createKeyCutter('key-4711');
		expect(cutValue({ 'a key-4711': [1, null, 'key-4711', { b: 'key-471' }], c: true })).toEqual({
			'a •••': [1, null, '•••', { b: 'key-471' }],
			c: true,
		});
	});

	it.each(['1', 'test', 'message'])('is left where it is too short to be one: %s', (key) => {
		const { cutText, cutValue } = createKeyCutter(key);
		expect(cutText('1 message for a test')).toBe('1 message for a test');
		expect(cutValue({ message: '1 test' })).toEqual({ message: '1 test' });
	});

	it('holds nobody up that has a long row of backslashes to look through', () => {
		const row = '\\'.repeat(1_000_000);
		expect(createKeyCutter('key-4711').cutText(row)).toBe(row);
	});
});
