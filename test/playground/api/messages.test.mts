import type { ErrorShape } from '../../../playground/api/settings.mts';
import {
	CUSTOMER,
	DEVELOPMENT_KEY,
	FREE_PLAN_KEY,
	OTHER_ACCOUNT_KEY,
	PRODUCTION_KEY,
	REFUSALS,
} from '../../../playground/api/wellKnown.mts';
import { lookUp, send, start } from './client.mts';

const NOW = Date.UTC(2026, 0, 1, 12);

afterEach(() => jest.restoreAllMocks());

test.each([
	['of development', DEVELOPMENT_KEY, 200],
	['in other letters', DEVELOPMENT_KEY.toUpperCase(), 401],
	['of the Free plan', FREE_PLAN_KEY, 403],
])('a key %s is answered as the document says', async (_name, key, status) => {
	const api = await start();
	expect((await send(api, {}, key)).status).toBe(status);
	expect((await lookUp(api, 'none', key)).status).toBe(status === 200 ? 404 : status);
	expect(api.messages.size).toBe(status === 200 ? 1 : 0);
});

describe('sending', () => {
	const message = 'Invalid Phone Number';

	test.each(REFUSALS)('$recipient and $templateName are refused', async (refusal) => {
		const api = await start({ networkErrorStatus: 500 });
		const { recipient, templateName, code, message, httpStatus = 500 } = refusal;
		for (const asked of [{ to: recipient }, { templateName }]) {
			const { status, json } = await send(api, asked);
			expect([status, json]).toEqual([httpStatus, { success: false, error: { code, message } }]);
		}
		expect((await lookUp(api, templateName)).json.error.code).toBe(code);
		expect(api.messages.size).toBe(0);
	});

	test('the next requests fail as asked for, in order, and those after them pass', async () => {
		const api = await start({ failNext: [500, 131026, 429, 0] });
		expect((await send(api, {}, FREE_PLAN_KEY)).status).toBe(403);
		expect((await send(api)).json.error.code).toBe('INTERNAL_SERVER_ERROR');
		expect((await lookUp(api, 'none')).json.error.code).toBe(131026);
		const limited = await send(api);
		expect([limited.status, limited.headers['x-ratelimit-remaining']]).toEqual([429, '0']);
		await expect(send(api)).rejects.toThrow('fetch failed');
		expect(api.messages.size).toBe(0);
		expect((await send(api)).status).toBe(200);
		expect(api.settings.failNext).toEqual([]);
	});

	test.each<[ErrorShape, string, string | RegExp | object]>([
		[
			'errorData',
			'application/json',
			{ error: { code: 131026, error_data: { details: message } } },
		],
		['text', 'text/plain', `Error 131026: ${message}`],
		['html', 'text/html', expect.stringMatching(/^<!doctype html>.*Invalid Phone Number.*131026/)],
		['empty', 'undefined', ''],
	])('a refusal has the shape %s on request', async (errorShape, contentType, expected) => {
		const api = await start({ errorShape });
		const { status, headers, json, text } = await send(api, { templateName: 'always_131026' });
		expect(status).toBe(400);
		expect(String(headers['content-type'])).toContain(contentType);
		expect(json ?? text).toEqual(expected);
	});
});

describe('a status', () => {
	test('follows the clock', async () => {
		const now = jest.spyOn(Date, 'now').mockReturnValue(NOW);
		const api = await start({ deliveredAfterMs: 1000, readAfterMs: 2000 });
		const { message_id, sent_at, template_name } = (await send(api)).json.data;
		const delivered_at = '2026-01-01T12:00:01.000Z';
		const read_at = '2026-01-01T12:00:03.000Z';
		for (const [afterMs, status] of [
			[999, { status: 'sent', delivered_at: null, read_at: null }],
			[1000, { status: 'delivered', delivered_at, read_at: null }],
			[2999, { status: 'delivered', delivered_at, read_at: null }],
			[3000, { status: 'read', delivered_at, read_at }],
		] as const) {
			now.mockReturnValue(NOW + afterMs);
			const data = { message_id, to: CUSTOMER, sent_at, template_name, cost: 0.115, ...status };
			expect((await lookUp(api, message_id)).json).toEqual({ success: true, data });
		}
	});

	test('is known to the keys of the account that sent it, and to no others', async () => {
		const api = await start();
		const { message_id } = (await send(api)).json.data;
		const statuses = [DEVELOPMENT_KEY, PRODUCTION_KEY, OTHER_ACCOUNT_KEY].map(
			async (key) => (await lookUp(api, message_id, key)).status,
		);
		expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
	});
});
