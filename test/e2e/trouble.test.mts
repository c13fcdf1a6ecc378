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
import { newestThatIs, runOnce } from '../support/manualRun.mts';
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
	const questions = await askQuestions();
	const sheet = await beginSheet();
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
	return { events, runs, sheet, campaigns, questions };
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

/** A trigger whose runs are counted, and what delivers an event to it once. */
async function startEvents() {
	const counter = await startRunCounter();
	started.push(counter);
	const credential = await saveAccount(own.n8n, 'Events', { webhookSecret: SECRET });
	const { saved, address } = await publish(own.n8n, countingWorkflow(counter.url, credential));
	const deliver = async (message_id: string) => {
		const event = {
			event: 'message.read',
			timestamp: '2026-01-31T14:05:00Z',
			data: { message_id },
		};
		return (await postJson(`${address}?token=${SECRET}`, event)).status;
	};
	const expectEachOnce = async (ids: string[]) => {
		await own.n8n.client.executions.allEnded(saved.id, 120_000);
		expect(ids.map((id) => counter.runs.get(id))).toEqual(ids.map(() => 1));
	};
	const accepted = Array.from({ length: 20 }, (_, index) => `accepted-${index}`);
	for (const id of accepted) expect(await deliver(id)).toBe(200);
	await expectEachOnce(accepted);
	return { id: saved.id, address, accepted, deliver, expectEachOnce };
}

/** A dry run, a look-up, and behind them a message that gets no answer, of one item, begun by n8n's Webhook node. */
async function beginRun(settings = {}) {
	const server = await startFaultServer((_, body) =>
		body ? MISBEHAVIORS.neverAnswers : MISBEHAVIORS.read,
	);
	started.push(server);
	const credential = await saveAccount(own.n8n, 'Killed', { baseUrl: server.url });
	// On a slow machine the message is still on its way when n8n is killed.
	const options = { concurrency: 1, requestsPerMinute: 0, timeout: 300 };
	const send = (more: object) => {
		const parameters = { to: '={{ $("Rows").item.json.to }}', options: { ...options, ...more } };
		const [, action] = sendingEach(credential, [], parameters).nodes;
		return { ...action, id: randomUUID() };
	};
	const workflow = chain(`Killed ${randomUUID()}`, {
		Hook: webhookNode(),
		Rows: AN_ITEM_EACH,
		Dry: { ...send({ dryRun: true }), name: 'Dry' },
		Status: {
			...send({}),
			name: 'Status',
			parameters: { resource: 'message', operation: 'getStatus', messageId: 'm1' },
		},
		[NODE]: send({}),
	});
	workflow.connections.Dry = { main: [[], [{ node: 'Status', type: 'main', index: 0 }]] };
	workflow.settings = { ...workflow.settings, ...settings };
	const { saved, address } = await publish(own.n8n, workflow);
	await postJson(address, { rows: [{ to: CUSTOMER }] });
	const sent = () => server.requestLines.filter((line) => line.startsWith('POST')).length;
	await eventually('the request', () => sent() === 1);
	const executionId = String(await own.n8n.client.executions.running(saved.id));
	return { sent, id: saved.id, executionId };
}

