import { randomUUID } from 'node:crypto';
import { webhookUrl } from '../../playground/demo/workflows.ts';
import { eventually } from '../../playground/eventually.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import { n8nUnderTest } from '../support/n8nUnderTest.ts';
import { triggerWorkflow } from '../support/triggerWorkflow.ts';

type N8n = Awaited<ReturnType<typeof n8nUnderTest>>;

const SECRET = 'current-secret';
const PREVIOUS_SECRET = 'previous-secret';
const MIB = 1024 * 1024;

const incoming = () => ({
	event: 'message.incoming',
	timestamp: '2026-01-31T14:05:00.000Z',
	data: { from: '+12025550110', text: randomUUID() },
});

let n8n: N8n;
let url: string;
let workflowId: string;

async function publish(...parameters: Parameters<typeof triggerWorkflow>) {
	const workflow = triggerWorkflow(...parameters);
	const saved = await n8n.client.workflows.save(workflow);
	await n8n.client.workflows.publish(saved);
	const address = webhookUrl(n8n.url, workflow);
	await n8n.client.workflows.waitForWebhook(address);
	return { address, id: saved.id };
}

beforeAll(async () => {
	n8n = await n8nUnderTest();
	const credential = await n8n.client.credentials.save({
		name: 'Trigger answers',
		type: 'businessMessagingApi',
		data: {
			baseUrl: 'http://localhost',
			apiKey: 'not-used',
			webhookSecret: SECRET,
			previousWebhookSecret: PREVIOUS_SECRET,
		},
	});
	const published = await publish(
		{ events: ['message.incoming'], authentication: 'secretToken' },
		credential,
	);
	({ address: url, id: workflowId } = published);
});

interface Post {
	query?: string;
	headers?: Record<string, string>;
	body?: string;
}

async function post(address: string, { query = `?token=${SECRET}`, headers, body }: Post) {
	const response = await fetch(address + query, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: body ?? JSON.stringify(incoming()),
	});
	const text = await response.text();
	const type = response.headers.get('content-type') ?? '';
	return { status: response.status, body: type.includes('json') ? JSON.parse(text) : text };
}

async function runs(id = workflowId) {
	return await n8n.client.executions.count(id);
}

/** n8n lists a run when it has finished, a moment after the answer. */
async function expectRuns(count: number, id = workflowId) {
	await eventually(`${count} runs`, async () => ((await runs(id)) >= count ? true : undefined));
	expect(await runs(id)).toBe(count);
}

const accepted = { status: 200, body: { status: 'accepted' } };
const ignored = { status: 200, body: { status: 'ignored' } };
const tooLarge = { status: 413, body: { status: 'error', message: expect.any(String) } };
const unauthorized = { status: 401, body: { status: 'error', message: expect.any(String) } };
const badRequest = (message: RegExp) => ({
	status: 400,
	body: { status: 'error', message: expect.stringMatching(message) },
});
const withBody = (change: object) => ({ body: JSON.stringify({ ...incoming(), ...change }) });

describe('a request that is accepted runs the workflow once', () => {
	test.each<[string, Post]>([
		['with the token in the URL', {}],
		['with the token as X-Webhook-Token', { query: '', headers: { 'x-webhook-token': SECRET } }],
		['with a bearer token', { query: '', headers: { authorization: `Bearer ${SECRET}` } }],
		['with the previous secret', { query: `?token=${PREVIOUS_SECRET}` }],
		['sent as text/plain', { headers: { 'content-type': 'text/plain' } }],
		['with a content type that n8n does not know', { headers: { 'content-type': 'a/b' } }],
		['with fields that are not in the document', withBody({ extra: { a: 1 } })],
		['with a byte order mark', { body: `\ufeff${JSON.stringify(incoming())}` }],
		['of nearly 1 MiB', withBody({ data: { from: '+1', text: 'x'.repeat(MIB - 500) } })],
	])('%s', async (_, request) => {
		const before = await runs();
		expect(await post(url, request)).toEqual(accepted);
		await expectRuns(before + 1);
	});
});

