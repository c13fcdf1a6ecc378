import { Budget } from '../../../../nodes/BusinessMessaging/actions/budget';
import type { Result, RunContext } from '../../../../nodes/BusinessMessaging/actions/operation';
import { RetryMemory } from '../../../../nodes/BusinessMessaging/actions/retryMemory';
import type { SendJob } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/readParameters';
import { sendTemplate } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import type { SentMessage } from '../../../../nodes/BusinessMessaging/api';
import { notStarted } from '../../../../nodes/BusinessMessaging/errors/failure';
import type { Call, Reply } from '../../../../nodes/BusinessMessaging/transport/client';
import { createVirtualClock } from '../../../support/virtualClock.mts';

const JOB: SendJob = {
	message: { to: '+14155552671', type: 'template', templateName: 'order_update' },
	categoryChoice: { category: 'utility' },
	dryRun: false,
	incomplete: [],
	rawResponse: false,
	limits: { timeoutMs: 1000, requestsPerMinute: 60, retryUnknownOutcome: false },
};
const AGAIN = { limits: { ...JOB.limits, retryUnknownOutcome: true } };
const WAITING = { wait: { awaited: 'delivered', timeoutMs: 1000 } } as const;
const KEYED = { ...WAITING, sendOnceKey: 'order-1' };

const FAILED = notStarted();
const UNKNOWN = { failure: { ...FAILED.failure, outcome: 'unknown' } } satisfies Result;
const EARLIER = { earlierUnknown: UNKNOWN.failure };
const TWICE: Result = { ...UNKNOWN, ...EARLIER };

const CAP = { counter: 'node:1', number: JOB.message.to, hours: 24 };
const CLAIM = { owner: 'run', rows: ['row'] };
const KEY_CLAIM = { attempt: 1, owner: 'run' };

interface KeyedSend {
	send: () => Promise<Result>;
	mayHaveGone: boolean;
	outcomeOf: (result: Result) => string;
}

type Answer = Reply<SentMessage>;

function replyWith(data: SentMessage): Answer {
	return { data, response: { status: 200, headers: {}, body: { success: true, data } } };
}

const SENT = replyWith({ message_id: 'm1', status: 'sent' });

/** A run whose API gives one reply, and the result that an earlier attempt had. */
function runWith(reply: Answer | Result, before?: Result, spendingLimit = Infinity) {
	const call = jest.fn<Promise<Answer>, [Call<SentMessage>]>();
	call.mockResolvedValue(reply as Answer);
	const find = jest.fn<Result | undefined, [number, unknown]>(() => before);
	const remember = jest.fn<void, [number, unknown, Result]>();
	const reserve = jest.fn(() => () => undefined);
	const did: string[] = [];
	/** Whether an earlier attempt may have sent the message with the key. */
	const mayHaveGone: boolean[] = [];
	const clock = createVirtualClock();
	const run = {
		client: { call, reserve, hasEnded: () => false },
		clock,
		retryMemory: Object.assign(new RetryMemory({}, 0), { find, remember }),
		sendOnce: {
			async send(given: KeyedSend) {
				mayHaveGone.push(given.mayHaveGone);
				const result = await given.send();
				did.push(given.outcomeOf(result));
				return result;
			},
			free: async () => void did.push('free'),
			claimOf: () => KEY_CLAIM,
		},
		frequencyCap: {
			send: async (given: { send: () => Promise<Result> }) => await given.send(),
			claimOf: () => CLAIM,
			free: async () => void did.push('free number'),
		},
		budget: new Budget(spendingLimit),
		inFlight: new Set(),
	};
	/** @returns the result after the wait, if there is one */
	const perform = async (changes: Partial<SendJob> = {}) => {
		const job = { ...JOB, ...changes };
		const result = await sendTemplate.perform(job, 7, run as unknown as RunContext);
		return result.later ? await clock.run(result.later) : result;
	};
	return { ...run, perform, call, find, remember, reserve, did, mayHaveGone };
}

