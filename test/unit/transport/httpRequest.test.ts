import fc from 'fast-check';
import type {
	IAdditionalCredentialOptions,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { networkFailure } from '../../../nodes/BusinessMessaging/errors/networkErrors';
import {
	type ApiRequest,
	createHttpRequest,
	hideKey,
	isResponse,
	untilTimeout,
} from '../../../nodes/BusinessMessaging/transport/httpRequest';
import { createVirtualClock, type VirtualClock } from '../../support/virtualClock.ts';

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

/** The response of a server that answers with this body. */
async function responseTo(body: unknown, apiKey = 'key-4711', headers: object = {}) {
	const context = contextOf(async () => ({ statusCode: 400, headers, body }), { apiKey });
	const response = await createHttpRequest(context, FIXED, clock)(REQUEST);
	if (!isResponse(response)) throw new Error('The response was taken for a failure');
	return response;
}

/** What n8n's helper is asked for. */
async function optionsOf(request: Partial<ApiRequest>): Promise<unknown> {
	const helper = jest.fn<unknown, Parameters<Helper>>(() => ({ statusCode: 200, body: '' }));
	await createHttpRequest(contextOf(helper), FIXED, clock)({ ...REQUEST, ...request });
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

	it('that gets no response is a failure', async () => {
		const context = contextOf(() => Promise.reject(new Error('failed')));
		const result = await createHttpRequest(context, FIXED, clock)(REQUEST);
		expect(result).toEqual(networkFailure('other', 'unknown'));
		expect(isResponse(result)).toBe(false);
	});
});

describe('the credential of a request', () => {
	const answered = () => ({ statusCode: 200, headers: {}, body: 'for key-4711-7' });

	it("is its item's, which is hidden in the response", async () => {
		const helper = jest.fn<unknown, Parameters<Helper>>(answered);
		const response = await createHttpRequest(contextOf(helper), OF_ITEM_7, clock)(REQUEST);
		expect(helper.mock.calls[0][2].credentialsDecrypted?.data).toEqual({ apiKey: 'key-4711-7' });
		expect(response).toMatchObject({ body: 'for •••' });
	});

	it('is read for each: a key that was changed meanwhile counts, and is hidden as well', async () => {
		const context = contextOf(answered);
		const httpRequest = createHttpRequest(context, FIXED, clock);
		expect(await httpRequest(REQUEST)).toMatchObject({ body: 'for •••-7' });
		context.getCredentials = (async () => ({ apiKey: 'key-4711-7' })) as never;
		expect(await httpRequest(REQUEST)).toMatchObject({ body: 'for •••' });
	});

	it('of some items only must not change: those of another account would go along', async () => {
		const helper = jest.fn<unknown, Parameters<Helper>>(answered);
		const context = contextOf(helper, { apiKey: 'key-4712' });
		const networkError = networkFailure('credential', 'notSent');
		expect(await createHttpRequest(context, OF_ITEM_7, clock)(REQUEST)).toEqual(networkError);
		expect(helper).not.toHaveBeenCalled();
	});

	it.each<[string, () => Promise<object>]>([
		['deleted', async () => await Promise.reject(new Error('not found'))],
		['given no key', async () => await Promise.resolve({ apiKey: '' })],
	])('that was %s meanwhile keeps it from being made', async (_, read) => {
		const helper = jest.fn<unknown, Parameters<Helper>>(answered);
		const context = contextOf(helper);
		context.getCredentials = read as never;
		const networkError = networkFailure('credential', 'notSent');
		expect(await createHttpRequest(context, FIXED, clock)(REQUEST)).toEqual(networkError);
		expect(helper).not.toHaveBeenCalled();
	});
});

// README, Send once: a stopped run
it('a response is waited for when the execution is canceled: its message was sent', async () => {
	const canceling = new AbortController();
	const context = contextOf(
		async function (this: IExecuteFunctions) {
			canceling.abort();
			this.getExecutionCancelSignal()?.throwIfAborted();
			return await Promise.resolve({ statusCode: 200, headers: {}, body: '{}' });
		},
		{ canceled: canceling.signal },
	);
	const result = await createHttpRequest(context, FIXED, clock)(REQUEST);
	expect(result).toEqual({ status: 200, headers: {}, body: {} });
});

describe('a response that never ends', () => {
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

	it('is given up at the timeout, with its connection, and leaves the outcome unknown', async () => {
		const { context, signals } = endless();
		const start = clock.now();
		const httpRequest = createHttpRequest(context, FIXED, clock);
		expect(await clock.run(httpRequest(REQUEST))).toEqual(networkFailure('timeout', 'unknown'));
		expect(clock.now() - start).toBe(REQUEST.timeoutMs);
		expect(signals[0]?.aborted).toBe(true);
	});
});

// SECURITY, The API key: hidden in body and headers
it('a key is left out of what the API says, in its headers too, and nothing more', async () => {
	const { body, headers } = await responseTo('{"message":"Key \\"key-4711 is wrong"}', 'key-4711', {
		'x-ratelimit-reset': 'for key-4711',
		vary: ['key-4711', 'accept'],
	});
	expect(body).toEqual({ message: 'Key "••• is wrong' });
	expect(headers).toEqual({ 'x-ratelimit-reset': 'for •••', vary: ['•••', 'accept'] });
	expect((await responseTo('Key key-4711, or key-4711')).body).toBe('Key •••, or •••');
});

