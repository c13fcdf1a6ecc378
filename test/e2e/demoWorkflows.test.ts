import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { play } from '../../playground/demo/play.ts';
import { eventually } from '../../playground/eventually.ts';
import { customerTable, setUp, type Scene } from '../../playground/n8n/setUp.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

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

async function nextMessage() {
	return await eventually('a message', () => [...api.messages.values()][0]);
}

async function runsOf(id: string, count: number) {
	return await eventually(`${count} finished runs`, async () => {
		const runs = await n8n.client.executions.list(id);
		const finished = runs.filter(({ status }) => status === 'success' || status === 'error');
		return finished.length === count ? finished : undefined;
	});
}

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

// README, React to customers: answer for free within the window
test('the reply is free within the service window', async () => {
	await api.customerWrites(CUSTOMER, 'Hello');
	expect(await nextMessage()).toMatchObject({
		to: CUSTOMER,
		templateName: 'message_received',
		category: 'service',
		amount: 0,
		templateVariables: { 1: expect.any(String), 2: 'two hours' },
	});
});

// README, React to customers: a template after the window
test('an event that is delivered a day late is answered with the fallback category', async () => {
	const timestamp = new Date(Date.now() - DAY_MS - 1000).toISOString();
	const response = await fetch(api.webhookUrls[0], {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ event: 'message.incoming', timestamp, data: { from: CUSTOMER } }),
	});
	expect(response.status).toBe(200);
	expect(await nextMessage()).toMatchObject({ category: 'utility', amount: 0.115 });
});

test('a form that is delivered twice is one row', async () => {
	const form = { name: 'Ravi Iyer', phone: CUSTOMER, interest: 'the green kettle' };
	const data = { submission_id: 'twice', form_data: form };
	const before = await n8n.client.executions.count(scene.formToCrm.id);
	await api.emit('flow.submitted', data);
	await runsOf(scene.formToCrm.id, before + 1);
	const { deliveries } = await api.emit('flow.submitted', data);
	expect(deliveries.map(({ answer }) => answer)).toContain('{"status":"duplicate"}');
	const rows = await n8n.client.dataTables.rows(scene.tableId);
	expect(rows.filter(({ submission_id }) => submission_id === 'twice')).toEqual([
		expect.objectContaining(form),
	]);
});

test('a form without a usable number fails with a sentence, and nothing is sent', async () => {
	const before = await n8n.client.executions.count(scene.formToCrm.id);
	await api.customerSubmits(CUSTOMER, { name: 'Asha', phone: 'call me', interest: 'tea' });
	const [failed] = await runsOf(scene.formToCrm.id, before + 1);
	expect(failed.status).toBe('error');
	expect(failed.data.resultData.error?.message).toContain('call me');
	expect(api.messages.size).toBe(0);
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
	expect(await nextMessage()).toMatchObject({ templateName: 'message_received' });
});

test('every request that the nodes made keeps the contract of the API document', () => {
	expect(api.calls.length).toBeGreaterThan(0);
	expect(api.calls.flatMap(({ violations }) => violations)).toEqual([]);
});
