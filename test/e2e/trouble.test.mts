import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalApi } from '../../playground/api/server.mts';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { startAsking } from '../support/askedWorkflow.mts';
import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.mts';
import { beginCampaign, type Campaign } from '../support/interruptedCampaign.mts';
import { ROWS as AN_ITEM_EACH, webhookNode } from '../support/nativeNodes.mts';
import { expectOldRowsToGo } from '../support/oldRows.mts';
import { filesWith, startOwnN8n } from '../support/ownN8n.mts';
import { postJson } from '../support/postJson.mts';
import { answer, look } from '../support/questionPage.mts';
import { countingWorkflow, startRunCounter } from '../support/runCounter.mts';
import {
	customersOf,
	IN_PARALLEL,
	messagesByCustomer,
	rowsOf,
	sendsOnce,
} from '../support/sendOnceSheet.mts';

jest.setTimeout(1_200_000);

const NODE = 'Business Messaging';
/** The shortest; over soon after n8n has started again. */
const LIMIT_S = 15;
/** Of the sheets that are run again. */
const ROWS = Number(process.env.SEND_ONCE_ROWS ?? 120);
const CAMPAIGN_ROWS = Number(process.env.INTERRUPTED_ROWS ?? 100);
const LONGEST_RUN_MS = 600_000;
const CUSTOMERS = customersOf(ROWS);
const CAP = { frequencyCap: { cap: { messages: 1, period: 24, unit: 'hours', name: 'all' } } };
const SECRET = 'secret-of-the-trouble';
const WITH_CODE = {
	variablesInput: 'templateText',
	templateText: 'Hi {{1}}, please open {{2}} and enter {{3}}',
	variable1: 'Asha',
	variable2: '[link]',
	variable3: '[code]',
};

let own: Awaited<ReturnType<typeof startOwnN8n>>;
let scenes: Awaited<ReturnType<typeof beginScenes>>;
const started: Array<{ close: () => Promise<void> }> = [];

beforeAll(async () => {
	own = await startOwnN8n('trouble');
	scenes = await beginScenes();
	await killWhileStoring(scenes.events.deliver);
	await own.restart();
});

afterAll(async () => {
	await own?.n8n.stop();
	await Promise.all(started.map(async ({ close }) => await close()));
});

/** All that is under way when n8n is killed. */
async function beginScenes() {
	const events = await startEvents();
	const runs = [await beginRun(), await beginRun({ saveExecutionProgress: true })];
	const lookUp = await beginLookUp();
	const questions = await askQuestions();
	const [sheet, capped] = await Promise.all([
		beginSheet('killed'),
		beginSheet('capped', { sendOnceKey: undefined, ...CAP }),
	]);
	const [unsaved, saved, calledSaved, calledUnsaved] = await Promise.all(
		[false, true, true, false].map(async (saveExecutionProgress, index) => {
			const isCalled = index >= 2;
			return await beginCampaign(own.n8n, CAMPAIGN_ROWS, { saveExecutionProgress }, { isCalled });
		}),
	);
	const campaigns = { unsaved, saved, calledSaved, calledUnsaved };
	started.push(...Object.values(campaigns));
	const least = Math.ceil((Math.random() * CAMPAIGN_ROWS) / 2);
	await eventually(
		`${least} messages`,
		() => Object.values(campaigns).every(({ api }) => api.messages.size >= least),
		LONGEST_RUN_MS,
	);
	return { events, runs, lookUp, sheet, capped, campaigns, questions };
}

const database = () => new DatabaseSync(join(own.userFolder, '.n8n', 'database.sqlite'));

/** While n8n's database takes nothing new, so that an event is not stored yet. */
async function killWhileStoring(deliver: (id: string) => Promise<number>) {
	const locked = database();
	locked.exec('PRAGMA busy_timeout = 10000; BEGIN EXCLUSIVE');
	const first = deliver('killed').catch(() => 'no answer');
	await sleep(1000);
	process.kill(-own.n8n.pid, 'SIGKILL');
	expect(await first).toBe('no answer');
	locked.exec('ROLLBACK');
	locked.close();
}

/** The newest execution, once it is this one, or any, and has ended well. */
async function ended(workflowId: string, id?: string) {
	const succeeded = async () => {
		const [newest] = await own.n8n.client.executions.list(workflowId, 1);
		return newest?.status === 'success' && (id ?? newest.id) === newest.id ? newest : undefined;
	};
	return await eventually('the end of the run', succeeded, LONGEST_RUN_MS);
}

