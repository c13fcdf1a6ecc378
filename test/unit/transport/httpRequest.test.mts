import fc from 'fast-check';
import type {
	IAdditionalCredentialOptions,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { connectionFailure } from '../../../nodes/BusinessMessaging/errors/connectionErrors';
import {
	createHttpRequest,
	hideKey,
	untilTimeout,
} from '../../../nodes/BusinessMessaging/transport/httpRequest';
import { sample } from '../../support/sample.mts';
import { createVirtualClock, type VirtualClock } from '../../support/virtualClock.mts';

const REQUEST = { method: 'GET', url: 'https://api.example.com/', timeoutMs: 1000 } as const;

const FIXED = { baseUrl: 'https://api.example.com', apiKey: 'key-4711' };
const OF_ITEM_7 = { ...FIXED, apiKey: 'key-4711-7', ofItem: 7 };

let clock: VirtualClock;

beforeEach(() => (clock = createVirtualClock()));

type Helper = (
	type: string,
	options: IHttpRequestOptions,
	more: IAdditionalCredentialOptions,
) => unknown;

/** The node's context around n8n's helper. */
function contextOf(
	helper: Helper,
	getCredentials = async (_: string, item: number): Promise<object> =>
		await Promise.resolve({ apiKey: item === 0 ? 'key-4711' : `key-4711-${item}` }),
	canceled?: AbortSignal,
): IExecuteFunctions {
	return {
		helpers: { httpRequestWithAuthentication: helper },
		getCredentials,
		getExecutionCancelSignal: () => canceled,
	} as unknown as IExecuteFunctions;
}

it('a request asks for JSON, which it reads itself, and follows no redirect', async () => {
	const helper = jest.fn<unknown, Parameters<Helper>>(() => ({ statusCode: 200, body: '' }));
	await createHttpRequest(contextOf(helper), FIXED, clock)(REQUEST);
	const [[, { headers, encoding, disableFollowRedirect }]] = helper.mock.calls;
	expect(headers).toEqual({ accept: 'application/json' });
	expect([encoding, disableFollowRedirect]).toEqual(['text', true]);
});

describe('the credential of a request', () => {
	const answered = { statusCode: 200, headers: {}, body: 'for key-4711-7' };
	const helper = jest.fn<unknown, Parameters<Helper>>(() => answered);

	beforeEach(() => helper.mockClear());

	it("is its item's, which is hidden in the response", async () => {
		const response = await createHttpRequest(contextOf(helper), OF_ITEM_7, clock)(REQUEST);
		expect(helper.mock.calls[0][2].credentialsDecrypted?.data).toEqual({ apiKey: 'key-4711-7' });
		expect(response).toMatchObject({ body: 'for •••' });
	});

	it('is read for each: a key that was changed meanwhile counts, and is hidden as well', async () => {
		const keys = [{ apiKey: 'key-4711' }, { apiKey: 'key-4711-7' }].values();
		const context = contextOf(helper, async () => await Promise.resolve(keys.next().value ?? {}));
		const httpRequest = createHttpRequest(context, FIXED, clock);
		expect(await httpRequest(REQUEST)).toMatchObject({ body: 'for •••-7' });
		expect(await httpRequest(REQUEST)).toMatchObject({ body: 'for •••' });
	});

	it.each([
		['deleted', FIXED, async () => await Promise.reject(new Error('not found'))],
		['given no key', FIXED, async () => await Promise.resolve({ apiKey: '' })],
		[
			'given a key of another account',
			OF_ITEM_7,
			async () => await Promise.resolve({ apiKey: 'key-4712' }),
		],
	])('that was %s meanwhile keeps it from being made', async (_, connection, read) => {
		const httpRequest = createHttpRequest(contextOf(helper, read), connection, clock);
		expect(await httpRequest(REQUEST)).toEqual(connectionFailure('credentialUnusable', 'notSent'));
		expect(helper).not.toHaveBeenCalled();
	});
});

// A database that is slow
it.each<[string, number, 'canceled' | 'credentialUnusable']>([
	['the execution is canceled', 500, 'canceled'],
	['its time is over', 1500, 'credentialUnusable'],
])('a request whose credential is read until %s is not made', async (_, ms, code) => {
	const canceling = new AbortController();
	const helper = jest.fn();
	const read = async () => await clock.sleep(ms).then(() => ({ apiKey: 'key-4711' }));
	if (code === 'canceled') void clock.sleep(400).then(() => canceling.abort());
	const httpRequest = createHttpRequest(contextOf(helper, read, canceling.signal), FIXED, clock);
	expect(await clock.run(httpRequest(REQUEST))).toEqual(connectionFailure(code, 'notSent'));
	await clock.run(clock.sleep(5000));
	expect(helper).not.toHaveBeenCalled();
});

// docs/send-once.md: a stopped run
it('a response is waited for when the execution is canceled: its message was sent', async () => {
	const canceling = new AbortController();
	const helper = async function (this: IExecuteFunctions) {
		canceling.abort();
		this.getExecutionCancelSignal()?.throwIfAborted();
		return await Promise.resolve({ statusCode: 200, headers: {}, body: '{}' });
	};
	const context = contextOf(helper, undefined, canceling.signal);
	const result = await createHttpRequest(context, FIXED, clock)(REQUEST);
	expect(result).toEqual({ status: 200, headers: {}, body: {} });
});

// SECURITY, The API key: hidden in body and headers
it('a key is left out of what the API says, in its headers too, and nothing more', async () => {
	const answered = {
		statusCode: 400,
		headers: { 'x-ratelimit-reset': 'for key-4711', vary: ['key-4711', 'accept'] },
		body: '{"message":"Key \\"key-4711 is wrong"}',
	};
	const response = await createHttpRequest(
		contextOf(() => answered),
		FIXED,
		clock,
	)(REQUEST);
	const headers = { 'x-ratelimit-reset': 'for •••', vary: ['•••', 'accept'] };
	expect(response).toEqual({ status: 400, headers, body: { message: 'Key "••• is wrong' } });
	const data = 'Key key-4711, or key-4711';
	const thrown = Object.assign(new Error('502'), {
		response: { status: 502, headers: { via: 'key-4711' }, data },
	});
	const context = contextOf(async () => await Promise.reject(thrown));
	const result = await createHttpRequest(context, FIXED, clock)(REQUEST);
	expect(result).toEqual({ status: 502, headers: { via: '•••' }, body: 'Key •••, or •••' });
});

const hexOf = (character: string) => character.charCodeAt(0).toString(16).toUpperCase();
const asJson = (text: string) => JSON.stringify(text).slice(1, -1);
const NAMES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
const nameOf = (character: string) => (character in NAMES ? `&${NAMES[character]};` : character);
const each = (key: string, write: (character: string) => string) => key.replace(/[^]/g, write);

/** How servers, frameworks and proxies write a text into another one. */
const WRITINGS: Record<string, (key: string) => string> = {
	'as JSON in JSON': (key) => asJson(asJson(key)),
	'as JSON with escaped slashes': (key) => asJson(key).replaceAll('/', '\\/'),
	'as code points in JSON': (key) => asJson(each(key, (c) => `\\u00${hexOf(c)}`)),
	'as escapes of JavaScript': (key) => each(key, (c) => `\\x${hexOf(c)}`),
	'in a URL': (key) => encodeURIComponent(key),
	'in a URL, all of it, three times': (key) =>
		encodeURIComponent(encodeURIComponent(each(key, (c) => `%${hexOf(c)}`))),
	'in HTML, by names, twice': (key) => each(each(key, nameOf), nameOf),
	'in HTML, by number, three times': (key) =>
		each(key, (c) => `&#0${c.charCodeAt(0)};`).replaceAll('&', '&amp;amp;'),
	'in HTML, by hexadecimal number': (key) => each(key, (c) => `&#x0${hexOf(c)};`),
};

// SECURITY, The API key: hidden however it is written
describe('the key, where a server repeats it', () => {
	it.each(Object.entries(WRITINGS))('is hidden when it is written %s', (_, write) => {
		const anyKey = fc.property(fc.stringMatching(/^[!-[\]-~]{8,40}$/), (key) => {
			expect(hideKey(`Key ${write(key)} and ${key}!`, key)).toBe('Key ••• and •••!');
		});
		fc.assert(anyKey, sample(10));
	});

	it('is hidden in names, values and lists, and nothing else changes', () => {
		const value = { 'a key-4711': [1, null, 'key-4711', { b: 'key-471' }], c: true };
		const hidden = { 'a •••': [1, null, '•••', { b: 'key-471' }], c: true };
		expect(hideKey(value, 'key-4711')).toEqual(hidden);
	});

	it('is left where it is too short to be one', () => {
		expect(hideKey('1 message', 'message')).toBe('1 message');
	});

	it('holds nobody up that has a long row of what begins an escape to look through', () => {
		for (const part of ['\\', '&amp;', '&#0', '%25', '&#x000']) {
			const row = part.repeat(1_000_000 / part.length);
			expect(hideKey(row, '/key-4711')).toBe(row);
			expect(hideKey(row, 'key-4711')).toBe(row);
		}
	});
});

it('work with a timeout ends by then, or with its own result or failure, and leaves no timer longer than a second', async () => {
	expect(await clock.run(untilTimeout(new Promise(() => undefined), 2500, clock))).toBeUndefined();
	expect(clock.ticks()).toBe(2500);
	const sleep = jest.spyOn(clock, 'sleep');
	const work = clock.sleep(2500).then(() => 'done');
	expect(await clock.run(untilTimeout(work, 600_000, clock))).toBe('done');
	const failing = untilTimeout(Promise.reject(new Error('failed')), 600_000, clock);
	await expect(failing).rejects.toThrow('failed');
	await clock.run(clock.sleep(600_000));
	expect(sleep.mock.calls).toEqual([[2500], [1000], [1000], [1000], [1000], [600_000]]);
});
