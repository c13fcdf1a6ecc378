import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { askingOfFile } from '../../support/askedWorkflow.mts';
import { askingWorkflow } from '../../support/askingWorkflow.mts';
import { changed } from '../../support/examples.mts';
import { answer, look, nextLink } from '../../support/questionPage.mts';

const asking = askingOfFile();

const message = expect.objectContaining({ status: 'sent', template_name: 'delivery_question' });
const respondedAt = expect.stringMatching(/^\d{4}-.*Z$/);

const ANSWERS = { values: [{ label: 'On Friday' }, { label: 'On Monday' }, { label: 'Never' }] };

// docs/ask-and-wait.md: the workflow goes on with the answer
test.each<[string, object, Record<string, string>, object]>([
	['approved', {}, { choice: '0' }, { approved: true }],
	['declined', {}, { choice: '1', reason: 'Late' }, { approved: false, reason: 'Late' }],
	[
		'answered with one of three',
		{ responseType: 'answers', answers: ANSWERS },
		{ choice: '1' },
		{ answer: 'On Monday' },
	],
	[
		'answered in writing',
		{ responseType: 'freeText' },
		{ text: 'अच्छा <b>&' },
		{ text: 'अच्छा <b>&' },
	],
])('a question can be %s, and the workflow goes on', async (_, parameters, fields, expected) => {
	const { link, run } = await asking.ask(parameters);
	const page = await look(link);
	expect(page).toMatchObject({ status: 200, heading: 'A question for you' });
	expect(page.html).toContain('May we deliver on Friday?');
	await run('waiting');

	expect(await answer(link, fields)).toMatchObject({ status: 200, heading: 'Thank you' });
	const execution = await run('success');
	expect(outputOf(execution, 'After')).toEqual([{ ...expected, respondedAt, message }]);
	expect(asking.api.calls).toHaveLength(1);
});

test('after a failure the same question can be asked by Retry, and is sent once', async () => {
	const { start, credential, api, client } = asking;
	const { workflows, executions } = client;
	const workflow = askingWorkflow(credential, { templateName: 'always_400' });
	const { run } = await start(workflow);
	const failed = await run('error');
	await workflows.save(changed(workflow, 'Ask', { templateName: 'order_update' }));
	void executions.retry(failed.id, true).catch(() => undefined);
	const link = await nextLink(api);
	await run('waiting');
	await answer(link, { choice: '0' });
	expect(outputOf(await run('success'), 'After')).toMatchObject([{ approved: true }]);
	expect(api.messages.size).toBe(1);
});
