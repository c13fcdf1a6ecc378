import crypto, { randomUUID } from 'node:crypto';

import { systemClock } from '../../support/fastClock.mts';
import {
	incoming,
	post,
	SECRET,
	type Answered,
	type WebhookRequest,
	type WebhookSetting,
} from '../../support/webhookDouble.mts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.mts'),
);

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

	// SECURITY, The API key: secrets are in no line of the log
	it.each([SECRET.slice(0, -1), SECRET.replace('s', 'S'), `${SECRET},${PREVIOUS}`])(
		'%s is refused, and stands in no answer and no line of the log',
		async (token) => {
			const answer = answerTo(carry(token));
			await expectRefused(answer);
			const { body, log } = await answer;
			expect(JSON.stringify([body, log])).not.toContain(token);
		},
	);
});

const NO_SECRET = 'The credential has no Webhook Secret';
const IN_CREDENTIAL = 'A Webhook Secret in the credential has';

const UNEXECUTED = Object.assign(new Error('not executed'), { name: 'ExpressionError' });

// SECURITY, The trigger: fails closed
// SECURITY, The trigger: an expression that reads an item
// docs/credentials.md: at least 16 characters
it.each<[string, WebhookSetting['credential']]>([
	["n8n can't compute the credential's expressions for a trigger", UNEXECUTED],
	[NO_SECRET, {}],
	[NO_SECRET, { webhookSecret: ' ' }],
	[NO_SECRET, { webhookSecret: 12345 }],
	// The credential does not show it without a secret.
	[NO_SECRET, { previousWebhookSecret: SECRET }],
	[`${IN_CREDENTIAL} fewer than 16 characters`, { webhookSecret: '15 characters a' }],
	[`${IN_CREDENTIAL} fewer`, { webhookSecret: SECRET, previousWebhookSecret: '15 characters a' }],
	[`${IN_CREDENTIAL} +, &, #, %`, { webhookSecret: SECRET, previousWebhookSecret: `+${SECRET}` }],
])('every token is refused, and the log says "%s", with %j', async (why, credential) => {
	for (const token of [SECRET, '12345', '15 characters a']) {
		await expectRefused(answerTo(inQuery(token), credential), why);
	}
	await expectRefused(answerTo(inQuery(''), credential), 'the token is missing');
});

it.each<[string, WebhookRequest]>([
	['without a token', {}],
	['without a query', { query: undefined }],
	['with the token twice in the query', inQuery([SECRET, SECRET])],
	['with the header as a list', inHeader([SECRET])],
	['with the token without a scheme', { headers: { authorization: SECRET } }],
	['with a longer scheme', { headers: { authorization: `XBearer ${SECRET}` } }],
	['with the scheme in a list', { headers: { authorization: [`Bearer ${SECRET}`] } }],
	['with the scheme run into it', { headers: { authorization: `BearerX${SECRET}` } }],
	['with a blank token', inQuery(' ')],
])('a request %s is refused, and the credential is not read', async (_, request) => {
	const answer = answerTo(request);
	await expectRefused(answer, 'the token is missing');
	expect((await answer).credentialReads).toBe(0);
});

it.each<[string, WebhookRequest, WebhookSetting]>([
	['spell the scheme in its own way', { headers: { authorization: `bearer  ${SECRET} ` } }, {}],
	['carry a wrong token, too', { ...inQuery('wrong'), ...inHeader(SECRET) }, {}],
	['have none where none is asked for', {}, { parameters: { authentication: 'none' } }],
])('a request may %s', async (_, request, trigger) => {
	const credential = { webhookSecret: ` ${SECRET}\n`, previousWebhookSecret: '' };
	expect((await answerTo(request, credential, trigger)).status).toBe(200);
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
	const NEW = 'new-secret-of-0815';
	/** Whether the trigger accepts the old secret. */
	const accepts = async (trigger: WebhookSetting, webhookSecret = NEW, token = SECRET) => {
		const given = { credentialId: 'account', ...trigger };
		return (await answerTo(inQuery(token), { webhookSecret }, given)).status === 200;
	};

	it('the new secret is accepted at once, and the old one for ten seconds', async () => {
		const changed = { nodeId: 'changed' };
		await accepts(changed, SECRET);
		systemClock.pass(9_999);
		expect(await accepts(changed)).toBe(true);
		systemClock.pass(1);
		expect(await accepts(changed)).toBe(false);
		await accepts(changed, SECRET);
		expect(await accepts(changed, NEW, NEW)).toBe(true);
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
		for (const nodeId of ['first', 'second']) await accepts({ nodeId }, SECRET);
		expect(await accepts({ nodeId: 'first' })).toBe(true);
		for (let others = 0; others < 1000; others++) await accepts({ nodeId: randomUUID() }, SECRET);
		expect(await accepts({ nodeId: 'first' })).toBe(false);
	});
});
