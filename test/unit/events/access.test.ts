import type { IWebhookFunctions } from 'n8n-workflow';
import crypto, { randomUUID } from 'node:crypto';

import { tokenProblem } from '../../../nodes/BusinessMessaging/events/access';
import { systemClock } from '../../support/fastClock.ts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.ts'),
);

const SECRET = 's3cret-token';
const PREVIOUS = 'older-token';
const BOTH = { webhookSecret: SECRET, previousWebhookSecret: PREVIOUS };
const WRONG = 'the token is missing or wrong';

interface Trigger {
	workflow?: string;
	node?: string;
	credentialId?: string;
}

/** What a request to a trigger is told; to a new trigger each time, unless one is given. */
async function problemOf(
	request: { query?: unknown; headers?: object },
	credential: object = BOTH,
	{ workflow = 'w', node = randomUUID(), credentialId }: Trigger = {},
) {
	return await tokenProblem({
		getNodeParameter: () => 'secretToken',
		getRequestObject: () => ({ query: {}, headers: {}, ...request }),
		getCredentials: async () => credential,
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({
			id: node,
			credentials: credentialId && { businessMessagingApi: { id: credentialId, name: 'Account' } },
		}),
	} as unknown as IWebhookFunctions);
}

/** The ways to carry a token. */
const CARRIERS = {
	query: (token: unknown) => ({ query: { token } }),
	tokenHeader: (token: unknown) => ({ headers: { 'x-webhook-token': token } }),
	bearer: (token: unknown) => ({ headers: { authorization: `Bearer ${String(token)}` } }),
};

describe.each(Object.entries(CARRIERS))('a token as %s', (_, carry) => {
	it.each([SECRET, PREVIOUS])('%s is accepted', async (token) => {
		expect(await problemOf(carry(token))).toBeUndefined();
	});

	it('may have spaces in it', async () => {
		expect(await problemOf(carry('a b  c'), { webhookSecret: 'a b  c' })).toBeUndefined();
	});

	it.each([
		['empty', ''],
		['shorter', SECRET.slice(0, -1)],
		['of the same length', SECRET.replace('s', 'S')],
		['both secrets in one', `${SECRET},${PREVIOUS}`],
	])('%s is refused', async (_name, token) => {
		expect(await problemOf(carry(token))).toBe(WRONG);
	});

	// SECURITY, The trigger: fails closed
	it.each([{}, { webhookSecret: '  ' }, { webhookSecret: 12345, previousWebhookSecret: [SECRET] }])(
		'is refused where the credential has %j, even when it is empty',
		async (credential) => {
			for (const token of ['', 'anything', SECRET, '12345']) {
				expect(await problemOf(carry(token), credential)).toMatch(/has no Webhook Secret/);
			}
		},
	);
});

describe('a request', () => {
	it.each<[string, object]>([
		['without a token', {}],
		['without a query', { query: undefined }],
		['with the query null', { query: null }],
		['with the token twice in the query', { query: { token: [SECRET, SECRET] } }],
		['with an object in the query', { query: { token: { 0: SECRET } } }],
		['with the header as a list', { headers: { 'x-webhook-token': [SECRET] } }],
		['with another scheme', { headers: { authorization: `Basic ${SECRET}` } }],
		['with the token without a scheme', { headers: { authorization: SECRET } }],
		['with a longer scheme', { headers: { authorization: `XBearer ${SECRET}` } }],
		['with the scheme in a list', { headers: { authorization: [`Bearer ${SECRET}`] } }],
		['with the scheme run into it', { headers: { authorization: `Bearer${SECRET}` } }],
		['with the token under another name', { query: { secret: SECRET } }],
	])('%s is refused', async (_, request) => {
		expect(await problemOf(request)).toBe(WRONG);
	});

	it.each([['bearer'], ['BEARER'], ['Bearer ']])('may spell the scheme %s', async (scheme) => {
		const request = { headers: { authorization: `${scheme} ${SECRET} ` } };
		expect(await problemOf(request)).toBeUndefined();
	});

	it('may carry a wrong token beside the right one', async () => {
		const request = { query: { token: 'wrong' }, headers: { 'x-webhook-token': SECRET } };
		expect(await problemOf(request)).toBeUndefined();
	});
});

it.each<[object, string]>([
	[{ webhookSecret: SECRET, previousWebhookSecret: '' }, SECRET],
	[{ previousWebhookSecret: PREVIOUS }, PREVIOUS],
	[{ webhookSecret: ` ${SECRET}\n` }, SECRET],
])('a credential with %j accepts %s only', async (credential, accepted) => {
	expect(await problemOf(CARRIERS.query(accepted), credential)).toBeUndefined();
	expect(await problemOf(CARRIERS.query('other'), credential)).toBe(WRONG);
});

// SECURITY, The trigger: compared in constant time, by its SHA-256 digest
it.each([
	['the secret', SECRET],
	['one character', 's'],
	['a long text', 'x'.repeat(10_000)],
])('comparing %s takes as long as any other token, with each secret', async (_, token) => {
	const compare = jest.spyOn(crypto, 'timingSafeEqual');
	await problemOf(CARRIERS.tokenHeader(token));
	const sizes = compare.mock.calls.map((texts) => texts.map(({ byteLength }) => byteLength));
	compare.mockRestore();
	expect(sizes).toEqual([
		[32, 32],
		[32, 32],
	]);
});

describe('a secret that was accepted, and was then taken out of the credential,', () => {
	const ask = async (trigger: Trigger, webhookSecret: string) =>
		await problemOf(CARRIERS.query(SECRET), { webhookSecret }, trigger);

	// SECURITY, The trigger: a new secret at once, an old one for ten seconds
	it.each([
		['is accepted', 9_999, undefined],
		['is refused', 10_000, WRONG],
	])('%s after %d ms', async (_, passedMs, expected) => {
		const trigger = { node: randomUUID() };
		await ask(trigger, SECRET);
		systemClock.pass(passedMs);
		expect(await ask(trigger, 'new')).toBe(expected);
	});

	it.each<[string, Trigger, Trigger]>([
		['node', { node: 'a' }, { node: 'b' }],
		['workflow', { node: 'n', workflow: 'a' }, { node: 'n', workflow: 'b' }],
		['pair of IDs', { workflow: '1', node: '12' }, { workflow: '11', node: '2' }],
		['credential', { node: 'm', credentialId: '1' }, { node: 'm', credentialId: '2' }],
	])('is refused by another %s', async (_, trigger, other) => {
		await ask(trigger, SECRET);
		expect(await ask(trigger, 'new')).toBeUndefined();
		expect(await ask(other, 'new')).toBe(WRONG);
	});

	it('is refused when a thousand other triggers got a request since', async () => {
		/** How many others until the first is forgotten, with all but the last. */
		const forget = async (first: Trigger) => {
			for (let others = 1; ; others++) {
				const last = { node: randomUUID() };
				await ask(last, SECRET);
				if (await ask(first, 'new')) return { others, last };
			}
		};
		const first = { node: randomUUID() };
		await ask(first, SECRET);
		const { last } = await forget(first);
		expect((await forget(last)).others).toBe(1000);
	});
});
