import { existsSync } from 'node:fs';

import { ASSUMPTIONS } from '../../../playground/api/check/assumptions.mts';
import { report } from '../../../playground/api/check/report.mts';
import { resetOf } from '../../../playground/api/check/reset.mts';
import type { Settings } from '../../../playground/api/server.mts';
import {
	CUSTOMER,
	DEVELOPMENT_KEY,
	OTHER_ACCOUNT_KEY,
	PRODUCTION_KEY,
} from '../../../playground/api/wellKnown.mts';
import { launch, start } from './client.mts';

interface Answer {
	status: number;
	headers: Record<string, string>;
	body: Record<string, unknown> & { data?: object };
	/** In place of the body. */
	text?: string;
}
/** What becomes of an answer on its way. @param count of the requests, from 1 */
type Change = (answer: Answer, asked: RequestInit, count: number) => unknown;

let laterMs = 0;
const startedAt = Date.now();
beforeEach(() => {
	laterMs = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => startedAt + laterMs);
});
afterEach(() => jest.restoreAllMocks());

function changeAnswers(change: Change) {
	let count = 0;
	const { fetch } = globalThis;
	jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, asked = {}) => {
		const answered = await fetch(url, asked);
		// Node's server has the real time.
		const date = new Date(Date.now()).toUTCString();
		const headers = { ...Object.fromEntries(answered.headers), date };
		const body = (await answered.json()) as Answer['body'];
		const answer: Answer = { status: answered.status, headers, body };
		change(answer, asked, (count += 1));
		return new Response(answer.text ?? JSON.stringify(answer.body), answer);
	});
}

async function check(settings: Partial<Settings>, change: Change = () => undefined, asked = {}) {
	const api = await start(settings);
	changeAnswers(change);
	const target = {
		url: api.url,
		key: DEVELOPMENT_KEY,
		template: 'order_update',
		category: 'utility',
		exhaust: false,
		...asked,
	};
	const lines: string[] = [];
	const failed = await report(
		target,
		(line) => lines.push(line),
		async (ms) => void (laterMs += ms),
	);
	return { api, failed, output: lines.join('\n') };
}

const EVERYTHING = { to: CUSTOMER, otherKey: PRODUCTION_KEY, exhaust: true };
const remaining = 'x-ratelimit-remaining';
const reset = 'x-ratelimit-reset';

// RELEASING.md: sends nothing without --to
test('without a number, nothing is sent, and what needs it is named', async () => {
	const { api, failed, output } = await check({});
	expect(failed).toBe(0);
	expect(api.calls.map(({ method }) => method)).toEqual(Array(5).fill('GET'));
	const unseen = ASSUMPTIONS.filter(({ needs }) => needs);
	expect(output.match(/^\? .*$/gm)).toEqual(
		unseen.map(({ says, needs }) => `? ${says} Not seen: it needs ${needs}.`),
	);
});

test.each<Partial<Settings>>([
	{},
	{ rateLimitPer: 'key', retryAfter: 'seconds', resetUnit: 'deltaSeconds' },
	{ rateLimitWindow: 'sliding', errorShape: 'list', resetUnit: 'httpDate' },
	{ resetUnit: 'epochSeconds' },
	{ resetUnit: 'isoDate' },
])('all assumptions hold of the local API with %j', async (settings) => {
	const { api, output } = await check(settings, undefined, EVERYTHING);
	expect(output).toContain(`\n${ASSUMPTIONS.length} of ${ASSUMPTIONS.length} assumptions hold.`);
	expect(api.messages.size).toBe(1);
	expect(output).toContain(`The limit counts per ${settings.rateLimitPer ?? 'account'}.`);
	expect(output).toContain(`The reset is given as ${settings.resetUnit ?? 'epochMs'}.`);
});

/** Changes the answers with this status, or, with data, those to a message that was accepted. */
const where =
	(method: string, status: number, change: Partial<Answer>, data?: object): Change =>
	(answer, asked) => {
		if (asked.method !== method || answer.status !== status) return;
		Object.assign(answer, change);
		if (data) Object.assign(answer.body.data!, data);
	};
const takesMore =
	(more: number, when: (asked: RequestInit, count: number) => boolean): Change =>
	({ headers }, asked, count) => {
		if (when(asked, count)) headers[remaining] = String(Number(headers[remaining]) - more);
	};

const DEAR = { amount: 0.2, currency: 'INR', pricing_category: 'utility' };

/** What breaks one assumption each, by its beginning: settings of the local API, or a change of its answers. */
const BREAKS: Array<[says: string, settingsOrChange: Partial<Settings> | Change]> = [
	['A message that does not exist', where('GET', 404, { status: 400 })],
	['A key that does not exist', where('GET', 401, { status: 403 })],
	['Statuses and bodies', where('GET', 200, {}, { template_name: undefined })],
	['Every response has both', { rateLimitHeaders: false }],
	['The reset is at most 65 s', { windowMs: 120_000 }],
	['Each request counts as one', takesMore(1, ({ method }) => method === 'POST')],
	['60 requests pass', { requestsPerWindow: 100 }],
	['When the time of the reset', ({ headers }) => (headers[reset] = String(Date.now() + 5000))],
	['The words of an error', where('GET', 401, { text: '<html><h1>Unauthorized</h1></html>' })],
	['A limit counts per key', takesMore(3, (_, count) => count >= 7)],
	[
		'A send without its fields',
		(answer, { body }) => (answer.status = body === '{}' ? 404 : answer.status),
	],
	['A template that does not exist', { networkErrorStatus: 500 }],
	['A message that is accepted', where('POST', 200, {}, { to: '+12025550111' })],
	['A message costs', where('POST', 200, {}, { cost: DEAR })],
	['A message can be looked up', where('GET', 200, { status: 404, body: { message: 'No' } })],
	[
		'Above the limit',
		({ status, headers }) => (headers[remaining] = status === 429 ? '5' : headers[remaining]),
	],
];

