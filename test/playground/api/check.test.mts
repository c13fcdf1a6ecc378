import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { promisify } from 'node:util';

import { ASSUMPTIONS } from '../../../playground/api/check/assumptions.mts';
import { report } from '../../../playground/api/check/report.mts';
import { resetOf } from '../../../playground/api/check/reset.mts';
import type { LocalApi, Settings } from '../../../playground/api/server.mts';
import type { ResetUnit } from '../../../playground/api/settings.mts';
import {
	CUSTOMER,
	DEVELOPMENT_KEY,
	OTHER_ACCOUNT_KEY,
	PRODUCTION_KEY,
} from '../../../playground/api/wellKnown.mts';
import { close, listen } from '../../support/listen.mts';
import { start } from './client.mts';

interface Answer {
	status: number;
	headers: Record<string, string>;
	/** Of JSON only. */
	body: Record<string, unknown> & { data?: Record<string, unknown> };
	text?: string;
}
interface Asked {
	method: string;
	path: string;
	key: string;
	body: string;
	/** From 1. */
	count: number;
}
type Change = (answer: Answer, asked: Asked) => unknown;

let laterMs = 0;
const startedAt = Date.now();
beforeEach(() => {
	laterMs = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => startedAt + laterMs);
});
afterEach(() => jest.restoreAllMocks());

const ends: Array<() => Promise<void>> = [];
afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

/** Stands before a local API and changes its answers. */
async function changed(api: LocalApi, change: Change) {
	let count = 0;
	const server = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', async () => {
			const { method = '', url: path = '' } = request;
			const key = String(request.headers['x-api-key']);
			const answered = await fetch(api.url + path, {
				method,
				headers: { 'x-api-key': key, 'content-type': 'application/json' },
				body: body || undefined,
			});
			const headers = {
				...Object.fromEntries(answered.headers),
				date: new Date(Date.now()).toUTCString(),
			};
			const text = await answered.text();
			const answer: Answer = { status: answered.status, headers, body: JSON.parse(text) };
			change(answer, { method, path, key, body, count: (count += 1) });
			const { 'content-length': _length, ...rest } = answer.headers;
			response.writeHead(answer.status, { ...rest, connection: 'close' });
			response.end(answer.text ?? JSON.stringify(answer.body));
		});
	});
	ends.push(async () => await close(server));
	return await listen(server);
}

