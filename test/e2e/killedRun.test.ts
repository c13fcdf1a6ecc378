import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { saveAccount } from '../../playground/n8n/account.ts';
import { eventually } from '../../playground/eventually.ts';
import { cacheFolder } from '../../playground/folders.ts';
import { installCommunityPackage } from '../../playground/n8n/communityPackage.ts';
import { startN8n, type N8n } from '../../playground/n8n/start.ts';
import { packPackage } from '../../playground/n8n/tarball.ts';
import { actionWorkflow } from '../support/actionWorkflow.ts';
import {
	MISBEHAVIORS,
	sentAs,
	startFaultServer,
	type FaultServer,
} from '../support/faultServer.ts';

jest.setTimeout(180_000);

const ITEMS = 4;
const userFolder = join(cacheFolder, 'e2e-killed');
let n8n: N8n;
let server: FaultServer;

/** An n8n of its own, to be killed. */
beforeAll(async () => {
	await rm(userFolder, { recursive: true, force: true });
	await installCommunityPackage(userFolder, await packPackage());
	n8n = await startN8n({ userFolder });
	server = await startFaultServer((number) =>
		number === 2 ? MISBEHAVIORS.neverAnswers : sentAs(`m${number}`),
	);
});

afterAll(async () => {
	await n8n?.stop();
	await server?.close();
});

// README, Good to know: what starts anew sends again
test('Retry of a run that was killed with its n8n sends all of it again, if n8n saved its progress', async () => {
	const credential = await saveAccount(n8n, 'Killed', { baseUrl: server.url });
	const workflow = actionWorkflow(credential, {
		operation: 'sendTemplate',
		to: '={{ $json.to }}',
		templateName: 'order_update',
		variablesInput: 'none',
		options: { concurrency: 1, requestsPerMinute: 0 },
	});
	const items = Array.from({ length: ITEMS }, (_, item) => ({
		json: { to: `+1202555010${item}` },
	}));
	const saved = await n8n.client.workflows.save({
		...workflow,
		settings: { ...workflow.settings, saveExecutionProgress: true },
		pinData: { Start: items },
	});
	const { executionId } = await n8n.client.workflows.run(saved.id, 'Start');
	await eventually('the third request', () => server.received.length === 3 || undefined);
	process.kill(-n8n.pid, 'SIGKILL');
	await n8n.stop();
	n8n = await startN8n({ userFolder });

	await n8n.client.executions.retry(executionId);
	await eventually('the end', async () => {
		const [newest] = await n8n.client.executions.list(saved.id, 1);
		return newest?.status === 'success' ? true : undefined;
	});
	expect(server.received).toHaveLength(3 + ITEMS);
});
