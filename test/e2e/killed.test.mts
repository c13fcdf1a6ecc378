import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { startAsking } from '../support/askedWorkflow.mts';
import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.mts';
import { ROWS as AN_ITEM_EACH, webhookNode } from '../support/nativeNodes.mts';
import { startOwnN8n } from '../support/ownN8n.mts';
import { postJson } from '../support/postJson.mts';
import { answer } from '../support/questionPage.mts';
import {
	customersOf,
	IN_PARALLEL,
	messagesByCustomer,
	rowsOf,
	sendsOnce,
} from '../support/sendOnceSheet.mts';

jest.setTimeout(1_200_000);

const NODE = 'Business Messaging';
const LIMIT_S = 15;
/** Of the sheets that are run again. */
const ROWS = Number(process.env.SEND_ONCE_ROWS ?? 120);
const LONGEST_RUN_MS = 600_000;
const CUSTOMERS = customersOf(ROWS);
const CAP = { frequencyCap: { cap: { messages: 1, period: 24, unit: 'hours', name: 'all' } } };

/** What was under way when n8n was killed. */
interface Scenes {
	runs: Array<Awaited<ReturnType<typeof beginRun>>>;
	lookUp: Awaited<ReturnType<typeof beginLookUp>>;
	questions: Awaited<ReturnType<typeof askQuestions>>;
	sheet: Awaited<ReturnType<typeof beginSheet>>;
	capped: Awaited<ReturnType<typeof beginSheet>>;
}

let own: Awaited<ReturnType<typeof startOwnN8n>>;
let scenes: Scenes;
const started: Array<{ close: () => Promise<void> }> = [];

beforeAll(async () => {
	own = await startOwnN8n('killed');
	const runs = [await beginRun(), await beginRun({ saveExecutionProgress: true })];
	const questions = await askQuestions();
	const [lookUp, sheet, capped] = await Promise.all([
		beginLookUp(),
		beginSheet('killed'),
		beginSheet('capped', { sendOnceKey: undefined, ...CAP }),
	]);
	scenes = { runs, lookUp, questions, sheet, capped };
	process.kill(-own.n8n.pid, 'SIGKILL');
	await sleep(LIMIT_S * 1000);
	await own.restart();
});

afterAll(async () => {
	await own?.n8n.stop();
	await Promise.all(started.map(async ({ close }) => await close()));
});

async function startApi(settings: Parameters<typeof startLocalApi>[0] = {}) {
	const api = await startLocalApi(settings);
	started.push(api);
	return api;
}

/** The newest execution, once it is this one, or any, and has ended well. */
async function ended(workflowId: string, id?: string) {
	const succeeded = async () => {
		const [newest] = await own.n8n.client.executions.list(workflowId, 1);
		return newest?.status === 'success' && (id ?? newest.id) === newest.id ? newest : undefined;
	};
	return await eventually('the end of the run', succeeded, LONGEST_RUN_MS);
}

/** A dry run, and behind it a look-up that gets no answer until it is told to. */
async function beginLookUp() {
	const answers = { isUp: false };
	const server = await startFaultServer(() =>
		answers.isUp ? MISBEHAVIORS.read : MISBEHAVIORS.neverAnswers,
	);
	started.push(server);
	const credential = await saveAccount(own.n8n, 'Look-up', { baseUrl: server.url });
	const [, action] = sendingEach(credential, [], { options: { dryRun: true } }).nodes;
	const Dry = { ...action, name: 'Dry' };
	const parameters = {
		operation: 'getStatus',
		messageId: 'm1',
		expertOptions: { timeout: 300, requestsPerMinute: 0 },
	};
	const Status = { ...action, name: 'Status', id: randomUUID(), parameters };
	const nodes = { Hook: webhookNode(), Rows: AN_ITEM_EACH, Dry, Status };
	const workflow = chain(`Look-up ${randomUUID()}`, nodes);
	workflow.connections.Dry = { main: [[], [{ node: 'Status', type: 'main', index: 0 }]] };
	const { saved, address } = await publish(own.n8n, workflow);
	await postJson(address, { rows: [{ to: CUSTOMER }, { to: CUSTOMER }] });
	await eventually('the look-ups', () => server.received.length === 2);
	const executionId = String(await own.n8n.client.executions.running(saved.id));
	return { server, answers, id: saved.id, executionId };
}

