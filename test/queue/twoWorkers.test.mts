import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { startCluster, type Cluster } from '../../playground/cluster/cluster.mts';
import { runSql } from '../../playground/cluster/postgres.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { packPackage } from '../../playground/n8n/tarball.mts';
import { startAsking, type Asking } from '../support/askedWorkflow.mts';
import { beginCampaign } from '../support/interruptedCampaign.mts';
import { expectOldRowsToGo } from '../support/oldRows.mts';
import { postJson } from '../support/postJson.mts';
import { answer, look } from '../support/questionPage.mts';
import {
	customersOf,
	hasToldOfStopped,
	IN_PARALLEL,
	messagesByCustomer,
	rowsOf,
	sendsOnce,
} from '../support/sendOnceSheet.mts';
import { sendingWorkflow } from '../support/sendingWorkflow.mts';
import { LONGEST_PROOF_MS } from './patience.mts';

/** Of the sheet that both workers are given. */
const ROWS = Number(process.env.SEND_ONCE_ROWS ?? 120);
/** That both workers are given, with a frequency cap. */
const CAPPED = customersOf(Number(process.env.CAPPED_NUMBERS ?? 400));
const WORKERS = 2;
const CUSTOMERS = customersOf(ROWS);
/** Each kills the workers. */
const ROUNDS = Number(process.env.INTERRUPTED_ROUNDS ?? 1);
const INTERRUPTED_ROWS = Number(process.env.INTERRUPTED_ROWS ?? 200);

let cluster: Cluster;
let asking: Asking;
/** Asked first, because n8n looks for those whose time is over once a minute. */
let late: Awaited<ReturnType<Asking['ask']>>;

beforeAll(async () => {
	cluster = await startCluster({
		tarball: await packPackage(),
		webhookProcesses: 2,
		workers: WORKERS,
		concurrency: 1,
		// Once n8n gives up the job of a dead worker, its Retry calls no node. By default that is a minute or two later.
		env: { QUEUE_WORKER_LOCK_DURATION: '600000' },
	});
	asking = await startAsking({ url: cluster.url, client: cluster.client });
	late = await asking.ask({ limitWaitTime: 15, limitWaitTimeUnit: 'seconds' });
});

afterAll(async () => {
	await cluster?.stop();
	await asking?.api.close();
});

describe('a sheet', () => {
	let api: LocalApi;

	beforeEach(async () => {
		api = await startLocalApi({ requestsPerWindow: 0, latencyMs: 1000 });
	});

	afterEach(async () => {
		await api?.close();
	});

	/** Publishes a workflow that sends to the customers it gets, to each once unless told otherwise. */
	async function sheet(name: string, parameters: object = sendsOnce(name)) {
		const account = await saveAccount(cluster, name, { baseUrl: api.url });
		const goesOn = { onError: 'continueRegularOutput' } as const;
		const workflow = sendingWorkflow(account, parameters, goesOn);
		// n8n 2.41 does not stop what a webhook process began: the worker goes on to the end.
		const { url } = cluster.main;
		const { saved, address } = await publish({ url, client: cluster.client }, workflow);
		return {
			id: saved.id,
			/** Begins a run. */
			send: async (customers: string[]) =>
				await postJson(address, { rows: customers.map((to) => ({ to })) }),
			/** What became of the rows of each run, the newest first, when all have ended. */
			async runs() {
				await cluster.client.executions.allEnded(saved.id, LONGEST_PROOF_MS);
				const all = await cluster.client.executions.list(saved.id);
				return all.map((run) => rowsOf(run, 'Send'));
			},
		};
	}

	/** Each worker gets a list at the same moment. @returns what became of their rows */
	async function sendOnBoth(name: string, lists: string[][], parameters?: object) {
		const { send, runs } = await sheet(name, parameters);
		await Promise.all(lists.map(send));
		const ended = await runs();
		expect(ended).toHaveLength(WORKERS);
		for (const { sent } of ended) expect(sent.length).toBeGreaterThan(0);
		return ended;
	}

	function expectOneMessageEach(customers: string[]) {
		expect(messagesByCustomer(api)).toEqual(new Map(customers.map((to) => [to, 1])));
	}

	const atFullSpeed = { concurrency: IN_PARALLEL, requestsPerMinute: 0 };

	const frequencyCap = { cap: { messages: 1, period: 24, unit: 'hours' } };
	// docs/send-once.md: in whatever run or n8n process
	// docs/sending.md: exact for all runs and n8n processes
	test.each([
		['Send Once Keys', CUSTOMERS, undefined, 'sentBefore'],
		['a frequency cap', CAPPED, { options: { frequencyCap, ...atFullSpeed } }, 'sentRecently'],
	] as const)(
		'with %s, that two workers get at the same moment, in two orders: each customer gets one message',
		async (name, customers, parameters, skipped) => {
			const runs = await sendOnBoth(name, [customers, [...customers].reverse()], parameters);
			for (const run of runs) expect(run.sent.length + run[skipped].length).toBe(customers.length);
			expectOneMessageEach(customers);
		},
	);

	// docs/sending.md: exact for all runs and n8n processes
	test('with a budget, that two workers spend at the same moment: as many messages as it allows', async () => {
		const budget = { budget: { amount: 0.12 * ROWS, period: 'month' } };
		const options = { budget, ...atFullSpeed };
		const lists = [CUSTOMERS, customersOf(2 * ROWS).slice(ROWS)];
		const runs = await sendOnBoth('budget', lists, { options });
		expect(runs.flatMap(({ sent }) => sent)).toHaveLength(ROWS);
		expect(api.messages.size).toBe(ROWS);
	});

	// docs/good-to-know.md: a run that is stopped
	test('whose run is stopped on its worker, run again: each customer gets one message, and no outcome is unknown', async () => {
		const { id, send, runs } = await sheet('stopped');
		await send(CUSTOMERS);
		await eventually('over half of the messages', () => api.messages.size > ROWS / 2);
		const stopped = String(await cluster.client.executions.running(id));
		await cluster.client.executions.stop(stopped);
		await eventually('the end of what was under way, with its keys', () =>
			cluster.workers.some(({ logFile }) => hasToldOfStopped(stopped, logFile)),
		);
		const sentByThen = api.messages.size;
		expect(sentByThen).toBeLessThan(ROWS);

		await send(CUSTOMERS);
		const [second] = await runs();
		expect(second.unknown).toEqual([]);
		expect(second.sentBefore).toHaveLength(sentByThen);
		expect(second.sent).toHaveLength(ROWS - sentByThen);
		expectOneMessageEach(CUSTOMERS);
	});
});

