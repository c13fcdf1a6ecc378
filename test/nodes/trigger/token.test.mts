import crypto, { randomUUID } from 'node:crypto';

import { systemClock } from '../../support/fastClock.mts';
import {
	incoming,
	post,
	type Answered,
	type WebhookRequest,
	type WebhookSetting,
} from '../../support/webhookDouble.mts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.mts'),
);

const SECRET = 's3cret-token-0815';
const PREVIOUS = 'older-token-0815';
const BOTH = { webhookSecret: SECRET, previousWebhookSecret: PREVIOUS };

/** Of a request to a new trigger, unless one is given. */
async function answerTo(
	request: WebhookRequest,
	credential: WebhookSetting['credential'] = BOTH,
	trigger: WebhookSetting = { nodeId: randomUUID() },
) {
	return await post(incoming(), { query: {}, ...request }, { credential, ...trigger });
}

/** A refused sender is not told why; the log is. */
async function expectRefused(answer: Promise<Answered>, why = 'the token is wrong') {
	const { status, body, items, log } = await answer;
	expect([status, items]).toEqual([401, undefined]);
	expect(body).toEqual({ status: 'error', message: 'The token is missing or wrong' });
	expect(log).toEqual([expect.stringContaining(`Webhook request answered 401: ${why}`)]);
}

const inQuery = (token: unknown) => ({ query: { token } });
const inHeader = (token: unknown) => ({ headers: { 'x-webhook-token': token } });
const asBearer = (token: unknown) => ({ headers: { authorization: `Bearer ${String(token)}` } });

// README, Credentials: the previous secret
// SECURITY, The trigger: a request must carry a secret
describe.each(Object.entries({ inQuery, inHeader, asBearer }))('a token %s', (_, carry) => {
	it.each([SECRET, PREVIOUS])('%s is accepted', async (token) => {
		expect((await answerTo(carry(token))).status).toBe(200);
	});

	it.each([
		['shorter', SECRET.slice(0, -1)],
		['of the same length', SECRET.replace('s', 'S')],
		['both secrets in one', `${SECRET},${PREVIOUS}`],
	])('%s is refused', async (_name, token) => {
		await expectRefused(answerTo(carry(token)));
	});

	// SECURITY, The trigger: fails closed
	it.each([
		{},
		{ webhookSecret: ' ' },
		{ webhookSecret: 12345 },
		// The credential does not show it without a secret.
		{ previousWebhookSecret: SECRET },
	])('is refused where the credential has %j', async (credential) => {
		for (const token of [SECRET, '12345']) {
			const answer = answerTo(carry(token), credential);
			await expectRefused(answer, 'The credential has no Webhook Secret');
		}
		await expectRefused(answerTo(carry(''), credential), 'the token is missing');
	});
});

// docs/credentials.md: at least 16 characters
it.each([
	{ webhookSecret: '15 characters a' },
	{ webhookSecret: SECRET, previousWebhookSecret: '15 characters a' },
])('with %j every token is refused', async (credential) => {
	for (const token of ['15 characters a', SECRET]) {
		const answer = answerTo(inQuery(token), credential);
		await expectRefused(answer, 'A Webhook Secret in the credential has fewer than 16 characters');
	}
});

describe('a request', () => {
	it.each<[string, WebhookRequest]>([
		['without a token', {}],
		['without a query', { query: undefined }],
		['with the token twice in the query', inQuery([SECRET, SECRET])],
		['with the header as a list', inHeader([SECRET])],
		['with another scheme', { headers: { authorization: `Basic ${SECRET}` } }],
		['with the token without a scheme', { headers: { authorization: SECRET } }],
		['with a longer scheme', { headers: { authorization: `XBearer ${SECRET}` } }],
		['with the scheme in a list', { headers: { authorization: [`Bearer ${SECRET}`] } }],
		['with the scheme run into it', { headers: { authorization: `BearerX${SECRET}` } }],
		['with a blank token', inQuery(' ')],
	])('%s is refused, and the credential is not read', async (_, request) => {
		const answer = answerTo(request);
		await expectRefused(answer, 'the token is missing');
		expect((await answer).credentialReads).toBe(0);
	});

	it.each<[string, WebhookRequest]>([
		['spell the scheme in its own way', { headers: { authorization: `bearer  ${SECRET} ` } }],
		['carry a wrong token beside the right one', { ...inQuery('wrong'), ...inHeader(SECRET) }],
	])('may %s', async (_, request) => {
		expect((await answerTo(request)).status).toBe(200);
	});

	it('needs no token where none is asked for', async () => {
		expect((await answerTo({}, {}, { parameters: { authentication: 'none' } })).status).toBe(200);
	});

	// SECURITY, The trigger: an expression that reads an item
	it('is refused, and the log says why, where the credential reads an item', async () => {
		const unexecuted = Object.assign(new Error('not executed'), { name: 'ExpressionError' });
		const why = "n8n can't compute the credential's expressions for a trigger";
		await expectRefused(answerTo(inQuery(SECRET), unexecuted), why);
	});

	// SECURITY, The API key: secrets are in no line of the log
	it('has its token in no answer and no line of the log', async () => {
		const { body, log } = await answerTo(inQuery('wrong-token'));
		expect(JSON.stringify([body, log])).not.toMatch(/wrong-token|s3cret-token/);
	});
});

