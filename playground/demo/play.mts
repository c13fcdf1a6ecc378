import type { Emitted } from '../api/server.mts';
import { CUSTOMER } from '../api/wellKnown.mts';
import { eventually } from '../eventually.mts';
import { callApi, logOfApi, type ApiAddress } from '../localApi.mts';
import { webhookUrl } from '../n8n/publish.mts';
import { QUESTION } from '../n8n/question.mts';
import { outputOf, type Execution } from '../n8n/rest/executions.mts';
import type { SavedWorkflow } from '../n8n/rest/workflows.mts';
import { customerTable, type Scene } from '../n8n/setUp.mts';
import type { Log } from '../run.mts';

const FORM = { name: 'Asha Rao', phone: CUSTOMER, interest: 'the blue kettle' };

interface Cost {
	amount: number;
	currency: string;
}

/** Plays the customer once. @throws when a step does not happen */
export async function play(scene: Scene, say: Log): Promise<void> {
	await writeMessage(scene, say);
	await submitForm(scene, say);
	await playQuestion(scene, say);
}

async function writeMessage(scene: Scene, say: Log) {
	say('\n1. A customer writes a message');
	const text = 'Is the blue kettle still in stock?';
	say(`   ${CUSTOMER}: ${text}`);
	const nextRun = await watchRuns(scene, scene.autoReply);
	tellDeliveries(scene, say, await act(scene, '/customer/messages', { text }));
	const [reply] = outputOf(await nextRun(), 'Reply');
	say(`   The workflow replied: ${String(reply.preview)}`);
	tellSent(say, String(reply.template_name), reply.category, reply.cost as Cost);
	for (const status of ['delivered', 'read']) {
		await statusEvent(scene, `message.${status}`, String(reply.message_id));
		say(`   The reply is ${status}`);
	}
}

async function submitForm(scene: Scene, say: Log) {
	say('\n2. The customer submits a form');
	say(`   ${CUSTOMER}: ${FORM.name}, interested in ${FORM.interest}`);
	const nextRun = await watchRuns(scene, scene.formToCrm);
	const submitted = await act(scene, '/customer/forms', { formData: FORM });
	tellDeliveries(scene, say, submitted);
	const { submission_id } = submitted.data as { submission_id: string };
	// Both at once, so that a failing run is heard of before its row is given up.
	const [execution] = await Promise.all([nextRun(), tellSteps(scene, say, submission_id)]);
	const [record] = outputOf(execution, 'Look up the status');
	say(`   The workflow looked up its status: ${String(record.status)}`);
}

async function act({ api }: Scene, path: string, what: object) {
	return await callApi<Emitted>(api, 'POST', path, { from: CUSTOMER, ...what });
}

async function tellSteps({ n8n, api, tableId }: Scene, say: Log, submissionId: string) {
	const row = await eventually(`The row in the Data Table "${customerTable.name}"`, async () => {
		const rows = await n8n.client.dataTables.rows(tableId);
		return rows.find(({ submission_id }) => submission_id === submissionId);
	});
	say(`   Row ${row.id} of the Data Table "${customerTable.name}": ${row.name}, ${row.phone}`);
	const { template_name, category, cost } = await eventually('The confirmation', async () => {
		const { messages } = await logOfApi(api);
		return messages.find((message) => message.template_name === 'form_received');
	});
	tellSent(say, template_name, category, { amount: cost, currency: 'INR' });
}

/** Gives the next run of a workflow once it has finished. @throws when it failed */
async function watchRuns({ n8n }: Scene, { id, name }: SavedWorkflow) {
	const newest = async () => (await n8n.client.executions.list(id, 1))[0];
	const earlier = (await newest())?.id;
	return async (): Promise<Execution> => {
		const execution = await eventually(`The run of "${name}"`, async () => {
			const latest = await newest();
			const hasFinished = latest?.status === 'success' || latest?.status === 'error';
			return hasFinished && latest.id !== earlier ? latest : undefined;
		});
		if (execution.status === 'success') return execution;
		const reason = execution.data.resultData.error?.message ?? 'see its executions in the editor';
		throw new Error(`The workflow "${name}" failed: ${reason}.`);
	};
}

async function statusEvent({ api }: Scene, event: string, messageId: string) {
	await eventually(event, async () => {
		const { deliveries } = await logOfApi(api);
		return deliveries.find(({ event: name, body }) => name === event && body.includes(messageId));
	});
}

function tellDeliveries(
	{ n8n, autoReply, formToCrm, stop }: Scene,
	say: Log,
	{ event, deliveries }: Emitted,
) {
	for (const { url, status, answer, error } of deliveries) {
		const isReceiver = (saved: SavedWorkflow) => url.startsWith(webhookUrl(n8n.url, saved));
		const receiver = [autoReply, formToCrm, stop].find(isReceiver);
		say(`   ${event} → "${receiver?.name}": ${error ?? `${status} ${answer}`}`);
	}
}

function tellSent(say: Log, template: string, category: unknown, { amount, currency }: Cost) {
	say(`   Sent "${template}" as ${String(category)} for ${currency} ${amount}`);
}

/** Asks, opens the link of the message as a phone does, and presses the first button. */
async function playQuestion({ n8n, api, question }: Scene, say: Log): Promise<void> {
	say('\n3. The customer is asked, and answers');
	const earlier = await newestQuestion(api);
	await fetch(question.address);
	const { template_variables } = await eventually('The question', async () => {
		const asked = await newestQuestion(api);
		return asked?.message_id === earlier?.message_id ? undefined : asked;
	});
	say(`   The workflow asked: ${QUESTION}`);
	const link = template_variables['2'];
	await eventually('The page of the question', async () => (await fetch(link)).ok);
	await fetch(link, { method: 'POST', body: new URLSearchParams({ choice: '0' }) });
	const [{ approved }] = await eventually('The answer', async () => {
		const [execution] = await n8n.client.executions.list(question.saved.id, 1);
		return execution?.status === 'success' ? outputOf(execution, 'Answer') : undefined;
	});
	say(
		`   The customer pressed Approve on the page, and the workflow went on: approved ${approved}`,
	);
}

async function newestQuestion(api: ApiAddress) {
	const { messages } = await logOfApi(api);
	return messages.findLast(({ template_name }) => template_name === 'delivery_question');
}
