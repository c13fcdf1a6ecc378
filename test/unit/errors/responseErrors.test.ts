import fc from 'fast-check';

import type { ApiResponse } from '../../../nodes/BusinessMessaging/api';
import type { Failure } from '../../../nodes/BusinessMessaging/errors/failure';
import { networkFailure } from '../../../nodes/BusinessMessaging/errors/networkErrors';
import {
	failureFromDelivery,
	failureFromResponse,
	LOOK_UP_SENTENCES,
	NETWORK_CODES,
	readErrorBody,
	SEND_SENTENCES,
	withDoubt,
} from '../../../nodes/BusinessMessaging/errors/responseErrors';

const MAY_HAVE_GONE = /^The message may have been sent\. Before you send it again, check/;
const PAGE = '<!doctype html><title>Not here</title>';

function response(status: number, body: unknown = '', headers = {}): ApiResponse {
	return { status, headers, body };
}

function failedSend(status: number, body?: unknown, headers?: object): Failure {
	return failureFromResponse(response(status, body, headers), SEND_SENTENCES);
}

// README, Send to a spreadsheet: rejected and unknown
describe('the response to a send', () => {
	it.each([
		[400, 'refused the request as invalid', 'Check the recipient'],
		[401, 'key is missing or not valid', 'Settings → API Keys'],
		[403, 'A web page or proxy answered', 'proxy or firewall'],
		[407, 'proxy of n8n asks for a user name', 'An administrator of n8n'],
		[404, 'did not find the template or the address', 'Template Name'],
		[429, 'rate limit', 'Wait a minute'],
		...[402, 405, 410, 417, 421, 422, 425, 451].map((status) => [
			status,
			`The API refused the request (HTTP ${status})`,
		]),
		...[301, 302, 307, 308].map((status) => [status, 'redirects to another address']),
	])('%i says that the message was not sent: %s', (status, message, remedy = 'Base URL') => {
		const httpStatus = Number(status);
		expect(failedSend(httpStatus)).toStrictEqual({
			message: expect.stringContaining(String(message)),
			remedy: expect.stringMatching(new RegExp(`${remedy}.*\\.$`)),
			httpStatus,
			networkCode: null,
			outcome: 'rejected',
			retryable: httpStatus === 429,
		});
	});

	it.each([
		...[100, 101, 408, 409, 418, 420, 423, 424, 430, 499].map((status) => [status, 'is unclear']),
		...[300, 303, 304, 305, 306, 399].map((status) => [status, 'redirects']),
		...[500, 502, 503].map((status) => [status, 'is not working properly']),
	])('%i leaves open whether the message was sent: the API %s', (status, message) => {
		const httpStatus = Number(status);
		expect(failedSend(httpStatus)).toStrictEqual({
			message: expect.stringContaining(String(message)),
			remedy: expect.stringMatching(/^(Check|Enter|Try) .*\.$/),
			httpStatus,
			networkCode: null,
			outcome: 'unknown',
			retryable: httpStatus === 408 || httpStatus >= 500,
		});
	});

	it.each([
		['success: false, but a message ID', { success: false, data: { message_id: 'm1' } }, 'unknown'],
		['success: false and no message ID', { success: false, data: { message_id: ' ' } }, 'rejected'],
		['success: false and no data', { success: false }, 'rejected'],
	])('200 with %s: %s', (_, body, outcome) => {
		const failure = failedSend(200, body);
		expect(failure).toMatchObject({ outcome, retryable: false });
		expect(failure.messageId).toBe(outcome === 'unknown' ? 'm1' : undefined);
	});

	it.each<[unknown, string, boolean]>([
		[PAGE, 'A web page or proxy answered instead of the API', false],
		['', 'The API accepted the request, but its response has no message ID', true],
		[{ success: true }, 'The API accepted the request, but its response has no message ID', true],
		[
			{ success: true, data: { error: { code: 131026 } } },
			'The API accepted the request, but its response has no message ID',
			true,
		],
	])('200 with %j: nobody knows', (body, message, retryable) => {
		expect(failedSend(200, body)).toMatchObject({ message, outcome: 'unknown', retryable });
	});

	it('keeps the ID of a message that was refused', () => {
		const failure = failedSend(400, { data: { message_id: 'm1' } });
		expect(failure).toMatchObject({ outcome: 'rejected', messageId: 'm1' });
	});
});

