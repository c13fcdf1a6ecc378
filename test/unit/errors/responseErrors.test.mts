import fc from 'fast-check';

import type { ApiResponse } from '../../../nodes/BusinessMessaging/api';
import {
	causeNamed,
	type FailureCode,
	FAILURES,
	NETWORK_CODES,
} from '../../../nodes/BusinessMessaging/errors/catalogue';
import type { Failure } from '../../../nodes/BusinessMessaging/errors/failure';
import {
	adviceOn,
	failureFromDelivery,
	failureFromResponse,
	LOOK_UP_SENTENCES,
	readErrorBody,
	SEND_SENTENCES,
	withUnknownOutcome,
} from '../../../nodes/BusinessMessaging/errors/responseErrors';
import { TEXT_KEYS } from '../../../playground/api/check/assumptions.mts';
import { anyString } from '../../support/anyString.mts';
import { sample } from '../../support/sample.mts';

const NOW = Date.UTC(2026, 1, 1, 12);
const PAGE = '<!doctype html><title>Not here</title>';

function response(status: number, body: unknown = '', headers = {}): ApiResponse {
	return { status, headers, body };
}

function failedSend(status: number, body?: unknown, headers?: object): Failure {
	return failureFromResponse(response(status, body, headers), SEND_SENTENCES, NOW);
}

// docs/sending.md: rejected and unknown
describe('the response to a send', () => {
	it.each<[FailureCode, string, boolean, number[]]>([
		['keyRejected', 'rejected', false, [401]],
		['webPage', 'rejected', false, [403, 407]],
		['noSuchAddress', 'rejected', false, [404]],
		['rateLimited', 'rejected', true, [429]],
		['redirected', 'rejected', false, [301, 302, 307, 308]],
		['redirected', 'unknown', false, [300, 303, 304, 399]],
		['refused', 'rejected', false, [402, 405, 406, 410, 411, 412, 413, 414, 415, 416]],
		['refused', 'rejected', false, [417, 421, 425, 426, 428, 431, 451]],
		['unclearResponse', 'rejected', false, [400, 422]],
		['unclearResponse', 'unknown', false, [100, 199, 409, 418, 420, 423, 499]],
		['unclearResponse', 'unknown', true, [408]],
		['apiBroken', 'unknown', true, [500, 502, 503]],
	])('without a body is %s, leaves the outcome %s, and a retry helps: %s with %j', (...row) => {
		const [code, outcome, retryable, statuses] = row;
		for (const status of statuses) {
			const failure = failedSend(status);
			const cause = causeNamed(code, { status });
			const rest = { httpStatus: status, networkCode: null, outcome, retryable };
			expect(failure).toStrictEqual({ ...cause, ...rest });
			expect(failure.message + failure.remedy).not.toMatch(/[{}]/);
			// The first that a user sees of an item in the editor.
			expect(Object.keys(failure)[0]).toBe('code');
		}
	});

	const SENT = { message_id: 'm1' };

	it.each<[number, unknown, FailureCode, string, boolean, string?]>([
		[400, {}, 'refusedAsInvalid', 'rejected', false],
		[200, { success: 'False' }, 'refusedAsInvalid', 'rejected', false],
		[200, { success: false, data: { message_id: ' ' } }, 'refusedAsInvalid', 'rejected', false],
		[400, { data: SENT }, 'refusedAsInvalid', 'rejected', false, 'm1'],
		[200, null, 'incompleteResponse', 'unknown', true],
		[299, { success: true }, 'incompleteResponse', 'unknown', true],
		[200, { success: false, data: SENT }, 'unclearResponse', 'unknown', false, 'm1'],
		[200, { success: false, data: { message_id: 2 ** 53 } }, 'unclearResponse', 'unknown', false],
	])('%i with %j is %s: %s', (...[status, body, code, outcome, retryable, messageId]) => {
		const failure = failedSend(status, body);
		expect(failure).toMatchObject({ code, outcome, retryable });
		expect(failure.messageId).toBe(messageId);
	});
});

it.each<[string, number, FailureCode, string, boolean]>([
	['send', 200, 'incompleteResponse', ' its response has no message ID. Try', true],
	['look-up', 400, 'refusedAsInvalid', 'the Base URL in the credential, and the message ID', false],
	['look-up', 404, 'unknownMessage', '. Use the "message_id"', false],
	['look-up', 200, 'incompleteResponse', ' its response has no message status. Try', true],
])('the response to a %s with %i is %s: %s', (call, status, code, words, retryable) => {
	const own = call === 'send' ? SEND_SENTENCES : LOOK_UP_SENTENCES;
	const { message, remedy, ...rest } = failureFromResponse(response(status, {}), own, NOW);
	expect(rest).toMatchObject({ code, retryable });
	expect(`${message}. ${remedy}`).toContain(words);
});

