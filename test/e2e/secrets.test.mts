import { saveAccount } from '../../playground/n8n/account.mts';
import { webhookUrl } from '../../playground/n8n/publish.mts';
import type { Execution } from '../../playground/n8n/rest/executions.mts';
import { actionWorkflow, sendingEach } from '../support/actionWorkflow.mts';
import {
	answer,
	closedAddress,
	MISBEHAVIORS,
	type Misbehavior,
	startFaultServer,
} from '../support/faultServer.mts';
import { runOnce } from '../support/manualRun.mts';
import type { N8nUnderTest } from '../support/n8nUnderTest.mts';
import { filesWith, startOwnN8n } from '../support/ownN8n.mts';
import { publishTrigger, type Post } from '../support/publishedTrigger.mts';
import { triggerWorkflow } from '../support/triggerWorkflow.mts';
import { incomingWith } from '../support/webhookEvents.mts';

const SECRETS = {
	// Some servers write "/" as "\/" in JSON.
	apiKey: 'key-4f1c/7a90d2e8b653',
	webhookSecret: 'hook-91b3e06d7c5af248',
	previousWebhookSecret: 'prev-c07d52a8f6194be3',
};
const RECIPIENT = '+12025550173';
const RECEIVED = 'received-5e2d8c14';
const OVER_LIMIT_OF_N8N = 17 * 1024 * 1024;

jest.setTimeout(600_000);

let userFolder: string;
/** As n8n's API gives it, in plain form. */
let executionData: string;
let logFile: string;

/** An n8n of its own, which tells everything in its log. */
beforeAll(async () => {
	const own = await startOwnN8n('secrets', { N8N_LOG_LEVEL: 'debug' });
	({ userFolder } = own);
	({ logFile } = own.n8n);
	try {
		const executions = [...(await runActions(own.n8n)), ...(await callTrigger(own.n8n))];
		executionData = JSON.stringify(executions);
	} finally {
		// Only then is everything written.
		await own.n8n.stop();
	}
});

const json = (status: string, body: object | string, ...headers: string[]) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return answer(status, text, ['content-type: application/json', ...headers]);
};
const said = `The key ${SECRETS.apiKey} is not valid`;

/** Answers that say the key again, as careless servers do, and some that do not. */
const BEHAVIORS: Record<string, Misbehavior> = {
	sent: MISBEHAVIORS.sent,
	closed: MISBEHAVIORS.closedWithoutAnswer,
	escaped401: json(
		'401 Unauthorized',
		JSON.stringify({ message: said, code: SECRETS.apiKey }).replaceAll('/', '\\/'),
	),
	headers401: json('401 Unauthorized', { request: { 'x-api-key': SECRETS.apiKey } }),
	shortened401: json('401 Unauthorized', { message: `${'x'.repeat(194)}${SECRETS.apiKey}` }),
	page403: answer('403 Forbidden', `<!doctype html><p>${said}</p>`, ['content-type: text/html']),
	error500: json('500 Internal Server Error', { message: said }),
	location302: answer('302 Found', '', [`location: /?key=${SECRETS.apiKey}`]),
	sentWithKey: json(
		'200 OK',
		{ success: true, data: { message_id: 'm1', status: 'sent', said } },
		`x-ratelimit-remaining: ${SECRETS.apiKey}`,
	),
};