it.each([
	['{"code": 1}', { code: 1 }],
	['Not found', 'Not found'],
	['{"code": ', '{"code": '],
	['', ''],
	[undefined, undefined],
])('a body %p is read as %p', async (text, expected) => {
	expect((await responseTo(text)).body).toEqual(expected);
});

it('JSON that is nested too deep to be searched for the key is read as text, without the key', async () => {
	const text = `${'['.repeat(200_000)}"key-4711"${']'.repeat(200_000)}`;
	expect((await responseTo(text)).body).toBe(text.replace('key-4711', '•••'));
});

const KEY = `k"e/y-4<7>'&1~`;

const hexOf = (character: string) => character.charCodeAt(0).toString(16).toUpperCase();
const asJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** How servers, frameworks and proxies write a text into another one. */
const WRITINGS: Record<string, (key: string) => string> = {
	'as it is': (key) => key,
	'as JSON': asJson,
	'as JSON with escaped slashes': (key) => asJson(key).replaceAll('/', '\\/'),
	'as JSON in JSON': (key) => asJson(asJson(key)),
	'as JSON with code points': (key) => key.replace(/[^\w-]/g, (c) => `\\u00${hexOf(c)}`),
	'in a URL': (key) => encodeURIComponent(key),
	'in HTML': (key) =>
		key
			.replaceAll('&', '&amp;')
			.replaceAll('<', '&lt;')
			.replaceAll('>', '&gt;')
			.replaceAll('"', '&quot;')
			.replaceAll("'", '&apos;'),
	'in HTML, by number': (key) =>
		key.replaceAll('/', '&#x2F;').replaceAll('"', '&#34;').replaceAll('&1', '&#038;1'),
};

// SECURITY, The API key: hidden however it is written
describe('the key, where a server repeats it', () => {
	it.each(Object.entries(WRITINGS))('is hidden when it is written %s', (_, write) => {
		expect(hideKey(`Key ${write(KEY)} and ${write(KEY)}!`, KEY)).toBe('Key ••• and •••!');
	});

	it('is hidden however it is made of characters', () => {
		const key = fc.stringMatching(/^[!-[\]-~]{8,40}$/);
		fc.assert(
			fc.property(key, fc.constantFrom(...Object.values(WRITINGS)), (secret, write) => {
				expect(hideKey(write(secret), secret)).toBe('•••');
			}),
		);
	});

	it('is hidden in names, values and lists, and nothing else changes', () => {
		const value = { 'a key-4711': [1, null, 'key-4711', { b: 'key-471' }], c: true };
		expect(hideKey(value, 'key-4711')).toEqual({
			'a •••': [1, null, '•••', { b: 'key-471' }],
			c: true,
		});
	});

	it.each(['1', 'test', 'message'])('is left where it is too short to be one: %s', (key) => {
		expect(hideKey('1 message for a test', key)).toBe('1 message for a test');
		expect(hideKey({ message: '1 test' }, key)).toEqual({ message: '1 test' });
	});

	it('holds nobody up that has a long row of backslashes to look through', () => {
		const row = '\\'.repeat(1_000_000);
		expect(hideKey(row, '/key-4711')).toBe(row);
	});
});

describe('work with a timeout', () => {
	const never = new Promise<never>(() => undefined);
	let clock: VirtualClock;
	let sleep: jest.SpyInstance;

	beforeEach(() => {
		clock = createVirtualClock();
		sleep = jest.spyOn(clock, 'sleep');
	});

	it('that never ends is given up at the timeout, and not before', async () => {
		expect(await clock.run(untilTimeout(never, 2500, clock))).toBeUndefined();
		expect(clock.ticks()).toBe(2500);
	});

	it('ends with its own result or failure, and leaves no timer longer than a second', async () => {
		expect(await untilTimeout(Promise.resolve('done'), 600_000, clock)).toBe('done');
		const failing = untilTimeout(Promise.reject(new Error('failed')), 600_000, clock);
		await expect(failing).rejects.toThrow('failed');
		expect(sleep.mock.calls).toEqual([[1000], [1000]]);
	});

	it('sleeps no more once it has ended', async () => {
		const work = clock.sleep(2500).then(() => 'done');
		expect(await clock.run(untilTimeout(work, 600_000, clock))).toBe('done');
		await clock.run(clock.sleep(600_000));
		expect(sleep.mock.calls).toEqual([[2500], [1000], [1000], [1000], [600_000]]);
	});

	it('may fail later without anybody hearing of it', async () => {
		const unhandled = jest.fn();
		process.once('unhandledRejection', unhandled);
		let fail: (reason: Error) => void = () => undefined;
		const work = new Promise<never>((_, reject) => (fail = reject));
		expect(await clock.run(untilTimeout(work, 1, clock))).toBeUndefined();
		fail(new Error('too late'));
		await new Promise((resolve) => setImmediate(resolve));
		process.off('unhandledRejection', unhandled);
		expect(unhandled).not.toHaveBeenCalled();
	});
});
