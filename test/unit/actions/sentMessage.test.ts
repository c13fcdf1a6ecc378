import { messageIn, sentOf } from '../../../nodes/BusinessMessaging/actions/sentMessage';

const message = { message_id: 'm1', cost: 0.15 };

it.each([
	['the output', message],
	['the envelope of Raw Response', { success: true, data: message }],
])('a message is found in %s', (_, json) => {
	expect(messageIn(json)).toBe('data' in json ? json.data : json);
	expect(sentOf(json).messageId).toBe('m1');
});

it('an ID that is a number is told as text', () => {
	expect(sentOf({ message_id: 4711 }).messageId).toBe('4711');
});

it('a field "data" that the API adds to a message is no envelope', () => {
	const json = { ...message, data: { message_id: 'other' } };
	expect(messageIn(json)).toBe(json);
});
