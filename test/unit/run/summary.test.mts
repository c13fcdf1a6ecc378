import { failed as failedWith, notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import type {
	Result,
	Seen,
	SentOutcome,
	SkippedOutcome,
} from '../../../nodes/BusinessMessaging/outcome';
import { type Circumstances, summarize } from '../../../nodes/BusinessMessaging/run/summary';

const sent = (amount?: number, currency = 'INR'): SentOutcome => ({
	kind: 'sent',
	json: { message_id: 'm1', ...(amount === undefined ? {} : { cost: { amount, currency } }) },
});
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
const optedOut = (listSize: number) => ({ ...skipped('optedOut'), listSize });
const times = (count: number, result: Result) => Array<Result>(count).fill(result);

const delivered = { awaited: 'delivered', timedOut: false, timeoutMs: 60_000 } as const;
const notRead = { awaited: 'read', timedOut: true, timeoutMs: 3_600_000 } as const;

const ONE = sent(1);
const BEFORE: Result = { kind: 'sentBefore', json: { sentBefore: true } };
const billed = (category: string, pricing: string): SentOutcome => ({
	kind: 'sent',
	json: {
		message_id: 'm1',
		category,
		cost: { amount: 0.8625, currency: 'INR', pricing_category: pricing },
	},
});
const MORNING_MS = Date.parse('2026-02-01T09:00:00.000Z');
const QUICK = { waitedMs: 0, timeZone: 'Asia/Kolkata' };
const TRIED: Result = { kind: 'shown', json: {}, estimate: 0.115 };
const triedAs = (skipped: SkippedOutcome): Result => ({
	kind: 'shownAsSkipped',
	json: {},
	skipped,
});

const held = (to: string): SkippedOutcome => ({
	...skipped('sentRecently', MORNING_MS),
	json: { to },
});
const quiet = (to: string, ...zones: string[]): SkippedOutcome => ({
	...skipped('quietHours', MORNING_MS),
	json: { to },
	zones,
});

// README, Top: the price after each run
it.each<[string, Result[]]>([
	['1,200 messages sent, cost INR 1,200.00.', times(1200, ONE)],
	['2 messages sent, but the API did not give the cost of every message.', [ONE, sent()]],
	['2 messages sent, at costs in several currencies.', [ONE, sent(1, 'USD')]],
	[
		'Dry run: 1 message would be free. 1 may have been sent: b.',
		[{ ...TRIED, estimate: 0 }, unknown('b')],
	],
	['Dry run: 1 message would cost about INR 0.115. 1 message sent, cost INR 1.00.', [TRIED, ONE]],
	[
		'Dry run: 1 message would cost about INR 0.115. 1 message sent, cost INR 1.00. 1 may have been sent: b.',
		[TRIED, ONE, unknown('b')],
	],
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
		'Dry run: nothing was sent. 2 messages would be free. To send, turn off Dry Run under Options.',
		times(2, { ...TRIED, estimate: 0 }),
	],
	[
		'Dry run: nothing was sent. 1 would be skipped: in the list of Do Not Send To. To send, turn off Dry Run under Options. 1 failed: a.',
		[triedAs(skipped('optedOut')), failed('a')],
	],
	[
		'Dry run: 1 message would cost about INR 0.115. 2 would be skipped: 1 with a Send Once Key that is used already; 1 after the time of Send Until. 1 message was sent before, and not again. 1 skipped: in the list of Do Not Send To.',
		[
			TRIED,
			triedAs(skipped('sentBefore')),
			triedAs(skipped('tooLate')),
			BEFORE,
			skipped('optedOut'),
		],
	],
	// A value that differs is left out, so that its reason counts once.
	[
		'2 failed: 2 × The recipient "…" is wrong.',
		[failed('The recipient "call me" is wrong'), failed('The recipient "b" is wrong')],
	],
	[
		'10 failed: 9 × Send Once Key is "undefined"; The recipient "b" is wrong.',
		[...times(9, failed('Send Once Key is "undefined"')), failed('The recipient "b" is wrong')],
	],
	// The hint says it by the items, because n8n's redaction does not reach hints.
	[
		'5 failed: 2 × The recipient "…" is not a number (items 0, 3); The API refuses … (item 1); a; … is blocked (item 4).',
		[
			failed('The recipient "00 49 151-1234" is not a number'),
			failed('The API refuses +4915112345678'),
			failed('a'),
			failed('The recipient "call 4915112345678" is not a number'),
			failed('+4915112345678 is blocked'),
		],
	],
	[
		'4 failed: 3 × The recipient "…" has no country code (items 0-2); Over INR 1,234,567.89.',
		[
			...['0475/123456', '٠٥٠١٢٣٤٥٦٧', '555_123_4567'].map((number) =>
				failed(`The recipient "${number}" has no country code`),
			),
			failed('Over INR 1,234,567.89'),
		],
	],
	['5 failed: a; b; c; d; e.', [...'abcde'].map((name) => failed(name))],
	['6 failed: a; b; c; d; e; and others.', [...'abcdef'].map((name) => failed(name))],
	[
		'1,200 may have been sent: 1,200 × b. 50,000 failed: 50,000 × a.',
		[...times(50_000, failed('a')), ...times(1200, unknown('b'))],
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
		'2 messages sent, 1 delivered, 1 failed (It could not be delivered), cost INR 2.00. 1 may have been sent: b. 1 failed: No number.',
		[
			{ ...ONE, ...seen('delivered', delivered) },
			{ ...failed('It could not be delivered'), message: ONE.json },
			failed('No number'),
			// Its first message was not delivered; the one in the fallback category may have gone.
			{ ...unknown('b'), message: ONE.json },
		],
	],
	[
		'4 messages looked up: 2 read, 1 sent, 1 not deliverable.',
		['sent', 'failed', 'read', 'read'].map(lookedUp),
	],
	[
		'1 message sent, cost INR 1.00. 1,200 skipped: outside the hours of Send Between in America/New_York, until Sun 1 Feb 2026, 04:00 America/New_York.',
		[ONE, ...times(1200, quiet('+12025550110', 'America/New_York'))],
	],
	// Of satellites, which are in no time zone.
	[
		'1 skipped: too soon after another message to the number, until Sun 1 Feb 2026, 14:30 Asia/Kolkata.',
		[held('+870773111632')],
	],
	// The workflow's time zone, because the recipient has several.
	[
		"1 skipped: outside the hours of Send Between in one of the recipient's 2 time zones, until Sun 1 Feb 2026, 14:30 Asia/Kolkata.",
		[quiet('+19075550110', 'America/Adak', 'America/Anchorage')],
	],
	[
		'2 skipped: outside the hours of Send Between in their time zones, until Sun 1 Feb 2026, 18:00 Asia/Tokyo or later.',
		[
			{ ...quiet('+4915112345678', 'Europe/Berlin'), until: MORNING_MS + 1 },
			quiet('+819012345678', 'Asia/Tokyo'),
		],
	],
	[
		'2 skipped: outside the hours of Send Between in UTC, until Sun 1 Feb 2026, 10:00 Europe/Berlin.',
		['UTC', 'Africa/Abidjan'].map((zone) => quiet('+4915112345678', zone)),
	],
	[
		'4 skipped: 3 too soon after another message to the number, until Sun 1 Feb 2026, 10:00 Europe/Berlin or later; 1 in the list of Do Not Send To (1,200 numbers).',
		[
			{ ...held('+4915112345678'), until: MORNING_MS + 3_600_000 },
			optedOut(1200),
			...times(2, held('+4915112345678')),
		],
	],
	// Each item may have a list of its own.
	[
		'3 skipped: 2 in the list of Do Not Send To (1 number); 1 in the list of Do Not Send To (2 numbers).',
		[optedOut(1), optedOut(2), optedOut(1)],
	],
	[
		'3 skipped: 2 too soon after another message to the number, until Sun 1 Feb 2026, 10:00 Europe/Berlin; 1 too soon after a message that may have been sent, until Sun 1 Feb 2026, 10:00 Europe/Berlin.',
		[...times(2, held('+4915112345678')), { ...held('+4915112345678'), earlier: 'unknown' }],
	],
	[
		'2 messages sent, cost INR 2.00. 1 message was sent before, and not again. 1 failed: a.',
		[failed('a'), ONE, BEFORE, ONE],
	],
	['1 message sent, cost USD 2.00.', [sent(2, 'USD')]],
])('the hint above the output says: %s', (message, results) => {
	expect(summarize(results, QUICK)).toEqual({
		message,
		type: /failed|may have been sent/.test(message) ? 'warning' : 'info',
		location: 'outputPane',
	});
});