describe('a request that is not accepted runs nothing', () => {
	let before: number;

	beforeAll(async () => {
		before = await runs();
	});

	test.each<[string, Post, object]>([
		['event that was not chosen', withBody({ event: 'message.read' }), ignored],
		['unknown event', withBody({ event: 'message.edited' }), ignored],
		['no token', { query: '' }, unauthorized],
		['empty token', { query: '?token=' }, unauthorized],
		['wrong token', { query: '?token=wrong' }, unauthorized],
		['token twice', { query: `?token=${SECRET}&token=${SECRET}` }, unauthorized],
		['token as an object', { query: `?token[a]=${SECRET}` }, unauthorized],
		['wrong bearer token', { query: '', headers: { authorization: 'Bearer wrong' } }, unauthorized],
		['wrong token and a bad body', { query: '?token=wrong', body: 'null' }, unauthorized],
		['null', { body: 'null' }, badRequest(/not a JSON object/)],
		['a list', { body: '[]' }, badRequest(/not a JSON object/)],
		['a text', { body: '"message.incoming"' }, badRequest(/not a JSON object/)],
		['a number', { body: '7' }, badRequest(/not a JSON object/)],
		['an empty object', { body: '{}' }, badRequest(/"event"/)],
		[
			'an empty body as text',
			{ headers: { 'content-type': 'text/plain' }, body: '' },
			badRequest(/JSON/),
		],
		[
			'text that is no JSON',
			{ headers: { 'content-type': 'text/plain' }, body: 'hello' },
			badRequest(/not valid JSON/),
		],
		['event missing', withBody({ event: undefined }), badRequest(/"event"/)],
		['event empty', withBody({ event: ' ' }), badRequest(/"event"/)],
		['event a number', withBody({ event: 1 }), badRequest(/"event"/)],
		['event a list', withBody({ event: ['message.incoming'] }), badRequest(/"event"/)],
		['timestamp missing', withBody({ timestamp: undefined }), badRequest(/"timestamp"/)],
		['timestamp a number', withBody({ timestamp: 1738332300000 }), badRequest(/"timestamp"/)],
		['timestamp no date', withBody({ timestamp: 'yesterday' }), badRequest(/"timestamp"/)],
		[
			'timestamp an impossible date',
			withBody({ timestamp: '2026-13-45T00:00:00Z' }),
			badRequest(/"timestamp"/),
		],
		['data missing', withBody({ data: undefined }), badRequest(/"data"/)],
		['data null', withBody({ data: null }), badRequest(/"data"/)],
		['data a list', withBody({ data: [] }), badRequest(/"data"/)],
		['data a text', withBody({ data: 'x' }), badRequest(/"data"/)],
		['over 1 MiB', withBody({ data: { text: 'x'.repeat(MIB) } }), tooLarge],
		[
			'over 1 MiB of an unknown content type',
			{ ...withBody({ data: { text: 'x'.repeat(MIB) } }), headers: { 'content-type': 'a/b' } },
			tooLarge,
		],
	])('%s', async (_, request, answer) => {
		expect(await post(url, request)).toEqual(answer);
	});

	test('broken JSON is refused by n8n itself', async () => {
		expect(await post(url, { body: '{' })).toMatchObject({ status: 422 });
	});

	test('after all of them, an accepted event is the only run', async () => {
		expect(await post(url, {})).toEqual(accepted);
		await expectRuns(before + 1);
	});
});

test('every event passes when all are chosen, also one that the document does not know', async () => {
	const { address, id } = await publish({ events: ['*'], authentication: 'none' });
	const body = JSON.stringify({ ...incoming(), event: 'message.edited' });
	expect(await post(address, { query: '', body })).toEqual(accepted);
	await expectRuns(1, id);
});

test('a repeated delivery runs the workflow once', async () => {
	const before = await runs();
	const body = JSON.stringify(incoming());
	expect(await post(url, { body })).toEqual(accepted);
	expect(await post(url, { body })).toEqual({ status: 200, body: { status: 'duplicate' } });
	await expectRuns(before + 1);
});

test('only addresses on the list are let in', async () => {
	const only = async (ipAllowlist: string) =>
		await publish({ events: ['*'], authentication: 'none', options: { ipAllowlist } });
	const elsewhere = await only('203.0.113.0/24');
	expect(await post(elsewhere.address, {})).toMatchObject({ status: 403 });
	const here = await only('203.0.113.0/24, 127.0.0.1');
	expect(await post(here.address, {})).toEqual(accepted);
	await expectRuns(1, here.id);
	await expectRuns(0, elsewhere.id);
});

test('an event that is too old is ignored', async () => {
	const { address, id } = await publish({
		events: ['*'],
		authentication: 'none',
		options: { maxEventAgeMinutes: 60 },
	});
	expect(await post(address, {})).toEqual(ignored);
	const timestamp = new Date().toISOString();
	expect(await post(address, withBody({ timestamp }))).toEqual(accepted);
	await expectRuns(1, id);
});

test('without a secret in the credential every request is refused', async () => {
	const credential = await n8n.client.credentials.save({
		name: 'Without a secret',
		type: 'businessMessagingApi',
		data: { baseUrl: 'http://localhost', apiKey: 'not-used', webhookSecret: ' ' },
	});
	const { address, id } = await publish(
		{ events: ['*'], authentication: 'secretToken' },
		credential,
	);
	for (const query of ['', '?token=', '?token=%20', '?token=undefined']) {
		expect(await post(address, { query })).toEqual(unauthorized);
	}
	expect(await runs(id)).toBe(0);
});

test('the emitted item has the event, the service window and neither headers nor token', async () => {
	const { address, id } = await publish({ events: ['*'], authentication: 'none' });
	const event = incoming();
	await post(address, { body: JSON.stringify(event) });
	const execution = await eventually('the execution', async () => {
		const [newest] = await n8n.client.executions.list(id);
		return newest?.status === 'success' ? newest : undefined;
	});
	const [item] = outputOf(execution, 'Trigger');
	expect(item).toEqual({
		...event,
		deliveryKey: expect.any(String),
		receivedAt: expect.any(String),
		serviceWindow: {
			openedAt: '2026-01-31T14:05:00.000Z',
			expiresAt: '2026-02-01T14:05:00.000Z',
		},
	});
	expect(JSON.stringify(execution.data)).not.toContain(SECRET);
});
