import {
	failureFromAnswer,
	failureFromDelivery,
	failureFromFault,
	failureFromUnreadable,
	notStarted,
	tooLate,
} from '../../../nodes/BusinessMessaging/errors/failure';
import { FAULT_SENTENCES } from '../../../nodes/BusinessMessaging/errors/faultSentences';
import type { FaultKind } from '../../../nodes/BusinessMessaging/errors/faults';
import { NETWORK_ERRORS } from '../../../nodes/BusinessMessaging/errors/networkErrors';

const MAY_HAVE_GONE = /^The message may have been sent\. Before you send it again, check/;

function answer(status: number, body: unknown = '') {
	return { status, headers: {}, body };
}

const KINDS = Object.keys(FAULT_SENTENCES) as FaultKind[];

// README, Send to a spreadsheet: notSent and unknown
describe('a request without an answer', () => {
	it.each(KINDS)('%s before sending: the message was not sent', (kind) => {
		const failure = failureFromFault({ kind, beforeSending: true }, 'send');
		expect(failure).toMatchObject({ outcome: 'notSent', httpStatus: null, networkCode: null });
		expect(failure.retryable).toBe(
			!['certificate', 'notEncrypted', 'credential', 'canceled'].includes(kind),
		);
		expect(failure.remedy).not.toMatch(MAY_HAVE_GONE);
	});

	it.each(KINDS)('%s after sending: the message may have gone, and is not sent again', (kind) => {
		const failure = failureFromFault({ kind, beforeSending: false }, 'send');
		expect(failure).toMatchObject({ outcome: 'unknown', retryable: false });
		expect(failure.remedy).toMatch(MAY_HAVE_GONE);
	});

	it.each(KINDS)('%s of a look-up says nothing of what became of the message', (kind) => {
		for (const beforeSending of [true, false]) {
			const failure = failureFromFault({ kind, beforeSending }, 'status');
			expect(failure.outcome).toBeNull();
			expect(failure.remedy).not.toMatch(MAY_HAVE_GONE);
		}
	});

	it('each kind has a sentence of its own', () => {
		const failures = KINDS.map((kind) => failureFromFault({ kind, beforeSending: true }, 'send'));
		expect(new Set(failures.map(({ message }) => message)).size).toBe(KINDS.length);
		for (const { message, remedy } of failures) {
			expect(message).toMatch(/^[A-Z].*[^.]$/);
			expect(remedy).toMatch(/^[A-Z].*\.$/);
		}
	});

	it.each([
		['a message that was to be sent was not', 'send', 'notSent'],
		['of a message that was to be looked up nothing is said', 'status', null],
	] as const)('when the turn of an item had not come, %s', (_, purpose, outcome) => {
		expect(notStarted(purpose).failure).toMatchObject({ outcome, retryable: false });
		expect(tooLate(purpose)).toMatchObject({ outcome, retryable: true });
	});
});

