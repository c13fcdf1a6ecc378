import { outputOf } from '../../../playground/n8n/rest/executions.ts';
import { askingInEachTest } from '../../support/askedWorkflow.ts';
import { askingWorkflow } from '../../support/askingWorkflow.ts';
import { changed } from '../../support/examples.ts';
import { isN8nBefore } from '../../support/n8nUnderTest.ts';
import { ROWS } from '../../support/nativeNodes.ts';
import { answer, nextLink } from '../../support/questionPage.ts';

const { asking, client } = askingInEachTest();

// docs/ask-and-wait.md: one item at a time
test('more than one item is refused before anything is sent', async () => {
	const workflow = askingWorkflow(asking().credential, {}, { Rows: ROWS });
	const { run } = await asking().start(workflow, { rows: [{}, {}, {}] });
	const { error } = (await run('error')).data.resultData;
	expect(error?.message).toContain('asks one question at a time, but there are 3 items');
	expect(asking().api.calls).toEqual([]);
});

test('after a failure the same question can be asked by Retry, and is sent once', async () => {
	const { start, credential, api } = asking();
	const workflow = askingWorkflow(credential, { templateName: 'always_400' });
	const { run } = await start(workflow);
	const failed = await run('error');
	await client().workflows.save(changed(workflow, 'Ask', { templateName: 'order_update' }));
	void client()
		.executions.retry(failed.id, true)
		.catch(() => undefined);
	const link = await nextLink(api);
	await run('waiting');
	await answer(link, { choice: '0' });
	expect(outputOf(await run('success'), 'After')).toMatchObject([{ approved: true }]);
	expect(api.messages.size).toBe(1);
});

// docs/good-to-know.md: what may have gone is not sent again
test('a message that may have gone is not sent again by Retry On Fail, and nothing waits', async () => {
	const { start, credential, api } = asking();
	const workflow = askingWorkflow(credential, { to: '+12025550163' });
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Ask' ? { ...node, retryOnFail: true, waitBetweenTries: 100 } : node,
	);
	const { run } = await start({ ...workflow, nodes });
	const [{ error }] = (await run('error')).data.resultData.runData.Ask;
	expect(error?.description).toContain('may have been sent');
	expect(api.calls).toHaveLength(1);
});

// Before, n8n keeps no hints of a run that waits.
(isN8nBefore(30) ? test.skip : test)(
	'a link to this computer only is told above the output',
	async () => {
		const { run } = await asking().ask();
		const [{ hints = [] }] = (await run('waiting')).data.resultData.runData.Ask;
		expect(hints.map((hint) => hint.message).join(' ')).toContain('set N8N_WEBHOOK_URL');
	},
);
