import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLocalApi } from '../../playground/api/server.mts';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { openEditor } from '../support/editor.mts';
import { exampleRuns } from '../support/exampleRuns.mts';
import { changed } from '../support/examples.mts';
import { newestThatIs } from '../support/manualRun.mts';
import { n8nOfThisWorker } from '../support/n8nUnderTest.mts';
import { webhookNode } from '../support/nativeNodes.mts';
import { postJson } from '../support/postJson.mts';

jest.setTimeout(300_000);
const LONGEST_MS = 180_000;

const NODE = 'Business Messaging';
const INDIAN = '+919876543210';
const TESTER = '+12025550199';
const ZONE = 'Asia/Kolkata';
const BOOKING = { name: 'Asha', phone: '(+1) 202 555-0110', day: 'Monday, 2 February, 10:00' };

// All are begun first, and looked at one after the other.
const examples = exampleRuns();
let slow: Awaited<ReturnType<typeof beginSlow>>;
let night: Awaited<ReturnType<typeof beginNights>>;
let unanswered: Awaited<ReturnType<typeof beginUnanswered>>;

beforeAll(async () => {
	slow = await beginSlow();
	night = await beginNights();
	unanswered = await beginUnanswered();
});

afterAll(async () => {
	await slow?.editor.close();
	const apis = [slow?.api, night?.byHand.api, night?.inProduction.api];
	await Promise.all(apis.map(async (api) => await api?.close()));
});

/** A run by hand in the editor, of three messages that take 22 s each. */
async function beginSlow() {
	const { n8n } = examples();
	const api = await startLocalApi({ latencyMs: 22_000 });
	const editor = await openEditor(n8n);
	const told: string[] = [];
	editor.page.on('console', (message) => told.push(message.text()));
	const credential = await saveAccount(n8n, 'Slow in the editor', { baseUrl: api.url });
	const rows = [0, 1, 2].map((row) => ({ to: `+1415555${1000 + row}` }));
	await editor.show(sendingEach(credential, rows), NODE);
	await editor.execute();
	return { api, editor, told };
}

/**
 * Workflows that send outside the hours, which open in 65 to 125 seconds, wait in a Wait node, and send with a Test
 * Recipient. From 65 seconds on, n8n stores an execution that waits, and takes it up from its database again.
 */
async function beginNights() {
	const { n8n } = examples();
	const { client } = n8n;
	const timeOf = (ms: number) =>
		new Date(ms).toLocaleTimeString('en-GB', { timeZone: ZONE, timeStyle: 'short' });
	const opensAt = Math.ceil((Date.now() + 65_000) / 60_000) * 60_000;
	const hours = { from: timeOf(opensAt), until: timeOf(opensAt + 3_600_000) };

	async function begin(isByHand: boolean) {
		const api = await startLocalApi();
		const credential = await saveAccount(n8n, `Night ${randomUUID()}`, { baseUrl: api.url });
		const sender = (name: string, timeZone: string, more = {}) => {
			const sendBetween = { hours: { ...hours, timeZone } };
			const options = { requestsPerMinute: 0, sendBetween, ...more };
			const parameters = { to: INDIAN, category: 'marketing', options };
			const [, action] = sendingEach(credential, [], parameters).nodes;
			return { ...action, name, id: randomUUID() };
		};
		const workflow = chain(`Night ${randomUUID()}`, {
			Start: isByHand ? { type: 'n8n-nodes-base.manualTrigger' } : webhookNode(),
			Night: sender('Night', 'workflow'),
			Wait: {
				type: 'n8n-nodes-base.wait',
				typeVersion: 1.1,
				webhookId: randomUUID(),
				parameters: { resume: 'specificTime', dateTime: '={{ $json.sendAfter }}' },
			},
			Morning: sender('Morning', 'recipient', { testRecipient: TESTER }),
		});
		workflow.connections.Night = { main: [[], [{ node: 'Wait', type: 'main', index: 0 }]] };
		workflow.settings = { ...workflow.settings, timezone: ZONE };
		if (!isByHand) {
			const { saved, address } = await publish(n8n, workflow);
			await postJson(address, {});
			return { api, id: saved.id };
		}
		const { id } = await client.workflows.save(workflow);
		await client.workflows.run(id, 'Start');
		return { api, id };
	}

	const [byHand, inProduction] = [await begin(true), await begin(false)];
	return { opens: new Date(opensAt).toISOString(), byHand, inProduction };
}

/** The example that asks, and waits for two seconds: n8n looks for those whose time is over once a minute. */
async function beginUnanswered() {
	const example = await examples().ready('ask-and-wait');
	const atAnotherUrl = changed(example, 'A day is booked', { path: randomUUID() });
	const impatient = { resumeAmount: 2, resumeUnit: 'seconds' };
	const workflow = changed(atAnotherUrl, 'Wait for the reply', impatient);
	const { id, address } = await examples().live(workflow);
	await postJson(address, BOOKING);
	return { id };
}

test('ask-and-wait: without an answer in time the customer is to be called', async () => {
	const { n8n } = examples();
	const execution = await newestThatIs('success', n8n, unanswered.id, LONGEST_MS);
	expect(outputOf(execution, 'Call them')).toEqual([{ ...BOOKING, phone: CUSTOMER }]);
	expect(await examples().rows('Open questions')).toEqual([]);
});

// docs/good-to-know.md: each minute in the log and in the console of the browser
test('a run of more than a minute says how far it has come, in the log and in the console of the browser', async () => {
	const { editor, told } = slow;
	const sent = editor.output.getByText('3 messages sent, cost INR 0.345.');
	await sent.waitFor({ timeout: 90_000 });
	const line =
		/1 of 3 left\. About 3\d s to go, until \w{3} \d+ \w{3} \d{4}, [\d:]+ [\w/]+\. 2 of 3 messages were sent/;
	expect(told.filter((text) => line.test(text))).toEqual([
		expect.stringMatching(/^\[Node: "Business Messaging"\] 1 of 3 left/),
	]);
	const { url, userFolder } = n8nOfThisWorker();
	const log = readFileSync(join(userFolder, `start-${new URL(url).port}.log`), 'utf8');
	expect(log).toMatch(/Execution \d+, "Business Messaging": 1 of 3 left\./);
});

// docs/sending.md: for a Wait node; Test Recipient
test('a message outside the hours is skipped, waits in a Wait node, and is then sent to the right person', async () => {
	const { opens, byHand, inProduction } = night;
	const { n8n } = examples();
	for (const [{ api, id }, to] of [
		[byHand, TESTER],
		[inProduction, INDIAN],
	] as const) {
		const execution = await newestThatIs('success', n8n, id, LONGEST_MS);
		expect(outputOf(execution, 'Night', 1)).toEqual([
			{ skipped: 'quietHours', to: INDIAN, sendAfter: opens },
		]);
		const [sent] = outputOf(execution, 'Morning');
		expect(Date.parse(String(sent.sent_at))).toBeGreaterThanOrEqual(Date.parse(opens));
		expect(api.calls.map(({ body }) => (body as { to: string }).to)).toEqual([to]);
	}
});