// README, Send to a spreadsheet: rejected and unknown
describe('an answer with an error', () => {
	it.each([
		[400, 'refused the request as invalid', 'Check the recipient'],
		[401, 'key is missing or not valid', 'Settings → API Keys'],
		[403, 'Access to the API was refused', 'proxy or firewall'],
		[407, 'proxy of n8n asks for a user name', 'Whoever runs n8n'],
		[404, 'did not find the template or the address', 'Template Name'],
		[429, 'rate limit', 'Wait a minute'],
		...[200, 299, 402, 405, 410, 417, 421, 422, 425, 451].map((status) => [
			status,
			`HTTP ${status}`,
		]),
		...[301, 302, 307, 308].map((status) => [status, 'redirects to another address']),
	])('%i to a send says that it was not sent: %s', (status, message, remedy = 'Base URL') => {
		const httpStatus = Number(status);
		expect(failureFromAnswer(answer(httpStatus), 'send')).toStrictEqual({
			message: expect.stringContaining(String(message)),
			remedy: expect.stringMatching(new RegExp(`${remedy}.*\\.$`)),
			httpStatus,
			networkCode: null,
			outcome: 'rejected',
			retryable: httpStatus === 429,
		});
	});

	it.each([
		100, 101, 300, 303, 304, 305, 306, 399, 408, 409, 418, 420, 423, 424, 430, 499, 500, 502, 503,
	])('%i to a send leaves open whether it was sent', (httpStatus) => {
		const message =
			httpStatus < 500
				? "The API's answer does not say whether it sent the message"
				: 'The API is not working properly';
		expect(failureFromAnswer(answer(httpStatus), 'send')).toStrictEqual({
			message: expect.stringMatching(new RegExp(`^${message}.*\\(HTTP ${httpStatus}\\)$`)),
			remedy: expect.stringMatching(/may have been sent.*\.$/),
			httpStatus,
			networkCode: null,
			outcome: 'unknown',
			retryable: false,
		});
	});

	it.each([
		[400, 'invalid', false],
		[404, 'knows no message with this ID', false],
		[408, 'HTTP 408', true],
		[429, 'rate limit', true],
		[500, 'HTTP 500', true],
	])(
		'%i to a look-up says "%s", and whether a repetition helps',
		(httpStatus, message, retryable) => {
			expect(failureFromAnswer(answer(httpStatus), 'status')).toMatchObject({
				message: expect.stringContaining(message),
				remedy: expect.stringMatching(/^[A-Z].*\.$/),
				outcome: null,
				retryable,
			});
		},
	);

	it.each([300, 303, 399])('%i to a look-up is a redirect', (status) => {
		expect(failureFromAnswer(answer(status), 'status')).toMatchObject({
			message: expect.stringContaining('redirects to another address'),
			outcome: null,
		});
	});

	it.each([
		['success: false, but a message ID', { success: false, data: { message_id: 'm1' } }, 'unknown'],
		['success: false and no message ID', { success: false, data: { message_id: ' ' } }, 'rejected'],
		['success: false and no data', { success: false }, 'rejected'],
	])('a good status with %s to a send: %s', (_, body, outcome) => {
		const failure = failureFromAnswer(answer(200, body), 'send');
		expect(failure).toMatchObject({ outcome, retryable: false });
		expect(failure.messageId).toBe(outcome === 'unknown' ? 'm1' : undefined);
		expect(MAY_HAVE_GONE.test(failure.remedy)).toBe(outcome === 'unknown');
	});

	it('a refusal that gives the message an ID keeps it, but not that of a look-up', () => {
		const refusal = answer(400, { data: { message_id: 'm1' } });
		const failure = failureFromAnswer(refusal, 'send');
		expect(failure).toMatchObject({ outcome: 'rejected', messageId: 'm1' });
		expect(failureFromAnswer(refusal, 'status')).not.toHaveProperty('messageId');
	});

	it('400 to a look-up does not speak of recipients and templates', () => {
		const { remedy } = failureFromAnswer(answer(400), 'status');
		expect(remedy).toBe('Check the Base URL in the credential, and the message ID in the node.');
	});

	it.each(Object.entries(NETWORK_ERRORS))('network code %s has its sentence', (code, sentence) => {
		for (const [status, body] of [
			[400, { error: { code: Number(code) } }],
			[404, `Failed with ${code}`],
			[200, { success: false, errors: [{ code }] }],
		] as const) {
			expect(failureFromAnswer(answer(status, body), 'send')).toMatchObject({
				message: sentence.message,
				remedy: expect.stringContaining(sentence.remedy),
				networkCode: code,
				httpStatus: status,
				outcome: 'rejected',
			});
		}
	});

	it('a network code with a status of 500 still leaves the outcome unknown', () => {
		const failure = failureFromAnswer(answer(500, { code: 131026 }), 'send');
		expect(failure).toMatchObject({ networkCode: '131026', outcome: 'unknown' });
		expect(failure.remedy).toMatch(MAY_HAVE_GONE);
	});

	it.each([
		['to:\n invalid', 'to: invalid".'],
		['"to" is invalid.', '"to" is invalid."'],
	])('what the API says is quoted, on one line: %j', (message, quoted) => {
		const { remedy } = failureFromAnswer(answer(400, { message }), 'send');
		expect(remedy).toBe(
			`Check the recipient, the template name, the category and the number of variables. The API says: "${quoted}`,
		);
	});

	it.each([
		[{ success: false, error: { message: 'Upgrade to use the API' } }, {}],
		[{}, {}],
		['', { 'x-ratelimit-remaining': '59' }],
		['Forbidden', { 'x-ratelimit-reset': '1' }],
	])('403 with %j and the headers %j is the plan', (body, headers) => {
		const { message, remedy } = failureFromAnswer({ status: 403, headers, body }, 'send');
		expect(message).toBe("Your account's plan has no API access");
		expect(remedy).toContain('Scale and Enterprise plans');
	});

	it.each(['', 'Forbidden', 'error code: 1020', []])(
		'403 with %j may come from a proxy or firewall as well',
		(body) => {
			const { message, remedy } = failureFromAnswer(answer(403, body), 'send');
			expect(message).toBe('Access to the API was refused (HTTP 403)');
			expect(remedy).toMatch(/proxy or firewall .* plan without API access/);
		},
	);

	const page = '<!doctype html><title>Not here</title>';

	it.each([400, 401, 403, 404, 405])('%i with a web page says so, and quotes nothing', (status) => {
		const ofProxy = ', and whether a proxy or firewall keeps n8n from the API';
		expect(failureFromAnswer(answer(status, page), 'send')).toMatchObject({
			message: 'A web page answered instead of the API',
			remedy: `Check the Base URL in the credential${status === 403 ? ofProxy : ''}.`,
			outcome: 'rejected',
		});
	});

	it.each([
		[407, 'proxy of n8n'],
		[408, 'HTTP 408'],
		[429, 'rate limit'],
		[500, 'HTTP 500'],
		[503, 'HTTP 503'],
	])('%i with the web page of a gateway is what its status says', (status, message) => {
		expect(failureFromAnswer(answer(status, page), 'send').message).toContain(message);
	});

	it.each<[unknown, string, RegExp]>([
		[page, 'A web page answered instead of the API', /customer\. Check the Base URL in the c.*\.$/],
		['', 'The API accepted the request, but its answer has no message ID', /the customer\.$/],
		[{ success: true }, 'The API accepted the request, but its', /the customer\.$/],
		['{"success": tr', 'The API accepted the request, but its', /the customer\.$/],
	])('a good status with %j to a send: the message may have gone', (body, message, end) => {
		const failure = failureFromUnreadable(answer(200, body), 'send');
		expect(failure).toMatchObject({ httpStatus: 200, outcome: 'unknown', retryable: false });
		expect(failure.message).toContain(message);
		expect(failure.remedy).toMatch(MAY_HAVE_GONE);
		expect(failure.remedy).toMatch(end);
	});

	it.each<[unknown, string, string, boolean]>([
		[
			page,
			'A web page answered instead of the API',
			'Check the Base URL in the credential.',
			false,
		],
		[{}, 'The answer of the API has no message status', 'Try again later.', true],
	])('a good status with %j to a look-up says nothing', (body, message, remedy, retryable) => {
		expect(failureFromUnreadable(answer(200, body), 'status')).toEqual({
			message,
			remedy,
			httpStatus: 200,
			networkCode: null,
			outcome: null,
			retryable,
		});
	});
});

