import { answerViolations } from '../../../playground/api/contract.ts';
import { REFUSALS } from '../../../playground/api/wellKnown.ts';
import { call, localApis, lookUp, send, validMessage } from './client.ts';
import { receivers } from './receiver.ts';

const start = localApis();
const receive = receivers();
const SEND = '/api/integrations/messages/send';
const STATUS = '/api/integrations/messages/status';

describe('the server', () => {
	test('answers as the description says, each status included', async () => {
		const api = await start({ deliveredAfterMs: 0, readAfterMs: 0 });
		const sent = await send(api);
		const asked = { method: 'POST', path: SEND };
		expect(answerViolations({ ...asked, ...sent, body: sent.text })).toEqual([]);

		const messageId = String(sent.json.data.message_id);
		const looked = await lookUp(api, messageId);
		const path = `${STATUS}/${messageId}`;
		expect(answerViolations({ method: 'GET', path, ...looked, body: looked.json })).toEqual([]);

		const statuses = new Set<number>();
		for (const { templateName } of REFUSALS) {
			const refused = await send(api, { templateName });
			statuses.add(refused.status);
			expect(answerViolations({ ...asked, ...refused, body: refused.text })).toEqual([]);
		}
		expect([...statuses].sort()).toEqual([400, 401, 403, 404, 429, 500]);
	});

	test('records each request with its violations and refuses the wrong ones with 400', async () => {
		const api = await start();
		expect((await send(api)).status).toBe(200);
		const { status, json: body } = await send(api, { to: '12025550110', extra: 1 });
		expect(status).toBe(400);
		expect(body.error.message).toMatch(/extra.*body\.to/);
		expect(api.calls).toMatchObject([
			{ method: 'POST', path: SEND, body: validMessage, answeredStatus: 200, violations: [] },
			{ body: { extra: 1 }, answeredStatus: 400, violations: [/extra/, /to/].map(matching) },
		]);
		expect(api.calls[0].headers['x-api-key']).toBe(api.settings.apiKeys[0].key);
		expect(Math.abs(api.calls[0].receivedAt - Date.now())).toBeLessThan(5000);
	});

	test('keeps the text of a body that is not JSON', async () => {
		const api = await start();
		const answer = await call(api, 'POST', SEND, '{"to":', { 'X-API-Key': 'k' });
		expect(answer.status).toBe(401);
		expect(api.calls).toMatchObject([{ body: '{"to":', answeredStatus: 401 }]);
	});

	test('lets everything pass when told so, and still notes what was wrong', async () => {
		const api = await start({ validateRequests: false });
		expect((await send(api, { extra: 1 })).status).toBe(200);
		expect(api.calls).toMatchObject([{ violations: [matching(/extra/)] }]);
	});

	test('forgets requests and deliveries when told so', async () => {
		const { url, received } = await receive();
		const api = await start({ recordCalls: false });
		api.webhookUrls = [url];
		expect((await send(api, { extra: 1 })).status).toBe(400);
		expect((await api.emit('message.read', {})).deliveries).toHaveLength(1);
		expect(received).toHaveLength(1);
		expect([api.calls, api.deliveries]).toEqual([[], []]);
	});
});

function matching(pattern: RegExp): unknown {
	return expect.stringMatching(pattern);
}
