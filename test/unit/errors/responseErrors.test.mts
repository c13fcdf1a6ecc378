import fc from 'fast-check';

import type { ApiResponse } from '../../../nodes/BusinessMessaging/api';
import { FAILURES, NETWORK_CODES } from '../../../nodes/BusinessMessaging/errors/catalogue';
import { connectionFailure } from '../../../nodes/BusinessMessaging/errors/connectionErrors';
import type { Failure } from '../../../nodes/BusinessMessaging/errors/failure';
import {
	adviceOn,
	failureFromDelivery,
	failureFromResponse,
	LOOK_UP_SENTENCES,
	namesAddress,
	readErrorBody,
	SEND_SENTENCES,
	withUnknownOutcome,
} from '../../../nodes/BusinessMessaging/errors/responseErrors';
import { anyString } from '../../support/anyString.mts';
import { sample } from '../../support/sample.mts';

const MAY_HAVE_GONE = /^The message may have been sent\. Before you send it again, check/;
const NOW = Date.UTC(2026, 1, 1, 12);
const TOMORROW = '2026-02-02T12:00:00.000Z';
const FAILURES_THAT_PASS_LATER = ['networkHeldBack'];
const PAGE = '<!doctype html><title>Not here</title>';

function response(status: number, body: unknown = '', headers = {}): ApiResponse {
	return { status, headers, body };
}

function failedSend(status: number, body?: unknown, headers?: object): Failure {
	return failureFromResponse(response(status, body, headers), SEND_SENTENCES, NOW);
}

// docs/sending.md: rejected and unknown
describe('the response to a send', () => {
	type Row = [number, string, string, string?];
	/** @param message with the status in place of # */
	const each = (statuses: number[], outcome: string, message: string): Row[] =>
		statuses.map((status) => [status, outcome, message.replace('#', `${status}`)]);
	const REFUSED = 'refused the request (HTTP #)';

	it.each<Row>([
		[401, 'rejected', 'key is missing or not valid', 'Paste .* Settings → API Keys'],
		[403, 'rejected', 'A web page or proxy answered', 'Enter .* proxy or firewall'],
		[407, 'rejected', 'web page or proxy answered'],
		[404, 'rejected', 'has no such address', 'Check the Base URL'],
		[429, 'rejected', 'rate limit', 'Wait a minute'],
		...each([301, 302, 307, 308], 'rejected', 'redirects to another address'),
		...each([402, 405, 406, 410, 411, 412, 413, 414, 415, 416], 'rejected', REFUSED),
		...each([417, 421, 425, 426, 428, 431, 451], 'rejected', REFUSED),
		...each([400, 422], 'rejected', 'is unclear (HTTP #)'),
		...each([100, 199, 408, 409, 418, 420, 423, 499], 'unknown', 'is unclear (HTTP #)'),
		...each([300, 303, 304, 399], 'unknown', 'redirects to another address'),
		...each([500, 502, 503], 'unknown', 'is not working properly (HTTP #)'),
	])('%i leaves the outcome %s: %s', (...row) => {
		const [status, outcome, message, remedy = 'Check|Enter|Try'] = row;
		expect(failedSend(status)).toStrictEqual({
			code: expect.any(String),
			message: expect.stringContaining(message),
			remedy: expect.stringMatching(new RegExp(`^(${remedy})\\b.*\\.$`)),
			httpStatus: status,
			networkCode: null,
			outcome,
			retryable: [408, 429, 500, 502, 503].includes(status),
		});
	});

	it.each([
		[400, {}],
		[422, {}],
		[200, { success: false }],
	])('%i with %j is refused as invalid', (status, body) => {
		expect(failedSend(status, body)).toMatchObject({
			message: 'The API refused the request as invalid',
			remedy: expect.stringMatching(/^Check the recipient, the template name/),
			outcome: 'rejected',
		});
	});

	const WITHOUT_ID = 'The API accepted the request, but its response has no message ID';

	it.each<[number, unknown, string, boolean]>([
		[200, PAGE, 'A web page or proxy answered instead of the API', false],
		[200, '', WITHOUT_ID, true],
		[299, { success: true }, WITHOUT_ID, true],
		[200, { success: true, data: { error: { code: 131026 } } }, WITHOUT_ID, true],
	])('%i with %j: nobody knows', (status, body, message, retryable) => {
		expect(failedSend(status, body)).toMatchObject({ message, outcome: 'unknown', retryable });
	});

	it.each([
		[200, { success: false, data: { message_id: 'm1' } }, 'unknown', 'm1'],
		[200, { success: false, data: { message_id: ' ' } }, 'rejected', undefined],
		[200, { success: false, data: { message_id: 2 ** 53 } }, 'unknown', undefined],
		[200, { success: false }, 'rejected', undefined],
		[200, { success: 'False' }, 'rejected', undefined],
		[200, { success: 'false', data: { message_id: 'm1' } }, 'unknown', 'm1'],
		[400, { data: { message_id: 'm1' } }, 'rejected', 'm1'],
	])('%i with %j: %s, and the ID is %s', (status, body, outcome, messageId) => {
		const failure = failedSend(status, body);
		expect(failure).toMatchObject({ outcome, retryable: false });
		expect(failure.messageId).toBe(messageId);
	});
});

