import { CUSTOMER } from '../../../playground/api/wellKnown.mts';
import { fillDataTable } from '../../support/dataTable.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { imported, pinnedItems, pinnedTo } from '../../support/examples.mts';

const examples = exampleRuns();

test('hand-over: the robot answers until somebody asks for a person, then it keeps quiet', async () => {
	const { rows } = await fillDataTable(examples().n8n, 'Conversations', [
		{ phone: 'nobody', owner: '', written_at: '' },
	]);
	const [event] = pinnedItems(await imported('hand-over'), 'Customer writes');
	const timestamp = new Date().toISOString();
	const serviceWindow = { openedAt: timestamp };
	await examples().api.customerWrites(CUSTOMER, 'Hello');
	const write = async (text: string) => {
		const data = { from: CUSTOMER, text };
		const workflow = await examples().ready('hand-over');
		await examples().run(
			pinnedTo(workflow, 'Customer writes', { ...event, timestamp, serviceWindow, data }),
		);
		const { sent } = examples().calls();
		examples().forget();
		return sent;
	};
	const hours = { 1: 'Monday to Friday, 9 to 17' };
	expect(await write('When are you open?')).toEqual([
		send(CUSTOMER, 'robot_answer', hours, 'service'),
	]);
	expect(await write('Can I talk to a person?')).toEqual([
		send(CUSTOMER, 'person_comes', { 1: 'A colleague' }, 'service'),
	]);
	expect(await write('Are you there?')).toEqual([]);
	expect(await rows()).toContainEqual(
		expect.objectContaining({ phone: CUSTOMER, owner: 'team', written_at: timestamp }),
	);
});
