import { stat, writeFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';

import { startLocalApi } from '../../playground/api/server.mts';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { readExample, withCredential } from '../../playground/n8n/examples.mts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.mts';
import { setUp } from '../../playground/n8n/setUp.mts';
import { CREDENTIAL, PACKAGE_PREFIX } from '../../playground/n8n/typeNames.mts';
import { actionWorkflow } from '../support/actionWorkflow.mts';
import { startAsking, type Asking } from '../support/askedWorkflow.mts';
import { ASK } from '../support/askingWorkflow.mts';
import { browserOfFile } from '../support/browser.mts';
import { openEditor } from '../support/editor.mts';
import { STICKY_NOTE } from '../support/examples.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { openPhonePage } from '../support/phonePage.mts';
import { PICTURED, pictured, type Described } from '../support/pictured.mts';

jest.setTimeout(180_000);

const MAX_BYTES = 350_000;
const PICTURES = 18;
const TEMPLATE = 'Hi {{1}}, your order {{2}} arrives on {{3}}.';
const QUESTION = {
	...ASK,
	variablesInput: 'templateText',
	templateText: 'Hi {{1}}, we have a question about your order: {{2}}',
	variable1: 'Asha',
	variable2: '[link]',
	message: 'May we bring your blue kettle on Friday, between 9 and 12?',
};

const file = browserOfFile();
let n8n: N8nUnderTest;
let asking: Asking;
let account: { id: string; name: string };
const made: string[] = [];
const opened: Array<{ close: () => Promise<void> }> = [];

beforeAll(async () => {
	n8n = await n8nUnderTest();
	asking = await startAsking(n8n);
	account = await saveAccount(n8n, 'My account', { baseUrl: asking.api.url });
});

afterEach(async () => {
	for (const each of opened.splice(0)) await each.close();
});

afterAll(async () => await asking?.api.close());

describe.each(['light', 'dark'] as const)('%s', (theme) => {
	/** Writes a picture for the documents, which must not be too large for a README. */
	async function takePicture(page: Page, name: string, clip?: Rectangle) {
		const path = `docs/${name}${theme === 'dark' ? '-dark' : ''}.png`;
		await page.mouse.move(0, 0);
		const style = '.el-dialog { border-radius: 0 }';
		await page.screenshot({ path, clip, style, animations: 'disabled' });
		expect((await stat(path)).size).toBeLessThanOrEqual(MAX_BYTES);
		made.push(path);
	}

	async function open() {
		const editor = await openEditor(n8n, { theme, scale: 2 });
		opened.push(editor);
		return editor;
	}

	it('a workflow that has run', async () => {
		const hubspot = { name: 'HubSpot', type: 'hubspotAppToken', data: { appToken: 'none' } };
		const { id, name } = await n8n.client.credentials.save(hubspot);
		const shown = (node: WorkflowNode): WorkflowNode => {
			if (node.type === 'n8n-nodes-base.hubspot') {
				return { ...node, credentials: { hubspotAppToken: { id, name } } };
			}
			// Without the empty half of the notes.
			const low = { position: [node.position[0], -190] as [number, number] };
			const parameters = { ...node.parameters, height: 150 };
			return node.type === STICKY_NOTE ? { ...node, ...low, parameters } : node;
		};
		const example = withCredential(await readExample('form-to-hubspot'), account);
		const nodes = example.nodes.filter((node) => node.name !== 'Note: start here').map(shown);
		const workflow = await n8n.client.workflows.save({ ...example, nodes, name: `Form ${theme}` });
		const { page, ...editor } = await open();
		await page.setViewportSize({ width: 1300, height: 760 });
		// n8n runs with the pinned data, and the editor shows the run as it looks without pins.
		await page.route(/\/rest\/(workflows|executions)\/\w+$/, async (route) => {
			const response = await route.fetch();
			const body = (await response.text()).replaceAll('pinData', 'pins');
			await route.fulfill({ response, body });
		});
		await editor.openWorkflow(workflow.id);
		await page.getByTestId('execute-workflow-button').click();
		await editor.notification('Workflow executed successfully');
		await page.locator('.el-notification__closeBtn').click();
		const labels = page.getByText('Send Template: form_received');
		const parts = [...(await page.locator('.vue-flow__node').all()), labels];
		await takePicture(page, 'canvas', await around(parts, 24));
	});

	/** The panel of the action node. */
	async function openPanel(parameters: object, height: number) {
		const workflow = actionWorkflow(account, { ...parameters });
		const { id } = await n8n.client.workflows.save(workflow);
		const editor = await open();
		await editor.page.setViewportSize({ width: 1300, height });
		await editor.openWorkflow(id);
		await editor.openNode('Business Messaging');
		return editor;
	}

	it('from key to first message', async () => {
		const message = { to: CUSTOMER, templateName: 'order_update' };
		const { page, input, field, output, ...editor } = await openPanel(message, 1200);
		await editor.paste(field('templateText').getByRole('textbox'), TEMPLATE);
		for (const [index, value] of ['Asha', 'A-17', 'Friday'].entries()) {
			await input(`variable${index + 1}`).fill(value);
		}
		await page.getByText('Template Text', { exact: true }).click();
		const fields = async (first: string) =>
			await around([page.getByText(first, { exact: true }), field('variable3')], 16);
		await takePicture(page, 'template-fields', await fields('To'));

		await page.setViewportSize({ width: 1300, height: 860 });
		await page.getByText('Template Name', { exact: true }).evaluate((label) => {
			label.style.scrollMarginTop = '16px';
			label.scrollIntoView();
		});
		await editor.execute();
		await output.getByText('1 message sent').waitFor();
		await page.locator('.el-notification__closeBtn').click();
		await output.getByText('Schema', { exact: true }).click();
		await output.getByText('sent_at').waitFor();
		const [left, right] = [await fields('Template Name'), await around([output])];
		const size = {
			width: right.x + right.width - left.x,
			height: left.y + left.height - right.y,
		};
		await takePicture(page, 'result', { x: left.x, y: right.y, ...size });

		await page.getByTestId('credential-edit-button').click();
		const dialog = page.locator('.el-dialog').filter({ hasText: 'Connection tested successfully' });
		await dialog.waitFor();
		await dialog.locator('button:not(:has(.n8n-spinner))', { hasText: 'Retry' }).waitFor();
		// Without an event, because n8n would take back the result of the test.
		const baseUrl = dialog.getByTestId('parameter-input-baseUrl').getByRole('textbox');
		await baseUrl.evaluate((field) => Object.assign(field, { value: 'https://api.example.com' }));
		await takePicture(page, 'credential', await around([dialog]));
	});

	it('the fields of a question', async () => {
		const { page, field } = await openPanel(QUESTION, 1800);
		await field('limitWaitTime').waitFor();
		const parts = [page.getByText('Credential', { exact: true }), field('limitWaitTime')];
		await takePicture(page, 'ask-fields', await around(parts, 11));
	});

	it('the page of a question, also in Arabic, and the thanks', async () => {
		const openQuestion = async (more: object = {}) => {
			const { link } = await asking.ask({ ...QUESTION, ...more });
			const viewport = { width: 390, height: 500 };
			const look = { viewport, colorScheme: theme, deviceScaleFactor: 2 };
			const page = await file.browser.newPage(look);
			opened.push(page);
			await page.goto(link);
			return page;
		};
		const arabic = await openQuestion({
			message: 'هل يناسبك أن نوصل إبريقك الأزرق يوم الجمعة؟\nOrder A-17',
			approvalOptions: { values: { approveLabel: 'نعم', disapproveLabel: 'لا' } },
			options: { pageTexts: { texts: { lang: 'ar' } } },
		});
		await takePicture(arabic, 'question-arabic');
		const page = await openQuestion();
		await takePicture(page, 'question');
		await page.getByRole('button', { name: 'Approve' }).click();
		await page.getByRole('heading', { name: 'Thank you' }).waitFor();
		await page.setViewportSize({ width: 390, height: 280 });
		await takePicture(page, 'answered');
	});

	it('a form and a message on the phone page, and their answers', async () => {
		const api = await startLocalApi({ deliveredAfterMs: 200, readAfterMs: 200 });
		opened.push(api);
		const scene = await setUp(n8n, api);
		const [autoReply, formToCrm] = api.webhookUrls;
		const phone = await openPhonePage(file.browser, api, {
			viewport: { width: 960, height: 680 },
			colorScheme: theme,
			deviceScaleFactor: 2,
		});
		opened.push(phone);
		const { page, fromBusiness, deliveries } = phone;
		api.webhookUrls = [formToCrm];
		const form = { name: 'Asha Rao', phone: CUSTOMER, interest: 'the blue kettle' };
		await api.customerSubmits(CUSTOMER, form);
		await fromBusiness.getByText('Read').waitFor();
		await deliveries.filter({ hasText: 'message.read' }).waitFor({ state: 'attached' });
		// So that the event that started the workflow is still among the newest.
		api.settings.deliveredAfterMs = 60_000;
		api.webhookUrls = [autoReply];
		await phone.write('Is the blue kettle still in stock?');
		await fromBusiness.nth(1).getByText('Sent').waitFor();
		const last = deliveries.first().filter({ hasText: 'message.sent' });
		await last.getByText('ignored').waitFor({ state: 'attached' });
		await page.getByRole('heading', { name: 'phone' }).click();
		await takePicture(page, 'phone');
		for (const { id } of [scene.autoReply, scene.formToCrm, scene.stop, scene.question.saved]) {
			await n8n.client.workflows.unpublish(id);
		}
	});
});

it('notes what all of them show', async () => {
	expect(made).toHaveLength(PICTURES);
	const all = async (kind: string) => {
		const response = await n8n.client.session.get(`/types/${kind}.json`);
		return (await response.json()) as Array<Described & { name: string }>;
	};
	const named = (name: string) => (type: { name: string }) => type.name === name;
	const nodes = await all('nodes');
	const described = [
		nodes.find(named(`${PACKAGE_PREFIX}businessMessaging`)),
		nodes.find(named(`${PACKAGE_PREFIX}businessMessagingTrigger`)),
		(await all('credentials')).find(named(CREDENTIAL)),
	] as Described[];
	await writeFile(PICTURED, `${JSON.stringify(pictured(described), null, '\t')}\n`);
});

type Rectangle = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** The smallest rectangle with all of these in it, and some space around them. */
async function around(parts: Locator[], space = 0): Promise<Rectangle> {
	const boxes = await Promise.all(parts.map(async (part) => await part.boundingBox()));
	const shown = boxes.filter((box) => box !== null);
	const x = Math.min(...shown.map((box) => box.x)) - space;
	const y = Math.min(...shown.map((box) => box.y)) - space;
	const right = Math.max(...shown.map((box) => box.x + box.width)) + space;
	const bottom = Math.max(...shown.map((box) => box.y + box.height)) + space;
	return { x, y, width: right - x, height: bottom - y };
}
