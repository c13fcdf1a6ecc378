import { contractViolations } from '../../../playground/api/contract.ts';
import { validMessage } from './client.ts';

const SEND = '/api/integrations/messages/send';
const STATUS = '/api/integrations/messages/status';
const key = { 'X-API-Key': 'k' };
const json = { ...key, 'Content-Type': 'application/json; charset=utf-8' };

describe('a request', () => {
	test.each([
		['with all fields', validMessage],
		['without variables', { ...validMessage, templateVariables: undefined }],
		['with no variable in them', { ...validMessage, templateVariables: {} }],
		['with many variables', { ...validMessage, templateVariables: { '10': '', '1': 'ä\n' } }],
		['with the shortest number', { ...validMessage, to: '+1234567' }],
		['with the longest number', { ...validMessage, to: '+123456789012345' }],
	])('%s keeps the contract', (_name, body) => {
		const text = JSON.stringify(body);
		const request = { method: 'POST', path: SEND, headers: json };
		expect(contractViolations({ ...request, body: text })).toEqual([]);
		expect(contractViolations({ ...request, body: JSON.parse(text) })).toEqual([]);
	});

	test.each([
		['to without plus', { to: '12025550110' }, 'body.to must match'],
		['to with spaces', { to: '+1 202 555 0110' }, 'body.to must match'],
		['to with a leading zero', { to: '+0120255501' }, 'body.to must match'],
		['to too short', { to: '+123456' }, 'body.to must match'],
		['to too long', { to: '+1234567890123456' }, 'body.to must match'],
		['to a number', { to: 12025550110 }, 'body.to must be string'],
		['to missing', { to: undefined }, "body must have required property 'to'"],
		['type missing', { type: undefined }, "body must have required property 'type'"],
		['type text', { type: 'text' }, 'body.type must be equal to constant (template)'],
		['templateName missing', { templateName: undefined }, "required property 'templateName'"],
		['templateName empty', { templateName: '' }, 'body.templateName must NOT have fewer'],
		['category missing', { category: undefined }, "required property 'category'"],
		['category auto', { category: 'auto' }, 'body.category must be equal to one of'],
		['variables a list', { templateVariables: ['a'] }, 'body.templateVariables must be object'],
		['variables null', { templateVariables: null }, 'body.templateVariables must be object'],
		['position 0', { templateVariables: { '0': 'a' } }, /templateVariables must match .*\(0\)/],
		['position 01', { templateVariables: { '01': 'a' } }, /templateVariables must match .*\(01\)/],
		['a named position', { templateVariables: { name: 'a' } }, /must match .*\(name\)/],
		['a value 1', { templateVariables: { '1': 1 } }, 'body.templateVariables.1 must be string'],
		['a value null', { templateVariables: { '1': null } }, 'templateVariables.1 must be string'],
		['an unknown field', { language: 'en' }, 'must NOT have additional properties (language)'],
	])('with %s breaks it, once', (_name, changes, expected) => {
		const body = JSON.stringify({ ...validMessage, ...changes });
		const violations = contractViolations({ method: 'POST', path: SEND, headers: json, body });
		expect(violations).toEqual([
			expect.stringMatching(expected instanceof RegExp ? expected : escapeOf(expected)),
		]);
	});

	test.each([
		['POST', SEND, {}, 'X-API-Key is missing'],
		['POST', SEND, { headers: { 'content-type': 'application/json' } }, 'X-API-Key is missing'],
		['POST', SEND, { headers: key }, 'Content-Type is not application/json'],
		['POST', SEND, { body: undefined }, 'the body is missing'],
		['POST', SEND, { body: '{' }, 'body must be object'],
		['POST', SEND, { body: [] }, 'body must be object'],
		['POST', `${SEND}?a=1`, {}, 'the endpoint takes no query'],
		['POST', `/v2${SEND}`, {}, `POST /v2${SEND} is not an endpoint`],
		['GET', SEND, {}, `GET ${SEND} is not an endpoint`],
		['GET', `${STATUS}/a/b`, { body: undefined }, `GET ${STATUS}/a/b is not an endpoint`],
		['GET', `${STATUS}/`, { body: undefined }, `GET ${STATUS}/ is not an endpoint`],
		['GET', `${STATUS}/%E0%A4%A`, { body: undefined }, 'messageId is not percent-encoded'],
		['GET', `${STATUS}/a`, {}, 'the endpoint takes no body'],
	])('%s %s with %j breaks it', (method, path, changes, expected) => {
		const headers = expected.startsWith('X-API-Key')
			? { 'content-type': 'application/json' }
			: json;
		const request = { method, path, headers, body: validMessage, ...changes };
		expect(contractViolations(request)).toEqual([expect.stringContaining(expected)]);
	});

	test('for a status keeps it with a slash that is encoded', () => {
		const request = { method: 'GET', path: `${STATUS}/a%2Fb`, headers: key };
		expect(contractViolations(request)).toEqual([]);
	});
});

function escapeOf(text: string): RegExp {
	return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
