import { DEVELOPMENT_KEY, OTHER_ACCOUNT_KEY } from '../../../playground/api/wellKnown.mts';
import { saveAccount } from '../../../playground/n8n/account.mts';
import { withCredential } from '../../../playground/n8n/examples.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { exampleRuns } from '../../support/exampleRuns.mts';
import { imported, isoDate, pinnedItems } from '../../support/examples.mts';

const examples = exampleRuns();

test('many-accounts: each branch sends with its own key, and a wrong key ends the run for its branch only', async () => {
	const { n8n, api } = examples();
	const keys = { berlin: OTHER_ACCOUNT_KEY, pune: DEVELOPMENT_KEY, oslo: 'no-such-key' };
	const credential = await saveAccount(n8n, 'Branches', {
		baseUrl: api.url,
		apiKey: `={{ (${JSON.stringify(keys)})[$json.branch] }}`,
	});
	const workflow = withCredential(await examples().ready('many-accounts'), credential);
	const pinned = pinnedItems(await imported('many-accounts'), 'Appointments tomorrow');
	const rows = pinned.map((row) => ({ ...row, day: isoDate(1) }));
	await examples().fill('Visits to all branches', [
		...rows,
		{ ...rows[2], branch: 'oslo', appointment_id: '19' },
		{ ...rows[2], day: '2026-01-01', appointment_id: '16' },
	]);
	const execution = await examples().run(workflow);
	const sent = api.calls.flatMap(({ headers, body, answeredStatus }) =>
		answeredStatus === 200 ? [[headers['x-api-key'], (body as { to: string }).to]] : [],
	);
	expect(sent.sort()).toEqual([
		[DEVELOPMENT_KEY, '+12025550110'],
		[DEVELOPMENT_KEY, '+12025550112'],
		[OTHER_ACCOUNT_KEY, '+12025550113'],
	]);
	expect(outputOf(execution, 'For each branch')).toEqual([
		{ branch: 'berlin', sent: 1, cost: 0.115 },
		{ branch: 'pune', sent: 2, cost: 0.23 },
	]);
	const problem = expect.any(String);
	expect(outputOf(execution, 'What went wrong')).toMatchObject([{ branch: 'oslo', problem }]);

	api.calls.length = 0;
	const again = await examples().run(workflow);
	expect(outputOf(again, 'For each branch')).toEqual([
		{ branch: 'berlin', sent: 0, cost: 0 },
		{ branch: 'pune', sent: 0, cost: 0 },
	]);
	expect(api.calls.filter(({ answeredStatus }) => answeredStatus === 200)).toEqual([]);
});
