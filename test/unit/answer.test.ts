import { dataOf, isAccepted, messageIdOf } from '../../nodes/BusinessMessaging/answer';

function answer(status: number, body: unknown) {
	return { status, headers: {}, body };
}

describe('an answer', () => {
	it.each<[number, unknown, boolean]>([
		[200, { success: true, data: {} }, true],
		[200, { data: {} }, true],
		[201, {}, true],
		[299, '', true],
		[200, { success: false, error: { code: 131026 } }, false],
		[200, { success: 'false' }, true],
		[199, { success: true }, false],
		[300, { success: true }, false],
		[400, { success: true }, false],
		[500, undefined, false],
	])('%i with %j is accepted: %p', (status, body, expected) => {
		expect(isAccepted(answer(status, body))).toBe(expected);
	});

	it.each<[unknown, string | undefined]>([
		['m1', 'm1'],
		[4711, '4711'],
		[2 ** 53 - 1, '9007199254740991'],
		// A rounded number is the ID of another message.
		[2 ** 53, undefined],
		[17.5, undefined],
		['', undefined],
		[' ', undefined],
		[null, undefined],
		[true, undefined],
		[{ id: 'm1' }, undefined],
	])('whose message_id is %j has the ID %j', (id, expected) => {
		expect(messageIdOf(answer(200, { success: true, data: { message_id: id } }))).toBe(expected);
	});

	it('has the data of its envelope', () => {
		expect(dataOf(answer(200, { success: true, data: { message_id: 'm1' } }))).toEqual({
			message_id: 'm1',
		});
	});

	it.each<[unknown]>([
		[undefined],
		[null],
		['<html>'],
		[[{ data: {} }]],
		[{}],
		[{ data: null }],
		[{ data: [] }],
		[{ data: 'm1' }],
	])('%j has no data', (body) => {
		expect(dataOf(answer(200, body))).toBeUndefined();
	});
});
