import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendingEach } from '../../support/actionWorkflow.ts';
import { editorOfFile } from '../../support/editorOfFile.ts';
import { n8nOfThisWorker } from '../../support/n8nUnderTest.ts';

const opened = editorOfFile('Progress in the editor');

// docs/good-to-know.md: each minute in the log and in the console of the browser
test('a run of more than a minute says how far it has come, in the log and in the console of the browser', async () => {
	const { api, credential, editor } = opened();
	const { page, output, execute } = editor;
	const rows = [0, 1, 2].map((row) => ({ to: `+1415555${1000 + row}` }));
	await editor.show(sendingEach(credential, rows), 'Business Messaging');
	const told: string[] = [];
	page.on('console', (message) => told.push(message.text()));
	api.settings.latencyMs = 22_000;
	await execute();
	await output.getByText('3 messages sent, cost INR 0.345.').waitFor({ timeout: 90_000 });
	const line = /2 sent, 1 of 3 left\. About 3\d s to go, until [\d-]+ [\d:]+ UTC\./;
	expect(told.filter((text) => line.test(text))).toEqual([
		expect.stringMatching(/^\[Node: "Business Messaging"\] 2 sent/),
	]);
	const { url, userFolder } = n8nOfThisWorker();
	const log = readFileSync(join(userFolder, `start-${new URL(url).port}.log`), 'utf8');
	expect(log).toMatch(/Execution \d+, "Business Messaging": 2 sent, 1 of 3 left\./);
});
