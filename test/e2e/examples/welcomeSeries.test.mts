import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { changed, pinnedItems, pinnedTo } from '../../support/examples.mts';

const examples = exampleRuns();
const ASHA = '+12025550110';
const FORM = 'A customer signs up';

/** The series with short waits, and a customer of this status. */
async function series(status: string) {
	await examples().fill('Opt-outs', [{ phone: ASHA, status, since: '', word: 'as said' }]);
	const waits = ['Wait two days', 'Wait three days'];
	const ready = await examples().ready('welcome-series', ...waits);
	const short = { amount: 1, unit: 'seconds' };
	return waits.reduce((workflow, name) => changed(workflow, name, short), ready);
}

function sentTemplates() {
	const bodies = examples().calls().sent as Array<{ templateName: string }>;
	return bodies.map(({ templateName }) => templateName);
}

test('welcome-series: a customer gets each message once, also after a second form with the number spelled in another way', async () => {
	const workflow = await series('started');
	await examples().run(workflow);
	expect(sentTemplates()).toEqual(['welcome', 'welcome_tips', 'welcome_offer']);
	expect(examples().calls().sent).toContainEqual(
		send(ASHA, 'welcome_offer', { 1: 'Asha', 2: 'WELCOME-5' }, 'marketing'),
	);
	const [form] = pinnedItems(workflow, FORM);
	const form_data = { name: 'Asha', phone: '+1 202-555-0110' };
	const data = { ...(form.data as object), form_data };
	await examples().run(pinnedTo(workflow, FORM, { ...form, data }));
	expect(sentTemplates()).toHaveLength(3);
});

test('welcome-series: who wrote STOP gets no further step', async () => {
	await examples().run(await series('stopped'));
	expect(sentTemplates()).toEqual(['welcome']);
});
