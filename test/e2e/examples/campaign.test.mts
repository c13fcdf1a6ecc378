import { randomUUID } from 'node:crypto';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import type { Workflow } from '../../../playground/n8n/rest/workflows.mts';
import { fillDataTable } from '../../support/dataTable.mts';
import { exampleRuns } from '../../support/exampleRuns.mts';
import { changed, imported, pinnedItems, triggerOf, withTables } from '../../support/examples.mts';
import { runOnce } from '../../support/manualRun.mts';

const examples = exampleRuns();
const [ASHA, MEERA, JONAS] = ['+12025550110', '+12025550112', '+12025550113'];
const SENDS = { dryRun: false, spendingLimit: 50 };

async function campaign(options: object = { ...SENDS, dryRun: true }): Promise<Workflow> {
	return changed(
		withTables(await examples().ready('campaign'), ` ${randomUUID()}`),
		'Send the offer',
		{ options },
	);
}

/** With the list of those who wrote STOP or START. */
async function campaignWith(statuses: Record<string, string>, options?: object) {
	const workflow = await campaign(options);
	const { dataTableId } = workflow.nodes.find(({ name }) => name === 'Not on the stop list')!
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
		const example = await imported('campaign');
		for (const node of ['Numbers in one form', 'Not on the stop list', 'Send the offer']) {
			expect(outputOf(execution, node)).toEqual(pinnedItems(example, node));
		}
		expect(outputOf(execution, 'Who reads what')).toHaveLength(2);
		expect(outputOf(execution, 'Rows to correct')).toEqual([problem]);
	});

	it('sends the rows that are right once Dry Run is removed, and none to who wrote STOP', async () => {
		const workflow = await campaignWith({ [MEERA]: 'stopped', [JONAS]: 'started' }, SENDS);
		const execution = await examples().run(workflow);
		const offers = pinnedItems(await imported('campaign'), 'Send the offer');
		expect(examples().calls().sent).toEqual(
			expect.arrayContaining(offers.map(({ request }) => request)),
		);
		expect(sentTo()).toEqual([ASHA, JONAS]);
		expect(outputOf(execution, 'Who reads what')).toEqual(
			offers.map(({ to, preview }) => ({ to, text: preview, price: 0.8631 })),
		);
		expect(outputOf(execution, 'Rows to correct')).toEqual([problem]);
	});

	it('sends nothing without the list, and says that it is missing', async () => {
		const workflow = await campaign(SENDS);
		const execution = await runOnce(examples().n8n, workflow, triggerOf(workflow));
		expect(execution.status).toBe('error');
		expect(execution.data.resultData.error?.message).toMatch(/Data table .*"Opt-outs .*not found/);
		expect(sentTo()).toEqual([]);
	});
});
