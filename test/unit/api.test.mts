import { dataOf, readStatus } from '../../nodes/BusinessMessaging/api';

it.each([undefined, '<html>', {}, { data: null }, { data: [] }])(
	'the body %j has no data',
	(body) => {
		expect(dataOf({ status: 200, headers: {}, body })).toBeUndefined();
	},
);

it.each([
	['FAILED', 'failed'],
	['Undelivered', 'failed'],
	['rejected', 'failed'],
	['error', 'failed'],
	[' Blocked ', 'failed'],
	['Delivered', 'delivered'],
	['READ', 'read'],
	// Words that the document does not have are no failure.
	['queued', 'queued'],
	['not failed', 'not failed'],
])('the status %j means %j', (status, meaning) => {
	expect(readStatus(status)).toBe(meaning);
});
