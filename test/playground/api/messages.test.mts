import type { ErrorShape } from '../../../playground/api/settings.mts';
import {
	ANSWER_LOST,
	CUSTOMER,
	DEVELOPMENT_KEY,
	FAILS,
	FREE_PLAN_KEY,
	NEVER_READ,
	OTHER_ACCOUNT_KEY,
	PRODUCTION_KEY,
	REFUSALS,
	STAYS_SENT,
} from '../../../playground/api/wellKnown.mts';
import { lookUp, send, start } from './client.mts';

const NOW = Date.UTC(2026, 0, 1, 12);
const HOUR_MS = 3_600_000;

afterEach(() => jest.restoreAllMocks());

const clock = () => jest.spyOn(Date, 'now').mockReturnValue(NOW);

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

	test.each([
		['utility', 0.115],
		['marketing', 0.8631],
	])('a %s message has exactly the documented fields, and costs %d', async (category, amount) => {
		clock();
		const api = await start();
		const { status, json } = await send(api, { category });
		expect(status).toBe(200);
		expect(json).toEqual({
			success: true,
			data: {
				message_id: expect.stringMatching(/^msg_.{36}$/),
				to: CUSTOMER,
				status: 'sent',
				template_name: 'order_update',
				category,
				cost: { amount, currency: 'INR', pricing_category: category },
				sent_at: '2026-01-01T12:00:00.000Z',
			},
		});
		expect((await lookUp(api, json.data.message_id)).json.data.cost).toBe(amount);
	});

	test('a service message is free for 24 hours after the customer wrote, and refused otherwise', async () => {
		const now = clock();
		const api = await start();
		const service = async () => await send(api, { category: 'service' });
		expect((await service()).json.error.code).toBe(131047);
		await api.customerWrites(CUSTOMER, 'Hello');
		now.mockReturnValue(NOW + 24 * HOUR_MS - 1);
		expect((await service()).json.data.cost.amount).toBe(0);
		expect((await send(api, { category: 'service', to: '+12025550111' })).status).toBe(400);
		now.mockReturnValue(NOW + 24 * HOUR_MS);
		expect((await service()).json.error.code).toBe(131047);
	});

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

	test('a lost answer leaves a sent message behind', async () => {
		const api = await start();
		await expect(send(api, { to: ANSWER_LOST })).rejects.toThrow('fetch failed');
		expect([...api.messages.values()]).toMatchObject([{ to: ANSWER_LOST }]);
		expect(api.calls).toMatchObject([{ answeredStatus: null }]);
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
		['flat', 'application/json', { code: 131026, message }],
		['list', 'application/json', { errors: [{ code: 131026, message }] }],
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
	const sent = { status: 'sent', delivered_at: null, read_at: null };
	const failed = { status: 'failed', delivered_at: null, read_at: null };
	const at1s = '2026-01-01T12:00:01.000Z';
	const delivered = { status: 'delivered', delivered_at: at1s, read_at: null };
	const read = { status: 'read', delivered_at: at1s, read_at: '2026-01-01T12:00:03.000Z' };

	test.each([
		['a customer', CUSTOMER, [sent, delivered, delivered, read]],
		['a number where delivery fails', FAILS, [sent, failed, failed, failed]],
		['a phone that is off', STAYS_SENT, [sent, sent, sent, sent]],
		['a customer who never reads', NEVER_READ, [sent, delivered, delivered, delivered]],
	])('of a message to %s follows the clock', async (_name, to, expected) => {
		const now = clock();
		const api = await start({ deliveredAfterMs: 1000, readAfterMs: 2000 });
		const { message_id, sent_at, template_name } = (await send(api, { to })).json.data;
		for (const [step, afterMs] of [999, 1000, 2999, 3000].entries()) {
			now.mockReturnValue(NOW + afterMs);
			const fixed = { message_id, to, sent_at, template_name, cost: 0.115 };
			const data = { ...fixed, ...expected[step] };
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
