import fc from 'fast-check';

import { readErrorBody } from '../../../nodes/BusinessMessaging/errors/errorBody';
import { NETWORK_ERRORS } from '../../../nodes/BusinessMessaging/errors/networkErrors';

const TEXT = 'Recipient is not on the network';

describe('the network code and the text of an error body', () => {
	it.each<[string, unknown]>([
		['error.code', { error: { code: 131026, message: TEXT } }],
		['error.code as text', { error: { code: '131026', message: TEXT } }],
		['code', { code: 131026, message: TEXT }],
		['code with spaces', { code: ' 131026 ', message: TEXT }],
		['error_code', { success: false, error_code: 131026, error: TEXT }],
		['errorCode', { errorCode: '131026', errorMessage: 'x', message: TEXT }],
		['networkCode', { networkCode: 131026, message: TEXT }],
		['status_code', { status_code: 131026, message: TEXT }],
		['a description', { code: 131026, description: TEXT }],
		['messages', { code: 131026, messages: [TEXT] }],
		['errors[0]', { errors: [{ code: 131026, title: TEXT }] }],
		['the second of errors', { errors: [{ code: 400, message: TEXT }, { code: 131026 }] }],
		['error.error_data', { error: { message: TEXT, code: 100, error_data: { code: 131026 } } }],
		['error.error_subcode', { error: { message: TEXT, code: 100, error_subcode: 131026 } }],
		['data.error', { success: false, data: { error: { code: 131026, message: TEXT } } }],
		['five levels deep', { a: { b: { c: { d: { e: { code: 131026, message: TEXT } } } } } }],
		['beside an HTTP status', { status_code: 400, code: 131026, message: TEXT }],
		['beside another code', { code: 100500, message: TEXT, error: { code: 131026 } }],
	])('are read from %s', (_, body) => {
		expect(readErrorBody(body)).toEqual({ networkCode: '131026', text: TEXT, isWebPage: false });
	});

	it.each<[string, unknown, string]>([
		['a message', { message: '(#131047) Too late' }, '(#131047) Too late'],
		['error as text', { error: 'Error 131047' }, 'Error 131047'],
		['the first of two texts', { message: 'Error 131047', detail: '12 s ago' }, 'Error 131047'],
		['a list of messages', { errors: ['131047: too late', 'x'] }, '131047: too late'],
		['a list alone', ['131047: too late'], '131047: too late'],
		['the details', { error: { error_data: { details: 'code 131047.' } } }, 'code 131047.'],
		['plain text', 'Error 131047:\n too late', 'Error 131047: too late'],
		['a JSON text in a JSON text', '"131047"', '"131047"'],
	])('a known code is found in %s', (_, body, text) => {
		expect(readErrorBody(body)).toEqual({ networkCode: '131047', text, isWebPage: false });
	});

	it('a known code is found behind a long text, which is shortened', () => {
		for (const body of [`${'x'.repeat(1000)} 131047`, { message: `${'x'.repeat(1000)} 131047` }]) {
			const { networkCode, text } = readErrorBody(body);
			expect(networkCode).toBe('131047');
			expect(text).toBe(`${'x'.repeat(200)}…`);
		}
		expect(readErrorBody('x'.repeat(200)).text).toBe('x'.repeat(200));
	});

	it.each<[string, unknown, string | undefined]>([
		['an unknown network code', { error: { code: 132000 } }, '132000'],
		['an HTTP status as code', { code: 404, message: TEXT }, undefined],
		['a list of codes', { code: [132000] }, undefined],
		['a negative code', { code: -131026 }, undefined],
		['a code with decimals', { code: 131026.5 }, undefined],
		['a code that is a word', { code: 'INVALID_NUMBER' }, undefined],
		['a code that begins with letters', { code: 'E132000' }, undefined],
		['a code that ends in letters', { code: '132000E' }, undefined],
		['a code of eleven digits', { code: '13200013200' }, undefined],
		[
			'a code six levels deep',
			{ a: { b: { c: { d: { e: { f: { code: 131026 } } } } } } },
			undefined,
		],
		['a code behind 20,000 characters', `${'x'.repeat(20_000)} 131026`, undefined],
		['a code in the 500th record', [...Array<object>(498).fill({}), { code: 132000 }], '132000'],
		['a code in the 501st record', [...Array<object>(499).fill({}), { code: 132000 }], undefined],
		['digits that end in a known code', { message: 'Message 9131026 failed' }, undefined],
		['digits that begin with a known code', { message: 'Message 1310269 failed' }, undefined],
		['a known code as the key', { 131026: 'x' }, undefined],
		['no fields', {}, undefined],
	])('are told apart from what is no code of the network: %s', (_, body, networkCode) => {
		expect(readErrorBody(body).networkCode).toBe(networkCode);
	});

	it.each<[string, unknown, string]>([
		['detail (a problem document)', { title: 'Bad Request', detail: TEXT }, TEXT],
		['title', { title: TEXT }, TEXT],
		['error_description', { error: 'invalid', error_description: TEXT }, TEXT],
		['error_user_msg', { error: { error_user_msg: TEXT } }, TEXT],
		['the outermost message', { message: TEXT, error: { message: 'inner' } }, TEXT],
		['the first message that is not empty', { message: ' ', error: { message: TEXT } }, TEXT],
		['a message with lines', { message: 'Recipient is\n not  on the network\t' }, TEXT],
	])('the text is %s', (_, body, text) => {
		expect(readErrorBody(body).text).toBe(text);
	});

	it.each<[unknown]>([
		[''],
		[' \n'],
		[null],
		[undefined],
		[404],
		[true],
		[[]],
		[{}],
		[{ message: 5 }],
	])('%j says nothing', (body) => {
		expect(readErrorBody(body)).toEqual({ isWebPage: false });
	});
});