/** A trigger whose runs are counted, and what delivers an event to it once. */
async function startEvents() {
	const counter = await startRunCounter();
	started.push(counter);
	const credential = await saveAccount(own.n8n, 'Events', { webhookSecret: SECRET });
	const { saved, address } = await publish(own.n8n, countingWorkflow(counter.url, credential));
	async function deliver(message_id: string) {
		const response = await fetch(address, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-webhook-token': SECRET },
			body: JSON.stringify({
				event: 'message.read',
				timestamp: '2026-01-31T14:05:00Z',
				data: { message_id },
			}),
		});
		await response.text();
		return response.status;
	}
	const expectEachOnce = async (ids: string[]) => {
		await own.n8n.client.executions.allEnded(saved.id, 120_000);
		expect(ids.map((id) => counter.runs.get(id))).toEqual(ids.map(() => 1));
	};
	const accepted = Array.from({ length: 20 }, (_, index) => `accepted-${index}`);
	for (const id of accepted) expect(await deliver(id)).toBe(200);
	await expectEachOnce(accepted);
	return { id: saved.id, address, accepted, deliver, expectEachOnce };
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
	const parameters = {
		operation: 'getStatus',
		messageId: 'm1',
		expertOptions: { timeout: 300, requestsPerMinute: 0 },
	};
	const workflow = chain(`Look-up ${randomUUID()}`, {
		Hook: webhookNode(),
		Rows: AN_ITEM_EACH,
		Dry: { ...action, name: 'Dry' },
		Status: { ...action, name: 'Status', id: randomUUID(), parameters },
	});
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
	const executionId = String(await own.n8n.client.executions.running(saved.id));
	return { server, elsewhere, id: saved.id, executionId };
}

async function askQuestions() {
	const asking = await startAsking(own.n8n);
	started.push(asking.api);
	const answered = await asking.ask();
	const withCode = await asking.ask(WITH_CODE);
	const code = [...asking.api.messages.values()].at(-1)!.templateVariables[3];
	const jsonOutput = '{"approved": true, "answer": "yes"}';
	const parameters = { mode: 'raw', jsonOutput, includeOtherFields: true };
	const Earlier = { type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
	const limit = { limitWaitTime: LIMIT_S, limitWaitTimeUnit: 'seconds' };
	const late = await asking.ask(limit, { Earlier });
	return { api: asking.api, answered, late, withCode: { ...withCode, code } };
}

async function beginSheet(name: string, options = {}) {
	const api = await startLocalApi({ requestsPerWindow: 0, latencyMs: 1000 });
	started.push(api);
	const account = await saveAccount(own.n8n, `Sheet ${name}`, { baseUrl: api.url });
	const rows = CUSTOMERS.map((to) => ({ to }));
	const parameters = sendsOnce(name);
	const all = { ...parameters, options: { ...parameters.options, ...options } };
	const make = () => sendingEach(account, rows, all, { onError: 'continueRegularOutput' });
	const workflow = make();
	const { id } = await own.n8n.client.workflows.save(workflow);
	const begin = async () => (await own.n8n.client.workflows.run(id, 'Start')).executionId;
	await begin();
	return {
		api,
		/** Another node, to which a run by hand of this one is nothing. */
		replaceNode: async () =>
			void (await own.n8n.client.workflows.save({ ...workflow, nodes: make().nodes })),
		runAll: async () => rowsOf(await ended(id, await begin()), NODE),
	};
}

// docs/trigger.md: duplicates
test('an event that was accepted runs no more, and one that it was storing runs once', async () => {
	const { id, address, accepted, deliver, expectEachOnce } = scenes.events;
	const { client } = own.n8n;
	await client.workflows.waitForWebhook(address);
	expect(await deliver('killed')).toBe(200);
	const ids = [...accepted, 'killed'];
	const copies = [...ids, ...ids].map(deliver);
	expect(new Set(await Promise.all(copies))).toEqual(new Set([200]));
	await expectEachOnce(ids);
	// docs/scaling.md: an execution without items, which says why
	const hints = (await client.executions.list(id)).flatMap(({ data }) => {
		const [run] = data.resultData.runData.Receiver;
		return run.data?.main[0]?.length ? [] : [run.hints?.[0].message];
	});
	expect(hints.length).toBeGreaterThan(0);
	expect(new Set(hints)).toEqual(
		new Set([expect.stringMatching(/^This event was delivered before/)]),
	);
});

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
	expect(api.calls).toHaveLength(3);
});

// docs/ask-and-wait.md: a one-time code
// SECURITY, The link of a question: neither the code nor a hash of it is stored
test('only the code of the message answers, and n8n stores it nowhere', async () => {
	const { link, code, id } = scenes.questions.withCode;
	expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
	expect((await look(link)).html).toContain('Code in the message');
	for (const wrong of ['', code.slice(0, -1)]) {
		const page = await answer(link, { choice: '0', reason: 'Perhaps', code: wrong });
		expect(page).toMatchObject({ status: 403, heading: 'A question for you' });
		expect(page.html).not.toContain(code);
	}
	const entered = ` ${code.toLowerCase().replace('-', ' ')}`;
	const page = await answer(link, { choice: '0', code: entered });
	expect(page).toMatchObject({ status: 200, heading: 'Thank you' });
	expect(outputOf(await ended(id), 'After')).toMatchObject([
		{ approved: true, message: { preview: expect.stringMatching(/and enter \[code\]$/) } },
	]);
	expect(filesWith(own.userFolder, '[code]')).not.toEqual([]);
	for (const secret of [code, code.replace('-', '')]) {
		expect(filesWith(own.userFolder, secret)).toEqual([]);
	}
});

