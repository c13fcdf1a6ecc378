import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { play } from '../../playground/demo/play.ts';
import { eventually } from '../../playground/eventually.ts';
import { customerTable, setUp, type Scene } from '../../playground/n8n/setUp.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';

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
