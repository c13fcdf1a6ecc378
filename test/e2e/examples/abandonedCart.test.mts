import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { changed, imported, itemsOf, pinnedItems, withOptions } from '../../support/examples.mts';

const examples = exampleRuns();
const HOUR = 3_600_000;
const [LEFT, STOPPED] = ['+12025550110', '+12025550111'];

test('abandoned-cart: whoever left a cart two hours ago is reminded once, by day, unless they wrote STOP', async () => {
	const ready = await examples().ready('abandoned-cart');
	/** With Send Between, by hours from now. */
	const within = (...hours: number[]) => {
		const [from, until] = hours.map((hour) => `${(new Date().getUTCHours() + 24 + hour) % 24}:00`);
		const zone = { timeZone: 'other', otherTimeZone: 'Etc/UTC' };
		return withOptions(ready, 'Remind', { sendBetween: { hours: { from, until, ...zone } } });
	};
	const [pinned] = pinnedItems(await imported('abandoned-cart'), 'Carts left');
	const cart = (cart_id: string, phone: string, hoursAgo: number, ordered?: string) => ({
		...pinned,
		...{ cart_id, phone, ordered: ordered ?? null, reminder: null },
		changed_at: new Date(Date.now() - hoursAgo * HOUR).toISOString(),
	});
	await examples().fill('Carts', [
		cart('left', LEFT, 3),
		cart('stopped', STOPPED, 3),
		cart('early', '+12025550112', 1),
		cart('late', '+12025550113', 25),
		cart('ordered', '+12025550114', 3, 'yes'),
		cart('unusable', '555-01', 3),
	]);
	await examples().fill('Opt-outs', [
		{ phone: STOPPED, status: 'stopped', since: '', word: 'STOP' },
		{ phone: LEFT, status: 'started', since: '', word: 'START' },
	]);
	const reminders = async () => {
		const rows = await examples().rows('Carts');
		return Object.fromEntries(rows.map(({ cart_id, reminder }) => [cart_id, reminder]));
	};

	const night = await examples().run(within(2, 4));
	expect(examples().calls().sent).toEqual([]);
	expect(itemsOf(night, 'The next run tries again')).toEqual([
		{ skipped: 'quietHours', to: LEFT, sendAfter: expect.stringMatching(/:00:00.000Z$/) },
	]);
	expect(await reminders()).toMatchObject({ left: null });

	const day = within(-1, 2);
	await examples().run(day);
	const variables = { 1: 'Asha', 2: 'the blue kettle', 3: 'tomorrow evening' };
	const reminder = send(LEFT, 'cart_reminder', variables, 'marketing');
	expect(examples().calls().sent).toEqual([reminder]);
	expect(await reminders()).toEqual({
		left: expect.stringMatching(/^\d{4}-/),
		unusable: expect.stringContaining('"555-01" has no country code'),
		...{ stopped: null, early: null, late: null, ordered: null },
	});

	// The table has lost it; the Send Once Key has not.
	const { parameters } = day.nodes.find(({ name }) => name === 'Carts left')!;
	const { conditions } = parameters.filters as { conditions: Array<{ keyName: string }> };
	const filters = { conditions: conditions.filter(({ keyName }) => keyName !== 'reminder') };
	const again = await examples().run(changed(day, 'Carts left', { filters }));
	expect(examples().calls().sent).toEqual([reminder]);
	expect(itemsOf(again, 'The next run tries again')).toEqual([]);
	expect(await reminders()).toMatchObject({ left: 'sent before' });
});