it.each<[number, unknown, string, string, boolean]>([
	[400, {}, 'invalid', 'Check the Base URL in the credential, and the message ID', false],
	[404, {}, 'knows no message with this ID', 'Use the "message_id"', false],
	[500, {}, 'HTTP 500', 'Try again later.', true],
	[200, {}, 'its response has no message status', 'Try again later.', true],
])('the response %i with %j to a look-up: %s', (status, body, message, remedy, retryable) => {
	const failure = failureFromResponse(response(status, body), LOOK_UP_SENTENCES, NOW);
	expect(failure.message).toContain(message);
	expect(failure.remedy).toContain(remedy);
	expect(failure.retryable).toBe(retryable);
});

// docs/sending.md: unknown
describe('a send whose outcome is unknown has to be checked before it is sent again,', () => {
	it.each([
		[500, { code: 131026, message: 'boom' }, / The API says: "boom"\.$/],
		[200, '', /the customer\.$/],
		[200, PAGE, /the customer\. Enter the address of the API.*\.$/],
	])('after %i with %j', (status, body, remedy) => {
		const cause = failedSend(status, body);
		const failure = withUnknownOutcome(cause, response(status, body));
		expect(failure).toEqual({ ...cause, remedy: expect.stringMatching(remedy), retryable: false });
		expect(failure.remedy).toMatch(MAY_HAVE_GONE);
	});

	it('because no response came as well', () => {
		const { remedy, retryable } = withUnknownOutcome(connectionFailure('timeout', 'unknown'));
		expect(remedy).toMatch(MAY_HAVE_GONE);
		expect(retryable).toBe(false);
	});
});