describe('the response to a look-up', () => {
	it.each<[number, unknown, string, string, boolean]>([
		[400, {}, 'invalid', 'Check the Base URL in the credential, and the message ID', false],
		[404, {}, 'knows no message with this ID', 'Use the "message_id"', false],
		[408, {}, 'HTTP 408', 'Check the Base URL', true],
		[429, {}, 'rate limit', 'Wait a minute', true],
		[500, {}, 'HTTP 500', 'Try again later.', true],
		[200, {}, 'its response has no message status', 'Try again later.', true],
		[200, PAGE, 'A web page', 'Check the Base URL', false],
	])('%i with %j: %s', (status, body, message, remedy, retryable) => {
		const failure = failureFromResponse(response(status, body), LOOK_UP_SENTENCES);
		expect(failure.message).toContain(message);
		expect(failure.remedy).toContain(remedy);
		expect(failure.retryable).toBe(retryable);
	});
});

// README, Send to a spreadsheet: unknown
describe('a send whose outcome is unknown', () => {
	it.each([
		[500, { code: 131026, message: 'boom' }, / The API says: "boom"\.$/],
		[200, '', /the customer\.$/],
		[200, PAGE, /the customer\. Check the Base URL in the credential.*\.$/],
		[503, PAGE, /the customer\.$/],
	])('after %i with %j has to be checked before it is sent again', (status, body, remedy) => {
		const cause = failedSend(status, body);
		const failure = withDoubt(cause, response(status, body));
		expect(failure).toEqual({ ...cause, remedy: expect.stringMatching(remedy), retryable: false });
		expect(failure.remedy).toMatch(MAY_HAVE_GONE);
	});

	it('because no response came as well', () => {
		const { remedy, retryable } = withDoubt(networkFailure('timeout', 'unknown'));
		expect(remedy).toMatch(MAY_HAVE_GONE);
		expect(retryable).toBe(false);
	});
});

describe('the sentence about a response', () => {
	it.each(Object.entries(NETWORK_CODES))('is that of the network code %s', (code, sentence) => {
		for (const [status, body] of [
			[400, { error: { code: Number(code) } }],
			[404, `Failed with ${code}`],
			[200, { success: false, errors: [{ code }] }],
			[500, { code }],
		] as const) {
			expect(failedSend(status, body)).toMatchObject({
				message: sentence.message,
				remedy: expect.stringContaining(sentence.remedy),
				networkCode: code,
				outcome: status === 500 ? 'unknown' : 'rejected',
			});
		}
	});

	it('knows the codes of section 7.2, and no others', () => {
		expect(Object.keys(NETWORK_CODES).sort()).toEqual(['131026', '131047', '131051', '133004']);
		expect(failedSend(400, { code: 132000 })).toMatchObject({
			message: 'The API refused the request as invalid',
			networkCode: '132000',
		});
	});

	it.each([
		['to:\n invalid', 'to: invalid".'],
		['"to" is invalid.', '"to" is invalid."'],
	])('quotes what the API says, on one line: %j', (message, quoted) => {
		expect(failedSend(400, { message }).remedy).toBe(
			`Check the recipient, the template name, the category and the number of variables. The API says: "${quoted}`,
		);
	});

	it.each([
		[{ success: false, error: { message: 'Upgrade to use the API' } }, {}],
		['', { 'x-ratelimit-remaining': '59' }],
		['Forbidden', { 'x-ratelimit-reset': '1' }],
	])('403 with %j and the headers %j is about the plan', (body, headers) => {
		const { message, remedy } = failedSend(403, body, headers);
		expect(message).toBe("Your account's plan has no API access");
		expect(remedy).toContain('Scale and Enterprise plans');
	});

	it.each([
		[400, PAGE],
		[401, PAGE],
		[403, PAGE],
		[404, PAGE],
		[403, 'error code: 1020'],
		[403, []],
	])('%i with %j, which is not of the API, names a proxy or firewall', (status, body) => {
		const { message, remedy } = failedSend(status, body);
		expect(message).toBe('A web page or proxy answered instead of the API');
		expect(remedy).toMatch(/^Check the Base URL .* proxy or firewall keeps n8n from the API\./);
	});

	it.each([
		[407, 'proxy of n8n'],
		[408, 'HTTP 408'],
		[429, 'rate limit'],
		[500, 'HTTP 500'],
	])('%i with the web page of a gateway is that of the status', (status, message) => {
		expect(failedSend(status, PAGE).message).toContain(message);
	});
});

