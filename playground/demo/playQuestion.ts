import { eventually } from '../eventually.ts';
import { QUESTION } from '../n8n/question.ts';
import { outputOf } from '../n8n/rest/executions.ts';
import type { Scene } from '../n8n/setUp.ts';
import type { Log } from '../run.ts';

/** Asks, opens the link of the message as a phone does, and presses the first button. */
export async function playQuestion({ n8n, api, question }: Scene, say: Log): Promise<void> {
	say('\n3. The customer is asked, and answers');
	const before = api.messages.size;
	await fetch(question.address, { method: 'POST' });
	const { templateVariables } = await eventually('The question', () =>
		[...api.messages.values()].slice(before).find(isQuestion),
	);
	say(`   The workflow asked: ${QUESTION}`);
	const link = templateVariables['2'];
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

function isQuestion({ templateName }: { templateName: string }) {
	return templateName === 'delivery_question';
}
