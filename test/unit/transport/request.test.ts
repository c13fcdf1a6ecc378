import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { createExchange, isAnswer } from '../../../nodes/BusinessMessaging/transport/request';
import type { ApiRequest } from '../../../nodes/BusinessMessaging/transport/request';

const REQUEST = { method: 'GET', url: 'https://api.example.com/', timeoutMs: 1000 } as const;

/** n8n's helper, for a server that answers with this body. */
function contextFor(body: unknown): IExecuteFunctions {
	const httpRequestWithAuthentication = async () => ({ statusCode: 400, headers: {}, body });
	return { helpers: { httpRequestWithAuthentication } } as unknown as IExecuteFunctions;
}

async function bodyOf(text: unknown, apiKey = 'key-4711'): Promise<unknown> {
	const answer = await createExchange(contextFor(text), apiKey)(REQUEST);
	if (!isAnswer(answer)) throw new Error('The answer was taken for a fault');
	return answer.body;
}

/** What n8n's helper is asked for. */
async function optionsOf(request: Partial<ApiRequest>): Promise<unknown> {
	const httpRequestWithAuthentication = jest.fn().mockResolvedValue({ statusCode: 200, body: '' });
	const context = { helpers: { httpRequestWithAuthentication } } as unknown as IExecuteFunctions;
	await createExchange(context, 'key')({ ...REQUEST, ...request });
	expect(httpRequestWithAuthentication.mock.contexts).toEqual([context]);
	expect(httpRequestWithAuthentication.mock.calls[0][0]).toBe('businessMessagingApi');
	return httpRequestWithAuthentication.mock.calls[0][1];
}

describe('the request', () => {
	const always = {
		url: 'https://api.example.com/',
		encoding: 'text',
		timeout: 1000,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};

	it('follows no redirect and takes any status, with or without a body', async () => {
		expect(await optionsOf({})).toEqual({
			...always,
			method: 'GET',
			headers: { accept: 'application/json' },
		});
		expect(await optionsOf({ method: 'POST', body: { to: '+14155552671' } })).toEqual({
			...always,
			method: 'POST',
			body: '{"to":"+14155552671"}',
			headers: { accept: 'application/json', 'content-type': 'application/json' },
		});
	});

	it('that is not answered is a fault', async () => {
		const httpRequestWithAuthentication = () => Promise.reject(new Error('failed'));
		const context = { helpers: { httpRequestWithAuthentication } } as unknown as IExecuteFunctions;
		const result = await createExchange(context, 'key')(REQUEST);
		expect(result).toEqual({ kind: 'other', beforeSending: false });
		expect(isAnswer(result)).toBe(false);
	});
});

it('leaves a key out of what the API says, and nothing more', async () => {
	expect(await bodyOf('{"message":"Key \\"key-4711 is wrong"}')).toEqual({
		message: 'Key "••• is wrong',
	});
	expect(await bodyOf('Key key-4711, or key-4711')).toBe('Key •••, or •••');
});

it.each([
	['{"code": 1}', { code: 1 }],
	['Not found', 'Not found'],
	['{"code": ', '{"code": '],
	['', ''],
	[undefined, undefined],
])('reads %p as %p', async (text, expected) => {
	expect(await bodyOf(text)).toEqual(expected);
});

it('cuts the key out of a body that repeats it, wherever it stands', async () => {
	const key = fc.stringMatching(/^[!-~]{12,40}$/);
	const place = fc.constantFrom<(secret: string) => string>(
		(secret) => secret,
		(secret) => `Invalid key ${secret}, ${secret}!`,
		(secret) => JSON.stringify({ error: { message: `Invalid key: ${secret}` } }),
		(secret) => JSON.stringify({ data: { [secret]: [secret] } }),
		(secret) =>
			JSON.stringify({ message: secret }).replaceAll('/', '\\/').replaceAll('e', '\\u0065'),
	);
	await fc.assert(
		fc.asyncProperty(key, place, async (secret, put) => {
			const body = await bodyOf(put(secret), secret);
			const texts = typeof body === 'string' ? [body] : textsIn(body);
			expect(texts.filter((text) => text.includes(secret))).toEqual([]);
		}),
	);
});

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}
