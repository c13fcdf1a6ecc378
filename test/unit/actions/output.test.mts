import { outputOf } from '../../../nodes/BusinessMessaging/actions/options/rawResponse';
import { receiptOf } from '../../../nodes/BusinessMessaging/actions/output';

it('no output has an "error", which n8n would take for a failed item', () => {
	const data = { message_id: 'm1', error: 'x' };
	const response = { status: 200, headers: {}, body: { success: true, error: null } };
	const [raw, plain] = [true, false].map((rawResponse) =>
		outputOf({ rawResponse }, { data, response }),
	);
	expect(raw).toMatchObject({ success: true, errorDetails: null, httpStatus: 200 });
	expect(raw).not.toHaveProperty('error');
	expect(plain).toEqual({ message_id: 'm1', errorDetails: 'x' });
});

const message = { message_id: 4711, cost: 0.15 };

// docs/good-to-know.md: `cost` is what the API says
it.each<[string, object, object]>([
	['an output', message, { cost: 0.15 }],
	['an output whose cost is no amount', { ...message, cost: 'free' }, {}],
	['the envelope of Raw Response', { success: true, data: message }, { cost: 0.15 }],
	['an output with a field "data"', { ...message, data: { message_id: 1 } }, { cost: 0.15 }],
])('the ID and the cost of a message are found in %s', (_, json, cost) => {
	expect(receiptOf(json as never)).toEqual({ messageId: '4711', ...cost });
});
