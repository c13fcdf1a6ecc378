import { startLocalApi, type EmitOptions, type LocalApi } from '../../playground/api/server.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { publish, webhookUrl } from '../../playground/n8n/publish.ts';
import { countingWorkflow } from '../support/countingWorkflow.ts';
import { startOwnN8n } from '../support/ownN8n.ts';
import { startRunCounter, type RunCounter } from '../support/runCounter.ts';

const EVENTS = 100;
const COPIES = 4;
const AT_ONCE = 20;
const SECRET = 'copies-secret';
const DEADLINE_MS = 120_000;

jest.setTimeout(300_000);

let own: Awaited<ReturnType<typeof startOwnN8n>>;
let api: LocalApi;
let counter: RunCounter;
let workflow: ReturnType<typeof countingWorkflow>;
let workflowId: string;

beforeAll(async () => {
	own = await startOwnN8n('copies');
	counter = await startRunCounter();
	api = await startLocalApi({
		webhookConcurrency: AT_ONCE,
		webhookHeaders: { 'x-webhook-token': SECRET },
	});
	const credential = await saveAccount(own.n8n, 'Copies', { webhookSecret: SECRET });
	workflow = countingWorkflow(counter.url, credential);
	const { saved, address } = await publish(own.n8n, workflow);
	workflowId = saved.id;
	api.webhookUrls = [address];
});

afterAll(async () => {
	await api?.close();
	await own?.n8n.stop();
	await counter?.close();
});

async function deliver(kind: string, options: EmitOptions) {
	const ids = Array.from({ length: EVENTS }, (_, index) => `${kind}-${index}`);
	const emitted = ids.map(async (message_id) => {
		const data = { message_id, status: 'read' };
		return await api.emit('message.read', data, options);
	});
	expect((await Promise.all(emitted)).map(({ accepted }) => accepted)).not.toContain(false);
	await own.n8n.client.executions.allEnded(workflowId, DEADLINE_MS);
	return ids.map((id) => counter.runs.get(id));
}

const eachOnce = Array.from({ length: EVENTS }, () => 1);

test('four copies of each of 100 events, 20 at a time, make 100 runs', async () => {
	expect(await deliver('overlapping', { copies: COPIES, overlapping: true })).toEqual(eachOnce);
});

test('they still do when n8n is restarted between the copies', async () => {
	expect(await deliver('restart', {})).toEqual(eachOnce);
	const { url, client } = await own.restart();
	const address = webhookUrl(url, workflow);
	await client.workflows.waitForWebhook(address);
	api.webhookUrls = [address];
	expect(await deliver('restart', { copies: COPIES - 1, overlapping: true })).toEqual(eachOnce);
	// README, Scaling: an execution without items, which says why
	const executions = await client.executions.list(workflowId);
	const hints = executions.flatMap(({ data }) => {
		const [run] = data.resultData.runData.Receiver;
		return run.data?.main[0]?.length ? [] : [run.hints?.[0].message];
	});
	expect(hints.length).toBeGreaterThan(0);
	expect(new Set(hints)).toEqual(
		new Set([expect.stringMatching(/^This event was delivered before/)]),
	);
});
