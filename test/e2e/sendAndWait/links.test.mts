import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { askingOfFile } from '../../support/askedWorkflow.mts';
import { askingWorkflow } from '../../support/askingWorkflow.mts';
import { ROWS } from '../../support/nativeNodes.mts';
import { answer, linksIn, look, nextLink } from '../../support/questionPage.mts';

const asking = askingOfFile();

// SECURITY, The link of a question: n8n answers 401 to a changed one
test('a changed link shows nothing of the question and answers nothing', async () => {
	const { link, run } = await asking.ask();
	const changes: Array<(query: URLSearchParams) => void> = [
		(query) => query.set('round', '2'),
		(query) => query.set('choice', '0'),
		(query) => query.delete('signature'),
		(query) => query.set('signature', '0'.repeat(64)),
	];
	for (const change of changes) {
		const wrong = new URL(link);
		change(wrong.searchParams);
		for (const page of [await look(wrong.href), await answer(wrong.href, { choice: '0' })]) {
			expect(page.status).toBe(401);
			expect(page.html).not.toContain('Friday');
		}
	}
	await run('waiting');
});

// docs/ask-and-wait.md: a link for each answer
test('a link to one answer shows the question with that answer in front, on a page with a policy of its own', async () => {
	const { link, run } = await asking.ask({ variablesJson: ['Asha', '[link 2]'] });
	const page = await look(link);
	expect(page.policy).toMatch(
		/default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'; sandbox/,
	);
	expect(page.headers.get('cache-control')).toBe('no-store');
	expect(page.headers.get('referrer-policy')).toBe('no-referrer');
	const buttons = [...page.html.matchAll(/<button[^>]*value="(\d)"([^>]*)>/g)];
	expect(buttons.map(([, choice, look]) => [choice, look.includes('class="main"')])).toEqual([
		['1', true],
		['0', false],
	]);
	await run('waiting');
	expect((await answer(link, { choice: '1' })).html).toContain(
		'<meta http-equiv="Content-Security-Policy" content="default-src',
	);
	expect(outputOf(await run('success'), 'After')).toMatchObject([{ approved: false }]);
});

test('in a loop each round has its own link, and an old one does not answer for a new one', async () => {
	const { start, credential, api } = asking;
	const loop = { type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 };
	const workflow = askingWorkflow(credential, {}, { Rows: ROWS, Loop: loop });
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	const rounds = { Loop: { main: [to('After'), to('Ask')] }, Ask: { main: [to('Loop')] } };
	const connections = { ...workflow.connections, ...rounds };
	const { run } = await start({ ...workflow, connections }, { rows: [{}, {}] });
	const first = await nextLink(api, 1);
	await run('waiting');
	await answer(first, { choice: '0' });
	const second = await nextLink(api, 2);
	await run('waiting');
	expect(second).not.toBe(first);

	for (const old of [await look(first), await answer(first, { choice: '0' })]) {
		expect(old).toMatchObject({ status: 410, heading: 'No question here' });
	}
	await run('waiting');
	await answer(second, { choice: '1' });
	const execution = await run('success');
	expect(outputOf(execution, 'After')).toMatchObject([{ approved: true }, { approved: false }]);
	expect(linksIn(api)).toEqual([first, second]);
});
