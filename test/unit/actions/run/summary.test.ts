import type { Result, Seen } from '../../../../nodes/BusinessMessaging/actions/result';
import { summarize } from '../../../../nodes/BusinessMessaging/actions/run/summary';
import { notStarted } from '../../../../nodes/BusinessMessaging/errors/failure';

function sent(cost?: number, currency?: string): Result {
	return { json: {}, sent: { cost, currency } };
}

function failed(message: string): Result {
	return { failure: { ...notStarted('send').failure, message } };
}

function inDoubt(message: string): Result {
	return { failure: { ...notStarted('send').failure, outcome: 'unknown', message } };
}

function seen(status: string, wait?: Seen['wait']): Result {
	return { json: {}, seen: { status, wait } };
}

const delivered = { awaited: 'delivered', timedOut: false, timeoutMs: 60_000 } as const;
const notDelivered = { ...delivered, timedOut: true };
const notRead = { awaited: 'read', timedOut: true, timeoutMs: 3_600_000 } as const;

function times(count: number, result: Result): Result[] {
	return Array<Result>(count).fill(result);
}

// README, Top: the price after each run
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
		'values whose line breaks were replaced',
		[{ ...sent(1, 'INR'), tidied: true }, sent(1, 'INR'), { json: {}, estimate: 1, tidied: true }],
		0,
		'Dry run: 1 message would cost about INR 1.00. 2 messages sent, cost INR 2.00. Line breaks, tabs or many spaces replaced by one space in 2 messages.',
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
		'numbers as they are read',
		[...times(50_000, failed('a')), ...times(1200, inDoubt('b'))],
		0,
		'1,200 may have been sent: 1,200 × b. 50,000 failed: 50,000 × a.',
	],
	[
		'what may have been sent apart from what failed',
		[inDoubt('No answer'), failed('No number'), inDoubt('No answer')],
		0,
		'2 may have been sent: 2 × No answer. 1 failed: 1 × No number.',
	],
	[
		'what a wait saw',
		[
			...times(4, { ...sent(0.115, 'INR'), ...seen('read', delivered) }),
			{ ...sent(0.115, 'INR'), ...seen('sent', notDelivered) },
		],
		0,
		'5 messages sent, 4 delivered, 1 not delivered within 60 s, cost INR 0.575.',
	],
	[
		'different waits',
		[
			{ ...sent(1, 'INR'), ...seen('delivered', notRead) },
			{ ...sent(1, 'INR'), ...seen('read', { ...notRead, timedOut: false }) },
			{ ...sent(1, 'INR'), ...seen('delivered', delivered) },
			sent(1, 'INR'),
		],
		0,
		'4 messages sent, 1 not read within 60 min, 1 read, 1 delivered, cost INR 4.00.',
	],
	[
		'a message that was sent and then could not be delivered',
		[
			{ ...sent(1, 'INR'), ...seen('delivered', delivered) },
			{ ...failed('It could not be delivered'), sent: { cost: 1, currency: 'INR' } },
			failed('No number'),
		],
		0,
		'2 messages sent, 1 delivered, 1 failed (1 × It could not be delivered), cost INR 2.00. 1 failed: 1 × No number.',
	],
	[
		'look-ups by what they saw',
		[seen('sent'), seen('failed'), seen('read'), seen('read')],
		0,
		'4 messages looked up: 2 read, 1 sent, 1 not deliverable.',
	],
	[
		'look-ups that waited',
		[seen('delivered', delivered), seen('sent', notDelivered)],
		0,
		'2 messages looked up: 1 delivered, 1 not delivered within 60 s.',
	],
	[
		'all of that',
		[{ ...sent(1, 'INR'), ...seen('sent', notDelivered) }, failed('a'), inDoubt('b')],
		1000,
		'1 message sent, 1 not delivered within 60 s, cost INR 1.00. 1 may have been sent: 1 × b. 1 failed: 1 × a. Waited 1 s for the rate limit.',
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
	expect(summarize(results, { waitedMs })).toEqual({
		message,
		type: /failed|may have been sent/.test(message) ? 'warning' : 'info',
		location: 'outputPane',
	});
});

it('there is no such line without items', () => {
	expect(summarize([], { waitedMs: 5000 })).toBeUndefined();
});
