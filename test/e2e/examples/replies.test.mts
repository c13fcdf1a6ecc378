import { CUSTOMER } from '../../../playground/api/wellKnown.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { imported, pinnedItems, pinnedTo } from '../../support/examples.mts';

const examples = exampleRuns();

// docs/sending.md: answer within the service window
test('auto-reply: it goes out as utility for the pinned message, which is older than 24 hours', async () => {
	const execution = await examples().run(await examples().ready('auto-reply'));
	const variables = { 1: expect.stringMatching(/^\d{1,2} [A-Z][a-z]+$/), 2: 'two hours' };
	const reply = send(CUSTOMER, 'message_received', variables, 'utility');
	expect(examples().calls().sent).toEqual([reply]);
	const [pinned] = pinnedItems(await imported('auto-reply'), 'Reply');
	expect(outputOf(execution, 'Reply')[0].preview).toBe(pinned.preview);
});

test('auto-reply and hand-over: a customer without a number gets no answer, and no run fails', async () => {
	for (const name of ['auto-reply', 'hand-over']) {
		const example = await imported(name);
		const [event] = pinnedItems(example, 'Customer writes');
		const hidden = { ...event, phone: null, data: { from: 'asha.k', text: 'Hello' } };
		const execution = await examples().run(
			pinnedTo(await examples().ready(name), 'Customer writes', hidden),
		);
		expect(outputOf(execution, 'Has a number')).toEqual([]);
	}
	expect(examples().calls().sent).toEqual([]);
});