/** Sends and looks up, with each of these answers, as error items and as errors. */
async function runActions(n8n: N8nUnderTest): Promise<Execution[]> {
	const cases = Object.keys(BEHAVIORS);
	const server = await startFaultServer(
		(number) => BEHAVIORS[cases.find((name) => isAsked(name, number)) ?? 'sent'],
	);
	const isAsked = (name: string, number: number) =>
		server.received[number].includes(`"${name}"`) ||
		server.requestLines[number].includes(`/${name} `);

	const save = async (baseUrl: string) =>
		await saveAccount(n8n, `Secrets ${baseUrl}`, { baseUrl, ...SECRETS });
	const credential = await save(server.url);
	const options = { timeout: 1, requestsPerMinute: 0 };
	const send = { operation: 'sendTemplate', to: RECIPIENT, variablesInput: 'none', options };
	const raw = { options: { ...options, rawResponse: true } };
	const each = (parameters: object) =>
		sendingEach(
			credential,
			cases.map((name) => ({ name })),
			{ ...parameters, ...raw },
			{ onError: 'continueRegularOutput' },
		);
	const workflows = [
		...cases.map((templateName) => actionWorkflow(credential, { ...send, templateName })),
		actionWorkflow(await save(await closedAddress()), { ...send, templateName: 'sent' }),
		each({ ...send, templateName: '={{ $json.name }}' }),
		each({ operation: 'getStatus', messageId: '={{ $json.name }}' }),
	];
	const executions = workflows.map(async (workflow) => await runOnce(n8n, workflow));
	const all = await Promise.all(executions);
	await server.close();
	return all;
}

/** Calls a trigger with right and wrong tokens, in every place and state that a URL can have. */
async function callTrigger(n8n: N8nUnderTest): Promise<Execution[]> {
	const { webhookSecret, previousWebhookSecret } = SECRETS;
	const credential = await saveAccount(n8n, 'Secrets of the trigger', SECRETS);
	const parameters = { events: ['message.incoming'], authentication: 'secretToken' as const };
	const trigger = await publishTrigger(n8n, parameters, credential);
	const query = `?token=${webhookSecret}`;
	const received = (event = 'message.incoming') =>
		incomingWith({ event, data: { from: '+12025550110', text: `${RECEIVED} ${Math.random()}` } });
	const requests: Array<[number, Post]> = [
		[200, { query, ...received() }],
		[200, { headers: { 'x-webhook-token': webhookSecret }, ...received() }],
		[200, { headers: { authorization: `Bearer ${webhookSecret}` }, ...received() }],
		[200, { query: `?token=${previousWebhookSecret}`, ...received() }],
		[401, { query: `${query}-wrong`, ...received() }],
		[401, { query: `${query}&token=${previousWebhookSecret}`, ...received() }],
		[401, { query: `?secret=${webhookSecret}`, ...received() }],
		[400, { query, body: 'null' }],
		[422, { query, body: '{' }],
		[500, { query, body: 'x'.repeat(OVER_LIMIT_OF_N8N) }],
		[200, { query, ...received('message.read') }],
	];
	for (const [status, post] of requests) expect(await trigger.post(post)).toMatchObject({ status });
	await trigger.expectRuns(4);

	const test = await n8n.client.workflows.save(triggerWorkflow(parameters, credential));
	await n8n.client.workflows.run(test.id, 'Trigger');
	const testUrl = webhookUrl(n8n.url, test).replace('/webhook/', '/webhook-test/') + query;
	expect((await fetch(testUrl)).status).toBe(200);
	for (const status of [200, 404]) {
		expect((await fetch(testUrl, { method: 'POST', ...received() })).status).toBe(status);
	}
	return await n8n.client.executions.list(trigger.id);
}

// SECURITY, The API key: the key and the secrets are in no output, error, hint or log
test('the runs had successes and failures, which are where the secrets are searched', () => {
	expect(executionData).toContain(RECEIVED);
	for (const trace of ['"outcome":"unknown"', '"httpStatus":401', '"hints":[{', '•••']) {
		expect(executionData).toContain(trace);
	}
	const database = expect.stringMatching(/database\.sqlite(-wal)?$/);
	expect(filesWith(userFolder, RECIPIENT)).toContainEqual(database);
	expect(filesWith(userFolder, RECEIVED)).toContainEqual(database);
	expect(filesWith(userFolder, 'Webhook request answered 401')).toContain(logFile);
});

test.each([
	...Object.entries(SECRETS),
	// Where a message is shortened in the middle of the key.
	['beginning of the apiKey', SECRETS.apiKey.slice(0, 6)],
])('the %s is in no execution, error, hint or log, nor in the database', (_, secret) => {
	expect(executionData).not.toContain(secret);
	expect(filesWith(userFolder, secret)).toEqual([]);
});
