import { eventually } from '../../../playground/eventually.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { changed, imported, itemsOf, pinnedItems } from '../../support/examples.mts';

const examples = exampleRuns();
const HELD_BACK = '+12025550149';

test('order-updates: new orders are told once, what the network holds back goes out tomorrow, and messages are looked up until they are delivered', async () => {
	const ready = await examples().ready('order-updates', 'Until tomorrow');
	const { dateTime } = ready.nodes.find(({ name }) => name === 'Until tomorrow')!.parameters;
	const time = String(dateTime).replace(/^=\{\{|\}\}$/g, '');
	const oneByOne = changed(ready, 'Tell the customer', { expertOptions: { concurrency: 1 } });
	const workflow = changed(oneByOne, 'Until tomorrow', {
		dateTime: `={{ DateTime.fromISO(${time}).minus({ days: 1 }) }}`,
	});
	const example = await imported('order-updates');
	const [earlier] = pinnedItems(example, 'Messages on their way');
	const { message_id, phone } = earlier as Record<string, string>;
	examples().sentEarlier(message_id, phone, 'order_shipped', { deliveredAt: Date.now() - 1000 });
	const orders = pinnedItems(example, 'Shipped orders');
	const unusable = { ...orders[0], order_id: 'A-19', phone: '555-01' };
	await examples().fill('Orders', [
		earlier,
		...orders,
		unusable,
		{ ...unusable, order_id: 'A-20', order_status: 'paid' },
		{ ...unusable, order_id: 'A-21', phone: HELD_BACK },
	]);
	const { settings, calls, messages } = examples().api;
	settings.latencyMs = 500;
	const running = examples().run(workflow);
	await eventually('the look-up', () => calls[0]?.answeredStatus === 200);
	// The first message is held back once, and the last each time: once, and three times later.
	settings.failNext.push(131049);
	const first = await running;
	const sent = examples().calls().sent as Array<{ to: string }>;
	const asha = send('+12025550110', 'order_shipped', { 1: 'Asha', 2: 'A-17' });
	const ravi = send('+12025550111', 'order_shipped', { 1: 'Ravi', 2: 'A-18' });
	expect(sent.filter(({ to }) => to !== HELD_BACK)).toEqual([asha, ravi, asha]);
	expect(sent).toHaveLength(7);
	expect(itemsOf(first, 'Remember the message')).toHaveLength(2);
	expect(examples().calls().lookedUp).toContain(message_id);

	const deliveredAt = Math.max(...[...messages.values()].map((each) => each.deliveredAt ?? 0));
	await eventually('all are delivered', () => Date.now() > deliveredAt);
	calls.length = 0;
	await examples().run(workflow);
	expect(examples().calls().sent).toEqual([]);
	expect(examples().calls().lookedUp).not.toContain(message_id);
	const rows = await examples().rows('Orders');
	const arrived = expect.stringMatching(/^(delivered|read)$/);
	expect(rows.map((row) => [row.order_id, row.message_status, row.problem])).toEqual([
		['A-16', 'delivered', null],
		['A-17', arrived, null],
		['A-18', arrived, null],
		['A-19', 'notSent', expect.stringContaining('"555-01" has no country code')],
		['A-20', null, null],
		['A-21', 'rejected', expect.stringContaining('held')],
	]);
});
