import { eventually } from '../eventually.mts';
import { logOfApi, type ApiAddress } from '../localApi.mts';
import { QUESTION } from '../n8n/question.mts';
import { outputOf } from '../n8n/rest/executions.mts';
import type { Scene } from '../n8n/setUp.mts';
import type { Log } from '../run.mts';

/** Asks, opens the link of the message as a phone does, and presses the first button. */
export async function playQuestion({ n8n, api, question }: Scene, say: Log): Promise<void> {
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