async function check(settings: Partial<Settings>, change: Change = () => undefined, asked = {}) {
	const api = await start(settings);
	const target = {
		url: await changed(api, change),
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
	/** Each with its file. */
	const broken = lines
		.map((line, index) => ({ line, index }))
		.filter(({ line }) => line.startsWith('✗'))
		.map(({ line, index }) => [
			line.slice(2),
			lines.slice(index).find((each) => each.startsWith('    Held by ')),
		]);
	return { api, lines, failed, broken, output: lines.join('\n') };
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

describe('all assumptions hold', () => {
	test.each<Partial<Settings>>([
		{},
		{ rateLimitPer: 'key', retryAfter: 'seconds', resetUnit: 'deltaSeconds' },
		{ rateLimitWindow: 'sliding', errorShape: 'list', resetUnit: 'httpDate' },
	])('of the local API with %j', async (settings) => {
		const { api, broken, lines, output } = await check(settings, undefined, EVERYTHING);
		expect(broken).toEqual([]);
		expect(lines.at(-1)).toBe(`\n${ASSUMPTIONS.length} of ${ASSUMPTIONS.length} assumptions hold.`);
		expect(api.messages.size).toBe(1);
		const counts = settings.rateLimitPer === 'key' ? 'key' : 'account';
		expect(output).toContain(`The limit counts per ${counts}.`);
		expect(output).toContain(`The reset is given as ${settings.resetUnit ?? 'epochMs'}.`);
	});
});

/** What breaks one assumption each, by its beginning: settings of the local API, or what stands before it. */
const BREAKS: Array<[says: string, settingsOrChange: Partial<Settings> | Change]> = [
	[
		'A message that does not exist',
		(answer, { method }) => {
			if (method === 'GET' && answer.status === 404) answer.status = 400;
		},
	],
	[
		'A key that does not exist',
		(answer) => {
			if (answer.status === 401) answer.status = 403;
		},
	],
	[
		'Statuses and bodies',
		({ body }, { method }) => {
			if (method === 'GET') delete body.data?.template_name;
		},
	],
	['Every response has both', { rateLimitHeaders: false }],
	['The reset is at most 65 s', { windowMs: 120_000 }],
	['Each request counts as one', takesMore(1, ({ method }) => method === 'POST')],
	['60 requests pass', { requestsPerWindow: 100 }],
	['When the time of the reset', ({ headers }) => (headers[reset] = String(Date.now() + 5000))],
	[
		'The words of an error',
		(answer) => {
			if (answer.status === 401) answer.text = '<html><h1>Unauthorized</h1></html>';
		},
	],
	['A limit counts per key', takesMore(3, ({ count }) => count >= 7)],
	[
		'A send without its fields',
		(answer, { body }) => {
			if (body === '{}') answer.status = 404;
		},
	],
	['A template that does not exist', { networkErrorStatus: 500 }],
	[
		'A message that is accepted',
		({ body: { data } }, { method }) => {
			if (method === 'POST' && data) data.to = '+12025550111';
		},
	],
	[
		'A message costs',
		({ body: { data } }, { method }) => {
			if (method === 'POST' && data) data.cost = { ...(data.cost as object), amount: 0.2 };
		},
	],
	[
		'A message can be looked up',
		(answer, { path }) => {
			if (path.includes('/msg_')) Object.assign(answer, { status: 404, body: { message: 'No' } });
		},
	],
	[
		'Above the limit',
		({ status, headers }) => (headers[remaining] = status === 429 ? '5' : headers[remaining]),
	],
];

function takesMore(more: number, when: (asked: Asked) => boolean): Change {
	return ({ headers }, asked) => {
		if (when(asked)) headers[remaining] = String(Number(headers[remaining]) - more);
	};
}

test.each(BREAKS)('"%s …" fails, alone, with its file', async (says, settingsOrChange) => {
	const assumption = ASSUMPTIONS.find((each) => each.says.startsWith(says))!;
	const asked = { ...EVERYTHING, exhaust: assumption.needs === '--exhaust' };
	const { failed, broken } =
		typeof settingsOrChange === 'function'
			? await check({}, settingsOrChange, asked)
			: await check(settingsOrChange, undefined, asked);
	const file = `nodes/BusinessMessaging/${assumption.file}`;
	expect(broken).toEqual([[assumption.says, `    Held by ${file}`]]);
	expect(failed).toBe(1);
	expect(existsSync(file)).toBe(true);
});

test('each assumption is broken once', () => {
	const broken = BREAKS.map(([says]) =>
		ASSUMPTIONS.findIndex((each) => each.says.startsWith(says)),
	);
	expect(broken).toEqual([...ASSUMPTIONS.keys()]);
});

const REJECTS_KEY = 'rejects the key: compare --key';
const HAS_NO_PLAN = 'says that the plan has no API access';
const IS_ANOTHER = 'answers, but not as the API: compare --url';
test.each<[problem: string, status: number, text: string]>([
	[REJECTS_KEY, 401, '{"message":"Unauthorized"}'],
	[HAS_NO_PLAN, 403, '{"success":false}'],
	[IS_ANOTHER, 403, '<html>'],
	[IS_ANOTHER, 404, '{"message":"Route GET:/v1/api not found"}'],
	[IS_ANOTHER, 200, 'Hello'],
])('it %s (%i %s), and no file is blamed', async (problem, status, text) => {
	const checked = check({}, (answer) => Object.assign(answer, { status, text }));
	await expect(checked).rejects.toThrow(`(HTTP ${status}) ${problem}`);
});

test('no key is printed, even if the API repeats it', async () => {
	const { output } = await check(
		{},
		(answer, { key }) => {
			if (answer.status === 404) answer.body = { message: `${key} has no such message` };
		},
		{ otherKey: OTHER_ACCOUNT_KEY },
	);
	expect(output).toContain('… has no such message');
	expect(output).not.toContain(DEVELOPMENT_KEY);
	expect(output).not.toContain(OTHER_ACCOUNT_KEY);
});

test.each<[ResetUnit, string, number]>([
	['epochMs', '1767268860500', 60_500],
	['epochSeconds', '1767268861', 61_000],
	['deltaSeconds', '60', 60_000],
	['isoDate', '2026-01-01T12:01:00.400Z', 60_400],
	['httpDate', 'Thu, 01 Jan 2026 12:01:01 GMT', 61_000],
])('a reset in %s is read by the clock of the server', (unit, value, inMs) => {
	const date = 'Thu, 01 Jan 2026 12:00:00 GMT';
	const receivedAt = Date.parse(date) + 3_600_000;
	expect(resetOf({ headers: { [reset]: value, date }, receivedAt })).toEqual({ unit, inMs });
	expect(resetOf({ headers: { [reset]: 'soon' }, receivedAt })).toBeUndefined();
});

describe('npm run api:check', () => {
	const run = async (...parameters: string[]) => {
		const command = ['playground/launch.mjs', 'api/check/main.mts', ...parameters];
		try {
			const { stdout, stderr } = await promisify(execFile)(process.execPath, command);
			return { code: 0, output: stdout + stderr };
		} catch (error) {
			const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
			return { code, output: stdout + stderr };
		}
	};
	const key = ['--key', DEVELOPMENT_KEY];

	test('checks an API, and ends with 1 when an assumption fails', async () => {
		jest.restoreAllMocks();
		const api = await start({ windowMs: 2000 });
		const url = `${api.url}/api/`;
		const good = await run('--url', url, ...key, '--to', CUSTOMER, '--variables', '{"1":"Asha"}');
		expect([good.code, good.output]).toEqual([0, expect.stringContaining('14 of 14 assumptions')]);
		expect([...api.messages.values()]).toMatchObject([{ to: CUSTOMER }]);
		api.settings.requestsPerWindow = 30;
		const { code, output } = await run('--url', url, ...key);
		expect([code, output]).toEqual([1, expect.stringContaining('Held by nodes/Business')]);
	});

	test.each([
		[['--url', 'http://127.0.0.1:1'], /^--key or BUSINESS_MESSAGING_API_KEY is missing/],
		[['--url', 'http://example.com', ...key], /^--url http:\/\/example\.com is not an address/],
		[['--url', 'http://127.0.0.1:1', ...key], /^fetch failed, check --url: .*\n$/],
		[['--unknown'], /--unknown.*\n\nnpm run api:check --/],
	])('%j is answered with a sentence', async (parameters, expected) => {
		const { code, output } = await run(...parameters);
		expect(code).toBe(1);
		expect(output).toMatch(expected);
		expect(output).not.toMatch(/^ {4}at /m);
	});
});