/** As the proxy in front of them would get it. */
function at(url: string, link: string) {
	const { pathname, search } = new URL(link);
	return url + pathname + search;
}

// docs/scaling.md: questions in queue mode
test('an answer reaches another process than the question, and of several at once one counts', async () => {
	const { link, run } = await asking.ask();
	const [one, other] = cluster.webhooks.map(({ url }) => at(url, link));
	expect((await look(one)).html).toContain('May we deliver on Friday?');
	const pages = await Promise.all(
		[one, other, one, other].map((each, index) => answer(each, { choice: String(index % 2) })),
	);
	// Without a page, it is n8n's own 500: it fails on an execution that a worker has just begun, before it asks the node.
	expect(pages.filter(({ status, heading }) => status === 500 && heading)).toEqual([]);
	const thanked = pages.filter(({ heading }) => heading === 'Thank you');
	const [{ approved }] = outputOf(await run('success'), 'After');
	expect(thanked.length).toBeGreaterThan(0);
	for (const { html } of thanked) expect(html).toContain(approved ? 'Approve' : 'Decline');
	expect(asking.api.calls).toHaveLength(2);
});

test('a question in queue mode ends when its time is over', async () => {
	const execution = await late.run('success', 120_000);
	expect(outputOf(execution, 'After')).toMatchObject([{ timedOut: true }]);
});

// docs/after-a-crash.md: a worker that was killed
test('a run whose worker is killed is retried on another: each customer has one message, or is told as unknown', async () => {
	for (let round = 0; round < ROUNDS; round++) {
		const begun = [false, true].map(
			async (saveExecutionProgress) =>
				await beginCampaign(cluster, INTERRUPTED_ROWS, { saveExecutionProgress }),
		);
		const campaigns = await Promise.all(begun);
		const messages = Math.ceil((Math.random() * INTERRUPTED_ROWS) / 2);
		const isReached = () => campaigns.every(({ api }) => api.messages.size >= messages);
		await eventually(`${messages} messages`, isReached, LONGEST_PROOF_MS);
		await Promise.all(cluster.workers.map(async (worker) => await worker.kill()));
		await Promise.all(cluster.workers.map(async (worker) => await worker.restart()));
		for (const campaign of campaigns) {
			await cluster.client.executions.allEnded(campaign.workflowId, LONGEST_PROOF_MS);
			const retry = async () => await campaign.retry(cluster);
			// On both workers, and once more.
			const told = [...(await Promise.all([retry(), retry()])), await retry()];
			for (const each of told) campaign.assertTold(each);
			await campaign.close();
		}
	}
});

// docs/update.md: what stays in the database
test('the statement for administrators removes old rows from PostgreSQL, and nothing else', async () => {
	await expectOldRowsToGo(async (statement) => await runSql(cluster.postgres.url, statement));
});
