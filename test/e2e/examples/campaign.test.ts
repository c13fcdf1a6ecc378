import { outputOf } from '../../../playground/n8n/rest/executions.ts';
import { exampleRuns } from '../../support/exampleRuns.ts';
import { changed, imported, pinnedItems } from '../../support/examples.ts';

const examples = exampleRuns();

describe('campaign', () => {
	const problem = {
		name: 'Lena',
		phone: '555-01',
		problem: expect.stringContaining('"555-01"'),
		remedy: expect.any(String),
	};

	it('checks all rows first, and sends nothing', async () => {
		const workflow = await examples().ready('campaign');
		const execution = await examples().run(workflow);
		expect(examples().calls()).toEqual({ sent: [], lookedUp: [] });
		const example = await imported('campaign');
		expect(outputOf(execution, 'Send the offer')).toEqual(pinnedItems(example, 'Send the offer'));
		expect(outputOf(execution, 'Who reads what')).toHaveLength(3);
		expect(outputOf(execution, 'Rows to correct')).toEqual([problem]);
	});

	it('sends the rows that are right once Dry Run is removed', async () => {
		const options = { defaultCountry: 'US', spendingLimit: 50 };
		const execution = await examples().run(
			changed(await examples().ready('campaign'), 'Send the offer', { options }),
		);
		const offers = pinnedItems(await imported('campaign'), 'Send the offer');
		expect(examples().calls().sent).toEqual(
			expect.arrayContaining(offers.map(({ request }) => request)),
		);
		expect(examples().calls().sent).toHaveLength(offers.length);
		expect(outputOf(execution, 'Who reads what')).toEqual(
			offers.map(({ to, preview }) => ({ to, text: preview, price: 0.8631 })),
		);
		expect(outputOf(execution, 'Rows to correct')).toEqual([problem]);
	});

	it('sends nothing when all together cost more than the spending limit', async () => {
		const options = { defaultCountry: 'US', spendingLimit: 2 };
		const execution = await examples().run(
			changed(await examples().ready('campaign'), 'Send the offer', { options }),
		);
		expect(examples().calls().sent).toEqual([]);
		expect(outputOf(execution, 'Rows to correct')).toHaveLength(4);
	});
});
