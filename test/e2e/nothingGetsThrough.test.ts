import { startLocalApi } from '../../playground/api/server.ts';
import { FREE_PLAN_KEY } from '../../playground/api/wellKnown.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import { actionWorkflow } from '../support/actionWorkflow.ts';
import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.ts';
import { runOnce } from '../support/manualRun.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';

const SHEET = Array.from({ length: 40 }, (_, index) => ({ to: `+120255501${10 + index}` }));

let n8n: N8nUnderTest;

beforeAll(async () => {
	n8n = await n8nUnderTest();
});

interface Failure {
	outcome: string;
	message: string;
	remedy: string;
}

/** Sends to the whole sheet with "continue on error". @returns the `error` of each item, and the line above them */
async function sendSheet(account: { baseUrl: string; apiKey?: string }) {
	const credential = await saveAccount(n8n, `Nothing gets through ${account.baseUrl}`, account);
	const workflow = actionWorkflow(credential, {
		operation: 'sendTemplate',
		to: '={{ $json.to }}',
		templateName: 'order_update',
		variablesInput: 'none',
	});
	const [start, action] = workflow.nodes;
	const execution = await runOnce(n8n, {
		...workflow,
		nodes: [start, { ...action, onError: 'continueRegularOutput' }],
		pinData: { Start: SHEET.map((json) => ({ json })) },
	});
	const [{ hints = [] }] = execution.data.resultData.runData['Business Messaging'];
	const items = outputOf(execution, 'Business Messaging');
	return { failures: items.map(({ error }) => error as Failure), line: hints[0]?.message };
}

function expectEnd(failures: Failure[], outcome: string, message: string) {
	expect(failures.map((failure) => failure.outcome)).toEqual([
		...Array<string>(5).fill(outcome),
		...Array<string>(35).fill('notSent'),
	]);
	for (const failure of failures) expect(failure.message).toBe(message);
	for (const { remedy } of failures.slice(5)) {
		expect(remedy).toMatch(/This item was not tried, because those before it failed/);
		expect(remedy).not.toContain('may have been sent');
	}
}

// README, Good to know: when nothing gets through
test('40 messages of an account whose plan has no API access are 5 requests', async () => {
	const api = await startLocalApi();
	const { failures } = await sendSheet({ baseUrl: api.url, apiKey: FREE_PLAN_KEY });
	await api.close();
	expectEnd(failures, 'rejected', "Your account's plan has no API access");
	expect(api.calls).toHaveLength(5);
});

test.each([
	['captivePortal', 'unknown', 'A web page or proxy answered instead of the API'],
	['error500WithBody', 'unknown', 'The API is not working properly (HTTP 500)'],
	['redirect', 'rejected', 'The API address redirects to another address, which was not followed'],
] as const)(
	'40 messages that are answered with %s are 5 requests',
	async (name, outcome, message) => {
		const server = await startFaultServer(() => MISBEHAVIORS[name]);
		const { failures, line } = await sendSheet({ baseUrl: server.url });
		await server.close();
		expectEnd(failures, outcome, message);
		expect(server.received).toHaveLength(5);
		if (outcome === 'unknown') expect(line).toMatch(/^5 may have been sent: .*\. 35 failed: /);
	},
);
