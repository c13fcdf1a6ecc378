import { outputOf } from '../../../playground/n8n/rest/executions.ts';
import { askingInEachTest, type Asking } from '../../support/askedWorkflow.ts';
import { ASK, askingWorkflow, askNode } from '../../support/askingWorkflow.ts';
import { isN8nBefore } from '../../support/n8nUnderTest.ts';
import { ROWS } from '../../support/nativeNodes.ts';
import { answer, nextLink } from '../../support/questionPage.ts';

const { asking, client } = askingInEachTest();

// README, Ask and wait: one item at a time
test('more than one item is refused before anything is sent', async () => {
	const rows: Parameters<Asking['ask']>[1] = {
		Rows: ROWS,
	};
	const { run } = await asking().start(askingWorkflow(asking().credential, {}, rows), {
		rows: [{}, {}, {}],
	});
	const { error } = (await run('error')).data.resultData;
	expect(error?.message).toContain('asks one question at a time, but there are 3 items');
	expect(asking().api.calls).toEqual([]);
});

test('after a failure the same question can be asked by Retry, and is sent once', async () => {
	const { start, credential, api } = asking();
	const workflow = askingWorkflow(credential, { templateName: 'always_400' });
	const { id, run } = await start(workflow);
	const failed = await run('error');
	const mended = { ...askNode(credential), name: 'Ask' };
	await client().workflows.save({
		...workflow,
		nodes: workflow.nodes.map((node) => (node.name === 'Ask' ? { ...node, ...mended } : node)),
	});
	void client()
		.executions.retry(failed.id, true)
		.catch(() => undefined);
	const link = await nextLink(api);
	await run('waiting');
	await answer(link, { choice: '0' });
	expect(outputOf(await run('success'), 'After')).toMatchObject([{ approved: true }]);
	expect([...api.messages.values()]).toHaveLength(1);
	expect(id).toBeTruthy();
});

// README, Good to know: what may have gone is not sent again
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

test('a dry run sends nothing, does not wait, and shows the question', async () => {
	const { run } = await asking().start(
		askingWorkflow(asking().credential, { options: { dryRun: true } }),
	);
	const [item] = outputOf(await run('success'), 'After');
	expect(item).toMatchObject({
		dryRun: true,
		estimatedCost: { amount: 0.115 },
		question: { text: ASK.message, choices: ['Approve', 'Decline'] },
	});
	expect(JSON.stringify(item.request)).toContain('/webhook-waiting/');
	expect(asking().api.calls).toEqual([]);
});

test.each([
	['over the spending limit', { options: { spendingLimit: 0.1 } }, 'more than the spending limit'],
	['without a link', { variablesJson: '["Asha"]' }, 'No variable has the link'],
	['with a link to an answer that does not exist', { variablesJson: '["[link 3]"]' }, '"[link 3]"'],
	['without a question', { message: '={{ "" }}' }, 'Message is empty'],
	[
		'with a limit of ten seconds',
		{ limitWaitTime: 10, limitWaitTimeUnit: 'seconds' },
		'Limit Wait Time',
	],
])('nothing is sent %s', async (_, parameters, sentence) => {
	const { run } = await asking().start(askingWorkflow(asking().credential, parameters));
	expect((await run('error')).data.resultData.error?.message).toContain(sentence);
	expect(asking().api.calls).toEqual([]);
});

test('a free answer after the window goes out with the fallback category', async () => {
	const customerLastMessageAt = new Date(Date.now() - 25 * 60 * 60 * 1000).toISOString();
	await asking().ask({ category: 'auto', customerLastMessageAt });
	expect(asking().api.calls.map(({ body }) => body)).toMatchObject([{ category: 'utility' }]);
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
