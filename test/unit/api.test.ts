import { dataOf, isAccepted, messageIdOf } from '../../nodes/BusinessMessaging/api';

function response(status: number, body: unknown) {
	return { status, headers: {}, body };
}

it.each<[number, unknown, boolean]>([
	[200, { success: true, data: {} }, true],
	[200, { data: {} }, true],
	[299, '', true],
	[200, { success: false, error: { code: 131026 } }, false],
	[200, { success: 'false' }, true],
	[199, { success: true }, false],
	[300, { success: true }, false],
])('%i with %j is accepted: %p', (status, body, expected) => {
	expect(isAccepted(response(status, body))).toBe(expected);
});

it.each<[unknown, string | undefined]>([
	['m1', 'm1'],
	[4711, '4711'],
	// A rounded number is the ID of another message.
	[2 ** 53, undefined],
	[17.5, undefined],
	[' ', undefined],
	[null, undefined],
	[{ id: 'm1' }, undefined],
])('the message_id %j is the ID %j', (id, expected) => {
	expect(messageIdOf(response(200, { success: true, data: { message_id: id } }))).toBe(expected);
});

it.each<[unknown]>([
	[undefined],
	['<html>'],
	[[{ data: {} }]],
	[{}],
	[{ data: null }],
	[{ data: [] }],
])('%j has no data', (body) => {
	expect(dataOf(response(200, body))).toBeUndefined();
});
