import { eventually } from '../../playground/eventually.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { sendingEach } from '../support/actionWorkflow.ts';
import {
	MISBEHAVIORS,
	sentAs,
	startFaultServer,
	type FaultServer,
} from '../support/faultServer.ts';
import { startOwnN8n } from '../support/ownN8n.ts';

jest.setTimeout(180_000);

const ITEMS = 4;
let own: Awaited<ReturnType<typeof startOwnN8n>>;
let server: FaultServer;

beforeAll(async () => {
	own = await startOwnN8n('killed');
	server = await startFaultServer((number) =>
		number === 2 ? MISBEHAVIORS.neverAnswers : sentAs(`m${number}`),
	);
});

afterAll(async () => {
	await own?.n8n.stop();
	await server?.close();
});

// README, Good to know: what starts anew sends again
test('Retry of a run that was killed with its n8n sends all of it again, if n8n saved its progress', async () => {
	const credential = await saveAccount(own.n8n, 'Killed', { baseUrl: server.url });
	const items = Array.from({ length: ITEMS }, (_, item) => ({ to: `+1202555010${item}` }));
	const workflow = sendingEach(credential, items);
	const { workflows } = own.n8n.client;
	const saved = await workflows.save({
		...workflow,
		settings: { ...workflow.settings, saveExecutionProgress: true },
	});
	const { executionId } = await workflows.run(saved.id, 'Start');
	await eventually('the third request', () => server.received.length === 3);
	process.kill(-own.n8n.pid, 'SIGKILL');

	const { executions } = (await own.restart()).client;
	await executions.retry(executionId);
	await eventually('the end', async () => {
		const [newest] = await executions.list(saved.id, 1);
		return newest?.status === 'success';
	});
	expect(server.received).toHaveLength(3 + ITEMS);
});
