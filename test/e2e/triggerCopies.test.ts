import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startLocalApi, type EmitOptions, type LocalApi } from '../../playground/api/server.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { publish, webhookUrl } from '../../playground/n8n/publish.ts';
import { eventually } from '../../playground/eventually.ts';
import { cacheFolder } from '../../playground/folders.ts';
import { installCommunityPackage } from '../../playground/n8n/communityPackage.ts';
import { startN8n, type N8n } from '../../playground/n8n/start.ts';
import { packPackage } from '../../playground/n8n/tarball.ts';
import { countingWorkflow } from '../support/countingWorkflow.ts';
import { startRunCounter, type RunCounter } from '../support/runCounter.ts';

const EVENTS = 100;
const COPIES = 4;
const AT_ONCE = 20;
const SECRET = 'copies-secret';
const DEADLINE_MS = 120_000;

jest.setTimeout(300_000);

const userFolder = join(cacheFolder, 'e2e-copies');
let n8n: N8n;
let api: LocalApi;
let counter: RunCounter;
let workflow: ReturnType<typeof countingWorkflow>;
let workflowId: string;

/** An n8n of its own, to be restarted. */
beforeAll(async () => {
	await rm(userFolder, { recursive: true, force: true });
	await installCommunityPackage(userFolder, await packPackage());
	n8n = await startN8n({ userFolder });
	counter = await startRunCounter();
	api = await startLocalApi({
		webhookConcurrency: AT_ONCE,
		webhookHeaders: { 'x-webhook-token': SECRET },
	});
	const credential = await saveAccount(n8n, 'Copies', { webhookSecret: SECRET });
	workflow = countingWorkflow(counter.url, credential);
	const { saved, address } = await publish(n8n, workflow);
	workflowId = saved.id;
	api.webhookUrls = [address];
});

afterAll(async () => {
	await api?.close();
	await n8n?.stop();
	await counter?.close();
});

async function deliver(kind: string, options: EmitOptions) {
	const ids = Array.from({ length: EVENTS }, (_, index) => `${kind}-${index}`);
	const emitted = ids.map(async (message_id) => {
		const data = { message_id, status: 'read' };
		return await api.emit('message.read', data, options);
	});
	expect((await Promise.all(emitted)).map(({ accepted }) => accepted)).not.toContain(false);
	await eventually(
		'the end of all executions',
		async () => {
			const { countOf } = n8n.client.executions;
			return (await countOf(workflowId, ['new', 'running'])) === 0 ? true : undefined;
		},
		DEADLINE_MS,
	);
	return ids.map((id) => counter.runs.get(id));
}

const eachOnce = Array.from({ length: EVENTS }, () => 1);

test('four copies of each of 100 events, 20 at a time, make 100 runs', async () => {
	expect(await deliver('overlapping', { copies: COPIES, overlapping: true })).toEqual(eachOnce);
});

test('they still do when n8n is restarted between the copies', async () => {
	expect(await deliver('restart', {})).toEqual(eachOnce);
	await n8n.stop();
	n8n = await startN8n({ userFolder });
	// The port is another one.
	const address = webhookUrl(n8n.url, workflow);
	await n8n.client.workflows.waitForWebhook(address);
	api.webhookUrls = [address];
	expect(await deliver('restart', { copies: COPIES - 1, overlapping: true })).toEqual(eachOnce);
});