/** A run of one item, whose message gets no answer, begun by n8n's Webhook node, behind a node that can fail. */
async function beginRun(settings = {}) {
	const server = await startFaultServer(() => MISBEHAVIORS.neverAnswers);
	const elsewhere = { fails: false };
	const other = await startFaultServer(() =>
		elsewhere.fails ? MISBEHAVIORS.error500Empty : MISBEHAVIORS.sent,
	);
	started.push(server, other);
	const credential = await saveAccount(own.n8n, 'Killed', { baseUrl: server.url });
	// On a slow machine the message is still on its way when n8n is killed.
	const options = { concurrency: 1, requestsPerMinute: 0, timeout: 300 };
	const to = '={{ $("Rows").item.json.to }}';
	const [, action] = sendingEach(credential, [], { to, options }).nodes;
	const parameters = { url: other.url };
	const chained = chain(`Killed ${randomUUID()}`, {
		Hook: webhookNode(),
		Rows: AN_ITEM_EACH,
		Elsewhere: { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters },
		[NODE]: action,
	});
	const workflow = { ...chained, settings: { ...chained.settings, ...settings } };
	const { saved, address } = await publish(own.n8n, workflow);
	await postJson(address, { rows: [{ to: CUSTOMER }] });
	await eventually('the request', () => server.received.length === 1);
	return {
		server,
		elsewhere,
		id: saved.id,
		executionId: String(await own.n8n.client.executions.running(saved.id)),
	};
}

