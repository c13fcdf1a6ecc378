import type { Result, Seen } from '../../../nodes/BusinessMessaging/actions/operation';
import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { summarize } from '../../../nodes/BusinessMessaging/run/summary';

function sent(cost?: number, currency?: string): Result {
	return { json: {}, sent: { cost, currency } };
}

function failed(message: string): Result {
	return { failure: { ...notStarted().failure, message } };
}

function inDoubt(message: string): Result {
	return { failure: { ...notStarted().failure, outcome: 'unknown', message } };
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

const ONE = sent(1, 'INR');
const MORNING = '2026-02-01T09:00:00.000Z';
const TRIED: Result = { json: {}, estimate: 0.115 };

// README, Top: the price after each run
it.each<[string, Result[], string]>([
	['one message', [sent(0.115, 'INR')], '1 message sent, cost INR 0.115.'],
	['many', times(1200, ONE), '1,200 messages sent, cost INR 1,200.00.'],
	[
		'a cost that is missing',
		[ONE, sent(undefined, 'INR')],
		'2 messages sent, but the API did not give the cost of every message.',
	],
	['two currencies', [ONE, sent(1, 'USD')], '2 messages sent, at costs in several currencies.'],
	[
		'a dry run',
		times(2, TRIED),
		'Dry run: nothing was sent. 2 messages would cost about INR 0.23.',
	],
	[
		'a dry run of some items',
		[TRIED, ONE],
		'Dry run: 1 message would cost about INR 0.115. 1 message sent, cost INR 1.00.',
	],
	[
		'values whose line breaks were replaced',
		[
			{ ...ONE, whitespaceNormalized: true },
			ONE,
			{ json: {}, estimate: 1, whitespaceNormalized: true },
		],
		'Dry run: 1 message would cost about INR 1.00. 2 messages sent, cost INR 2.00. Line breaks, tabs or many spaces replaced by one space in 2 messages.',
	],
	[
		'what may be meant as a placeholder',
		times(2, { ...ONE, almostPlaceholder: '{1}' }),
		'2 messages sent, cost INR 2.00. The template text has {1}, which is not a placeholder: write {{1}} if it is meant as one.',
	],

	[
		'the reasons of failures, the most frequent one first',
		[failed('No number'), failed('Not on the network'), failed('Not on the network')],
		'3 failed: 2 × Not on the network; 1 × No number.',
	],
	[
		'a reason once for values that differ',
		[failed('The recipient "call me" is wrong'), failed('The recipient "b" is wrong')],
		'2 failed: 2 × The recipient "…" is wrong.',
	],
	[
		'a reason with its value where all have the same',
		[...times(9, failed('Send Once Key is "undefined"')), failed('The recipient "b" is wrong')],
		'10 failed: 9 × Send Once Key is "undefined"; 1 × The recipient "b" is wrong.',
	],
	[
		'a reason with the placeholder that it is about',
		times(2, failed('The variable {{1}} ("Hi {{1}}, your") is empty')),
		'2 failed: 2 × The variable {{1}} ("Hi {{1}}, your") is empty.',
	],
	[
		'more reasons than five',
		[...'abcdef'].map(failed),
		'6 failed: 1 × a; 1 × b; 1 × c; 1 × d; 1 × e; and others.',
	],
	[
		'numbers as they are read',
		[...times(50_000, failed('a')), ...times(1200, inDoubt('b'))],
		'1,200 may have been sent: 1,200 × b. 50,000 failed: 50,000 × a.',
	],
	[
		'what may have been sent apart from what failed',
		[inDoubt('No answer'), failed('No number'), inDoubt('No answer')],
		'2 may have been sent: 2 × No answer. 1 failed: 1 × No number.',
	],
	[
		'what a wait saw',
		[
			...times(4, { ...sent(0.115, 'INR'), ...seen('read', delivered) }),
			{ ...sent(0.115, 'INR'), ...seen('sent', notDelivered) },
		],
		'5 messages sent, 4 delivered, 1 not delivered within 60 s, cost INR 0.575.',
	],
	[
		'a wait that could not see it',
		[
			{ ...sent(0.115, 'INR'), ...seen('sent', { ...notDelivered, problem: 'No valid key' }) },
			{ ...sent(0.115, 'INR'), ...seen('sent', notDelivered) },
		],
		'2 messages sent, 1 not known to be delivered (No valid key), 1 not delivered within 60 s, cost INR 0.23.',
	],
	[
		'different waits',
		[
			{ ...ONE, ...seen('delivered', notRead) },
			{ ...ONE, ...seen('read', { ...notRead, timedOut: false }) },
			{ ...ONE, ...seen('delivered', delivered) },
			ONE,
		],
		'4 messages sent, 1 not read within 60 min, 1 read, 1 delivered, cost INR 4.00.',
	],
	[
		'a message that was sent and then could not be delivered',
		[
			{ ...ONE, ...seen('delivered', delivered) },
			{ ...failed('It could not be delivered'), sent: { cost: 1, currency: 'INR' } },
			failed('No number'),
		],
		'2 messages sent, 1 delivered, 1 failed (1 × It could not be delivered), cost INR 2.00. 1 failed: 1 × No number.',
	],
	[
		'look-ups by what they saw',
		[seen('sent'), seen('failed'), seen('read'), seen('read')],
		'4 messages looked up: 2 read, 1 sent, 1 not deliverable.',
	],

	[
		'what was skipped for its key',
		times(2, { json: {}, skipped: 'sentBefore' }),
		'2 skipped: sent before with the same Send Once Key.',
	],
	[
		'from when on what was skipped at night may be sent',
		[ONE, ...times(1200, { json: {}, skipped: 'quietHours', sendAfter: MORNING })],
		`1 message sent, cost INR 1.00. 1,200 skipped: outside the hours of Send Between, until ${MORNING}.`,
	],
	[
		'all reasons for which messages were skipped, and the first time of several',
		[
			{ json: {}, skipped: 'sentRecently', sendAfter: '2026-02-01T10:00:00.000Z' },
			{ json: {}, skipped: 'sentBefore' },
			{ json: {}, skipped: 'sentRecently', sendAfter: MORNING },
		],
		`3 skipped: 2 too soon after another message to the number, until ${MORNING} or later; 1 sent before with the same Send Once Key.`,
	],

	[
		'all of that',
		[{ ...ONE, ...seen('sent', notDelivered) }, failed('a'), inDoubt('b')],
		'1 message sent, 1 not delivered within 60 s, cost INR 1.00. 1 may have been sent: 1 × b. 1 failed: 1 × a.',
	],
])('the line above the output tells %s', (_, results, message) => {
	expect(summarize(results, { waitedMs: 0 })).toEqual({
		message,
		type: /failed|may have been sent|not a placeholder/.test(message) ? 'warning' : 'info',
		location: 'outputPane',
	});
});

it.each([
	[999, ''],
	[1000, ' Waited 1 s for the rate limit.'],
	[119_400, ' Waited 119 s for the rate limit.'],
	[120_000, ' Waited 2 min for the rate limit.'],
	[149_000, ' Waited 2 min for the rate limit.'],
])('a wait of %d ms for the rate limit adds "%s" to it', (waitedMs, told) => {
	const { message } = summarize([ONE, failed('a')], { waitedMs })!;
	expect(message).toBe(`1 message sent, cost INR 1.00. 1 failed: 1 × a.${told}`);
});

it.each([
	[1, '2 messages sent, cost INR 2.00.'],
	[2, '2 messages sent from 2 accounts, cost INR 2.00.'],
])('messages of %d accounts are counted as "%s"', (accounts, message) => {
	expect(summarize([ONE, ONE], { waitedMs: 0, accounts })).toMatchObject({ message });
});

it('there is no such line without items', () => {
	expect(summarize([], { waitedMs: 5000 })).toBeUndefined();
});

it('it says to whom everything went in a run by hand', () => {
	const { message } = summarize([ONE], { waitedMs: 0, testRecipient: '+14155552671' })!;
	expect(message).toMatch(/^Run by hand: everything goes to the Test Recipient \+14155552671, /);
});

// README, Send once: said above the output
it('it warns of what the memory of keys does not know', () => {
	const hint = summarize([ONE], { waitedMs: 0, memoryProblem: '1 key could not be updated' });
	expect(hint).toMatchObject({
		message: '1 message sent, cost INR 1.00. 1 key could not be updated.',
		type: 'warning',
	});
});
