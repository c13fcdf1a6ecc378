import { saveAccount } from '../../playground/n8n/account.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { publishTrigger, type Post, type PublishedTrigger } from '../support/publishedTrigger.mts';
import { accepted, duplicate, ignored, incomingWith, refused } from '../support/webhookEvents.mts';

const SECRET = 'the-current-secret';
const MIB = 1024 * 1024;

const wrongToken = refused(401, /token/);
const tooLarge = refused(413, /1 MiB/);

let n8n: N8nUnderTest;
let trigger: PublishedTrigger;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	const credential = await saveAccount(n8n, 'Trigger answers', { webhookSecret: SECRET });
	trigger = await publishTrigger(
		n8n,
		{ events: ['message.incoming'], authentication: 'secretToken' },
		credential,
	);
});

async function post(request: Post) {
	return await trigger.post({ query: `?token=${SECRET}`, ...incomingWith({}), ...request });
}

// docs/trigger.md: the table of answers
describe('a request that is accepted runs the workflow once', () => {
	test.each<[string, Post]>([
		['with the token in the URL', {}],
		['with the token as X-Webhook-Token', { query: '', headers: { 'x-webhook-token': SECRET } }],
		['sent as text/plain', { headers: { 'content-type': 'text/plain' } }],
		['with a content type that n8n does not know', { headers: { 'content-type': 'a/b' } }],
		['of nearly 1 MiB', incomingWith({ data: { from: '+1', text: 'x'.repeat(MIB - 500) } })],
	])('%s', async (_, request) => {
		const before = await trigger.runs();
		expect(await post(request)).toEqual(accepted);
		await trigger.expectRuns(before + 1);
	});
});

// SECURITY, The trigger: what does not pass starts no execution
describe('a request that is not accepted runs nothing', () => {
	let before: number;

	beforeAll(async () => {
		before = await trigger.runs();
	});

	const tooLong = incomingWith({ data: { text: 'x'.repeat(MIB) } });
	const asText = { headers: { 'content-type': 'text/plain' } };
	const unknownType = { headers: { 'content-type': 'a/b' } };
	const deep = `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`;

	test.each<[string, Post, object]>([
		['event that was not chosen', incomingWith({ event: 'message.read' }), ignored],
		['no token', { query: '' }, wrongToken],
		['token twice', { query: `?token=${SECRET}&token=${SECRET}` }, wrongToken],
		['token as an object', { query: `?token[a]=${SECRET}` }, wrongToken],
		['null', { body: 'null' }, refused(400, /not a JSON object/)],
		['an empty body as text', { ...asText, body: '' }, refused(400, /JSON/)],
		['text that is no JSON', { ...asText, body: 'hello' }, refused(400, /not valid JSON/)],
		['nested half a million levels deep', { body: deep }, refused(400, /100 levels/)],
		['over 1 MiB', tooLong, tooLarge],
		['over 1 MiB of an unknown content type', { ...tooLong, ...unknownType }, tooLarge],
	])('%s', async (_, request, answer) => {
		expect(await post(request)).toEqual(answer);
	});

	// docs/trigger.md: n8n itself answers 422
	test('broken JSON is refused by n8n itself', async () => {
		expect(await post({ body: '{' })).toMatchObject({ status: 422 });
	});

	test('after all of them, an accepted event is the only run', async () => {
		expect(await post({})).toEqual(accepted);
		await trigger.expectRuns(before + 1);
	});
});

test('a repeated delivery runs the workflow once', async () => {
	const before = await trigger.runs();
	const event = incomingWith({});
	expect(await post(event)).toEqual(accepted);
	// n8n 1.x answers before the execution has begun.
	await trigger.expectRuns(before + 1);
	expect(await post(event)).toEqual(duplicate);
	expect(await post({})).toEqual(accepted);
	await trigger.expectRuns(before + 2);
});

test('only addresses on the list are let in', async () => {
	const options = { ipAllowlist: '203.0.113.0/24' };
	const elsewhere = await publishTrigger(n8n, { events: ['*'], authentication: 'none', options });
	expect(await elsewhere.post(incomingWith({}))).toEqual(refused(403, /address/));
	expect(await elsewhere.runs()).toBe(0);
});
