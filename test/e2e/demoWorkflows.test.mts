import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { eventually } from '../../playground/eventually.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { customerTable, setUp, type Scene } from '../../playground/n8n/setUp.mts';
import { withOptions } from '../support/examples.mts';
import { runOnce } from '../support/manualRun.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { answer, openLink } from '../support/questionPage.mts';

let n8n: N8nUnderTest;
let api: LocalApi;
let scene: Scene;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi({ deliveredAfterMs: 500, readAfterMs: 500 });
	scene = await setUp(n8n, api);
});

afterAll(async () => {
	for (const { id } of [scene.autoReply, scene.formToCrm, scene.stop, scene.question.saved]) {
		await n8n.client.workflows.unpublish(id);
	}
	await api.close();
});

afterEach(() => {
	expect(api.calls.flatMap(({ violations }) => violations)).toEqual([]);
	api.messages.clear();
});

// README, Try it without an account: what the phone page says to try
test('the campaign shows each text first, then sends, but not to a customer who wrote STOP', async () => {
	const runWith = async (more: object) =>
		await runOnce(n8n, withOptions(scene.campaign, 'Send the offer', more));
	const offered = () =>
		[...api.messages.values()]
			.filter(({ templateName }) => templateName === 'summer_offer')
			.map(({ to }) => to);

	const shown = outputOf(await runWith({}), 'Not sent');
	expect(shown[0].text).toMatch(/^Hi Asha, our summer offer is open/);
	expect(offered()).toEqual([]);
	await runWith({ dryRun: false });
	// Several requests at once may overtake each other.
	expect(offered().sort()).toEqual([CUSTOMER, '+12025550112', '+12025550113']);

	const told = async (count: number) =>
		await eventually('the confirmation', () => {
			const names = [...api.messages.values()].map(({ templateName }) => templateName);
			return names.filter((name) => name === 'offers_changed').length === count;
		});
	await api.customerWrites(CUSTOMER, 'STOP');
	await told(1);
	await runWith({ dryRun: false, sendOnceKey: 'another campaign' });
	expect(offered().slice(3).sort()).toEqual(['+12025550112', '+12025550113']);
	await api.customerWrites(CUSTOMER, 'START');
	await told(2);
});

test('the agent with the stand-in for a model asks a colleague, and then writes to the customer', async () => {
	const ended = runOnce(n8n, scene.agent, 'Chat');
	ended.catch(() => undefined);
	const { link } = await openLink(api);
	await answer(link, { choice: '0' });
	const [{ output }] = outputOf(await ended, 'Agent');
	expect(output).toMatch(
		/^\(No AI, a stand-in for a model\.\) The tool answered: .*Hi Asha, your order A-17/,
	);
	const sent = [...api.messages.values()].map(({ to, templateName }) => [to, templateName]);
	expect(sent).toEqual([
		['+12025550111', 'agent_question'],
		[CUSTOMER, 'order_update'],
	]);
});

describe('the set-up of the containers', () => {
	async function setUpWith(apiUrl: string) {
		const program = ['playground/containers.mts', `--n8n=${n8n.url}`, `--api=${apiUrl}`];
		const ended = promisify(execFile)(process.execPath, program);
		return await ended.catch((error: { stdout: string; code: number }) => error);
	}

	// README, Try it without an account: the demo plays a customer
	// docs/sending.md: answer within the service window
	// docs/troubleshooting.md: in containers the demo is set up and played
	test('updates what is there, and plays a customer, who is answered, becomes a row, and answers', async () => {
		const { stdout, ...ended } = await setUpWith(api.url);
		for (const step of [
			'"Auto-reply to a customer\'s message": 200 {"status":"accepted"}',
			'"Form to CRM with a confirmation": 200 {"status":"ignored"}',
			'Sent "message_received" as service for INR 0',
			'The reply is read',
			'of the Data Table "Customers": Asha Rao, +12025550110',
			'Sent "form_received" as utility for INR 0.115',
			'The workflow looked up its status: read',
			'The workflow asked: May we bring your blue kettle on Friday?',
			'the workflow went on: approved true',
			', password ',
		]) {
			expect(stdout).toContain(step);
		}
		expect(ended).not.toHaveProperty('code');
		for (const { id } of [scene.autoReply, scene.formToCrm]) {
			expect(await n8n.client.executions.count(id)).toBeGreaterThan(0);
		}
		const table = await n8n.client.dataTables.find(customerTable.name);
		expect(table).toMatchObject({ id: scene.tableId });
	});

	test('fails where the local API is not', async () => {
		const ended = await setUpWith(`${n8n.url}/nowhere`);
		expect(ended).toMatchObject({ code: 1, stdout: 'Waiting for n8n …\n' });
	});
});