test.each(BREAKS)('"%s …" fails, alone, with its file', async (says, settingsOrChange) => {
	const assumption = ASSUMPTIONS.find((each) => each.says.startsWith(says))!;
	const asked = { ...EVERYTHING, exhaust: assumption.needs === '--exhaust' };
	const { failed, output } =
		typeof settingsOrChange === 'function'
			? await check({}, settingsOrChange, asked)
			: await check(settingsOrChange, undefined, asked);
	const file = `nodes/BusinessMessaging/${assumption.file}`;
	expect(output.match(/(?<=^✗ ).*/gm)).toEqual([assumption.says]);
	expect(output.match(/(?<=^ {4}Held by ).*/gm)).toEqual([file]);
	expect(failed).toBe(1);
	expect(existsSync(file)).toBe(true);
});

test('each assumption is broken once', () => {
	const broken = BREAKS.map(([says]) =>
		ASSUMPTIONS.findIndex((each) => each.says.startsWith(says)),
	);
	expect(broken).toEqual([...ASSUMPTIONS.keys()]);
});

const IS_ANOTHER = 'answers, but not as the API: compare --url';
test.each<[problem: string, status: number, text: string]>([
	['rejects the key: compare --key', 401, '{"message":"Unauthorized"}'],
	['says that the plan has no API access', 403, '{"success":false}'],
	[IS_ANOTHER, 403, '<html>'],
	[IS_ANOTHER, 404, '{"message":"Route GET:/v1/api not found"}'],
	[IS_ANOTHER, 200, 'Hello'],
])('it %s (%i %s), and no file is blamed', async (problem, status, text) => {
	const checked = check({}, (answer) => Object.assign(answer, { status, text }));
	await expect(checked).rejects.toThrow(`(HTTP ${status}) ${problem}`);
});

test('no key is printed, even if the API repeats it', async () => {
	const repeats: Change = (answer, { headers }) => {
		const { 'x-api-key': key } = headers as Record<string, string>;
		if (answer.status === 404) answer.body = { message: `${key} has no such message` };
	};
	const { output } = await check({}, repeats, { otherKey: OTHER_ACCOUNT_KEY });
	expect(output).toContain('… has no such message');
	expect(output).not.toContain(DEVELOPMENT_KEY);
	expect(output).not.toContain(OTHER_ACCOUNT_KEY);
});

test('a reset is read by the clock of the server', () => {
	const date = 'Thu, 01 Jan 2026 12:00:00 GMT';
	const receivedAt = Date.parse(date) + 3_600_000;
	const inMs = (value: string) => resetOf({ headers: { [reset]: value, date }, receivedAt })?.inMs;
	expect(inMs('1767268860500')).toBe(60_500);
	expect(inMs('60')).toBe(60_000);
	expect(inMs('2026-01-01T12:01:00.400Z')).toBe(60_400);
	expect(inMs('soon')).toBeUndefined();
});

describe('npm run api:check', () => {
	const run = async (...parameters: string[]) =>
		await launch('api/check/main.mts', parameters).ended;
	const key = ['--key', DEVELOPMENT_KEY];

	test('checks an API, and ends with 1 when an assumption fails', async () => {
		jest.restoreAllMocks();
		const api = await start({ windowMs: 2000 });
		const url = `${api.url}/api/`;
		const good = await run('--url', url, ...key, '--to', CUSTOMER, '--variables', '{"1":"Asha"}');
		const all = expect.stringContaining('14 of 14 assumptions');
		expect(good).toEqual({ exitCode: 0, output: all });
		expect([...api.messages.values()]).toMatchObject([{ to: CUSTOMER }]);
		api.settings.requestsPerWindow = 30;
		const output = expect.stringContaining('Held by nodes/Business');
		expect(await run('--url', url, ...key)).toEqual({ exitCode: 1, output });
	});

	test.each([
		[['--url', 'http://127.0.0.1:1'], /^--key or BUSINESS_MESSAGING_API_KEY is missing/],
		[['--url', 'http://example.com', ...key], /^--url http:\/\/example\.com is not an address/],
		[['--url', 'http://127.0.0.1:1', ...key], /^fetch failed, check --url: .*\n$/],
		[['--unknown'], /--unknown.*\n\nnpm run api:check --/],
	])('%j is answered with a sentence', async (parameters, expected) => {
		const { exitCode, output } = await run(...parameters);
		expect(exitCode).toBe(1);
		expect(output).toMatch(expected);
		expect(output).not.toMatch(/^ {4}at /m);
	});
});
