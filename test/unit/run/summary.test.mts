import type { IDataObject } from 'n8n-workflow';

import type { Job, Remarks } from '../../../nodes/BusinessMessaging/actions/job';
import { Spending } from '../../../nodes/BusinessMessaging/actions/options/spendingLimit';
import { failed as failedWith, notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import type {
	Result,
	Seen,
	SentOutcome,
	SkippedOutcome,
} from '../../../nodes/BusinessMessaging/outcome';
import { type Circumstances, summarize } from '../../../nodes/BusinessMessaging/run/summary';

const sentAs = (json: IDataObject): SentOutcome => ({
	kind: 'sent',
	json: { message_id: 'm1', ...json },
});
const sent = (amount?: number, currency = 'INR') =>
	sentAs(amount === undefined ? {} : { cost: { amount, currency } });
const failed = (message: string, outcome: 'notSent' | 'unknown' = 'notSent') =>
	failedWith({ ...notStarted().failure, outcome, message });
const unknown = (message: string) => failed(message, 'unknown');
const seen = (status: string, wait?: Seen['wait']) => ({ seen: { status, wait } });
const lookedUp = (status: string): Result => ({ kind: 'found', json: {}, ...seen(status) });
const skipped = (reason: SkippedOutcome['reason'], until?: number): SkippedOutcome => ({
	kind: 'skipped',
	reason,
	json: {},
	until,
});
const times = (count: number, result: Result) => Array<Result>(count).fill(result);

const delivered = { awaited: 'delivered', timedOut: false, timeoutMs: 60_000 } as const;
const notRead = { awaited: 'read', timedOut: true, timeoutMs: 3_600_000 } as const;

const ONE = sent(1);
const ONE_SENT = '1 message sent, cost INR 1.00';
const PASSED: Result = { kind: 'passed', json: {} };
const BEFORE: Result = { kind: 'sentBefore', json: { sentBefore: true } };
const billed = (category: string | undefined, pricing: string) =>
	sentAs({ category, cost: { amount: 0.8625, currency: 'INR', pricing_category: pricing } });
const MORNING_MS = Date.parse('2026-02-01T09:00:00.000Z');
const QUICK: Circumstances = {
	jobs: [],
	spending: new Spending(Infinity),
	waitedMs: 0,
	timeZone: 'Asia/Kolkata',
};
/** Of one account. */
const jobsWith = (...jobs: Array<Partial<Job>>) => [
	jobs.map((job, itemIndex) => ({ itemIndex, ...job }) as Job),
];
const remarked = (...remarks: Array<Partial<Remarks>>) => ({
	jobs: jobsWith(...remarks.map((each) => ({ remarks: { incomplete: [], ...each } }))),
});
const TRIED: Result = { kind: 'shown', json: {}, estimate: 0.115 };
const triedAs = (skipped: SkippedOutcome): Result => ({
	kind: 'shownAsSkipped',
	json: {},
	skipped,
});

const HELD = skipped('sentRecently', MORNING_MS);
const QUIET = skipped('quietHours', MORNING_MS);

// README, Top: the price after each run
it.each<[string, Result[], Partial<Circumstances>?]>([
	['1,200 messages sent, cost INR 1,200.00.', times(1200, ONE)],
	['2 messages sent, but the API did not give the cost of every message.', [ONE, sent()]],
	['2 messages sent, at costs in several currencies.', [ONE, sent(1, 'USD')]],
	[
		'2 messages sent, cost INR 1.8625.',
		[sentAs({ category: 'utility', cost: 1 }), billed(undefined, 'utility')],
	],
	[
		'Dry run: nothing was sent. 1 would be skipped: in the list of Do Not Send To. To send, turn off Dry Run under Options.',
		[triedAs(skipped('optedOut'))],
	],
	[
		'Dry run: 1 message would be free. 1 may have been sent: b (item 1).',
		[{ ...TRIED, estimate: 0 }, unknown('b')],
	],
	['Dry run: 1 message would cost about INR 0.115. 1 message sent, cost INR 1.00.', [TRIED, ONE]],
	['2 messages sent, free.', times(2, sent(0))],
	[
		'4 messages sent, cost INR 3.45, 2 billed as marketing (sent as utility), 1 billed as utility (sent as service).',
		[
			...times(2, billed('utility', 'marketing')),
			billed('service', 'utility'),
			billed('utility', 'utility'),
		],
	],
	[
		'Dry run: nothing was sent. 2 messages would be free. 1 would be skipped: in the list of Do Not Send To. To send, turn off Dry Run under Options. 1 failed: a (item 3).',
		[...times(2, { ...TRIED, estimate: 0 }), triedAs(skipped('optedOut')), failed('a')],
	],
	[
		'Dry run: 1 message would cost about INR 0.115. 2 would be skipped: 1 with a Send Once Key that is used already; 1 after the time of Send Until. 2 messages were sent before, and not again. 1 skipped: beyond the number of Test Messages (would be free).',
		[
			TRIED,
			triedAs(skipped('sentBefore')),
			triedAs(skipped('tooLate')),
			...times(2, BEFORE),
			{ ...skipped('onlyTested'), estimate: 0 },
		],
	],
	// Values and numbers are left out, so that a reason counts once, and because n8n's redaction does not reach hints.
	[
		'8 failed: 3 × … has no country code (items 5-7); 2 × The recipient "…" is not a number (items 0, 3); The API refuses … (item 1); … is blocked (item 2); Over INR 1,234,567.89 (item 4).',
		[
			'The recipient "00 49 151-1234" is not a number',
			'The API refuses +4915112345678',
			'+4915112345678 is blocked',
			'The recipient "call me" is not a number',
			'Over INR 1,234,567.89',
			'0475/123456 has no country code',
			'٠٥٠١٢٣٤٥٦٧ has no country code',
			'555_123_4567 has no country code',
		].map((message) => failed(message)),
	],
	[
		'6 failed: a (item 0); b (item 1); c (item 2); d (item 3); e (item 4); and others.',
		[...'abcdef'].map((name) => failed(name)),
	],
	[
		'4 messages sent, 1 not read within 60 min, 1 read, 1 delivered, cost INR 4.00.',
		[
			{ ...ONE, ...seen('delivered', notRead) },
			{ ...ONE, ...seen('read', { ...notRead, timedOut: false }) },
			{ ...ONE, ...seen('delivered', delivered) },
			ONE,
		],
	],
	[
		'2 messages sent, 1 delivered, 1 failed (It could not be delivered (item 1)), cost INR 2.00. 1 may have been sent: b (item 3). 1 failed: No number (item 2).',
		[
			{ ...ONE, ...seen('delivered', delivered) },
			{ ...failed('It could not be delivered'), message: ONE.json },
			failed('No number'),
			// Its first message was not delivered; the one in the fallback category may have gone.
			{ ...unknown('b'), message: ONE.json },
		],
	],
	[
		'4 messages looked up: 2 read, 1 sent, 1 not deliverable. 2 items passed through, because they have no message ID.',
		[...['sent', 'failed', 'read', 'read'].map(lookedUp), PASSED, PASSED],
	],
	['1 item passed through, because it has no message ID.', [PASSED]],
	[
		'1 message sent, cost INR 1.00. 1,200 skipped: outside the hours of Send Between, until Sun 1 Feb 2026, 14:30 Asia/Kolkata.',
		[ONE, ...times(1200, QUIET)],
	],
	[
		'5 skipped: 2 too soon after another message to the number, until Sun 1 Feb 2026, 14:30 Asia/Kolkata or later; 1 in the list of Do Not Send To; 1 which the reviewer has declined before; 1 too soon after a message that may have been sent, until Sun 1 Feb 2026, 14:30 Asia/Kolkata.',
		[
			{ ...HELD, until: MORNING_MS + 3_600_000 },
			skipped('optedOut'),
			skipped('declinedBefore'),
			HELD,
			{ ...HELD, earlier: 'unknown' },
		],
	],
	['1 message sent, cost USD 2.00.', [sent(2, 'USD')]],
	[
		'1 message was sent before, and not again, because the manual run before did not end well. To send to all again, run it once more after this one has ended well.',
		[BEFORE],
		{ isContinued: true },
	],
	[`${ONE_SENT}.`, [ONE], { waitedMs: 999 }],
	[`${ONE_SENT}. Waited 1 s for the rate limit.`, [ONE], { waitedMs: 1000 }],
	[`${ONE_SENT}. Waited 2 min for the rate limit.`, [ONE], { waitedMs: 120_000 }],
	[`${ONE_SENT}. Waited 2 h 0 min for the rate limit.`, [ONE], { waitedMs: 7_200_000 }],
	[
		`Manual run: messages go to the Test Recipient, none to the customers. ${ONE_SENT}.`,
		[ONE],
		{ isTest: true },
	],
	['1 message sent, 1 of them in an earlier attempt, cost INR 1.00.', [ONE], { earlier: 1 }],
	// docs/send-once.md: said above the output what the memory of keys does not know
	[`${ONE_SENT}. 1 key is lost.`, [ONE], { memoryProblems: [undefined, '1 key is lost'] }],
	[
		`${ONE_SENT}. The loop ends after this batch, because all its items left through Skipped. Connect Skipped to the loop, too.`,
		[ONE],
		{ endsLoop: true },
	],
])('the hint above the output says: %s', (...row) => {
	const [message, results, circumstances] = row;
	expect(summarize(results, { ...QUICK, ...circumstances })).toEqual({
		message,
		type: /failed|may have been sent|lost|loop/.test(message) ? 'warning' : 'info',
		location: 'outputPane',
	});
});

// docs/sending.md: what the hint says of messages that go out all the same
it('what customers may read otherwise than it was meant is told of texts that somebody can read', () => {
	const all = remarked(
		{ whitespaceNormalized: true, incomplete: ['{{1}}', '{{2}}'], rawData: ['a date in {{1}}'] },
		{ rawData: ['a date in {{1}}', 'true or false in {{2}}'], listSize: 1200 },
		{ whitespaceNormalized: true, incomplete: ['{{2}}'] },
	);
	const told = (result: Result, circumstances: Partial<Circumstances> = all) =>
		summarize(times(3, result), { ...QUICK, ...circumstances });
	expect(told(TRIED)).toMatchObject({ type: 'info' });
	const size = 'The list of Do Not Send To has 1,200 numbers.';
	expect(told(TRIED).message).toContain(
		` INR 0.345. To send, turn off Dry Run under Options. ${size} Line breaks, tabs or many spaces replaced by one space in 2 messages. An expression gave nothing: in {{2}} of 2 items, in {{1}} of 1 item. Raw data in the text: a date in {{1}} of 2 items, true or false in {{2}} of 1 item.`,
	);
	for (const shown of [triedAs(QUIET), { ...QUIET, estimate: 1 }]) {
		expect(told(shown).message).toContain(' An expression gave nothing: ');
	}
	expect(told(QUIET).message).not.toContain(' An expression');
	expect(told(failed('a')).message).toMatch(/ 1,200 numbers\. 3 failed: /);
	const doubtful = told(ONE, remarked({ doubt: 'Doubtful', listSize: 0 }, { doubt: 'Doubtful' }));
	expect(doubtful).toMatchObject({
		message: expect.stringMatching(/ has 0 numbers\. Doubtful\.$/),
	});
	expect(doubtful).toMatchObject({ type: 'warning' });
});

it.each([
	['1 number appears more than once (items 1-2)', 'abbc'],
	['3 numbers appear more than once (items 0-5)', 'ababcc'],
])('of items with the same number it says: %s', (told, customers) => {
	const recipients = [...customers].map((customer) => ({ recipient: { to: 'test', customer } }));
	const messageOf = (result: Result) =>
		summarize(times(customers.length, result), { ...QUICK, jobs: jobsWith(...recipients) }).message;
	for (const result of [ONE, failed('a')]) expect(messageOf(result)).toContain(told);
	for (const result of [BEFORE, skipped('optedOut'), triedAs(skipped('tooLate'))]) {
		expect(messageOf(result)).not.toContain('appear');
	}
});

// docs/sending.md: the dry run says how long the run will take
it.each([
	[60, 60, '6.90.'],
	[61, 60, '7.015 and take about 61 s at 60 a minute.'],
	[20_000, 60, '2,300.00 and take about 5 h 33 min at 60 a minute.'],
])('a dry run of %d messages at %d a minute says that they would cost %s', (count, limit, told) => {
	const jobs = jobsWith(...Array<Partial<Job>>(count + 1).fill({ pace: { limit } }));
	const results = [skipped('tooLate'), ...times(count, TRIED)];
	const { message } = summarize(results, { ...QUICK, jobs });
	const end = `${told} To send, turn off Dry Run under Options. 1 skipped: after the time of Send Until.`;
	expect(message.endsWith(` messages would cost about INR ${end}`)).toBe(true);
});
