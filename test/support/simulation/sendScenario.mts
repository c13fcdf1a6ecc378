import fc from 'fast-check';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** What the API answers to a request to send. */
export const ANSWERS = {
	certainlyNot: ['429', '400', '401', '131047', 'refused'],
	/** The message may have been sent, so in this model it was. */
	unclear: ['500', 'timeout', 'lost', 'unreadable'],
	accepted: ['sent', 'failed', 'failed131047'],
} as const;
const anyAnswer = fc.oneof(
	{ weight: 5, arbitrary: fc.constantFrom('sent', 'sent', '131047', 'failed131047') },
	{ weight: 4, arbitrary: fc.constantFrom(...Object.values(ANSWERS).flat()) },
);
export type Answer = typeof anyAnswer extends fc.Arbitrary<infer T> ? T : never;

const WAIT = { awaited: 'delivered', timeoutMs: 10_000 } as const;

/** Up to three attempts to send a message with any options, another message, and an API that answers anything. */
export const anyScenario = fc.record({
	seed: fc.nat(),
	category: fc.constantFrom('utility', 'service', 'auto', 'auto', 'auto'),
	fallbackCategory: fc.constantFrom('utility', 'marketing'),
	windowEndsInMs: fc.constantFrom(-1, 2_000, 20_000, HOUR_MS, 23 * HOUR_MS),
	hasKey: fc.boolean(),
	/** A rate limit can hold back a message for an hour. Here, 72 seconds stand for that. */
	capHours: fc.constantFrom(undefined, undefined, 0.02, 1, 24),
	/** Minutes of the day. The second ends after ten seconds, the third begins after an hour. */
	hours: fc.constantFrom(undefined, undefined, [480, 1200], [480, 720], [780, 1200]),
	untilMs: fc.constantFrom(undefined, undefined, undefined, -1, 500, 15_000, HOUR_MS),
	/** Whose number is in the list. */
	optedOut: fc.constantFrom('nobody', 'nobody', 'nobody', 'first', 'second'),
	wait: fc.constantFrom(undefined, WAIT, { ...WAIT, awaited: 'read' } as const),
	limit: fc.constantFrom(Infinity, Infinity, 0, 0.115, 0.5, 0.9, 1.2),
	rawResponse: fc.boolean(),
	requestsPerMinute: fc.constantFrom(0, 0, 2),
	databaseMs: fc.constantFrom(0, 0, 40),
	answers: fc.array(anyAnswer, { minLength: 1, maxLength: 6 }),
	latencyMs: fc.constantFrom(0, 100, 900, 3_000),
	callsFallbackService: fc.boolean(),
	fates: fc.array(
		fc.record({
			status: fc.constantFrom('sent', 'read', 'failed', 'failed131047', 'failed131047'),
			afterMs: fc.constantFrom(0, 3_000, 30_000),
		}),
		{ minLength: 1, maxLength: 3 },
	),
	looks: fc.array(fc.constantFrom('status', 'status', 'status', '404', '500', 'timeout'), {
		minLength: 1,
		maxLength: 4,
	}),
	attempts: fc.array(
		fc.record({
			afterMs: fc.constantFrom(0, 10_000, 61 * MINUTE_MS, 26 * HOUR_MS),
			stopsAfterMs: fc.constantFrom(undefined, undefined, 0, 50, 500, 2_500, 20_000),
			isDryRun: fc.constantFrom(false, false, false, false, false, false, true),
		}),
		{ minLength: 1, maxLength: 3 },
	),
	/** A second message: the next item of the same run, or of another execution. */
	second: fc.option(
		fc.record({
			isOfOtherExecution: fc.boolean(),
			beginsAfterMs: fc.constantFrom(0, 50, 1_000, 9_980, 80_000, 61 * MINUTE_MS),
			hasSameKey: fc.boolean(),
			hasSameNumber: fc.boolean(),
		}),
		{ nil: undefined, freq: 2 },
	),
});
export type Scenario = typeof anyScenario extends fc.Arbitrary<infer T> ? T : never;

export const AUTO_WITH_KEY = {
	seed: 1,
	category: 'auto',
	fallbackCategory: 'utility',
	windowEndsInMs: HOUR_MS,
	hasKey: true,
	capHours: 1,
	optedOut: 'nobody',
	wait: WAIT,
	limit: Infinity,
	rawResponse: false,
	requestsPerMinute: 0,
	databaseMs: 0,
	answers: ['sent'],
	latencyMs: 0,
	callsFallbackService: false,
	fates: [{ status: 'read', afterMs: 0 }],
	looks: ['status'],
	attempts: [
		{ afterMs: 0, stopsAfterMs: 2_500, isDryRun: false },
		{ afterMs: 0, stopsAfterMs: undefined, isDryRun: false },
	],
} as Scenario;
