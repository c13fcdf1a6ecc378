import type { Result } from '../../../nodes/BusinessMessaging/actions/operation';
import { summarize } from '../../../nodes/BusinessMessaging/actions/summary';
import { notStarted } from '../../../nodes/BusinessMessaging/transport/failure';

function sent(cost?: number, currency?: string): Result {
	return { json: {}, sent: { cost, currency } };
}

function failed(message: string): Result {
	return { failure: { ...notStarted(), message } };
}

function times(count: number, result: Result): Result[] {
	return Array<Result>(count).fill(result);
}

it.each<[string, Result[], number, string]>([
	['one message', [sent(0.115, 'INR')], 0, '1 message sent, cost INR 0.115.'],
	['many', times(1200, sent(1, 'INR')), 0, '1,200 messages sent, cost INR 1,200.00.'],
	['another currency', times(2, sent(1, 'USD')), 0, '2 messages sent, cost USD 2.00.'],
	['no currency', [sent(1)], 0, '1 message sent, cost INR 1.00.'],
	[
		'a cost that is missing',
		[sent(1, 'INR'), sent(undefined, 'INR')],
		0,
		'2 messages sent, but the API did not give the cost of every message.',
	],
	[
		'two currencies',
		[sent(1, 'INR'), sent(1, 'USD')],
		0,
		'2 messages sent, at costs in several currencies.',
	],
	[
		'a dry run',
		times(2, { json: {}, estimate: 0.115 }),
		0,
		'Dry run: nothing was sent. 2 messages would cost about INR 0.23.',
	],
	[
		'a dry run of some items',
		[{ json: {}, estimate: 0.115 }, sent(1, 'INR')],
		0,
		'Dry run: 1 message would cost about INR 0.115. 1 message sent, cost INR 1.00.',
	],
	[
		'the reasons of failures, the most frequent one first',
		[failed('No number'), failed('Not on the network'), failed('Not on the network')],
		0,
		'3 failed: 2 × Not on the network; 1 × No number.',
	],
	[
		'a reason without the values that differ',
		[failed('The recipient "call me" is wrong'), failed('The recipient "b" is wrong')],
		0,
		'2 failed: 2 × The recipient is wrong.',
	],
	[
		'five reasons',
		['a', 'b', 'c', 'd', 'e'].map(failed),
		0,
		'5 failed: 1 × a; 1 × b; 1 × c; 1 × d; 1 × e.',
	],
	[
		'more reasons than five',
		['a', 'b', 'c', 'd', 'e', 'f'].map(failed),
		0,
		'6 failed: 1 × a; 1 × b; 1 × c; 1 × d; 1 × e; and others.',
	],
	[
		'all of that',
		[sent(1, 'INR'), failed('a')],
		1000,
		'1 message sent, cost INR 1.00. 1 failed: 1 × a. Waited 1 s for the rate limit.',
	],
	['no short wait', [sent(1, 'INR')], 999, '1 message sent, cost INR 1.00.'],
	[
		'seconds below two minutes',
		[sent(1, 'INR')],
		119_400,
		'1 message sent, cost INR 1.00. Waited 119 s for the rate limit.',
	],
	[
		'minutes from then on',
		[sent(1, 'INR')],
		120_000,
		'1 message sent, cost INR 1.00. Waited 2 min for the rate limit.',
	],
	[
		'whole minutes only',
		[sent(1, 'INR')],
		149_000,
		'1 message sent, cost INR 1.00. Waited 2 min for the rate limit.',
	],
])('the line above the output tells %s', (_, results, waitedMs, message) => {
	expect(summarize(results, waitedMs)).toEqual({
		message,
		type: message.includes('failed') ? 'warning' : 'info',
		location: 'outputPane',
	});
});

it('there is no such line when nothing was sent and nothing failed', () => {
	expect(summarize([{ json: { status: 'read' } }], 5000)).toBeUndefined();
});
