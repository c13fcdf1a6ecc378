import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain, type NodeSettings } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { rowsOf } from '../support/dataTable.mts';
import { openEditor, type Editor } from '../support/editor.mts';
import { exampleRuns } from '../support/exampleRuns.mts';
import { changed, withTables } from '../support/examples.mts';
import { n8nOfThisWorker } from '../support/n8nUnderTest.mts';
import { CALLED, callNode, webhookNode } from '../support/nativeNodes.mts';
import { postJson } from '../support/postJson.mts';

jest.setTimeout(300_000);
const LONGEST_MS = 180_000;

const NODE = 'Business Messaging';
const INDIAN = '+919876543210';
const TESTER = '+12025550199';
const ZONE = 'Asia/Kolkata';
const MANUAL: NodeSettings = { type: 'n8n-nodes-base.manualTrigger' };
const BOOKING = { name: 'Asha', phone: '(+1) 202 555-0110', day: 'Monday, 2 February, 10:00' };

// All are begun first, and looked at one after the other.
const examples = exampleRuns();
let slow: { api: LocalApi; editor: Editor; told: string[] };
let night: { opens: string; runs: Map<string, LocalApi>; id: string };
let unanswered: { id: string; tables: string };

beforeAll(async () => {
	slow = await beginSlow();
	night = await beginNights();
	unanswered = await beginUnanswered();
});

afterAll(async () => {
	await slow?.editor.close();
	const apis = [slow?.api, ...(night?.runs.values() ?? [])];
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

	async function nightOf(start: NodeSettings) {
		const api = await startLocalApi();
		const credential = await saveAccount(n8n, `Night ${randomUUID()}`, { baseUrl: api.url });
		const sender = (timeZone: string, more = {}) => {
			const sendBetween = { hours: { ...hours, timeZone } };
			const options = { requestsPerMinute: 0, sendBetween, ...more };
			return sendingEach(credential, [], { to: INDIAN, category: 'marketing', options }).nodes[1];
		};
		const workflow = chain(`Night ${randomUUID()}`, {
			Start: start,
			Night: { ...sender('workflow'), name: 'Night' },
			Wait: {
				type: 'n8n-nodes-base.wait',
				typeVersion: 1.1,
				webhookId: randomUUID(),
				parameters: { resume: 'specificTime', dateTime: '={{ $json.sendAfter }}' },
			},
			Morning: {
				...sender('recipient', { testRecipient: TESTER }),
				name: 'Morning',
				id: randomUUID(),
			},
		});
		workflow.connections.Night = { main: [[], [{ node: 'Wait', type: 'main', index: 0 }]] };
		workflow.settings = { ...workflow.settings, timezone: ZONE };
		return { api, workflow };
	}

	/** Whose sub-workflow that is, which it does not wait for. */
	async function callerOf(called: Workflow, start: NodeSettings) {
		const saved = await client.workflows.save(called);
		await client.workflows.publish(saved);
		return chain(`Evening ${randomUUID()}`, { Start: start, Call: callNode(saved.id, false) });
	}

	const begin = {
		byHand: async (workflow: Workflow) => {
			const { id } = await client.workflows.save(workflow);
			await client.workflows.run(id, 'Start');
			return id;
		},
		inProduction: async (workflow: Workflow) => {
			const { saved, address } = await publish(n8n, workflow);
			await postJson(address, {});
			return saved.id;
		},
	};
	const runs = new Map<string, LocalApi>();
	const [byHand, inProduction] = [await nightOf(MANUAL), await nightOf(webhookNode())];
	const id = await begin.byHand(byHand.workflow);
	await begin.inProduction(inProduction.workflow);
	runs.set('by hand', byHand.api).set('in production', inProduction.api);
	const [calledByHand, calledInProduction] = [await nightOf(CALLED), await nightOf(CALLED)];
	await begin.byHand(await callerOf(calledByHand.workflow, MANUAL));
	await begin.inProduction(await callerOf(calledInProduction.workflow, webhookNode()));
	runs.set('called by hand', calledByHand.api);
	runs.set('called in production', calledInProduction.api);
	return { opens: new Date(opensAt).toISOString(), runs, id };
}

/** The example that asks, and waits for two seconds: n8n looks for those whose time is over once a minute. */
async function beginUnanswered() {
	const tables = ` ${randomUUID()}`;
	const example = withTables(await examples().ready('ask-and-wait'), tables);
	const atAnotherUrl = changed(example, 'A day is booked', { path: randomUUID() });
	const impatient = { resumeAmount: 2, resumeUnit: 'seconds' };
	const workflow = changed(atAnotherUrl, 'Wait for the reply', impatient);
	const { id, address } = await examples().live(workflow);
	await postJson(address, BOOKING);
	return { id, tables };
}

test('ask-and-wait: without an answer in time the customer is to be called', async () => {
	const { n8n } = examples();
	const succeeded = async () => {
		const [newest] = await n8n.client.executions.list(unanswered.id, 1);
		return newest?.status === 'success' && newest;
	};
	const execution = await eventually('the end of its time', succeeded, LONGEST_MS);
	expect(outputOf(execution, 'Call them')).toEqual([{ ...BOOKING, phone: CUSTOMER }]);
	expect(await rowsOf(n8n, `Open questions${unanswered.tables}`)).toEqual([]);
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
	const recipientsOf = ({ calls }: LocalApi) =>
		calls.map(({ body }) => (body as { to: string }).to);
	await eventually(
		'all messages',
		() => [...night.runs.values()].every(({ calls }) => calls.length > 0),
		LONGEST_MS,
	);
	const all = [...night.runs].map(([name, api]) => [name, recipientsOf(api)]);
	expect(Object.fromEntries(all)).toEqual({
		'by hand': [TESTER],
		'in production': [INDIAN],
		'called by hand': [TESTER],
		'called in production': [INDIAN],
	});
	const execution = await eventually('the end', async () => {
		const [newest] = await examples().n8n.client.executions.list(night.id, 1);
		return newest?.status === 'success' && newest;
	});
	expect(outputOf(execution, 'Night', 1)).toEqual([
		{ skipped: 'quietHours', to: INDIAN, sendAfter: night.opens },
	]);
	const [sent] = outputOf(execution, 'Morning');
	expect(Date.parse(String(sent.sent_at))).toBeGreaterThanOrEqual(Date.parse(night.opens));
});
