import { randomUUID } from 'node:crypto';
import { fillDataTable } from '../../support/dataTable.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { changed, imported, itemsOf, pinnedItems, withTables } from '../../support/examples.mts';

const examples = exampleRuns();
const HOUR = 3_600_000;

/** Send Between, by hours from now. */
function hours(from: number, until: number) {
	const timeOf = (hour: number) => `${String((new Date().getUTCHours() + 24 + hour) % 24)}:00`;
	const zone = { timeZone: 'other', otherTimeZone: 'Etc/UTC' };
	return { sendBetween: { hours: { from: timeOf(from), until: timeOf(until), ...zone } } };
}

test('abandoned-cart: whoever left a cart two hours ago is reminded once, by day, unless they wrote STOP', async () => {
	const { n8n } = examples();
	const ending = ` ${randomUUID()}`;
	const ready = withTables(await examples().ready('abandoned-cart'), ending);
	const { options } = ready.nodes.find(({ name }) => name === 'Remind')!.parameters;
	const within = (from: number, until: number) =>
		changed(ready, 'Remind', { options: { ...(options as object), ...hours(from, until) } });
	const workflow = within(-1, 2);
	const [pinned] = pinnedItems(await imported('abandoned-cart'), 'Carts left');
	const cart = (cart_id: string, phone: string, hoursAgo: number, more = {}) => ({
		...pinned,
		cart_id,
		phone,
		ordered: null,
		reminder: null,
		changed_at: new Date(Date.now() - hoursAgo * HOUR).toISOString(),
		...more,
	});
	const { rows } = await fillDataTable(n8n, `Carts${ending}`, [
		cart('left', '+12025550110', 3),
		cart('stopped', '+12025550111', 3),
		cart('early', '+12025550112', 1),
		cart('late', '+12025550113', 25),
		cart('ordered', '+12025550114', 3, { ordered: 'yes' }),
		cart('unusable', '555-01', 3),
	]);
	await fillDataTable(n8n, `Opt-outs${ending}`, [
		{ phone: '+12025550111', status: 'stopped', since: '', word: 'STOP' },
		{ phone: '+12025550110', status: 'started', since: '', word: 'START' },
	]);
	const reminders = async () =>
		Object.fromEntries((await rows()).map(({ cart_id, reminder }) => [cart_id, reminder]));

	const night = await examples().run(within(2, 4));
	expect(examples().calls().sent).toEqual([]);
	expect(itemsOf(night, 'The next run tries again')).toEqual([
		{ skipped: 'quietHours', to: '+12025550110', sendAfter: expect.stringMatching(/:00:00.000Z$/) },
	]);
	expect(await reminders()).toMatchObject({ left: null });

	await examples().run(workflow);
	const variables = { 1: 'Asha', 2: 'the blue kettle', 3: 'tomorrow evening' };
	const reminder = send('+12025550110', 'cart_reminder', variables, 'marketing');
	expect(examples().calls().sent).toEqual([reminder]);
	expect(await reminders()).toEqual({
		left: expect.stringMatching(/^\d{4}-/),
		unusable: expect.stringContaining('"555-01" has no country code'),
		stopped: null,
		early: null,
		late: null,
		ordered: null,
	});

	// The table has lost it; the Send Once Key has not.
	const { parameters } = workflow.nodes.find(({ name }) => name === 'Carts left')!;
	const { conditions } = parameters.filters as { conditions: Array<{ keyName: string }> };
	const forgetful = changed(workflow, 'Carts left', {
		filters: { conditions: conditions.filter(({ keyName }) => keyName !== 'reminder') },
	});
	const again = await examples().run(forgetful);
	expect(examples().calls().sent).toEqual([reminder]);
	expect(itemsOf(again, 'The next run tries again')).toEqual([]);
	expect(await reminders()).toMatchObject({ left: 'sent before' });
});
