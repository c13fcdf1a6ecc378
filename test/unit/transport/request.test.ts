import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { createExchange, isAnswer } from '../../../nodes/BusinessMessaging/transport/request';

const REQUEST = { method: 'GET', url: 'https://api.example.com/', timeoutMs: 1000 } as const;

/** n8n's helper, for a server that answers with this body. */
function contextFor(body: unknown): IExecuteFunctions {
	const httpRequestWithAuthentication = async () => ({ statusCode: 400, headers: {}, body });
	return { helpers: { httpRequestWithAuthentication } } as unknown as IExecuteFunctions;
}

async function bodyOf(text: unknown, apiKey = 'key-4711'): Promise<unknown> {
	const answer = await createExchange(contextFor(text), apiKey)(REQUEST);
	return isAnswer(answer) ? answer.body : undefined;
}

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