async function askQuestions() {
	const asking = await startAsking(own.n8n);
	started.push(asking.api);
	const withCode = await asking.ask(WITH_CODE);
	const code = [...asking.api.messages.values()].at(-1)!.templateVariables[3];
	const jsonOutput = '{"approved": true, "answer": "yes"}';
	const parameters = { mode: 'raw', jsonOutput, includeOtherFields: true };
	const Earlier = { type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
	const limit = { limitWaitTime: LIMIT_S, limitWaitTimeUnit: 'seconds' };
	const late = await asking.ask(limit, { Earlier });
	return { api: asking.api, late, withCode: { ...withCode, code } };
}

async function beginSheet() {
	const api = await startLocalApi({ requestsPerWindow: 0, latencyMs: 1000 });
	started.push(api);
	const account = await saveAccount(own.n8n, 'Sheet', { baseUrl: api.url });
	const rows = CUSTOMERS.map((to) => ({ to }));
	const settings = { onError: 'continueRegularOutput' } as const;
	const workflow = sendingEach(account, rows, sendsOnce('killed'), settings);
	const { id } = await own.n8n.client.workflows.save(workflow);
	await own.n8n.client.workflows.run(id, 'Start');
	const again = async () => rowsOf(await runOnce(own.n8n, workflow, 'Start', LONGEST_RUN_MS), NODE);
	return { api, again };
}

// docs/trigger.md: duplicates; 200 only when stored
// SECURITY, The trigger: answered when stored
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

// docs/after-a-crash.md: when a Retry is refused; Get Status and a dry run
test('a Retry of a run of one item that was killed with its n8n looks up, shows a dry run and sends nothing, whether n8n saved its progress or not', async () => {
	const { executions } = own.n8n.client;
	for (const { sent, id, executionId } of scenes.runs) {
		let last = executionId;
		for (const attempt of ['a Retry', 'a Retry of the Retry']) {
			({ id: last } = await executions.retry(last));
			const [execution] = await executions.list(id, 1);
			const { runData } = execution.data.resultData;
			expect([attempt, execution.status, runData[NODE].at(-1)?.error?.description]).toEqual([
				attempt,
				'error',
				expect.stringContaining('It was killed or stopped'),
			]);
			expect(outputOf(execution, 'Dry', 1)).toMatchObject([{ skipped: 'dryRun' }]);
			expect(outputOf(execution, 'Status')).toMatchObject([{ status: 'read' }]);
		}
		expect(sent()).toBe(1);
	}
});

// docs/ask-and-wait.md: over a restart; timedOut, and nothing of the input
test('questions outlive it, and the time of one is over', async () => {
	const { api, late } = scenes.questions;
	const execution = await newestThatIs('success', own.n8n, late.id, LONGEST_RUN_MS);
	const message = expect.objectContaining({ status: 'sent' });
	expect(outputOf(execution, 'After')).toEqual([{ timedOut: true, message }]);
	expect(outputOf(execution, 'Earlier')).toMatchObject([{ approved: true }]);
	expect(api.calls).toHaveLength(2);
});

// docs/ask-and-wait.md: a one-time code
// SECURITY, The link of a question: neither the code nor a hash of it is stored
test('only the code of the message answers the other one, and n8n stores it nowhere', async () => {
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
	const message = expect.objectContaining({
		status: 'sent',
		preview: expect.stringMatching(/and enter \[code\]$/),
	});
	const execution = await newestThatIs('success', own.n8n, id);
	expect(outputOf(execution, 'After')).toMatchObject([{ approved: true, message }]);
	expect(filesWith(own.userFolder, '[code]')).not.toEqual([]);
	for (const secret of [code, code.replace('-', '')]) {
		expect(filesWith(own.userFolder, secret)).toEqual([]);
	}
});

/** All at once, because each waits for a minute, in which a message of the dead n8n may still be on its way. */
function runAgain() {
	const { sheet, campaigns } = scenes;
	const { unsaved, saved, calledSaved, calledUnsaved } = campaigns;
	const retry = async (campaign: Campaign, afterMs = 0) => {
		await sleep(afterMs);
		return await campaign.retry(own.n8n);
	};
	return {
		sheet: sheet.again(),
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

	// README: retries never resend a message
	// docs/after-a-crash.md: any Retry
	test('a campaign, by Retry: each customer has one message, or is told as unknown', async () => {
		const { unsaved, saved } = scenes.campaigns;
		for (const told of await again.unsaved) {
			expect(told.refused).toEqual([]);
			unsaved.assertTold(told);
		}
		saved.assertTold(await again.saved);
		saved.assertTold(await saved.retry(own.n8n));
	});

	// docs/after-a-crash.md: in a sub-workflow
	test("a sub-workflow, by its own execution's Retry, goes on if n8n has saved its progress, and else is refused", async () => {
		const { calledSaved, calledUnsaved } = scenes.campaigns;
		calledSaved.assertTold(await again.calledSaved);
		expect((await again.calledUnsaved).refused).toHaveLength(CAMPAIGN_ROWS);
		expect(calledUnsaved.api.messages.size).toBe(sentToCalled);
	});
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