describe('a message that the network could not deliver', () => {
	it.each(Object.entries(NETWORK_CODES))('%s has its sentence', (code, sentence) => {
		const record = { message_id: 'm1', status: 'failed', error: { code } };
		expect(failureFromDelivery(record, 'm1')).toEqual({
			message: `The message could not be delivered: ${sentence.message}`,
			remedy: sentence.remedy,
			httpStatus: null,
			networkCode: code,
			outcome: 'rejected',
			messageId: 'm1',
			retryable: false,
		});
	});

	it('without a known code has a remedy all the same, and the words of the API', () => {
		const record = { message_id: 'm1', status: 'failed', error: 'Blocked by the customer' };
		expect(failureFromDelivery(record, 'm1')).toMatchObject({
			message: 'The message could not be delivered',
			remedy:
				'Check the number, or reach the customer in another way. The API says: "Blocked by the customer".',
			networkCode: null,
		});
	});
});

const TEXT = 'Recipient is not on the network';

describe('the network code and the text of an error body', () => {
	it.each<[string, unknown]>([
		['error.code', { error: { code: 131026, message: TEXT } }],
		['error.code as text', { error: { code: '131026', message: TEXT } }],
		['code', { code: 131026, message: TEXT }],
		['code with spaces', { code: ' 131026 ', message: TEXT }],
		['error_code', { success: false, error_code: 131026, error: TEXT }],
		['errorCode', { errorCode: '131026', errorMessage: 'x', message: TEXT }],
		['errors[0]', { errors: [{ code: 131026, detail: TEXT }] }],
		['the second of errors', { errors: [{ code: 400, message: TEXT }, { code: 131026 }] }],
		['error.error_data', { error: { message: TEXT, code: 100, error_data: { code: 131026 } } }],
		['data.error', { success: false, data: { error: { code: 131026, message: TEXT } } }],
		['five levels deep', { a: { b: { c: { d: { e: { code: 131026, message: TEXT } } } } } }],
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
		['the outermost message', { message: TEXT, error: { message: 'inner' } }, TEXT],
		['the first message that is not empty', { message: ' ', error: { message: TEXT } }, TEXT],
		['a message with lines', { message: 'Recipient is\n not  on the network\t' }, TEXT],
	])('the text is %s', (_, body, text) => {
		expect(readErrorBody(body).text).toBe(text);
	});

	it.each<[unknown]>([[''], [' \n'], [null], [[]], [{}], [{ message: 5 }]])(
		'%j says nothing',
		(body) => {
			expect(readErrorBody(body)).toEqual({ isWebPage: false });
		},
	);
});

describe('a web page', () => {
	it.each([
		['<!DOCTYPE html><html><body>502</body></html>'],
		['\ufeff\n  <!doctype HTML>'],
		['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
		['<!-- cached --><html></html>'],
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
		const slot = fc.letrec<{ slot: (code: string) => unknown }>((tie) => ({
			slot: fc.oneof(
				{ maxDepth: 2 },
				fc.constantFrom<(code: string) => unknown>(
					(code) => ({ code }),
					(code) => ({ code: Number(code) }),
					(code) => ({ message: `Failed (${code})` }),
				),
				fc
					.tuple(fc.stringMatching(/^[a-z]{1,8}$/), tie('slot'))
					.map(([key, inner]) => (code: string) => ({ [key]: inner(code), other: [1, null, 'x'] })),
				tie('slot').map((inner) => (code: string) => ({ errors: [inner(code)] })),
			),
		})).slot;
		fc.assert(
			fc.property(slot, fc.constantFrom(...Object.keys(NETWORK_CODES)), (put, code) => {
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