describe('a web page', () => {
	it.each([
		['<!DOCTYPE html><html><body>502</body></html>'],
		['<html><head><title>502 Bad Gateway</title></head></html>'],
		['\ufeff\n  <!doctype HTML>'],
		['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
		['<!-- cached --><html></html>'],
		['<h1>Not Found</h1>'],
		['<pre>Cannot GET /api</pre>'],
	])('is recognized and not quoted: %j', (body) => {
		expect(readErrorBody(body)).toEqual({ isWebPage: true });
	});

	it.each([['Not found'], ['< 5 requests left'], ['a <b>bold</b> word'], ['']])(
		'is not %j',
		(body) => {
			expect(readErrorBody(body).isWebPage).toBe(false);
		},
	);
});

describe('whatever the body', () => {
	const cyclic: Record<string, unknown> = { message: 'round' };
	cyclic.error = cyclic;
	cyclic.errors = [cyclic, [cyclic]];

	const body = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.jsonValue(),
		fc.anything({
			withNullPrototype: true,
			withDate: true,
			withMap: true,
			withSet: true,
			withBigInt: true,
		}),
		fc.dictionary(
			fc.constantFrom(
				'error',
				'errors',
				'code',
				'message',
				'error_data',
				'__proto__',
				'constructor',
			),
			fc.oneof(fc.integer(), fc.string(), fc.array(fc.jsonValue()), fc.object()),
		),
		fc.constant(cyclic),
	);

	it('reading it gives a short line and a code of digits, and never throws', () => {
		fc.assert(
			fc.property(body, (value) => {
				const { networkCode = '0000', text = 'x', isWebPage } = readErrorBody(value);
				expect(networkCode).toMatch(/^\d{4,}$/);
				expect(text).toMatch(/^\S.*$/s);
				expect(text.length).toBeLessThanOrEqual(201);
				expect(text).not.toMatch(/[\n\r\t]/);
				expect(typeof isWebPage).toBe('boolean');
			}),
			{ numRuns: 1000 },
		);
	});

	it('a known code is found wherever it stands', () => {
		const place = fc.letrec<{ place: (code: string) => unknown }>((tie) => ({
			place: fc.oneof(
				{ maxDepth: 2 },
				fc.constantFrom<(code: string) => unknown>(
					(code) => ({ code }),
					(code) => ({ code: Number(code) }),
					(code) => ({ message: `Failed (${code})` }),
				),
				fc
					.tuple(fc.stringMatching(/^[a-z]{1,8}$/), tie('place'))
					.map(([key, inner]) => (code: string) => ({ [key]: inner(code), other: [1, null, 'x'] })),
				tie('place').map((inner) => (code: string) => ({ errors: [inner(code)] })),
			),
		})).place;
		fc.assert(
			fc.property(place, fc.constantFrom(...Object.keys(NETWORK_ERRORS)), (put, code) => {
				expect(readErrorBody(put(code)).networkCode).toBe(code);
			}),
		);
	});

	it.each<[string, unknown]>([
		['200,000 errors', { errors: Array(200_000).fill({ code: 1, message: 'x' }) }],
		['a text of 5 MB', 'x 131026'.padEnd(5_000_000, ' y')],
		['a message of 5 MB', { message: 'x 131026'.padEnd(5_000_000, ' y') }],
		['5,000 levels', JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)],
		['keys of the prototype', JSON.parse('{"__proto__": {"code": 131026}, "constructor": 1}')],
	])('%s are no reason to fail', (_, value) => {
		expect(() => readErrorBody(value)).not.toThrow();
	});

	it('what a prototype holds does not count', () => {
		const body = Object.create({ code: 131026, message: TEXT }) as object;
		expect(readErrorBody(body)).toEqual({ isWebPage: false });
	});
});
