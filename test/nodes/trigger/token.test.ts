import { incoming, post } from '../../support/triggerPost.ts';
import { SECRET, type WebhookRequest, type WebhookSetting } from '../../support/webhookDouble.ts';

// README, Credentials: the previous secret
// SECURITY, The trigger: a request must carry a secret
describe('the token', () => {
	const previous = { webhookSecret: 'new-secret', previousWebhookSecret: SECRET };

	const empty = { credential: { webhookSecret: '' } };
	const open = { parameters: { authentication: 'none' } };

	it.each<[string, number, WebhookRequest, WebhookSetting]>([
		['in the query', 200, { query: { token: SECRET } }, {}],
		['that is the previous one', 200, { query: { token: SECRET } }, { credential: previous }],
		['that is wrong', 401, { query: { token: `${SECRET}x` } }, {}],
		['that is as empty as the secret', 401, { query: { token: '' } }, empty],
		['that is missing where none is asked for', 200, { query: {} }, open],
	])('%s is answered %d', async (_, expected, request, setting) => {
		const { status, items } = await post(incoming(), request, setting);
		expect(status).toBe(expected);
		expect(items === undefined).toBe(expected !== 200);
	});

	// SECURITY, The API key: secrets are in no line of the log
	it('is in no answer and no line of the log', async () => {
		const { body, log } = await post(incoming(), { query: { token: 'wrong-token' } });
		expect(log).toEqual(['Webhook request answered 401: the token is missing or wrong']);
		expect(body).toEqual({ status: 'error', message: 'The token is missing or wrong' });
		expect(JSON.stringify([body, log])).not.toMatch(/wrong-token|secret-for-tests/);
	});

	it('is not looked up in the credential again while requests follow each other', async () => {
		const setting = { credentialId: 'asked once' };
		expect((await post(incoming(), {}, setting)).credentialReads).toBe(1);
		expect((await post(incoming(), {}, setting)).credentialReads).toBe(0);
	});

	// SECURITY, The trigger: an expression that reads an item
	it('is refused, and the log says why, where the credential reads an item', async () => {
		const unexecuted = Object.assign(new Error("Node '' hasn't been executed"), {
			name: 'ExpressionError',
		});
		const { status, log } = await post(incoming(), {}, { credential: unexecuted });
		expect(status).toBe(401);
		expect(log[0]).toContain("n8n can't compute the credential's expressions for a trigger");
	});

	it('is said in the log to be missing from the credential', async () => {
		const { log } = await post(incoming(), {}, { credential: {} });
		expect(log[0]).toContain('The credential has no Webhook Secret');
	});
});

// SECURITY, The trigger: a new secret at once, an old one for ten seconds
describe('the token after a change of the credential', () => {
	const statusOf = async (token: string, secret: string, credentialId: string) => {
		const setting = { credential: { webhookSecret: secret }, credentialId };
		return (await post(incoming(), { query: { token } }, setting)).status;
	};

	it('is accepted at once when it is the new one', async () => {
		expect(await statusOf('old', 'old', 'rotated')).toBe(200);
		expect(await statusOf('new', 'new', 'rotated')).toBe(200);
	});
});
