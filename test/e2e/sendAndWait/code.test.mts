import { eventually } from '../../../playground/eventually.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { startAsking, type Asking } from '../../support/askedWorkflow.mts';
import { filesWith, startOwnN8n } from '../../support/ownN8n.mts';
import { answer, look } from '../../support/questionPage.mts';

jest.setTimeout(600_000);

const WITH_CODE = {
	variablesInput: 'templateText',
	templateText: 'Hi {{1}}, please open {{2}} and enter {{3}}',
	variable1: 'Asha',
	variable2: '[link]',
	variable3: '[code]',
};

let own: Awaited<ReturnType<typeof startOwnN8n>>;
let asking: Asking;

beforeAll(async () => {
	own = await startOwnN8n('code');
	asking = await startAsking(own.n8n);
});

afterAll(async () => {
	await own?.n8n.stop();
	await asking?.api.close();
});

async function ask() {
	const asked = await asking.ask(WITH_CODE);
	const code = [...asking.api.messages.values()].at(-1)!.templateVariables[3];
	expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
	return { ...asked, code };
}

// docs/ask-and-wait.md: a one-time code
// SECURITY, The link of a question: neither the code nor a hash of it is stored
test('only the code of the message answers, also after a restart, and n8n stores it nowhere', async () => {
	const { link, code, id, run } = await ask();
	const other = await ask();
	expect(other.code).not.toBe(code);
	expect((await look(link)).html).toContain('Code in the message');
	for (const wrong of ['', code.slice(0, -1), other.code]) {
		const page = await answer(link, { choice: '0', reason: 'Perhaps', code: wrong });
		expect(page).toMatchObject({ status: 403, heading: 'A question for you' });
		expect(page.html).not.toContain(code);
	}
	await run('waiting');

	process.kill(-own.n8n.pid, 'SIGKILL');
	const n8n = await own.restart();
	const { pathname, search } = new URL(link);
	const restarted = new URL(pathname + search, n8n.url).href;
	expect(await answer(restarted, { choice: '0', code: other.code })).toMatchObject({ status: 403 });
	const entered = ` ${code.toLowerCase().replace('-', ' ')}`;
	expect(await answer(restarted, { choice: '0', code: entered })).toMatchObject({
		status: 200,
		heading: 'Thank you',
	});
	const execution = await eventually('the end', async () => {
		const [newest] = await n8n.client.executions.list(id, 1);
		return newest?.status === 'success' ? newest : undefined;
	});
	expect(outputOf(execution, 'After')).toMatchObject([
		{ approved: true, message: { preview: expect.stringMatching(/and enter \[code\]$/) } },
	]);
	expect(filesWith(own.userFolder, '[code]')).not.toEqual([]);
	for (const secret of [code, other.code, code.replace('-', '')]) {
		expect(filesWith(own.userFolder, secret)).toEqual([]);
	}
});