async function askQuestions() {
	const asking = await startAsking(own.n8n);
	started.push(asking.api);
	const answered = await asking.ask();
	const jsonOutput = '{"approved": true, "answer": "yes"}';
	const parameters = { mode: 'raw', jsonOutput, includeOtherFields: true };
	const Earlier = { type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
	const limit = { limitWaitTime: LIMIT_S, limitWaitTimeUnit: 'seconds' };
	const late = await asking.ask(limit, { Earlier });
	return { api: asking.api, answered, late };
}

async function saveSheet(name: string, options = {}) {
	const api = await startApi({ requestsPerWindow: 0, latencyMs: 1000 });
	const account = await saveAccount(own.n8n, `Sheet ${name}`, { baseUrl: api.url });
	const rows = CUSTOMERS.map((to) => ({ to }));
	const settings = { onError: 'continueRegularOutput' as const };
	const parameters = sendsOnce(name);
	const all = { ...parameters, options: { ...parameters.options, ...options } };
	const workflow = sendingEach(account, rows, all, settings);
	const { id } = await own.n8n.client.workflows.save(workflow);
	/** Another node, to which a run by hand of this one is nothing. */
	const replaceNode = async () => {
		const { nodes } = sendingEach(account, rows, all, settings);
		await own.n8n.client.workflows.save({ ...workflow, nodes });
	};
	const begin = async () => (await own.n8n.client.workflows.run(id, 'Start')).executionId;
	const runAll = async () => rowsOf(await ended(id, await begin()), NODE);
	return { api, begin, runAll, replaceNode };
}

const overHalf = async (api: LocalApi) =>
	await eventually('over half of the messages', () => api.messages.size > ROWS / 2, LONGEST_RUN_MS);

async function beginSheet(name: string, options = {}) {
	const sheet = await saveSheet(name, options);
	await sheet.begin();
	await overHalf(sheet.api);
	return sheet;
}

// docs/after-a-crash.md: when a Retry is refused
test('a Retry of a run of one item that was killed with its n8n sends nothing, whether n8n saved its progress or not', async () => {
	const { executions } = own.n8n.client;
	for (const { server, elsewhere, id, executionId } of scenes.runs) {
		let last = executionId;
		const retried = async () => {
			({ id: last } = await executions.retry(last));
			return (await executions.list(id, 1))[0];
		};
		// Only the run whose progress was not saved begins at the trigger once more.
		elsewhere.fails = true;
		const failed = (await retried()).data.resultData.lastNodeExecuted;
		expect([NODE, 'Elsewhere']).toContain(failed);
		elsewhere.fails = false;
		for (const attempt of ['a Retry', 'a Retry of the Retry']) {
			const { status, data } = await retried();
			const [{ error }] = data.resultData.runData[NODE].slice(-1);
			expect([attempt, status, error?.description]).toEqual([
				attempt,
				'error',
				expect.stringContaining('It was killed or stopped'),
			]);
		}
		expect(server.received).toHaveLength(1);
		process.stdout.write(`A Retry failed at ${failed}\n`);
	}
});

// docs/after-a-crash.md: Get Status and a dry run
test('a Retry of a killed execution looks up messages, and shows a dry run', async () => {
	const { server, answers, id, executionId } = scenes.lookUp;
	answers.isUp = true;
	await own.n8n.client.executions.retry(executionId);
	const [execution] = await own.n8n.client.executions.list(id, 1);
	const dryRun = { skipped: 'dryRun' };
	expect(outputOf(execution, 'Dry', 1)).toMatchObject([dryRun, dryRun]);
	expect(outputOf(execution, 'Status')).toMatchObject([{ status: 'read' }, { status: 'read' }]);
	expect(server.requestLines.filter((line) => line.startsWith('POST'))).toEqual([]);
});

// docs/ask-and-wait.md: over a restart; timedOut, and nothing of the input
test('questions outlive it: one is answered after it, the time of another is over', async () => {
	const { api, answered, late } = scenes.questions;
	const page = await answer(answered.link, { choice: '0' });
	expect(page).toMatchObject({ status: 200, heading: 'Thank you' });
	const message = expect.objectContaining({ status: 'sent' });
	expect(outputOf(await ended(answered.id), 'After')).toMatchObject([{ approved: true, message }]);
	const execution = await ended(late.id);
	expect(outputOf(execution, 'After')).toEqual([{ timedOut: true, message }]);
	expect(outputOf(execution, 'Earlier')).toMatchObject([{ approved: true }]);
	expect(api.calls).toHaveLength(2);
});

// docs/send-once.md: killed
test('a sheet, run again: at most one message for each, and who may have got none is named', async () => {
	const { api, runAll } = scenes.sheet;
	const second = await runAll();
	expect(second.sent.length + second.sentBefore.length + second.unknown.length).toBe(ROWS);
	expect(second.unknown.length).toBeLessThanOrEqual(IN_PARALLEL);
	const counts = messagesByCustomer(api);
	expect(Math.max(...counts.values())).toBe(1);
	const without = CUSTOMERS.filter((to) => !counts.has(to));
	const named = second.unknown.map((index) => CUSTOMERS[index]);
	expect(named).toEqual(expect.arrayContaining(without));
});

// docs/sending.md: what a killed run was sending
test('a sheet with a frequency cap, run again: at most one message for each, and who may have got none is named', async () => {
	const { api, runAll, replaceNode } = scenes.capped;
	await replaceNode();
	const second = await runAll();
	expect(second.sent.length + second.sentRecently.length).toBe(ROWS);
	const inDoubt = second.sentRecently.filter(({ earlier }) => earlier === 'unknown');
	expect(inDoubt.length).toBeLessThanOrEqual(IN_PARALLEL);
	const counts = messagesByCustomer(api);
	expect(Math.max(...counts.values())).toBe(1);
	const without = CUSTOMERS.filter((to) => !counts.has(to));
	expect(inDoubt.map(({ to }) => to)).toEqual(expect.arrayContaining(without));
	expect(/after a message that may have been sent, until/.test(String(second.hint))).toBe(
		inDoubt.length > 0,
	);
	process.stdout.write(`In doubt: ${inDoubt.length}, without a message: ${without.length}\n`);
});