describe('a message that an earlier attempt', () => {
	it.each<[string, Result, number]>([
		['sent is not sent again', { json: { message_id: 'm0' } }, 0],
		['could not deliver is not sent again', FAILED, 0],
		['may have sent is sent again', UNKNOWN, 1],
		['may have sent twice is not sent again', TWICE, 0],
	])('%s when unknown outcomes are retried', async (_, before, calls) => {
		const { retryMemory, perform, call, mayHaveGone } = runWith(SENT, before);
		const price = sendTemplate.estimatedPrice({ ...JOB, ...AGAIN }, 7, { now: 0, retryMemory });
		expect(price).toBe(calls === 0 ? undefined : 0.115);
		const result = await perform({ ...AGAIN, sendOnceKey: 'order-1' });
		expect(call).toHaveBeenCalledTimes(calls);
		expect(mayHaveGone).toEqual(calls === 0 ? [] : [true]);
		if (calls === 0) expect(result).toBe(before);
		// In this attempt it is sent once.
		else expect(call.mock.calls[0][0]).toMatchObject({ retryUnknownOutcome: false });
	});

	it.each<[string, Answer | Result]>([
		['may have gone again', UNKNOWN],
		['failed at once', replyWith({ message_id: 'm1', status: 'failed' })],
	])('may have sent, and which %s, is not sent by a third attempt', async (_, reply) => {
		const { perform, remember } = runWith(reply, UNKNOWN);
		expect(await perform(AGAIN)).toEqual(TWICE);
		expect(remember).toHaveBeenCalledWith(7, expect.anything(), TWICE);
	});

	// docs/sending.md: Retry When Outcome Is Unknown
	it('may have sent stays unknown when it is certainly not sent now', async () => {
		const rejected: Result = { failure: { ...FAILED.failure, outcome: 'rejected' } };
		const { perform, remember } = runWith(rejected, UNKNOWN);
		expect(await perform(AGAIN)).toBe(UNKNOWN);
		expect(remember).not.toHaveBeenCalled();
	});
});

it('both ways of writing a Mexican mobile number are one recipient', () => {
	const jobs = ['+5215512345678', '+525512345678'].map((to) => ({
		...{ ...JOB, ...KEYED, message: { ...JOB.message, to } },
	}));
	const told = jobs.map((job) => [
		sendTemplate.onceKey?.(job)?.recipient,
		sendTemplate.recipient?.(job),
		sendTemplate.recipient?.({ ...JOB, intendedTo: job.message.to }).customer,
	]);
	const phone = '+525512345678';
	expect(told[0]).toEqual([phone, { to: phone, customer: phone }, phone]);
	expect(told[1]).toEqual(told[0]);
});

it('a run is told the key of each message, and whether its number is capped', () => {
	const told = [JOB, { ...JOB, ...KEYED, cap: CAP }].map((job) => [
		sendTemplate.onceKey?.(job),
		sendTemplate.isCapped?.(job),
	]);
	const onceKey = { key: 'order-1', recipient: JOB.message.to };
	expect(told).toEqual([
		[undefined, false],
		[onceKey, true],
	]);
});

it('what goes wrong around a send leaves its outcome unknown, and is remembered by its content', async () => {
	const { perform, call, find, remember } = runWith(SENT);
	call.mockRejectedValueOnce(new Error('no memory left'));
	const result = await perform();
	expect(result).toMatchObject({
		failure: { outcome: 'unknown', message: expect.stringMatching(/no memory left$/) },
	});
	const content = [JOB.message];
	expect(remember).toHaveBeenCalledWith(7, content, result);
	await perform({ categoryChoice: { category: 'marketing' } });
	expect(find).toHaveBeenLastCalledWith(7, content);
	// Two customers are two messages, although both go to the test recipient.
	await perform({ intendedTo: '+14155552672' });
	expect(find).toHaveBeenLastCalledWith(7, [...content, '+14155552672']);
});

// docs/send-once.md: what was not delivered can be sent again
it('a message that could not be delivered frees its key, and no later try does so once more', async () => {
	const { perform, call, find, remember, did } = runWith(
		replyWith({ message_id: 'm1', status: 'failed' }),
	);
	call.mockResolvedValueOnce(SENT);
	const result = await perform(KEYED);
	expect(result).toMatchObject({ failure: { outcome: 'rejected' } });
	expect(did).toEqual(['sent', 'free']);
	find.mockReturnValue(remember.mock.calls.at(-1)?.[2]);
	expect(await perform(KEYED)).toBe(result);
	expect(did).toEqual(['sent', 'free']);
});

