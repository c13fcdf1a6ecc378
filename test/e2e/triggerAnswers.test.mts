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

const nearlyTooLong = incomingWith({ data: { from: '+1', text: 'x'.repeat(MIB - 500) } });
const tooLong = incomingWith({ data: { text: 'x'.repeat(MIB) } });
const asText = { headers: { 'content-type': 'text/plain' } };
const unknownType = { headers: { 'content-type': 'a/b' } };
const inHeader = { query: '', headers: { 'x-webhook-token': SECRET } };
const deep = `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`;

// docs/trigger.md: the table of answers
// SECURITY, The trigger: what does not pass starts no execution
test('what is accepted runs the workflow once, and what is not runs nothing', async () => {
	const event = incomingWith({});
	expect(await post(event)).toEqual(accepted);
	// n8n 1.x answers before the execution has begun.
	await trigger.expectRuns(1);
	const requests: Array<[string, Post, object]> = [
		['the same event again', event, duplicate],
		['the token as X-Webhook-Token', inHeader, accepted],
		['sent as text/plain', asText, accepted],
		['a content type that n8n does not know', unknownType, accepted],
		['nearly 1 MiB', nearlyTooLong, accepted],
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
		// docs/trigger.md: n8n itself answers 422
		['broken JSON', { body: '{' }, expect.objectContaining({ status: 422 })],
	];
	for (const [name, request, answer] of requests) {
		expect([name, await post(request)]).toEqual([name, answer]);
	}
	await trigger.expectRuns(5);
});

test('only addresses on the list are let in', async () => {
	const options = { ipAllowlist: '203.0.113.0/24' };
	const elsewhere = await publishTrigger(n8n, { events: ['*'], authentication: 'none', options });
	expect(await elsewhere.post(incomingWith({}))).toEqual(refused(403, /address/));
	expect(await elsewhere.runs()).toBe(0);
});
