import type { ErrorShape } from '../../../playground/api/settings.ts';
import { call, localApis, send } from './client.ts';

const start = localApis();
const message = 'Invalid Phone Number';

describe('error bodies', () => {
	test.each<[ErrorShape, string | undefined, string | RegExp | object]>([
		['nested', 'json', { success: false, error: { code: 131026, message } }],
		['flat', 'json', { code: 131026, message }],
		['list', 'json', { errors: [{ code: 131026, message }] }],
		['errorData', 'json', { error: { code: 131026, error_data: { details: message } } }],
		['text', 'text/plain', `Error 131026: ${message}`],
		['html', 'text/html', /^<!doctype html>.*Invalid Phone Number.*131026/],
		['empty', undefined, ''],
	])('have the shape %s on request', async (errorShape, contentType, expected) => {
		const api = await start({ errorShape });
		const answer = await send(api, { templateName: 'always_131026' });
		expect(answer.status).toBe(400);
		expect(answer.headers['content-type'] ?? 'none').toContain(contentType ?? 'none');
		if (expected instanceof RegExp) expect(answer.text).toMatch(expected);
		else if (typeof expected === 'string') expect(answer.text).toBe(expected);
		else expect(answer.json).toEqual(expected);
	});

	test('what a customer typed cannot become markup', async () => {
		const api = await start({ errorShape: 'html' });
		expect((await send(api, { '<script>': 1 })).text).not.toContain('<script>');
	});

	test.each([
		['an unknown path', 'POST', '/api/integrations/messages', 404, 'NOT_FOUND'],
		['another method', 'GET', '/api/integrations/messages/send', 404, 'NOT_FOUND'],
		[
			'a path that cannot be decoded',
			'GET',
			'/api/integrations/messages/status/%E0%A4%A',
			400,
			'BAD_REQUEST',
		],
	])('%s is refused in the same shape', async (_name, method, path, status, code) => {
		const api = await start();
		const answer = await call(api, method, path, undefined, {
			'x-api-key': api.settings.apiKeys[0].key,
		});
		expect(answer.status).toBe(status);
		expect(answer.json).toMatchObject({ success: false, error: { code } });
		expect(api.calls).toMatchObject([{ method, path, answeredStatus: status }]);
		expect(api.calls[0].violations).toHaveLength(1);
	});

	test('a body over 1 MiB is a bad request', async () => {
		const api = await start();
		const answer = await send(api, { templateName: 'x'.repeat(1_100_000) });
		expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
	});
});
