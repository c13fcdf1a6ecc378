import { fillDataTable } from '../../support/dataTable.mts';
import { exampleRuns, expectAsPinned, send } from '../../support/exampleRuns.mts';
import { changed, pinnedItems, pinnedTo, withTables } from '../../support/examples.mts';

const examples = exampleRuns();
const ASHA = '+12025550110';
const WAITS = ['Wait two days', 'Wait three days'];

/** The series with short waits, and a customer of this status. */
async function series(status: string) {
	const ending = ` ${status} ${Date.now()}`;
	await fillDataTable(examples().n8n, `Opt-outs${ending}`, [
		{ phone: ASHA, status, since: '', word: 'as said' },
	]);
	const ready = withTables(await examples().ready('welcome-series', ...WAITS), ending);
	return WAITS.reduce(
		(workflow, name) => changed(workflow, name, { amount: 1, unit: 'seconds' }),
		ready,
	);
}

function sentTemplates() {
	const bodies = examples().calls().sent as Array<{ templateName: string }>;
	return bodies.map(({ templateName }) => templateName);
}

test('welcome-series: a customer gets each message once, also after a second form with the number spelled in another way', async () => {
	const workflow = await series('started');
	const execution = await examples().run(workflow);
	expect(sentTemplates()).toEqual(['welcome', 'welcome_tips', 'welcome_offer']);
	expect(examples().calls().sent).toContainEqual(
		send(ASHA, 'welcome_offer', { 1: 'Asha', 2: 'WELCOME-5' }, 'marketing'),
	);
	expect(await expectAsPinned('welcome-series', execution)).toHaveLength(8);
	const name = 'A customer signs up';
	const [form] = pinnedItems(workflow, name);
	const form_data = { name: 'Asha', phone: '+1 202-555-0110' };
	const data = { ...(form.data as object), form_data };
	await examples().run(pinnedTo(workflow, name, { ...form, data }));
	expect(sentTemplates()).toHaveLength(3);
});

test('welcome-series: who wrote STOP gets no further step', async () => {
	await examples().run(await series('stopped'));
	expect(sentTemplates()).toEqual(['welcome']);
});