// docs/sending.md: Retry When Outcome Is Unknown
it.each<[string, Answer, Result | undefined]>([
	['in this attempt', { ...SENT, ...EARLIER }, undefined],
	['in an earlier one', SENT, UNKNOWN],
	['in the attempt whose message is waited for', SENT, { json: {}, ...EARLIER }],
])(
	'a message that could not be delivered keeps its key if an earlier request may have sent it: %s',
	async (_, first, before) => {
		const failed = replyWith({ message_id: 'm1', status: 'failed' });
		const { perform, call, remember, did } = runWith(failed, before);
		if (!before || 'failure' in before) call.mockResolvedValueOnce(first);
		const result = await perform({ ...KEYED, ...AGAIN });
		expect(result).toMatchObject(TWICE);
		expect(remember).toHaveBeenLastCalledWith(7, expect.anything(), result);
		expect(did).not.toContain('free');
	},
);

it.each<[string, Partial<SendJob>, string[]]>([
	['a message without a key or a cap that could not be delivered frees none', {}, []],
	['one with a cap frees its number', { cap: CAP }, ['free number']],
])('%s', async (_, job, freed) => {
	const { perform, call, did } = runWith(replyWith({ message_id: 'm1', status: 'failed' }));
	call.mockResolvedValueOnce(SENT);
	expect(await perform({ ...WAITING, ...job })).toMatchObject({ failure: { outcome: 'rejected' } });
	expect(did).toEqual(freed);
});

it('a fallback whose key another run has used meanwhile is not sent, and the rejection is told', async () => {
	const { perform, call, clock, sendOnce } = runWith(
		replyWith({ message_id: 'm1', status: 'failed', error: { code: 131047 } }),
	);
	call.mockResolvedValueOnce(replyWith({ message_id: 'm1', status: 'sent', category: 'service' }));
	const { send } = sendOnce;
	const keyed = jest.spyOn(sendOnce, 'send').mockImplementationOnce(send);
	keyed.mockResolvedValueOnce(undefined as never);
	const categoryChoice = { category: 'auto', customerLastMessageAt: clock.now() } as const;
	expect(
		await perform({ ...KEYED, categoryChoice: { ...categoryChoice, fallbackCategory: 'utility' } }),
	).toMatchObject({ failure: { outcome: 'rejected', networkCode: '131047' } });
	expect(call).toHaveBeenCalledTimes(2);
});

it.each([
	[undefined, 'sent'],
	['queued', 'queued'],
])('a message with the status %s counts as %s until it is looked up', async (told, status) => {
	const { perform, call } = runWith(UNKNOWN);
	call.mockResolvedValueOnce(replyWith({ message_id: 'm1', status: told } as SentMessage));
	const result = await perform(WAITING);
	expect(result).toMatchObject({ json: { delivery: { status, timedOut: true } } });
});

// docs/sending.md: Retry When Outcome Is Unknown
it('no fallback is sent when an earlier request may have sent the message', async () => {
	const rejected = { ...FAILED.failure, outcome: 'rejected', networkCode: '131047' } as const;
	const { perform, call, clock } = runWith(SENT);
	call.mockImplementation(async ({ body }) => {
		body?.();
		return await Promise.resolve({ failure: rejected, ...EARLIER });
	});
	const categoryChoice = { category: 'auto', customerLastMessageAt: clock.now() } as const;
	await perform({ categoryChoice: { ...categoryChoice, fallbackCategory: 'utility' } });
	expect(call).toHaveBeenCalledTimes(1);
});

// docs/send-once.md: what became of the fallback is what the key stands for
it.each<[string, Answer | Result, string[], number]>([
	['sent', replyWith({ message_id: 'm2', status: 'read' }), ['sent'], 2],
	['unknown', UNKNOWN, ['unknown'], 2],
	// A later try can send it: SendOnce itself gives back the key of what is not sent.
	['not sent', FAILED, ['notSent'], 1],
])('a fallback that is %s claims the key anew', async (_, second, expected, remembered) => {
	const { perform, call, clock, did, mayHaveGone, remember } = runWith(second);
	const failed = replyWith({ message_id: 'm1', status: 'failed', error: { code: 131047 } });
	call.mockResolvedValueOnce(replyWith({ message_id: 'm1', status: 'sent', category: 'service' }));
	call.mockResolvedValueOnce(failed);
	const customerLastMessageAt = clock.now();
	await perform({
		...KEYED,
		categoryChoice: { category: 'auto', fallbackCategory: 'marketing', customerLastMessageAt },
	});
	expect(mayHaveGone).toEqual([false, false]);
	expect(did).toEqual(['sent', 'free', ...expected]);
	expect(remember).toHaveBeenCalledTimes(remembered);
});