/** All at once, because each waits for a minute, in which a message of the dead n8n may still be on its way. */
function runAgain() {
	const { sheet, capped, campaigns } = scenes;
	const { unsaved, saved, calledSaved, calledUnsaved } = campaigns;
	const retry = async (campaign: Campaign, afterMs = 0) => {
		await sleep(afterMs);
		return await campaign.retry(own.n8n, campaign.first);
	};
	return {
		sheet: sheet.runAll(),
		capped: capped.replaceNode().then(capped.runAll),
		// Clicked twice.
		unsaved: Promise.all([retry(unsaved), retry(unsaved, 400)]),
		saved: retry(saved),
		calledSaved: retry(calledSaved),
		calledUnsaved: retry(calledUnsaved),
	};
}

describe('what was being sent, run again:', () => {
	let again: ReturnType<typeof runAgain>;
	/** By the sub-workflow whose progress n8n did not save. */
	let sentToCalled: number;

	beforeAll(() => {
		sentToCalled = scenes.campaigns.calledUnsaved.api.messages.size;
		again = runAgain();
		for (const run of Object.values(again)) run.catch(() => undefined);
	});

	// docs/send-once.md: killed
	test('a sheet: at most one message for each, and who may have got none is named', async () => {
		const { api } = scenes.sheet;
		const second = await again.sheet;
		expect(second.sent.length + second.sentBefore.length + second.unknown.length).toBe(ROWS);
		expect(second.unknown.length).toBeLessThanOrEqual(IN_PARALLEL);
		const counts = messagesByCustomer(api);
		expect(Math.max(...counts.values())).toBe(1);
		const without = CUSTOMERS.filter((to) => !counts.has(to));
		const named = second.unknown.map((index) => CUSTOMERS[index]);
		expect(named).toEqual(expect.arrayContaining(without));
	});

	// docs/sending.md: what a killed run was sending
	test('a sheet with a frequency cap: at most one message for each, and who may have got none is named', async () => {
		const { api } = scenes.capped;
		const second = await again.capped;
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
	});

	// README: retries never resend a message
	test('a campaign, by Retry: each customer has one message, or is told as unknown', async () => {
		const { unsaved, saved } = scenes.campaigns;
		for (const told of await again.unsaved) {
			expect(told.refused).toEqual([]);
			unsaved.assertTold(told, 1);
		}
		saved.assertTold(await again.saved, 1);
		saved.assertTold(await saved.retry(own.n8n, saved.first), 1);
	});

	// docs/after-a-crash.md: in a sub-workflow
	test("a sub-workflow, by its own execution's Retry, goes on if n8n has saved its progress, and else is refused", async () => {
		const { calledSaved, calledUnsaved } = scenes.campaigns;
		calledSaved.assertTold(await again.calledSaved, 1);
		expect((await again.calledUnsaved).refused).toHaveLength(CAMPAIGN_ROWS);
		expect(calledUnsaved.api.messages.size).toBe(sentToCalled);
	});
});

/** When the copies of an event come to a database in trouble. */
const COPIES_MS = [0, 200, 500, 1000, 2000, 3500, 5000, 7500];

// docs/trigger.md: 200 only when stored
// SECURITY, The trigger: answered when stored
test('no event is acknowledged before it is stored, and none runs twice, when the database is slow, and then full', async () => {
	const { deliver, expectEachOnce } = scenes.events;
	const ids = Array.from({ length: 20 }, (_, index) => `event-${index}`);
	const answers = ids.map((): number[] => []);
	const slow = database();
	slow.exec(`PRAGMA busy_timeout = 10000; BEGIN EXCLUSIVE;
		CREATE TRIGGER full BEFORE INSERT ON execution_entity
		BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
	const deliveries = ids.flatMap((id, index) =>
		COPIES_MS.map(async (ms) => {
			await sleep(ms);
			// A sender that was told 200 is content.
			if (!answers[index].includes(200)) answers[index].push(await deliver(id));
		}),
	);
	await sleep(5000);
	slow.exec('COMMIT');
	await sleep(1000);
	await eventually('a refusal', () => answers.flat().includes(500));
	slow.exec('DROP TRIGGER full');
	slow.close();
	await Promise.all(deliveries);
	// The sender repeats what none of its copies was acknowledged for.
	const others = ids.filter((_, index) => !answers[index].includes(200));
	for (const id of others) expect(await deliver(id)).toBe(200);
	await expectEachOnce(ids);
	// What n8n refused, and what it stored in the end.
	expect(new Set(answers.flat())).toEqual(new Set([500, 200]));
});

// docs/update.md: what stays in the database
test('the statement for administrators removes old rows from SQLite, and nothing else', async () => {
	const all = database();
	all.exec('PRAGMA busy_timeout = 10000');
	await expectOldRowsToGo(async (statement) => {
		const rows = await Promise.resolve(all.prepare(statement).all());
		return rows.flatMap((row) => Object.values(row).slice(0, 1).map(String));
	});
	all.close();
});
