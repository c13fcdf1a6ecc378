import {
	DEVELOPMENT_KEY,
	FREE_PLAN_KEY,
	OTHER_ACCOUNT_KEY,
	PRODUCTION_KEY,
	START_PLAN_KEY,
} from '../../../playground/api/wellKnown.ts';
import { call, localApis, lookUp, send, validMessage } from './client.ts';

const start = localApis();

describe('API keys and plans', () => {
	test.each([
		['a development key', DEVELOPMENT_KEY, 200],
		['a production key of the same account', PRODUCTION_KEY, 200],
		['a key of another account on the Enterprise plan', OTHER_ACCOUNT_KEY, 200],
		['a key that does not exist', 'no-such-key', 401],
		['an empty key', '', 401],
		['a key in other letters', DEVELOPMENT_KEY.toUpperCase(), 401],
		['a key of an account on the Start plan', START_PLAN_KEY, 403],
		['a key of an account on the Free plan', FREE_PLAN_KEY, 403],
	])('%s is answered as the document says', async (_name, key, status) => {
		const api = await start();
		expect((await send(api, {}, key)).status).toBe(status);
		expect((await lookUp(api, 'none', key)).status).toBe(status === 200 ? 404 : status);
		expect(api.messages.size).toBe(status === 200 ? 1 : 0);
	});

	test('no key is 401, even with a body that is wrong', async () => {
		const api = await start();
		const path = '/api/integrations/messages/send';
		expect((await call(api, 'POST', path, validMessage)).status).toBe(401);
		expect((await call(api, 'POST', path, 'not JSON')).status).toBe(401);
	});

	test('keys can be replaced while the server runs', async () => {
		const api = await start();
		api.settings.apiKeys = [{ key: 'new', account: 'a', plan: 'Scale' }];
		expect((await send(api)).status).toBe(401);
		expect((await send(api, {}, 'new')).status).toBe(200);
	});
});