// docs/sending.md: unknown
it.each([
	[500, { code: 131026, message: 'boom' }, /the customer\. The API says: "boom"\.$/],
	[200, PAGE, /the customer\. Enter the address of the API.*\.$/],
])('after %i with %j a send has to be checked before it is sent again', (status, body, remedy) => {
	const cause = failedSend(status, body);
	const failure = withUnknownOutcome(cause, response(status, body));
	expect(failure).toEqual({ ...cause, remedy: expect.stringMatching(remedy), retryable: false });
	expect(failure.remedy).toMatch(
		/^The message may have been sent\. Before you send it again, check/,
	);
});

describe('the sentence about a response', () => {
	// docs/sending.md: a Wait node on sendAfter
	it.each(Object.entries(NETWORK_CODES))('is that of the network code %s: %s', (code, name) => {
		const { message, remedy } = FAILURES[name];
		const error = { code: Number(code), message: `Said (#${code})` };
		const said = `${remedy} The API says: "Said (#${code})".`;
		const again = name === 'networkHeldBack' && { sendAfter: '2026-02-02T12:00:00.000Z' };
		// Not because of its status: the network would refuse the message again.
		const retryable = again !== false;
		const rejected = { code: name, networkCode: code, outcome: 'rejected', retryable, ...again };
		expect(failedSend(400, { error })).toMatchObject({ ...rejected, message, remedy: said });
		expect(failedSend(429, { error })).toMatchObject({ ...rejected, message, remedy: said });
		const own = { success: false, errors: [{ code }] };
		expect(failedSend(200, own)).toMatchObject({ ...rejected, message, remedy });
		// One truth: the message may have been sent, whatever the network says of a first attempt.
		const broken = failedSend(500, { error });
		expect(broken).toMatchObject({ code: 'apiBroken', networkCode: code, outcome: 'unknown' });
		expect(broken).not.toHaveProperty('sendAfter');
		const record = { message_id: 'm1', status: 'failed', error };
		expect(failureFromDelivery(record, 'm1', NOW)).toEqual({
			...rejected,
			message: `The message could not be delivered: ${message}`,
			remedy: said,
			httpStatus: null,
			messageId: 'm1',
		});
		expect(adviceOn(record, NOW)).toEqual({ failureCode: name, remedy, ...again });
	});

	it.each<[string, FailureCode]>([
		['Cannot POST /api/x', 'noSuchAddress'],
		['Not found, GET: /api/x', 'noSuchAddress'],
		['Endpoint or resource not found', 'notFound'],
		['The template was not found', 'notFound'],
	])('of a 404 that says %j is %s', (message, code) => {
		expect(failedSend(404, { message })).toMatchObject({ code });
	});

	it('quotes what the API says, on one line', () => {
		const withText = (message: string) => failedSend(400, { message }).remedy;
		expect(withText('to:\n invalid')).toMatch(/variables\. The API says: "to: invalid"\.$/);
		expect(withText('"to" is invalid.')).toMatch(/ The API says: ""to" is invalid\."$/);
		expect(failureFromDelivery({ error: 'Blocked' }, 'm1', NOW)).toMatchObject({
			message: 'The message could not be delivered',
			remedy: 'Check the number, or reach the customer in another way. The API says: "Blocked".',
			networkCode: null,
		});
	});

	it.each<[number, unknown, object, FailureCode]>([
		[403, { success: false, error: { message: 'Upgrade to use the API' } }, {}, 'noApiAccess'],
		[403, '', { 'x-ratelimit-remaining': '59' }, 'noApiAccess'],
		[403, 'Forbidden', { 'x-ratelimit-reset': '1' }, 'noApiAccess'],
		[403, 'error code: 1020', {}, 'webPage'],
		[408, PAGE, {}, 'unclearResponse'],
		[429, PAGE, {}, 'rateLimited'],
		[500, PAGE, {}, 'apiBroken'],
	])('tells by %i with %j and %j who has sent it: %s', (status, body, headers, code) => {
		expect(failedSend(status, body, headers)).toMatchObject({ code });
	});
});

it.each(TEXT_KEYS)('finds the words of an error below %s, as npm run api:check assumes', (key) => {
	expect(readErrorBody({ [key]: 'No such message' }).text).toBe('No such message');
	expect(readErrorBody({ failure: { [key]: ['Not valid'] } }).text).toBe('Not valid');
});