const BY_HAND = 'Manual run: messages go to the Test Recipient, none to the customers. ';

// README, Quick start: what a test does not send, and its price
it.each<[string, Result[]]>([
	[
		'1 message sent, cost INR 1.00. 497 skipped: beyond the number of Test Messages (would cost about INR 57.16).',
		[ONE, ...times(497, { ...skipped('onlyTested'), estimate: 0.115 })],
	],
	[
		'1 skipped: beyond the number of Test Messages (would be free).',
		[{ ...skipped('onlyTested'), estimate: 0 }],
	],
])('"%s"', (sentence, results) => {
	expect(summarize(results, QUICK)?.message).toBe(sentence);
});

// docs/good-to-know.md: Execute step
it('a run by hand that goes on says how to send to all again', () => {
	expect(summarize([BEFORE], { waitedMs: 0, timeZone: 'UTC', isContinued: true })?.message).toBe(
		'1 message was sent before, and not again, because the manual run before did not end well. To send to all again, run it once more after this one has ended well.',
	);
});

// docs/send-once.md: said above the output what the memory of keys does not know
it.each<[Partial<Circumstances>, string]>([
	[{ waitedMs: 999, accounts: 1 }, '1 message sent, cost INR 1.00.'],
	[{ waitedMs: 1000 }, '1 message sent, cost INR 1.00. Waited 1 s for the rate limit.'],
	[{ waitedMs: 120_000 }, '1 message sent, cost INR 1.00. Waited 2 min for the rate limit.'],
	[{ accounts: 2 }, '1 message sent from 2 accounts, cost INR 1.00.'],
	[{ isTest: true }, `${BY_HAND}1 message sent, cost INR 1.00.`],
	[{ earlier: 1 }, '1 message sent, 1 of them in an earlier attempt, cost INR 1.00.'],
	[{ memoryProblem: '1 key is lost' }, '1 message sent, cost INR 1.00. 1 key is lost.'],
	[
		{ endsLoop: true },
		'1 message sent, cost INR 1.00. The loop ends after this batch, because all its items left through Skipped. Connect Skipped to the loop, too.',
	],
	[
		{
			remarks: [
				{ whitespaceNormalized: true, incomplete: [] },
				{ incomplete: [] },
				{ whitespaceNormalized: true, incomplete: [] },
			],
		},
		'1 message sent, cost INR 1.00. Line breaks, tabs or many spaces replaced by one space in 2 messages.',
	],
	[
		{ remarks: [{ readAsNational: true, incomplete: [] }, { incomplete: [] }] },
		'1 message sent, cost INR 1.00. In 1 item the number was read with the Default Country, but could begin with another country code.',
	],
	[
		{
			remarks: [{ incomplete: ['{{1}}', '{{2}}'] }, { incomplete: [] }, { incomplete: ['{{2}}'] }],
		},
		'1 message sent, cost INR 1.00. An expression gave nothing: in {{2}} of 2 items, in {{1}} of 1 item.',
	],
	[
		{
			remarks: [
				{ incomplete: [], rawData: ['a date in {{1}}'] },
				{ incomplete: [], rawData: ['a date in {{1}}', 'true or false in {{2}}'] },
			],
		},
		'1 message sent, cost INR 1.00. Raw data in the text: a date in {{1}} of 2 items, true or false in {{2}} of 1 item.',
	],
	[
		{
			remarks: [
				{ incomplete: [], doubt: 'Doubtful' },
				{ incomplete: [], doubt: 'Doubtful' },
			],
		},
		'1 message sent, cost INR 1.00. Doubtful.',
	],
	[
		{ remarks: [2, 2, 0].map((listSize) => ({ incomplete: [], listSize })) },
		'1 message sent, cost INR 1.00. Nobody is in the list of Do Not Send To (2 numbers, 0 numbers).',
	],
])('of a run with %j it says: %s', (circumstances, message) => {
	const type = /lost|Doubtful|loop/.test(message) ? 'warning' : 'info';
	const all = { ...QUICK, ...circumstances };
	expect(summarize([ONE], all)).toMatchObject({ message, type });
	expect(summarize([], all)).toBeUndefined();
});