describe('a message that the network could not deliver', () => {
	it.each(Object.entries(NETWORK_ERRORS))('%s has its sentence', (code, sentence) => {
		expect(
			failureFromDelivery({ message_id: 'm1', status: 'failed', error: { code } }, 'm1'),
		).toMatchObject({
			message: `The message could not be delivered: ${sentence.message}`,
			remedy: expect.stringContaining(sentence.remedy),
			networkCode: code,
			outcome: 'rejected',
			messageId: 'm1',
			retryable: false,
		});
	});

	it('quotes what the API says', () => {
		const record = { message_id: 'm1', status: 'failed', reason: 'Blocked by the customer' };
		expect(failureFromDelivery(record, 'm1').remedy).toBe(
			'Check the number, or reach the customer in another way. The API says: "Blocked by the customer".',
		);
	});

	it('without a code has a remedy all the same', () => {
		expect(failureFromDelivery({ message_id: 'm1', status: 'failed' }, 'm1')).toMatchObject({
			message: 'The message could not be delivered',
			remedy: 'Check the number, or reach the customer in another way.',
			networkCode: null,
		});
	});
});

it('a request whose turn comes too late says what to change', () => {
	expect(tooLate('status')).toEqual({
		message: 'The rate limit left no time to ask the API',
		remedy: 'Raise Wait Timeout under Options, or send fewer items at once.',
		httpStatus: null,
		networkCode: null,
		outcome: null,
		retryable: true,
	});
});

describe('the sentences of the network codes', () => {
	it('cover section 7.2, and end as sentences do', () => {
		expect(Object.keys(NETWORK_ERRORS).sort()).toEqual(['131026', '131047', '131051', '133004']);
		for (const { message, remedy } of Object.values(NETWORK_ERRORS)) {
			expect(message).toMatch(/^[A-Z].*[^.]$/);
			expect(remedy).toMatch(/^[A-Z].*\.$/);
		}
	});
});