describe('the sentence about a response', () => {
	it.each(Object.entries(NETWORK_CODES))('is that of the network code %s: %s', (code, name) => {
		const { message, remedy } = FAILURES[name];
		expect(message).toMatch(/^(The|This|Too|A) .*\w$/);
		expect(remedy).toMatch(/^\w.*\.$/);
		const error = { code: Number(code), message: `Said (#${code})` };
		const said = `${remedy} The API says: "Said (#${code})".`;
		const bodies: Array<[number, unknown, string]> = [
			[400, { error }, said],
			[404, `Error ${code}`, `${remedy} The API says: "Error ${code}".`],
			[200, { success: false, errors: [{ code }] }, remedy],
			[429, { error }, said],
		];
		for (const [status, body, expected] of bodies) {
			const failure = failedSend(status, body);
			const outcome = 'rejected';
			expect(failure).toMatchObject({ code: name, message, networkCode: code, outcome });
			expect(failure.remedy).toBe(expected);
			// Not because of its status: the network would refuse the message again.
			expect(failure.retryable).toBe(FAILURES_THAT_PASS_LATER.includes(name));
		}
		// One truth: the message may have been sent, whatever the network says of a first attempt.
		const broken = failedSend(500, { error });
		expect(broken).toMatchObject({ code: 'apiBroken', networkCode: code, outcome: 'unknown' });
		expect(broken.remedy).toContain(`The API says: "Said (#${code})"`);
		const record = { message_id: 'm1', status: 'failed', error };
		expect(failureFromDelivery(record, 'm1', NOW)).toMatchObject({
			code: name,
			message: `The message could not be delivered: ${message}`,
			remedy: said,
			httpStatus: null,
			networkCode: code,
			outcome: 'rejected',
			messageId: 'm1',
		});
		expect(adviceOn(record, NOW)).toMatchObject({ failureCode: name, remedy });
	});

	it('of a code that it does not know is that of the status', () => {
		expect(failedSend(400, { code: 132005 })).toMatchObject({
			message: 'The API refused the request as invalid',
			networkCode: '132005',
		});
		expect(adviceOn({ code: 132005 }, NOW)).toEqual({});
	});

	// docs/sending.md: a Wait node on sendAfter
	it('says from when on a message may be sent again, and never that an opt-out may', () => {
		const again = (status: number, code: number) => {
			const { retryable, sendAfter } = failedSend(status, { code });
			return [retryable, sendAfter];
		};
		const hints = Object.keys(NETWORK_CODES).map((code) => {
			const onSend = again(400, Number(code));
			const { retryable, sendAfter } = failureFromDelivery({ code }, 'm1', NOW);
			expect([retryable, sendAfter]).toEqual(onSend);
			expect(adviceOn({ code }, NOW).sendAfter).toBe(sendAfter);
			return [code, ...onSend];
		});
		expect(hints.filter(([, retryable, sendAfter]) => retryable || sendAfter)).toEqual([
			['131049', true, TOMORROW],
			['131056', true, TOMORROW],
		]);
		// The message may have been sent.
		for (const status of [408, 500]) {
			const { retryable, sendAfter } = withUnknownOutcome(failedSend(status, { code: 131049 }));
			expect([retryable, sendAfter]).toEqual([false, undefined]);
		}
		expect(again(429, 131050)).toEqual([false, undefined]);
	});

	it.each([
		['Cannot POST /api/x', true],
		['No message available', true],
		['Endpoint or resource not found', false],
		['The template was not found', false],
	])('of a 404 tells whether %j speaks of the address: %s', (text, isAddress) => {
		expect(namesAddress(text)).toBe(isAddress);
		const { code } = failedSend(404, { message: text });
		expect(code).toBe(isAddress ? 'noSuchAddress' : 'notFound');
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

	const PLAN =
		"Your account's plan has no API access. API access comes with the Scale and Enterprise";
	const ELSEWHERE =
		'A web page or proxy answered instead of the API. Enter the address of the API,';

	it.each<[number, unknown, object, string]>([
		[403, { success: false, error: { message: 'Upgrade to use the API' } }, {}, PLAN],
		[403, '', { 'x-ratelimit-remaining': '59' }, PLAN],
		[403, 'Forbidden', { 'x-ratelimit-reset': '1' }, PLAN],
		[403, 'error code: 1020', {}, ELSEWHERE],
		[403, [], {}, ELSEWHERE],
		[400, PAGE, {}, ELSEWHERE],
		[407, {}, {}, ELSEWHERE],
		[408, PAGE, {}, "The API's response is unclear (HTTP 408)"],
		[429, PAGE, {}, 'The rate limit'],
		[500, PAGE, {}, 'The API is not working properly (HTTP 500)'],
	])('tells by %i with %j and %j who has sent it: %s', (status, body, headers, says) => {
		const { message, remedy } = failedSend(status, body, headers);
		expect(`${message}. ${remedy}`.slice(0, says.length)).toBe(says);
	});
});

const TEXT = 'Recipient is not on the network';

describe('the network code and the text of an error body', () => {
	const inside = (levels: number, value: unknown): unknown =>
		levels === 0 ? value : { inner: inside(levels - 1, value) };

	it.each<[string, unknown]>([
		['error.code', { error: { code: 131026, message: TEXT } }],
		['code as text, with spaces', { code: ' 131026 ', message: TEXT }],
		['errorCode', { errorCode: '131026', errorMessage: 'x', message: TEXT }],
		['the second of errors', { errors: [{ code: 400, message: TEXT }, { code: 131026 }] }],
		['error.error_data', { error: { message: TEXT, code: 100, error_data: { code: 131026 } } }],
		['five levels deep', inside(5, { code: 131026, message: TEXT })],
		['two messages', { message: ' ', error: { code: 131026, message: TEXT } }],
	])('are read from %s', (_, body) => {
		expect(readErrorBody(body)).toEqual({ networkCode: '131026', text: TEXT, isWebPage: false });
	});

	const LONG = 'x'.repeat(1000);

	it.each<[string, unknown, string]>([
		['a message', { message: '(#131047) Too late' }, '(#131047) Too late'],
		['error as text', { error: 'Error 131047' }, 'Error 131047'],
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
		['a code that the document lacks', { message: '(#132001) No such template' }, '132001'],
		['a code that is called so', { details: 'Failed. Error code: 131050' }, '131050'],
		['a code of the prototype', Object.create({ code: 131026, message: TEXT })],
	])('%s is told from what is no code of the network', (...[, body, networkCode]) => {
		expect(readErrorBody(body).networkCode).toBe(networkCode);
	});

	it.each<[string, unknown]>([
		['detail (a problem document)', { title: 'Bad Request', detail: TEXT }],
		['the outermost message', { message: TEXT, error: { message: 'inner' } }],
	])('the text is %s', (_, body) => {
		expect(readErrorBody(body).text).toBe(TEXT);
	});

	it.each([[''], [' \n'], [null], [[]], [{ message: 5 }]])('%j says nothing', (body) => {
		expect(readErrorBody(body)).toEqual({ isWebPage: false });
	});

	it.each([
		['\ufeff\n  <!doctype HTML>', true],
		['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', true],
		['<pre>Cannot GET /api</pre>', true],
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
