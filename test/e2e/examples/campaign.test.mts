import { randomUUID } from 'node:crypto';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import type { Workflow } from '../../../playground/n8n/rest/workflows.mts';
import { fillDataTable } from '../../support/dataTable.mts';
import { exampleRuns, expectAsPinned, send } from '../../support/exampleRuns.mts';
import {
	changed,
	imported,
	itemsOf,
	pinnedItems,
	triggerOf,
	withTables,
} from '../../support/examples.mts';
import { runOnce } from '../../support/manualRun.mts';

const examples = exampleRuns();
const [ASHA, MEERA, JONAS] = ['+12025550110', '+12025550112', '+12025550113'];
const SENDS = { dryRun: false };

async function campaign(more: object = {}): Promise<Workflow> {
	const workflow = withTables(await examples().ready('campaign'), ` ${randomUUID()}`);
	const { options } = workflow.nodes.find(({ name }) => name === 'Send the offer')!.parameters;
	return changed(workflow, 'Send the offer', { options: { ...(options as object), ...more } });
}

/** With the list of those who wrote STOP or START. */
async function campaignWith(statuses: Record<string, string>, more?: object) {
	const workflow = await campaign(more);
	const { dataTableId } = workflow.nodes.find(({ name }) => name === 'Who wrote STOP')!
		.parameters as { dataTableId: { value: string } };
	const rows = Object.entries(statuses).map(([phone, status]) => ({
		phone,
		status,
		since: '2026-01-30T12:00:00.000Z',
		word: 'as said',
	}));
	await fillDataTable(examples().n8n, dataTableId.value, rows);
	return workflow;
}

function sentTo() {
	const bodies = examples().calls().sent as Array<{ to: string }>;
	return bodies.map(({ to }) => to).sort();
}

describe('campaign', () => {
	const problem = {
		name: 'Lena',
		phone: '555-01',
		problem: expect.stringContaining('"555-01"'),
		remedy: expect.any(String),
	};

	it('checks all rows first, and sends nothing', async () => {
		const execution = await examples().run(await campaignWith({ [MEERA]: 'stopped' }));
		expect(examples().calls()).toEqual({ sent: [], lookedUp: [] });
		expect(outputOf(execution, 'Send the offer')).toEqual([]);
		expect(itemsOf(execution, 'Who reads what')).toEqual([]);
		const offers = pinnedItems(await imported('campaign'), 'Send the offer');
		const shown = offers.map(({ to, preview: text }) => ({ to, text, price: 0.8631 }));
		const why = 'dryRun';
		expect(outputOf(execution, 'Not sent')).toEqual([
			{ ...shown[0], why },
			{ to: MEERA, text: expect.stringContaining('Hi Meera'), price: 0.8631, why: 'optedOut' },
			{ ...shown[1], why },
		]);
		expect(outputOf(execution, 'Rows to correct')).toEqual([problem]);
	});

	it('sends the rows that are right once Dry Run is removed, and none to who wrote STOP', async () => {
		const workflow = await campaignWith({ [MEERA]: 'stopped', [JONAS]: 'started' }, SENDS);
		const execution = await examples().run(workflow);
		const offers = pinnedItems(await imported('campaign'), 'Send the offer');
		expect(await expectAsPinned('campaign', execution)).toContain('Send the offer');
		expect(examples().calls().sent).toEqual(
			expect.arrayContaining([
				send(ASHA, 'summer_offer', { 1: 'Asha', 2: 'Friday', 3: 'A-7K2' }, 'marketing'),
			]),
		);
		expect(sentTo()).toEqual([ASHA, JONAS]);
		const left = { to: MEERA, text: '', price: 0, why: 'optedOut' };
		expect(outputOf(execution, 'Not sent')).toEqual([left]);
		expect(outputOf(execution, 'Who reads what')).toEqual(
			offers.map(({ to, preview }) => ({ to, text: preview, price: 0.8631 })),
		);
		expect(outputOf(execution, 'Rows to correct')).toEqual([problem]);
	});

	it('sends to everybody while nobody has written STOP, and only once when it is run again with numbers that are spelled in another way', async () => {
		const workflow = await campaignWith({ [ASHA]: 'started' }, SENDS);
		await examples().run(workflow);
		expect(sentTo()).toEqual([ASHA, MEERA, JONAS]);
		const rows = pinnedItems(workflow, 'Read the customers');
		const respelled = rows.map(({ phone, ...row }) => ({
			json: { ...row, phone: String(phone).replace(/\D/g, '') },
		}));
		const pinData = { ...workflow.pinData, 'Read the customers': respelled };
		const again = await examples().run({ ...workflow, pinData });
		expect(sentTo()).toEqual([ASHA, MEERA, JONAS]);
		expect(itemsOf(again, 'Not sent')).toEqual([]);
	});

	it('sends nothing without the list, and says that it is missing', async () => {
		const workflow = await campaign(SENDS);
		const execution = await runOnce(examples().n8n, workflow, triggerOf(workflow));
		expect(execution.status).toBe('error');
		expect(execution.data.resultData.error?.message).toMatch(/Data table .*"Opt-outs .*not found/);
		expect(sentTo()).toEqual([]);
	});
});
