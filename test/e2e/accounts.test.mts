import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { startAgent } from '../support/agentUnderTest.mts';
import { runOnce } from '../support/manualRun.mts';
import { isN8nBefore, n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { publishTrigger } from '../support/publishedTrigger.mts';
import { incomingWith, refused } from '../support/webhookEvents.mts';

const NODE = 'Business Messaging';
const TENANTS = ['acme', 'globex', 'initech'];
const EACH = 20;

let n8n: N8nUnderTest;
/** One for each tenant, which knows the tenant's key only. */
let apis: LocalApi[];

beforeAll(async () => {
	n8n = await n8nUnderTest();
});

beforeEach(async () => {
	const settings = { requestsPerWindow: 0, deliveredAfterMs: 100 };
	apis = await Promise.all(
		TENANTS.map(async (tenant) => {
			const apiKeys = [{ key: keyOf(tenant), account: tenant, plan: 'Scale' as const }];
			return await startLocalApi({ ...settings, apiKeys });
		}),
	);
});

afterEach(async () => {
	await Promise.all(apis.map(async (api) => await api.close()));
});

function keyOf(tenant: string) {
	return `key-of-${tenant}`;
}

/** Twenty for each tenant, in turn. */
function items() {
	return Array.from({ length: EACH * TENANTS.length }, (_, item) => {
		const tenant = TENANTS[item % TENANTS.length];
		const to = `+141555526${String(item).padStart(2, '0')}`;
		return { to, tenant, api: apis[TENANTS.indexOf(tenant)].url };
	});
}

function recipientsOf(tenant: string) {
	return items().flatMap((item) => (item.tenant === tenant ? [item.to] : []));
}

/** The keys of all tenants are in the credential, and none is in the items. */
async function run(parameters: Record<string, unknown>, rows: object[]) {
	const keys = Object.fromEntries(TENANTS.map((name) => [name, keyOf(name)]));
	const credential = await saveAccount(n8n, 'Tenants', {
		baseUrl: "={{ $('Start').item.json.api }}",
		apiKey: `={{ (${JSON.stringify(keys)})[$json.tenant] }}`,
	});
	return await runOnce(n8n, sendingEach(credential, rows, parameters));
}

/** By tenant: what its API got, with which keys. */
function received(method = 'POST') {
	return apis.map(({ calls }) => {
		const ofMethod = calls.filter((call) => call.method === method);
		return {
			keys: [...new Set(ofMethod.map(({ headers }) => headers['x-api-key']))],
			sentTo: ofMethod
				.filter(({ answeredStatus }) => answeredStatus === 200)
				.map(({ body }) => (body as { to: string } | undefined)?.to)
				.sort(),
		};
	});
}

function eachOnce(tenant: string) {
	return { keys: [keyOf(tenant)], sentTo: recipientsOf(tenant) };
}

// docs/credentials.md: several accounts in one run
test('a run with the items of three tenants sends and looks up each at the API of its tenant, with the key of its tenant', async () => {
	const options = { waitFor: 'delivered', waitTimeout: 30, requestsPerMinute: 0, concurrency: 10 };
	const execution = await run({ options }, items());
	expect(received()).toEqual(TENANTS.map(eachOnce));
	const looks = received('GET').map(({ keys }) => keys);
	expect(looks).toEqual(TENANTS.map((tenant) => [keyOf(tenant)]));
	const output = outputOf(execution, NODE);
	expect(output.map(({ to }) => to)).toEqual(items().map(({ to }) => to));
	for (const { delivery } of output) expect(delivery).toMatchObject({ timedOut: false });

	const rows = output.map(({ message_id }, item) => ({ ...items()[item], id: message_id }));
	for (const { calls } of apis) calls.length = 0;
	const looked = await run(
		{ operation: 'getStatus', messageId: '={{ $json.id }}', options: { requestsPerMinute: 0 } },
		rows,
	);
	expect(outputOf(looked, NODE)).toHaveLength(items().length);
	expect(received('GET').map(({ keys }) => keys)).toEqual(looks);
});

// SECURITY, The API key: no expressions in tools
test.each([{ agentVersion: 2.2 }, { agentVersion: isN8nBefore(11) ? 3 : 3.1 }])(
	'the tool of an agent sends nothing with a credential that reads an item: %j',
	async (kind) => {
		const agent = await startAgent(n8n, { apiKey: "={{ $json.key ?? 'local-development-key' }}" });
		const tool = {
			operation: 'sendTemplate',
			to: "={{ $fromAI('to', 'Phone number', 'string') }}",
			templateName: 'order_update',
			variablesInput: 'none',
		};
		const chosen = { to: '+12025550110', key: 'key-of-the-model' };
		const { data } = await agent.run(chosen, tool, {}, kind);
		await agent.close();
		// Agent 3 gives the tool all values of its model, which asks for none of the name.
		expect(JSON.stringify(data.resultData)).toMatch(
			/The credential's Base URL or API Key is an expression, [^"]* Choose a credential with fixed values\.|The tool does not ask for key\./,
		);
		expect(agent.calls()).toEqual([]);
	},
);

// SECURITY, The trigger: an expression that reads an item
test.each([
	['secret', { webhookSecret: '=secret-of-tenant-{{ $json.tenant }}' }],
	['API key', { webhookSecret: 'secret-of-tenant-', apiKey: '={{ $json.key }}' }],
])('a trigger whose %s reads an item answers 401', async (name, data) => {
	const label = `A trigger's ${name}`;
	const trigger = await publishTrigger(
		n8n,
		{ events: ['*'], authentication: 'secretToken' },
		await saveAccount(n8n, label, { webhookSecret: 'the-secret-at-first' }),
	);
	await saveAccount(n8n, label, data);
	const answer = await trigger.post({ ...incomingWith({}), query: '?token=secret-of-tenant-' });
	expect(answer).toEqual(refused(401, /^The token is missing or wrong$/));
});