it('the size of the list of Do Not Send To is told once', () => {
	const remarks = [{ incomplete: [], listSize: 2 }];
	const { message } = summarize([ONE, optedOut(2)], { ...QUICK, remarks })!;
	expect(message).toBe(
		'1 message sent, cost INR 1.00. 1 skipped: in the list of Do Not Send To (2 numbers).',
	);
});

it.each<[number[][], string]>([
	[[[3, 7]], ' 1 number appears more than once (items 3, 7).'],
	[
		[
			[0, 5],
			[1, 6],
			[2, 7],
			[3, 8],
			[4, 9],
		],
		' 5 numbers appear more than once (items 0, 5; items 1, 6; items 2, 7; items 3, 8; items 4, 9).',
	],
	[
		Array.from({ length: 1200 }, (_, pair) => [2 * pair, 2 * pair + 1]),
		' 1,200 numbers appear more than once (items 0-1; items 2-3; items 4-5; items 6-7; items 8-9; and others).',
	],
])('the items with the same number are named: %#', (numbers, told) => {
	const repeated = numbers.map((items) => ({ items, isSameText: false }));
	const { message } = summarize([ONE], { ...QUICK, repeated })!;
	expect(message).toBe(`1 message sent, cost INR 1.00.${told}`);
});

it('a text that one number gets again and again is told, also by a dry run', () => {
	const toOne = { items: [0, 1, 2], isSameText: true };
	const told = (...repeated: object[]) =>
		summarize([TRIED], { ...QUICK, repeated: repeated as never })!.message;
	expect(told(toOne)).toContain('once (items 0-2), always with the same text.');
	expect(told(toOne, { items: [3, 4], isSameText: false })).toContain(
		'(items 0-2; items 3-4), 1 of them always with the same text.',
	);
});

// docs/sending.md: the dry run says how long the run will take
it.each([
	[60, '6.90.'],
	[61, '7.015 and take about 61 s at 60 a minute.'],
	[7200, '828.00 and take about 2 h 0 min at 60 a minute.'],
	[20_000, '2,300.00 and take about 5 h 33 min at 60 a minute.'],
])('a dry run of %d messages says that they would cost %s', (count, told) => {
	const dryRun = times(count, TRIED);
	const { message } = summarize(dryRun, { ...QUICK, durationMs: count * 1000 })!;
	expect(message).toContain(` messages would cost about INR ${told}`);
});
