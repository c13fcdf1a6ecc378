import { saveAccount } from '../../playground/n8n/account.ts';
import { isN8nBefore, n8nUnderTest } from '../support/n8nUnderTest.ts';
import { publishTrigger, type Post, type PublishedTrigger } from '../support/publishedTrigger.ts';
import { accepted, ignored, incomingWith, refused } from '../support/webhookEvents.ts';

const SECRET = 'current-secret';
const PREVIOUS_SECRET = 'previous-secret';
const MIB = 1024 * 1024;

const wrongToken = refused(401, /token/);
const tooLarge = refused(413, /1 MiB/);
const notAnObject = refused(400, /not a JSON object/);
const noEvent = refused(400, /"event"/);
const noData = refused(400, /"data"/);

let trigger: PublishedTrigger;

beforeAll(async () => {
	const n8n = await n8nUnderTest();
	const credential = await saveAccount(n8n, 'Trigger answers', {
		webhookSecret: SECRET,
		previousWebhookSecret: PREVIOUS_SECRET,
	});
	trigger = await publishTrigger(
		n8n,
		{ events: ['message.incoming'], authentication: 'secretToken' },
		credential,
	);
});

async function post(request: Post) {
	return await trigger.post({ query: `?token=${SECRET}`, ...incomingWith({}), ...request });
}

// README, React to customers: the table of answers
describe('a request that is accepted runs the workflow once', () => {
	test.each<[string, Post]>([
		['with the token in the URL', {}],
		['with the token as X-Webhook-Token', { query: '', headers: { 'x-webhook-token': SECRET } }],
		['with a bearer token', { query: '', headers: { authorization: `Bearer ${SECRET}` } }],
		['with the previous secret', { query: `?token=${PREVIOUS_SECRET}` }],
		['sent as text/plain', { headers: { 'content-type': 'text/plain' } }],
		['with a content type that n8n does not know', { headers: { 'content-type': 'a/b' } }],
		['with fields that are not in the document', incomingWith({ extra: { a: 1 } })],
		['without a timestamp', incomingWith({ timestamp: undefined })],
		['with a number as its timestamp', incomingWith({ timestamp: 1738332300000 })],
		['with a word as its timestamp', incomingWith({ timestamp: 'yesterday' })],
		['of 30 February', incomingWith({ timestamp: '2026-02-30T00:00:00Z' })],
		['of nearly 1 MiB', incomingWith({ data: { from: '+1', text: 'x'.repeat(MIB - 500) } })],
	])('%s', async (_, request) => {
		const before = await trigger.runs();
		expect(await post(request)).toEqual(accepted);
		await trigger.expectRuns(before + 1);
	});
});

test('a byte order mark is no obstacle, but older n8n refuse the body themselves', async () => {
	const before = await trigger.runs();
	const answer = await post({ body: `\ufeff${incomingWith({}).body}` });
	if (isN8nBefore(41)) return expect(answer).toMatchObject({ status: 422 });
	expect(answer).toEqual(accepted);
	await trigger.expectRuns(before + 1);
});

// SECURITY, The trigger: what does not pass starts no execution
describe('a request that is not accepted runs nothing', () => {
	let before: number;

	beforeAll(async () => {
		before = await trigger.runs();
	});

	test.each<[string, Post, object]>([
		['event that was not chosen', incomingWith({ event: 'message.read' }), ignored],
		['unknown event', incomingWith({ event: 'message.edited' }), ignored],
		['no token', { query: '' }, wrongToken],
		['empty token', { query: '?token=' }, wrongToken],
		['wrong token', { query: '?token=wrong' }, wrongToken],
		['token twice', { query: `?token=${SECRET}&token=${SECRET}` }, wrongToken],
		['token as an object', { query: `?token[a]=${SECRET}` }, wrongToken],
		['wrong bearer token', { query: '', headers: { authorization: 'Bearer wrong' } }, wrongToken],
		['wrong token and a bad body', { query: '?token=wrong', body: 'null' }, wrongToken],
		['null', { body: 'null' }, notAnObject],
		['a list', { body: '[]' }, notAnObject],
		['a text', { body: '"message.incoming"' }, notAnObject],
		['a number', { body: '7' }, notAnObject],
		['an empty object', { body: '{}' }, noEvent],
		[
			'an empty body as text',
			{ headers: { 'content-type': 'text/plain' }, body: '' },
			refused(400, /JSON/),
		],
		[
			'text that is no JSON',
			{ headers: { 'content-type': 'text/plain' }, body: 'hello' },
			refused(400, /not valid JSON/),
		],
		['event missing', incomingWith({ event: undefined }), noEvent],
		['event empty', incomingWith({ event: ' ' }), noEvent],
		['event a number', incomingWith({ event: 1 }), noEvent],
		['event a list', incomingWith({ event: ['message.incoming'] }), noEvent],
		['data missing', incomingWith({ data: undefined }), noData],
		['data null', incomingWith({ data: null }), noData],
		['data a list', incomingWith({ data: [] }), noData],
		['data a text', incomingWith({ data: 'x' }), noData],
		[
			'nested half a million levels deep',
			{ body: `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}` },
			refused(400, /100 levels/),
		],
		['over 1 MiB', incomingWith({ data: { text: 'x'.repeat(MIB) } }), tooLarge],
		[
			'over 1 MiB of an unknown content type',
			{ ...incomingWith({ data: { text: 'x'.repeat(MIB) } }), headers: { 'content-type': 'a/b' } },
			tooLarge,
		],
	])('%s', async (_, request, answer) => {
		expect(await post(request)).toEqual(answer);
	});

	// README, React to customers: n8n itself answers 422
	test('broken JSON is refused by n8n itself', async () => {
		expect(await post({ body: '{' })).toMatchObject({ status: 422 });
	});

	test('after all of them, an accepted event is the only run', async () => {
		expect(await post({})).toEqual(accepted);
		await trigger.expectRuns(before + 1);
	});
});
