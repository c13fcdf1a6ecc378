import { eventually } from '../../../playground/eventually.mts';
import { fillDataTable } from '../../support/dataTable.mts';
import { exampleRuns, expectAsPinned, send } from '../../support/exampleRuns.mts';
import { changed, imported, itemsOf, pinnedItems, withTables } from '../../support/examples.mts';

const examples = exampleRuns();

test('order-updates: new orders are told once, messages are looked up until they are delivered', async () => {
	const workflow = await examples().ready('order-updates');
	const example = await imported('order-updates');
	const [earlier] = pinnedItems(example, 'Messages on their way');
	const { message_id, phone } = earlier as Record<string, string>;
	examples().sentEarlier(message_id, phone, 'order_shipped', { deliveredAt: Date.now() - 1000 });
	const unusable = {
		...earlier,
		order_id: 'A-19',
		phone: '555-01',
		message_id: null,
		message_status: null,
	};
	const { rows } = await fillDataTable(examples().n8n, 'Orders', [
		earlier,
		...pinnedItems(example, 'Shipped orders'),
		unusable,
		{ ...unusable, order_id: 'A-20', order_status: 'paid' },
	]);
	const first = await examples().run(workflow);
	expect(examples().calls().sent).toHaveLength(2);
	for (const [to, name, order] of [
		['+12025550110', 'Asha', 'A-17'],
		['+12025550111', 'Ravi', 'A-18'],
	]) {
		expect(examples().calls().sent).toContainEqual(
			send(to, 'order_shipped', { 1: name, 2: order }),
		);
	}
	expect(examples().calls().lookedUp).toContain(message_id);
	expect(await expectAsPinned('order-updates', first)).toHaveLength(8);

	const { calls, messages } = examples().api;
	const deliveredAt = Math.max(...[...messages.values()].map((each) => each.deliveredAt ?? 0));
	await eventually('all are delivered', () => Date.now() > deliveredAt);
	calls.length = 0;
	await examples().run(workflow);
	expect(examples().calls().sent).toEqual([]);
	expect(examples().calls().lookedUp).not.toContain(message_id);
	const states = (await rows()).map(({ order_id, message_status, problem }) => [
		order_id,
		message_status,
		problem,
	]);
	const arrived = expect.stringMatching(/^(delivered|read)$/);
	expect(states).toEqual([
		['A-16', 'delivered', null],
		['A-17', arrived, null],
		['A-18', arrived, null],
		['A-19', 'notSent', expect.stringContaining('"555-01" has no country code')],
		['A-20', null, null],
	]);
});

test('order-updates: what the network holds back today goes out tomorrow, and what is wrong does not', async () => {
	const ending = ` ${Date.now()}`;
	const ready = withTables(await examples().ready('order-updates', 'Until tomorrow'), ending);
	const { dateTime } = ready.nodes.find(({ name }) => name === 'Until tomorrow')!.parameters;
	const time = String(dateTime).replace(/^=\{\{|\}\}$/g, '');
	const workflow = changed(ready, 'Until tomorrow', {
		dateTime: `={{ DateTime.fromISO(${time}).minus({ days: 1 }) }}`,
	});
	const [row] = pinnedItems(await imported('order-updates'), 'Shipped orders');
	const { rows } = await fillDataTable(examples().n8n, `Orders${ending}`, [
		{ ...row, order_id: 'A-21' },
		{ ...row, order_id: 'A-22', phone: '555-01' },
		{ ...row, order_id: 'A-23', phone: '+12025550149' },
	]);
	examples().api.settings.failNext.push(131049);
	const execution = await examples().run(workflow);
	const told = send('+12025550110', 'order_shipped', { 1: 'Asha', 2: 'A-21' });
	const sent = examples().calls().sent as Array<{ to: string }>;
	expect(sent.filter(({ to }) => to === told.to)).toContainEqual(told);
	// The second number is held back each time: once, and three times later.
	expect(sent.filter(({ to }) => to === '+12025550149')).toHaveLength(4);
	expect(itemsOf(execution, 'Remember the message')).toHaveLength(1);
	expect((await rows()).map(({ message_status, problem }) => [message_status, problem])).toEqual([
		[expect.stringMatching(/^(sent|delivered|read)$/), null],
		['notSent', expect.stringContaining('"555-01"')],
		['rejected', expect.stringContaining('held')],
	]);
});
