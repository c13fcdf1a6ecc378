import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { imported, itemsOf, pinnedItems, triggerOf, withOptions } from '../../support/examples.mts';
import { runOnce } from '../../support/manualRun.mts';

const examples = exampleRuns();
const [ASHA, MEERA, JONAS] = ['+12025550110', '+12025550112', '+12025550113'];

/** With Dry Run removed. */
async function sending() {
	return withOptions(await examples().ready('campaign'), 'Send the offer', { dryRun: false });
}

function sentTo() {
	const bodies = examples().calls().sent as Array<{ to: string }>;
	return bodies.map(({ to }) => to).sort();
}

// First of all: the table is not there yet.
test('campaign: without the list nothing is sent, and the error says that it is missing', async () => {
	const workflow = await sending();
	const execution = await runOnce(examples().n8n, workflow, triggerOf(workflow));
	expect(execution.status).toBe('error');
	expect(execution.data.resultData.error?.message).toMatch(/Data table .*"Opt-outs .*not found/);
	expect(sentTo()).toEqual([]);
});

test('campaign: all rows are checked first; then the right ones are sent once, and none to who wrote STOP', async () => {
	const listed = { since: '2026-01-30T12:00:00.000Z', word: 'as said' };
	await examples().fill('Opt-outs', [
		{ phone: MEERA, status: 'stopped', ...listed },
		{ phone: JONAS, status: 'started', ...listed },
	]);
	const offers = pinnedItems(await imported('campaign'), 'Send the offer');
	const read = offers.map(({ to, preview: text }) => ({ to, text, price: 0.8631 }));
	const problem = {
		name: 'Lena',
		phone: '555-01',
		problem: expect.stringContaining('"555-01"'),
		remedy: expect.any(String),
	};
	const shown = await examples().run(await examples().ready('campaign'));
	expect(examples().calls()).toEqual({ sent: [], lookedUp: [] });
	expect(outputOf(shown, 'Send the offer')).toEqual([]);
	expect(itemsOf(shown, 'Who reads what')).toEqual([]);
	expect(outputOf(shown, 'Not sent')).toEqual([
		{ ...read[0], why: 'dryRun' },
		{ to: MEERA, text: expect.stringContaining('Hi Meera'), price: 0.8631, why: 'optedOut' },
		{ ...read[1], why: 'dryRun' },
	]);
	expect(outputOf(shown, 'Rows to correct')).toEqual([problem]);

	const workflow = await sending();
	const execution = await examples().run(workflow);
	expect(examples().calls().sent).toContainEqual(
		send(ASHA, 'summer_offer', { 1: 'Asha', 2: 'Friday', 3: 'A-7K2' }, 'marketing'),
	);
	expect(sentTo()).toEqual([ASHA, JONAS]);
	const left = { to: MEERA, text: '', price: 0, why: 'optedOut' };
	expect(outputOf(execution, 'Not sent')).toEqual([left]);
	expect(outputOf(execution, 'Who reads what')).toEqual(read);
	expect(outputOf(execution, 'Rows to correct')).toEqual([problem]);

	// Again, with the numbers spelled in another way.
	const respelled = pinnedItems(workflow, 'Read the customers').map(({ phone, ...row }) => ({
		json: { ...row, phone: String(phone).replace(/\D/g, '') },
	}));
	const pinData = { ...workflow.pinData, 'Read the customers': respelled };
	const again = await examples().run({ ...workflow, pinData });
	expect(sentTo()).toEqual([ASHA, JONAS]);
	expect(itemsOf(again, 'Not sent')).toEqual([left]);
});
