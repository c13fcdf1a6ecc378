import type {
	IAdditionalCredentialOptions,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { createExchange, isAnswer } from '../../../nodes/BusinessMessaging/transport/request';
import type { ApiRequest } from '../../../nodes/BusinessMessaging/transport/request';
import { createVirtualClock } from '../../support/virtualClock.ts';

const REQUEST = { method: 'GET', url: 'https://api.example.com/', timeoutMs: 1000 } as const;

const FIXED = { baseUrl: 'https://api.example.com', apiKey: 'key-4711' };
const OF_ITEM_7 = { ...FIXED, apiKey: 'key-4711-7', ofItem: 7 };

const clock = createVirtualClock();

type Helper = (
	type: string,
	options: IHttpRequestOptions,
	more: IAdditionalCredentialOptions,
) => unknown;

/** The node's context around n8n's helper. */
function contextOf(
	helper: Helper,
	{ canceled, apiKey = 'key-4711' }: { canceled?: AbortSignal; apiKey?: string } = {},
): IExecuteFunctions {
	return {
		helpers: { httpRequestWithAuthentication: helper },
		getCredentials: async (_: string, itemIndex: number) =>
			await Promise.resolve({ apiKey: itemIndex === 0 ? apiKey : `${apiKey}-${itemIndex}` }),
		getExecutionCancelSignal: () => canceled,
	} as unknown as IExecuteFunctions;
}

/** For a server that answers with this body. */
async function answerTo(body: unknown, apiKey = 'key-4711', headers: object = {}) {
	const context = contextOf(async () => ({ statusCode: 400, headers, body }), { apiKey });
	const answer = await createExchange(context, FIXED, clock)(REQUEST);
	if (!isAnswer(answer)) throw new Error('The answer was taken for a fault');
	return answer;
}

/** What n8n's helper is asked for. */
async function optionsOf(request: Partial<ApiRequest>): Promise<unknown> {
	const helper = jest.fn<unknown, Parameters<Helper>>(() => ({ statusCode: 200, body: '' }));
	await createExchange(contextOf(helper), FIXED, clock)({ ...REQUEST, ...request });
	expect(helper.mock.calls[0][0]).toBe('businessMessagingApi');
	return helper.mock.calls[0][1];
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
		const context = contextOf(() => Promise.reject(new Error('failed')));
		const result = await createExchange(context, FIXED, clock)(REQUEST);
		expect(result).toEqual({ kind: 'other', beforeSending: false });
		expect(isAnswer(result)).toBe(false);
	});
});

describe('the credential of a request', () => {
	const answered = () => ({ statusCode: 200, headers: {}, body: 'for key-4711-7' });

	it("is its item's, which is cut out of the answer", async () => {
		const helper = jest.fn<unknown, Parameters<Helper>>(answered);
		const answer = await createExchange(contextOf(helper), OF_ITEM_7, clock)(REQUEST);
		expect(helper.mock.calls[0][2].credentialsDecrypted?.data).toEqual({ apiKey: 'key-4711-7' });
		expect(answer).toMatchObject({ body: 'for •••' });
	});

	it('is read for each: a key that was changed meanwhile counts, and is cut out as well', async () => {
		const context = contextOf(answered);
		const exchange = createExchange(context, FIXED, clock);
		expect(await exchange(REQUEST)).toMatchObject({ body: 'for •••-7' });
		context.getCredentials = (async () => ({ apiKey: 'key-4711-7' })) as never;
		expect(await exchange(REQUEST)).toMatchObject({ body: 'for •••' });
	});

	it('of some items only must not change: those of another account would go along', async () => {
		const helper = jest.fn<unknown, Parameters<Helper>>(answered);
		const context = contextOf(helper, { apiKey: 'key-4712' });
		const fault = { kind: 'credential', beforeSending: true };
		expect(await createExchange(context, OF_ITEM_7, clock)(REQUEST)).toEqual(fault);
		expect(helper).not.toHaveBeenCalled();
	});

	it.each<[string, () => Promise<object>]>([
		['deleted', async () => await Promise.reject(new Error('not found'))],
		['given no key', async () => await Promise.resolve({ apiKey: '' })],
	])('that was %s meanwhile keeps it from being made', async (_, read) => {
		const helper = jest.fn<unknown, Parameters<Helper>>(answered);
		const context = contextOf(helper);
		context.getCredentials = read as never;
		const fault = { kind: 'credential', beforeSending: true };
		expect(await createExchange(context, FIXED, clock)(REQUEST)).toEqual(fault);
		expect(helper).not.toHaveBeenCalled();
	});
});

// README, Send once: a stopped run
it('an answer is waited for when the execution is canceled: its message was sent', async () => {
	const canceling = new AbortController();
	const context = contextOf(
		async function (this: IExecuteFunctions) {
			canceling.abort();
			this.getExecutionCancelSignal()?.throwIfAborted();
			return await Promise.resolve({ statusCode: 200, headers: {}, body: '{}' });
		},
		{ canceled: canceling.signal },
	);
	const result = await createExchange(context, FIXED, clock)(REQUEST);
	expect(result).toEqual({ status: 200, headers: {}, body: {} });
});

describe('an answer that never ends', () => {
	/** n8n's helper, which asks the context that it is called on for the signal. */
	function endless() {
		const signals: Array<AbortSignal | undefined> = [];
		const context = contextOf(async function (this: IExecuteFunctions) {
			const signal = this.getExecutionCancelSignal();
			signals.push(signal);
			await new Promise((_, reject) => {
				const end = () => reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
				signal?.addEventListener('abort', end);
			});
		});
		return { context, signals };
	}

	it('is given up at the deadline, with its connection, and leaves the outcome in doubt', async () => {
		const { context, signals } = endless();
		const start = clock.now();
		const exchange = createExchange(context, FIXED, clock);
		expect(await clock.run(exchange(REQUEST))).toEqual({ kind: 'timeout', beforeSending: false });
		expect(clock.now() - start).toBe(REQUEST.timeoutMs);
		expect(signals[0]?.aborted).toBe(true);
	});
});

// SECURITY, The API key: cut out of body and headers
it('a key is left out of what the API says, in its headers too, and nothing more', async () => {
	const { body, headers } = await answerTo('{"message":"Key \\"key-4711 is wrong"}', 'key-4711', {
		'x-ratelimit-reset': 'for key-4711',
		vary: ['key-4711', 'accept'],
	});
	expect(body).toEqual({ message: 'Key "••• is wrong' });
	expect(headers).toEqual({ 'x-ratelimit-reset': 'for •••', vary: ['•••', 'accept'] });
	expect((await answerTo('Key key-4711, or key-4711')).body).toBe('Key •••, or •••');
});

it.each([
	['{"code": 1}', { code: 1 }],
	['Not found', 'Not found'],
	['{"code": ', '{"code": '],
	['', ''],
	[undefined, undefined],
])('a body %p is read as %p', async (text, expected) => {
	expect((await answerTo(text)).body).toEqual(expected);
});

it('JSON that is nested too deep to be searched for the key is read as text, without the key', async () => {
	const text = `${'['.repeat(200_000)}"key-4711"${']'.repeat(200_000)}`;
	expect((await answerTo(text)).body).toBe(text.replace('key-4711', '•••'));
});