const TEXT = 'Recipient is not on the network';

describe('the network code and the text of an error body', () => {
	const inside = (levels: number, value: unknown): unknown =>
		levels === 0 ? value : { inner: inside(levels - 1, value) };

	it.each<[string, unknown]>([
		['error.code', { error: { code: 131026, message: TEXT } }],
		['error_code as text, with spaces', { error_code: ' 131026 ', message: TEXT }],
		['errorCode', { errorCode: '131026', errorMessage: 'x', message: TEXT }],
		['the second of errors', { errors: [{ code: 4000, message: TEXT }, { code: 131026 }] }],
		['five levels deep', inside(5, { code: 131026, message: TEXT })],
		['two messages', { message: ' ', error: { code: 131026, message: TEXT } }],
	])('are read from %s', (_, body) => {
		expect(readErrorBody(body)).toEqual({ networkCode: '131026', text: TEXT, isWebPage: false });
	});

	const LONG = 'x'.repeat(1000);

	it.each<[string, unknown, string]>([
		['a message', { message: 'Too late: 131047', details: '5 tries' }, 'Too late: 131047'],
		['a list alone', ['131047: too late'], '131047: too late'],
		['plain text', 'Error 131047:\n too late', 'Error 131047: too late'],
		['a long text', `${LONG} 131047`, `${LONG.slice(0, 200)}…`],
		['a text of 200 characters', '131047'.padEnd(200, ' x.'), '131047'.padEnd(200, ' x.')],
	])('a known code is found in %s', (_, body, text) => {
		expect(readErrorBody(body)).toEqual({ networkCode: '131047', text, isWebPage: false });
	});

	it.each<[string, unknown, string?]>([
		['an unknown network code', { error: { code: 132005 } }, '132005'],
		['an HTTP status as code', { code: 404, message: TEXT }],
		['a code of eleven digits', { code: '13200013200' }],
		['a code six levels deep', inside(6, { code: 131026 })],
		['a code behind 20,000 characters', `${'x'.repeat(20_000)} 131026`],
		['a code in the 500th record', [...Array<object>(498).fill({}), { code: 132000 }], '132000'],
		['a code in the 501st record', [...Array<object>(499).fill({}), { code: 132000 }]],
		['digits that end in a known code', { message: 'Message 9131026 failed' }],
		['the number of an order', { message: 'Order #132001 to PIN code 131050: 131049 of 5' }],
		['a code that is called so', { details: 'Failed. Error code: 131050' }, '131050'],
	])('%s is told from what is no code of the network', (...[, body, networkCode]) => {
		expect(readErrorBody(body).networkCode).toBe(networkCode);
	});

	it.each([[''], [' \n'], [null], [[]], [{ message: 5 }]])('%j says nothing', (body) => {
		expect(readErrorBody(body)).toEqual({ isWebPage: false });
	});

	it.each([
		['\ufeff\n  <!doctype HTML>', true],
		['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', true],
		['< 5 requests left', false],
		['a <b>bold</b> word', false],
	])('%j is a web page, which is not quoted: %p', (body, isWebPage) => {
		expect(readErrorBody(body)).toEqual({ isWebPage, ...(isWebPage ? {} : { text: body }) });
	});
});

it('reading a body gives a short line and a code of digits, and never throws', () => {
	const cyclic: Record<string, unknown> = { message: 'round' };
	cyclic.error = cyclic;
	cyclic.errors = [cyclic, [cyclic]];
	const huge = [
		{ errors: Array(200_000).fill({ code: 1, message: 'x' }) },
		{ message: 'x 131026'.padEnd(5_000_000, ' y') },
		JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
	];
	const keys = ['error', 'errors', 'code', 'message', 'error_data', '__proto__', 'constructor'];
	const value = fc.oneof(fc.integer(), fc.string(), fc.array(fc.jsonValue()), fc.object());
	const body = fc.oneof(
		anyString,
		fc.jsonValue(),
		fc.anything({ withNullPrototype: true, withDate: true, withMap: true, withBigInt: true }),
		fc.dictionary(fc.constantFrom(...keys), value),
	);
	fc.assert(
		fc.property(body, (given) => {
			const { networkCode = '0000', text = 'x' } = readErrorBody(given);
			expect(networkCode).toMatch(/^\d{4,}$/);
			expect(text).toMatch(/^\S[^\n\r\t]{0,200}$/);
		}),
		{ ...sample(200), examples: [cyclic, ...huge].map((given) => [given]) },
	);
});
