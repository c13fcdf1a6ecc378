import type { Locator } from 'playwright-core';
import { startLocalApi, type LocalApi } from '../../../playground/api/server.ts';
import { CUSTOMER } from '../../../playground/api/wellKnown.ts';
import { eventually } from '../../../playground/eventually.ts';
import { saveAccount } from '../../../playground/n8n/account.ts';
import { actionWorkflow } from '../../support/actionWorkflow.ts';
import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest } from '../../support/n8nUnderTest.ts';
import { templateEditor } from '../../support/templateEditor.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

let api: LocalApi;
let editor: Editor;
let template: ReturnType<typeof templateEditor>;

beforeAll(async () => {
	api = await startLocalApi();
	const n8n = await n8nUnderTest();
	const credential = await saveAccount(n8n, 'Texts in the editor', { baseUrl: api.url });
	const workflow = actionWorkflow(credential, {
		to: CUSTOMER,
		templateName: 'order_update',
		options: { dryRun: true },
	});
	editor = await openEditor(n8n, { workflow, node: 'Business Messaging' });
	template = templateEditor(editor);
});

afterAll(async () => {
	await editor?.close();
	await api?.close();
});

const TWELVE = [7, 3, 12, 1, 9, 5, 11, 2, 8, 4, 10, 6];
const positions = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const WORDS = 'Your parcel is on its way to you, and it will arrive soon. ';

/** By what is in it: the text, and a value for each placeholder. */
const TEXTS: Array<[string, string, string[]]> = [
	['2,000 characters', `${WORDS.repeat(40).slice(0, 1980)} {{1}} and {{2}}.`, ['Asha', 'A-17']],
	['HTML', '<b>Hi {{1}}</b> & <script>alert("{{2}}")</script>', ['Asha', 'A-17']],
	['Hindi', 'नमस्ते {{1}}, आपका ऑर्डर {{2}} आ रहा है।', ['आशा', 'ए-१७']],
	['right-to-left', 'مرحبا {{1}}، طلبك {{2}} في الطريق.', ['عائشة', 'A-17']],
	['emoji', '👋🏽 {{1}} 👩‍👩‍👧 {{2}} 🇮🇳!', ['Zoë 🎉', 'A-17']],
];

const isThere = async (place: Locator) =>
	await place.waitFor({ timeout: 5000 }).then(
		() => true,
		() => undefined,
	);

test.each(TEXTS)(
	'a text of %s is pasted, filled in and previewed as it is',
	async (what, text, values) => {
		await template.paste(text);
		await template.expectFields(...positions(values.length));
		for (const [index, value] of values.entries()) {
			await editor.input(`variable${index + 1}`).fill(value);
		}
		const preview = text.replace(/\{\{(\d)\}\}/g, (_, number) => values[Number(number) - 1]);
		const shown = editor.output.getByText(preview, { exact: true }).first();
		// What was pasted reaches the workflow a moment later.
		await eventually('the preview', async () => {
			await editor.execute();
			return await isThere(shown);
		});
		await editor.screenshot(`text-${what.replace(/\W/g, '-')}`);
	},
);

test('twelve placeholders in any order have their fields in the order of their numbers', async () => {
	await template.paste(TWELVE.map((position) => `word{{${position}}}`).join(' '));
	await template.expectFields(...positions(12));
	await editor.screenshot('text-twelve');
});

test('a text that is typed is read as it was meant, though the editor closes its braces', async () => {
	await template.type('Hi {{1}}, your order {{2}} is here.');
	await template.expectFields(1, 2);
	await editor.screenshot('text-typed');
});

test.each<[string, string, string, number[]]>([
	['a name', 'Hi {{name}}', 'Write {{1}} for the first', []],
	['a gap', 'Hi {{1}}, {{3}}', 'A number is left out', [1, 3]],
	['a brace too few', 'Hi {{1}, {{2}}', 'two braces on each side', [2]],
	['no placeholder', 'Your parcel is here.', 'no placeholders such as {{1}}', []],
	[
		'too many',
		positions(21)
			.map((position) => `{{${position}}}`)
			.join(' '),
		'set Variables to JSON or List',
		positions(20),
	],
])('a text with %s is told what to do', async (what, text, sentence, fields) => {
	await template.paste(text);
	await template.expectFields(...fields);
	await editor.page.getByTestId('node-parameters').getByText(sentence).waitFor();
	await editor.screenshot(`text-with-${what.replace(/\W/g, '-')}`);
});
