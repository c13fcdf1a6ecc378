import { CUSTOMER } from '../../../playground/api/wellKnown.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { imported, pinnedItems, pinnedTo } from '../../support/examples.mts';

const examples = exampleRuns();

/** Runs an example with these changes of its pinned event. */
async function runWith(name: string, changes: object) {
	const example = await examples().ready(name);
	const [event] = pinnedItems(example, 'Customer writes');
	return await examples().run(pinnedTo(example, 'Customer writes', { ...event, ...changes }));
}

// docs/sending.md: answer within the service window
test('auto-reply: it goes out as utility for the pinned message, which is older than 24 hours', async () => {
	const execution = await runWith('auto-reply', {});
	const variables = { 1: expect.stringMatching(/^\d{1,2} [A-Z][a-z]+$/), 2: 'two hours' };
	const reply = send(CUSTOMER, 'message_received', variables, 'utility');
	expect(examples().calls().sent).toEqual([reply]);
	const [pinned] = pinnedItems(await imported('auto-reply'), 'Reply');
	expect(outputOf(execution, 'Reply')[0].preview).toBe(pinned.preview);
});

test.each(['auto-reply', 'hand-over'])(
	'%s: a customer without a number gets no answer, and no run fails',
	async (name) => {
		const hidden = { phone: null, data: { from: 'asha.k', text: 'Hello' } };
		expect(outputOf(await runWith(name, hidden), 'Has a number')).toEqual([]);
		expect(examples().calls().sent).toEqual([]);
	},
);

test('hand-over: the robot answers until somebody asks for a person, then it keeps quiet', async () => {
	await examples().fill('Conversations', [{ phone: 'nobody', owner: '', written_at: '' }]);
	const timestamp = new Date().toISOString();
	await examples().api.customerWrites(CUSTOMER, 'Hello');
	const told = async (text: string) => {
		const data = { from: CUSTOMER, text };
		examples().api.calls.length = 0;
		await runWith('hand-over', { timestamp, serviceWindow: { openedAt: timestamp }, data });
		return examples().calls().sent;
	};
	const hours = { 1: 'Monday to Friday, 9 to 17' };
	const robot = send(CUSTOMER, 'robot_answer', hours, 'service');
	expect(await told('When are you open?')).toEqual([robot]);
	const person = send(CUSTOMER, 'person_comes', { 1: 'A colleague' }, 'service');
	expect(await told('Can I talk to a person?')).toEqual([person]);
	expect(await told('Are you there?')).toEqual([]);
	const owned = { phone: CUSTOMER, owner: 'team', written_at: timestamp };
	expect(await examples().rows('Conversations')).toContainEqual(expect.objectContaining(owned));
});