it.each<[object, string]>([
	[{ webhookSecret: ` ${SECRET}\n`, previousWebhookSecret: '' }, SECRET],
	[{ webhookSecret: '16-characters-is' }, '16-characters-is'],
])('a credential with %j accepts %s only', async (credential, accepted) => {
	expect((await answerTo(inQuery(accepted), { ...credential })).status).toBe(200);
	const refused = { '': 'the token is missing', other: 'the token is wrong' };
	for (const [other, why] of Object.entries(refused)) {
		await expectRefused(answerTo(inQuery(other), { ...credential }), why);
	}
});

// SECURITY, The trigger: compared in constant time, by its SHA-256 digest
it.each([SECRET, 's', 'x'.repeat(99)])('comparing %s takes as long as any token', async (token) => {
	const compare = jest.spyOn(crypto, 'timingSafeEqual');
	await answerTo(inHeader(token));
	const sizes = compare.mock.calls.map((texts) => texts.map(({ byteLength }) => byteLength));
	compare.mockRestore();
	expect(sizes.join(' ')).toBe('32,32 32,32');
});

// SECURITY, The trigger: a new secret at once, an old one for ten seconds
describe('after a change of the credential', () => {
	/** Whether the trigger accepts the old secret. */
	const accepts = async (
		trigger: WebhookSetting,
		webhookSecret = 'new-secret-of-0815',
		token = SECRET,
	) => {
		const given = { credentialId: 'account', ...trigger };
		return (await answerTo(inQuery(token), { webhookSecret }, given)).status === 200;
	};

	it('the new secret is accepted at once, and the old one for ten seconds', async () => {
		await accepts({ nodeId: 'changed' }, SECRET);
		systemClock.pass(9_999);
		expect(await accepts({ nodeId: 'changed' })).toBe(true);
		systemClock.pass(1);
		expect(await accepts({ nodeId: 'changed' })).toBe(false);
		await accepts({ nodeId: 'changed' }, SECRET);
		expect(await accepts({ nodeId: 'changed' }, 'new-secret-of-0815', 'new-secret-of-0815')).toBe(
			true,
		);
	});

	it('the credential is not read again while requests follow each other', async () => {
		const ask = async () => await answerTo(inQuery(SECRET), BOTH, { nodeId: 'asked' });
		expect((await ask()).credentialReads).toBe(1);
		expect((await ask()).credentialReads).toBe(0);
	});

	it.each<[string, WebhookSetting, WebhookSetting]>([
		['node', { nodeId: 'a' }, { nodeId: 'b' }],
		['workflow', { nodeId: 'n', workflowId: 'a' }, { nodeId: 'n', workflowId: 'b' }],
		['pair of IDs', { workflowId: '1', nodeId: '12' }, { workflowId: '11', nodeId: '2' }],
		['credential', { nodeId: 'm', credentialId: '1' }, { nodeId: 'm', credentialId: '2' }],
	])('the old secret is refused by another %s', async (_, trigger, other) => {
		await accepts(trigger, SECRET);
		expect(await accepts(trigger)).toBe(true);
		expect(await accepts(other)).toBe(false);
	});

	it('the old secret is refused when a thousand other triggers got a request since', async () => {
		await accepts({ nodeId: 'first' }, SECRET);
		let others = 0;
		for (; await accepts({ nodeId: 'first' }); others++) {
			await accepts({ nodeId: randomUUID() }, SECRET);
		}
		expect(others).toBeGreaterThan(900);
		expect(others).toBeLessThanOrEqual(1000);
	});
});
