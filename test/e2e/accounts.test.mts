import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { startAgent } from '../support/agentUnderTest.mts';
import { runOnce } from '../support/manualRun.mts';
import { isN8nBefore, n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { publishTrigger } from '../support/publishedTrigger.mts';
import { incomingWith, refused } from '../support/webhookEvents.mts';

const KEYS = { acme: 'key-of-acme', globex: 'key-of-globex', initech: 'key-of-initech' };
const TENANTS = Object.keys(KEYS) as Array<keyof typeof KEYS>;

let n8n: N8nUnderTest;

beforeAll(async () => {
	n8n = await n8nUnderTest();
});

/** What an API got, with which keys, for whom. */
function received({ calls }: LocalApi) {
	return calls.map(({ method, headers, body, answeredStatus }) => {
		const { to = '' } = (body as { to?: string } | undefined) ?? {};
		return [method, headers['x-api-key'], answeredStatus, to].join(' ').trim();
	});
}

// docs/credentials.md: several accounts in one run
test('a run with the items of three tenants sends and looks up each at the API of its tenant, with the key of its tenant', async () => {
	const apis = await Promise.all(
		TENANTS.map(async (account) => {
			const apiKeys = [{ key: KEYS[account], account, plan: 'Scale' as const }];
			return await startLocalApi({ requestsPerWindow: 0, deliveredAfterMs: 0, apiKeys });
		}),
	);
	// The keys of all tenants are in the credential, and none is in the items.
	const credential = await saveAccount(n8n, 'Tenants', {
		baseUrl: "={{ $('Start').item.json.api }}",
		apiKey: `={{ (${JSON.stringify(KEYS)})[$json.tenant] }}`,
	});
	const items = Array.from({ length: 12 }, (_, item) => {
		const tenant = item % TENANTS.length;
		const to = `+141555526${String(item).padStart(2, '0')}`;
		return { to, tenant: TENANTS[tenant], api: apis[tenant].url };
	});
	const options = { waitFor: 'delivered', waitTimeout: 30, requestsPerMinute: 0 };
	const execution = await runOnce(n8n, sendingEach(credential, items, { options }));
	await Promise.all(apis.map(async (api) => await api.close()));
	for (const [index, tenant] of TENANTS.entries()) {
		const own = items.filter((item) => item.tenant === tenant);
		const sends = own.map(({ to }) => `POST ${KEYS[tenant]} 200 ${to}`);
		const looks = own.map(() => `GET ${KEYS[tenant]} 200`);
		expect(received(apis[index]).sort()).toEqual([...looks, ...sends]);
	}
	const output = items.map(({ to }) => ({ to, delivery: { timedOut: false } }));
	expect(outputOf(execution, 'Business Messaging')).toMatchObject(output);
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
