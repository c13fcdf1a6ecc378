import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { play } from '../../playground/demo/play.mts';
import { eventually } from '../../playground/eventually.mts';
import { customerTable, setUp, type Scene } from '../../playground/n8n/setUp.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';

let n8n: N8nUnderTest;
let api: LocalApi;
let scene: Scene;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi({ deliveredAfterMs: 500, readAfterMs: 500 });
	scene = await setUp(n8n, api);
});

afterAll(async () => {
	await n8n.client.workflows.unpublish(scene.autoReply.id);
	await n8n.client.workflows.unpublish(scene.formToCrm.id);
	await api.close();
});

beforeEach(() => {
	api.messages.clear();
});

// README, Try it without an account: the demo plays a customer
// docs/sending.md: answer within the service window
test("the demo's own customer is answered and becomes a row", async () => {
	const lines: string[] = [];
	await play(scene, (line) => lines.push(line));
	const story = lines.join('\n');
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
	]) {
		expect(story).toContain(step);
	}
});

// docs/troubleshooting.md: in containers the demo is set up and played
test.each([
	['plays the same customer', () => api.url, 0, /the workflow went on: approved true[^]*password /],
	['fails where the local API is not', () => `${n8n.url}/nowhere`, 1, /^Waiting for n8n …\n$/],
])('the set-up of the containers %s', async (_title, apiUrl, exitCode, output) => {
	const parameters = [`--n8n=${n8n.url}`, `--api=${apiUrl()}`];
	const program = ['playground/containers.mts', ...parameters];
	const ended = await promisify(execFile)(process.execPath, program).catch((error) => error);
	expect(ended.stdout).toMatch(output);
	expect(ended.code ?? 0).toBe(exitCode);
});

test('setting up again updates what is there', async () => {
	const again = await setUp(n8n, api);
	expect(again.autoReply.id).toBe(scene.autoReply.id);
	expect(again.formToCrm.id).toBe(scene.formToCrm.id);
	expect(again.tableId).toBe(scene.tableId);
	expect(await n8n.client.dataTables.save(customerTable.name, [])).toMatchObject({
		id: scene.tableId,
	});
	await api.customerWrites(CUSTOMER, 'Still there?');
	const reply = await eventually('a message', () => [...api.messages.values()][0]);
	expect(reply).toMatchObject({ templateName: 'message_received' });
});

test('every request that the nodes made keeps the contract of the API document', () => {
	expect(api.calls.length).toBeGreaterThan(0);
	expect(api.calls.flatMap(({ violations }) => violations)).toEqual([]);
});