it('a look-up is reserved before a message is sent, but not if its key keeps it from being sent', async () => {
	const { perform, call, sendOnce, reserve } = runWith(SENT);
	await perform(WAITING);
	const [[reserved], [sent]] = [reserve, call].map(({ mock }) => mock.invocationCallOrder);
	expect(reserved).toBeLessThan(sent);
	reserve.mockClear();
	jest.spyOn(sendOnce, 'send').mockResolvedValue(undefined as never);
	await perform(KEYED);
	expect(reserve).not.toHaveBeenCalled();
});

// README, Top: spending limit
it('a message for whose price too little is left is not sent, and says so', async () => {
	const { perform, call, budget } = runWith(SENT, undefined, 0.2);
	budget.reserve(0.115);
	call.mockImplementation(async ({ body }) => body?.() as Answer);
	expect(await perform()).toEqual({
		failure: expect.objectContaining({
			message: 'This message would exceed the spending limit of INR 0.20 for the run',
			remedy: expect.stringContaining('Raise Spending Limit under Options'),
			outcome: 'notSent',
		}),
	});
});

it('a message outside its hours does not wait for the rate limit', async () => {
	const { perform, call } = runWith(SENT);
	const sendBetween = { from: 0, until: 1, zones: ['UTC'], everyCategory: true };
	expect(await perform({ sendBetween })).toMatchObject({ skipped: 'quietHours' });
	expect(call).not.toHaveBeenCalled();
});

// SECURITY, What is stored
it.each<[string, Partial<SendJob>, Answer | Result, object]>([
	['sent', { sendOnceKey: 'order-1', cap: CAP }, SENT, {}],
	['waited for, with a key', KEYED, SENT, { keyClaim: KEY_CLAIM }],
	['waited for, with a cap', { ...WAITING, cap: CAP }, SENT, { claim: CLAIM }],
	['unknown, with a cap', { sendOnceKey: 'order-1', cap: CAP }, UNKNOWN, { claim: CLAIM }],
])('a later attempt gets the claims that it may need of a message that is %s', async (...row) => {
	const [, job, reply, claims] = row;
	const { perform, call, remember } = runWith(reply);
	await perform(job);
	// Until then the cap keeps others from the number.
	expect(call.mock.calls[0][0].deadline).toBe(job.cap && 24 * 3_600_000);
	const { claim, keyClaim } = remember.mock.calls[0][2];
	expect({ claim, keyClaim }).toEqual(claims);
});

describe('the result', () => {
	it('has no preview when the text is not known', async () => {
		expect(await runWith(SENT).perform()).toStrictEqual({
			json: { message_id: 'm1', status: 'sent' },
			sent: { messageId: 'm1', cost: undefined, currency: undefined },
		});
	});

	it.each<[string[], SentMessage]>([
		[['message_id', 'status', 'preview', 'cost'], { message_id: 'm1', status: 'sent', cost: 1 }],
		[['status', 'preview', 'message_id'], { status: 'sent', message_id: 'm1' }],
		[['message_id', 'cost', 'preview'], { message_id: 'm1', cost: 1 }],
	])('shows the preview right after the status, or at the end: %j', async (names, data) => {
		const { json } = (await runWith(replyWith(data)).perform({ preview: 'Hi' })) as {
			json: object;
		};
		expect(Object.keys(json)).toEqual(names);
		expect(json).toEqual({ ...data, preview: 'Hi' });
	});

	it('of a message that the API calls failed is a failure, and not waited for', async () => {
		const reply = replyWith({ message_id: 'm1', status: 'failed', error: { code: 131026 } });
		expect(await runWith(reply).perform(WAITING)).toEqual({
			failure: expect.objectContaining({
				message: expect.stringMatching(/^The message could not be delivered: The recipient is/),
				...{ outcome: 'rejected', networkCode: '131026', messageId: 'm1' },
			}),
		});
	});
});
