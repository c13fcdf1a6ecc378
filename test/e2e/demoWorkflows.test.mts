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
import { phonesOfFile } from '../support/phonePage.mts';
import { answer, openLink } from '../support/questionPage.mts';

const openPhone = phonesOfFile();
let n8n: N8nUnderTest;
let api: LocalApi;
let scene: Scene;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	// Long enough for each status to be seen.
	api = await startLocalApi({ deliveredAfterMs: 2000, readAfterMs: 2000 });
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

// README, Try it without an account: the phone, its ticks, calls and deliveries
test('a message written by keyboard is answered there, and the ticks move to read', async () => {
	const { page, fromBusiness, fromCustomer, calls, deliveries } = await openPhone(api);
	for (let tabs = 0; tabs < 20; tabs += 1) {
		await page.keyboard.press('Tab');
		if (await page.locator('#text:focus').count()) break;
	}
	await page.keyboard.type('Is the blue kettle still in stock?');
	await page.keyboard.press('Enter');

	await fromCustomer.getByText('Is the blue kettle still in stock?').waitFor();
	const answer = fromBusiness.filter({ hasText: 'Thank you for your message of' });
	await answer.getByText('two hours').waitFor();
	for (const status of ['Sent', 'Delivered', 'Read']) {
		await answer.getByText(new RegExp(`^${status} \\d`)).waitFor();
	}
	expect(await answer.innerText()).toContain('message_received · service, free');
	expect(await calls.allInnerTexts()).toEqual([expect.stringMatching(/^200\s+POST/)]);
	const accepted = deliveries.filter({ hasText: 'message.incoming' });
	await accepted.filter({ hasText: '{"status":"accepted"}' }).first().waitFor();

	const runs = `${n8n.url}/workflow/${scene.autoReply.id}/executions`;
	const name = "Auto-reply to a customer's message";
	expect(await answer.getByRole('link', { name }).getAttribute('href')).toBe(runs);
	const ignored = deliveries.filter({ hasText: 'message.read' });
	await ignored.nth(2).waitFor({ state: 'attached' });
	expect(await ignored.first().isVisible()).toBe(false);
	await page.getByLabel(/Show \d+ ignored/).check();
	expect(await ignored.first().isVisible()).toBe(true);
});

test('a question comes with one click, and looks answered once it is', async () => {
	const { page, fromBusiness } = await openPhone(api);
	const opens = async (link: string) => {
		const opened = page.waitForEvent('popup');
		await page.getByRole('link', { name: link }).click();
		return await opened;
	};
	await (await opens('Ask me')).close();
	const question = fromBusiness.filter({ hasText: 'we have a question' });
	await question.getByText('Sent').waitFor();
	const { link } = await openLink(api);
	const questionPage = await opens(link);
	await question.getByText('Read').waitFor();
	expect(await question.innerText()).not.toContain('Answered');
	await questionPage.getByRole('button', { name: 'Approve' }).click();
	await page.bringToFront();
	await question.getByText('Answered').waitFor();
});

test('a form is filled in, becomes a row, is confirmed, and can be changed', async () => {
	const { page, fromBusiness, fromCustomer, deliveries } = await openPhone(api);
	await page.getByRole('button', { name: 'Fill In a Form' }).press('Enter');
	expect(await page.getByLabel('Phone', { exact: true }).inputValue()).toBe(CUSTOMER);
	await page.getByLabel('Name').fill('Mira Shah');
	await page.getByLabel('Interest').fill('the tall teapot');
	await page.keyboard.press('Enter');

	await fromCustomer.getByText('the tall teapot').waitFor();
	await fromBusiness.getByText('Hi Mira Shah, thank you for your interest').waitFor();
	const row = await eventually('the row', async () => {
		const rows = await n8n.client.dataTables.rows(scene.tableId);
		return rows.find(({ name }) => name === 'Mira Shah');
	});
	expect(row).toMatchObject({ phone: CUSTOMER, interest: 'the tall teapot' });

	const form = fromCustomer.filter({ hasText: 'teapot' });
	await form.getByRole('button', { name: 'Change' }).click();
	await page.getByLabel('Interest').fill('the small teapot');
	await page.getByRole('button', { name: 'Submit' }).click();
	await fromCustomer.getByText('the small teapot').waitFor();
	expect(await form.innerText()).toMatch(/Form, changed \d/);
	expect(await form.count()).toBe(1);
	await deliveries.filter({ hasText: 'flow.updated' }).first().waitFor({ state: 'attached' });
	// The workflow still waits for the message to be read.
	await n8n.client.executions.allEnded(scene.formToCrm.id);
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
