import fc from 'fast-check';
import crypto from 'node:crypto';

import { acceptedSecrets, carriesSecret } from '../../../nodes/BusinessMessaging/events/secrets';

const SECRET = 's3cret-token';
const PREVIOUS = 'older-token';
const SECRETS = [SECRET, PREVIOUS];

/** The ways to carry a token. */
const CARRIERS = {
	query: (token: unknown) => ({ query: { token }, headers: {} }),
	tokenHeader: (token: unknown) => ({ query: {}, headers: { 'x-webhook-token': token } }),
	bearer: (token: unknown) => ({
		query: {},
		headers: { authorization: `Bearer ${String(token)}` },
	}),
};
const carriers = Object.entries(CARRIERS);

describe.each(carriers)('a token as %s', (_, carry) => {
	it.each([SECRET, PREVIOUS])('%s is accepted', (token) => {
		expect(carriesSecret(carry(token), SECRETS)).toBe(true);
	});

	it.each([
		['empty', ''],
		['shorter', SECRET.slice(0, -1)],
		['longer', `${SECRET}x`],
		['of the same length', SECRET.replace('s', 'S')],
		['both secrets in one', `${SECRET},${PREVIOUS}`],
		['very long', SECRET.repeat(1000)],
	])('%s is refused', (_name, token) => {
		expect(carriesSecret(carry(token), SECRETS)).toBe(false);
	});

	// SECURITY, The trigger: fails closed
	it('is refused when no secret is set, even an empty one', () => {
		expect(carriesSecret(carry(''), [])).toBe(false);
		expect(carriesSecret(carry('anything'), [])).toBe(false);
		expect(carriesSecret(carry(''), [''])).toBe(false);
	});
});

describe('a request', () => {
	it.each<[string, Parameters<typeof carriesSecret>[0]]>([
		['without a token', { query: {}, headers: {} }],
		['without a query', { query: undefined, headers: {} }],
		['with the query null', { query: null, headers: {} }],
		['with the token twice in the query', { query: { token: [SECRET, SECRET] }, headers: {} }],
		['with an object in the query', { query: { token: { 0: SECRET } }, headers: {} }],
		['with true in the query', { query: { token: true }, headers: {} }],
		['with the header as a list', { query: {}, headers: { 'x-webhook-token': [SECRET] } }],
		['with another scheme', { query: {}, headers: { authorization: `Basic ${SECRET}` } }],
		['with the token without a scheme', { query: {}, headers: { authorization: SECRET } }],
		['with a longer scheme', { query: {}, headers: { authorization: `XBearer ${SECRET}` } }],
		['with the scheme in a list', { query: {}, headers: { authorization: [`Bearer ${SECRET}`] } }],
		['with a scheme alone', { query: {}, headers: { authorization: 'Bearer ' } }],
		['with the scheme run into it', { query: {}, headers: { authorization: `Bearer${SECRET}` } }],
		['with the token under another name', { query: { secret: SECRET }, headers: {} }],
	])('%s is refused', (_, request) => {
		expect(carriesSecret(request, SECRETS)).toBe(false);
	});

	it.each([['bearer'], ['BEARER'], ['Bearer ']])('may spell the scheme %s', (scheme) => {
		expect(
			carriesSecret({ query: {}, headers: { authorization: `${scheme} ${SECRET} ` } }, SECRETS),
		).toBe(true);
	});

	it('may carry a wrong token beside the right one', () => {
		expect(
			carriesSecret({ query: { token: 'wrong' }, headers: { 'x-webhook-token': SECRET } }, SECRETS),
		).toBe(true);
	});

	it('may carry a secret with spaces in it in every way', () => {
		for (const [, carry] of carriers) expect(carriesSecret(carry('a b  c'), ['a b  c'])).toBe(true);
	});

	it('is accepted exactly when its token is one of the secrets', () => {
		const token = fc.string({ minLength: 1 }).map((text) => text.trim());
		fc.assert(
			fc.property(
				token,
				fc.array(token, { maxLength: 2 }),
				fc.constantFrom(...carriers),
				(offered, secrets, [, carry]) => {
					const accepted = secrets.filter((secret) => secret !== '');
					expect(carriesSecret(carry(offered), accepted)).toBe(accepted.includes(offered));
				},
			),
		);
	});
});

// SECURITY, The trigger: compared in constant time, by its SHA-256 digest
it.each([
	['the secret', SECRET],
	['the previous secret', PREVIOUS],
	['one character', 's'],
	['a long text', 'x'.repeat(10_000)],
])('comparing %s as a token takes as long as any other, with each secret', (_, token) => {
	const compare = jest.spyOn(crypto, 'timingSafeEqual');
	carriesSecret(CARRIERS.tokenHeader(token), SECRETS);
	const sizes = compare.mock.calls.map((texts) => texts.map(({ byteLength }) => byteLength));
	compare.mockRestore();
	expect(sizes).toEqual(SECRETS.map(() => [32, 32]));
});

describe('the secrets that are accepted', () => {
	const credential = (webhookSecret?: string, previousWebhookSecret?: string) => ({
		webhookSecret,
		previousWebhookSecret,
	});

	it.each<[string, object, string[]]>([
		['are both of the credential', credential(SECRET, PREVIOUS), SECRETS],
		['are the current one when there is no previous one', credential(SECRET, ''), [SECRET]],
		['are the previous one when there is no other', credential(undefined, PREVIOUS), [PREVIOUS]],
		['are cleared of spaces around them', { webhookSecret: ` ${SECRET}\n` }, [SECRET]],
		['are none when there are spaces only', { webhookSecret: '  ' }, []],
		['are none when nothing is set', {}, []],
		['are texts only', { webhookSecret: 12345, previousWebhookSecret: [SECRET] }, []],
	])('%s', (_, given, secrets) => {
		expect(acceptedSecrets({ apiKey: 'key', ...given })).toEqual(secrets);
	});
});
