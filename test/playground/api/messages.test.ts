import {
	ANSWER_LOST,
	CUSTOMER,
	FAILS,
	NEVER_READ,
	REFUSALS,
	STAYS_SENT,
} from '../../../playground/api/wellKnown.ts';
import { eventually } from '../../../playground/eventually.ts';
import { localApis, lookUp, send } from './client.ts';

const start = localApis();
const NOW = Date.UTC(2026, 0, 1, 12);
const HOUR_MS = 3_600_000;

afterEach(() => jest.restoreAllMocks());

function clock() {
	return jest.spyOn(Date, 'now').mockReturnValue(NOW);
}

describe('sending', () => {
	test.each([
		['authentication', 0.115],
		['utility', 0.115],
		['marketing', 0.8631],
	])(
		'a %s message is answered with exactly the documented fields and %d INR',
		async (category, amount) => {
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
		},
	);

	test('a service message is free for 24 hours after the customer wrote, and refused otherwise', async () => {
		const now = clock();
		const api = await start();
		const service = async () => await send(api, { category: 'service' });

		expect((await service()).json.error.code).toBe(131047);
		await api.customerWrites('12025550110', 'Hello');
		now.mockReturnValue(NOW + 24 * HOUR_MS - 1);
		expect((await service()).json.data.cost).toMatchObject({
			amount: 0,
			pricing_category: 'service',
		});
		expect((await send(api, { category: 'service', to: '+12025550111' })).status).toBe(400);
		now.mockReturnValue(NOW + 24 * HOUR_MS);
		expect((await service()).json.error.code).toBe(131047);
	});

	test.each(REFUSALS)('$recipient and $templateName are refused', async (refusal) => {
		const api = await start({ networkErrorStatus: 500 });
		const { recipient, templateName, code, message, httpStatus = 500 } = refusal;
		for (const asked of [{ to: recipient }, { templateName }]) {
			const answer = await send(api, asked);
			expect(answer.status).toBe(httpStatus);
			expect(answer.json).toEqual({ success: false, error: { code, message } });
		}
		const answer = await lookUp(api, templateName);
		expect([answer.status, answer.json.error.code]).toEqual([httpStatus, code]);
		expect(api.messages.size).toBe(0);
	});

	test.each([
		['a\nb', 400],
		['a\r', 400],
		['a\tb', 400],
		['a     b', 400],
		['a    b', 200],
		['', 200],
	])('a variable %j is answered %d', async (value, expected) => {
		const api = await start();
		const { status, json } = await send(api, { templateVariables: { 1: 'Asha', 2: value } });
		expect(status).toBe(expected);
		expect(api.messages.size).toBe(expected === 200 ? 1 : 0);
		if (expected === 400) {
			expect(json).toEqual({
				success: false,
				error: { code: 'BAD_REQUEST', message: expect.stringContaining('variable 2 has a line') },
			});
		}
	});

	test('the well-known names cover section 7 of the document', () => {
		const codes = REFUSALS.map(({ httpStatus, code }) => httpStatus ?? code);
		expect(codes).toEqual([400, 401, 403, 404, 429, 500, 131047, 131026, 133004, 131051]);
		expect(new Set(REFUSALS.map(({ recipient }) => recipient)).size).toBe(REFUSALS.length);
	});

	test('a lost answer leaves a sent message behind', async () => {
		const api = await start();
		await expect(send(api, { to: ANSWER_LOST })).rejects.toThrow('fetch failed');
		expect([...api.messages.values()]).toMatchObject([{ to: ANSWER_LOST }]);
		expect(api.calls).toMatchObject([{ answeredStatus: null }]);
	});

	test('an answer slower than the client leaves a sent message behind', async () => {
		const api = await start({ latencyMs: 60_000 });
		const answered = jest.fn();
		void send(api).then(answered, answered);
		await eventually('the message', () => api.calls[0]?.answeredStatus === 200);
		api.settings.latencyMs = 0;
		await lookUp(api, 'another');
		expect(answered).not.toHaveBeenCalled();
		expect(api.messages.size).toBe(1);
	});
});

describe('status', () => {
	const sent = { status: 'sent', delivered_at: null, read_at: null };
	const at1s = '2026-01-01T12:00:01.000Z';
	const at3s = '2026-01-01T12:00:03.000Z';
	const delivered = { status: 'delivered', delivered_at: at1s, read_at: null };
	const read = { status: 'read', delivered_at: at1s, read_at: at3s };
	const failed = { status: 'failed', delivered_at: null, read_at: null };

	test.each([
		['a customer', CUSTOMER, [sent, delivered, delivered, read]],
		['a number where delivery fails', FAILS, [sent, failed, failed, failed]],
		['a phone that is off', STAYS_SENT, [sent, sent, sent, sent]],
		['a customer who never reads', NEVER_READ, [sent, delivered, delivered, delivered]],
	])('of a message to %s follows the clock', async (_name, to, expected) => {
		const now = clock();
		const api = await start({ deliveredAfterMs: 1000, readAfterMs: 2000 });
		const { message_id } = (await send(api, { to })).json.data;

		for (const [step, afterMs] of [999, 1000, 2999, 3000].entries()) {
			now.mockReturnValue(NOW + afterMs);
			expect((await lookUp(api, message_id)).json).toEqual({
				success: true,
				data: {
					message_id,
					to,
					sent_at: '2026-01-01T12:00:00.000Z',
					template_name: 'order_update',
					cost: 0.115,
					...expected[step],
				},
			});
		}
	});

	test.each(['none', 'msg_%2F', 'x'.repeat(500)])('of an unknown message %s is 404', async (id) => {
		const api = await start();
		expect((await lookUp(api, id)).json.error).toEqual({
			code: 'NOT_FOUND',
			message: 'No such message',
		});
	});

	test('needs no timer while nobody listens to events', async () => {
		const api = await start({ deliveredAfterMs: 77_777 });
		const timer = jest.spyOn(globalThis, 'setTimeout');
		await send(api);
		expect(timer.mock.calls.filter(([, delay]) => Number(delay) > 70_000)).toEqual([]);
	});
});
