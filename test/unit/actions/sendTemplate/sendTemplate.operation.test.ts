import { Budget } from '../../../../nodes/BusinessMessaging/actions/budget';
import type { Result, RunContext } from '../../../../nodes/BusinessMessaging/actions/operation';
import { RetryMemory } from '../../../../nodes/BusinessMessaging/actions/retryMemory';
import type { SendJob } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/readParameters';
import { sendTemplate } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import type { SentMessage } from '../../../../nodes/BusinessMessaging/api';
import { notStarted } from '../../../../nodes/BusinessMessaging/errors/failure';
import type { Call, Reply } from '../../../../nodes/BusinessMessaging/transport/client';
import { createVirtualClock, type VirtualClock } from '../../../support/virtualClock.ts';

const JOB: SendJob = {
	message: { to: '+14155552671', type: 'template', templateName: 'order_update' },
	categoryChoice: { category: 'utility' },
	dryRun: false,
	rawResponse: false,
	limits: { timeoutMs: 1000, requestsPerMinute: 60, retryUnknownOutcome: false },
};
const WAITING = { awaited: 'delivered', timeoutMs: 1000 } as const;
const FAILED = notStarted();
const UNKNOWN: Result = { failure: { ...FAILED.failure, outcome: 'unknown' } };

function replyWith(data: SentMessage): Reply<SentMessage> {
	return { data, response: { status: 200, headers: {}, body: { success: true, data } } };
}

/** A run whose API gives one reply, and the result that an earlier attempt had. */
function runWith(reply: Reply<SentMessage>, before?: Result) {
	const call = jest.fn<Promise<Reply<SentMessage>>, [Call<SentMessage>]>();
	call.mockResolvedValue(reply);
	const find = jest.fn<Result | undefined, [number, unknown]>(() => before);
	const remember = jest.fn<void, [number, unknown, Result]>();
	const retryMemory = Object.assign(new RetryMemory({}, 0), { find, remember });
	const run = {
		client: { call, reserve: () => () => undefined, hasEnded: () => false },
		clock: createVirtualClock(),
		retryMemory,
		budget: new Budget(Infinity),
	};
	return { run: run as unknown as RunContext, retryMemory, call, find, remember };
}

const SENT = replyWith({ message_id: 'm1', status: 'sent' });

describe('a message that an earlier attempt', () => {
	const sent = { json: { message_id: 'm0' } };
	const again = { ...JOB, limits: { ...JOB.limits, retryUnknownOutcome: true } };

	it.each<[string, Result, SendJob, number]>([
		['sent is not sent again', sent, JOB, 0],
		['sent is not sent again, whatever is chosen', sent, again, 0],
		['may have sent is not sent again', UNKNOWN, JOB, 0],
		['could not deliver is not sent again, whatever is chosen', FAILED, again, 0],
		['may have sent is sent again when that is chosen', UNKNOWN, again, 1],
	])('%s', async (_, before, job, calls) => {
		const { run, retryMemory, call } = runWith(SENT, before);
		const price = sendTemplate.highestPrice(job, 0, { now: 0, retryMemory });
		expect(price).toBe(calls === 0 ? undefined : 0.115);
		const result = await sendTemplate.perform(job, 0, run);
		expect(call).toHaveBeenCalledTimes(calls);
		if (calls === 0) expect(result).toBe(before);
	});

	it('is known by what is sent and how the category is chosen', async () => {
		const { run, find } = runWith(SENT);
		await sendTemplate.perform(JOB, 7, run);
		expect(find).toHaveBeenCalledWith(7, [JOB.message, JOB.categoryChoice]);
	});

	it('is another one for another customer, although both go to the test recipient', async () => {
		const { run, find } = runWith(SENT);
		await sendTemplate.perform({ ...JOB, intendedTo: '+14155552672' }, 7, run);
		expect(find).toHaveBeenCalledWith(7, [JOB.message, JOB.categoryChoice, '+14155552672']);
	});
});

it('what goes wrong around a send leaves its outcome unknown, and is remembered', async () => {
	const { run, call, remember } = runWith(SENT);
	call.mockRejectedValueOnce(new Error('no memory left'));
	const result = await sendTemplate.perform(JOB, 7, run);
	expect(result).toMatchObject({
		failure: { outcome: 'unknown', message: expect.stringMatching(/no memory left$/) },
	});
	expect(remember).toHaveBeenCalledWith(7, [JOB.message, JOB.categoryChoice], result);
});

// README, Send once: what was not delivered can be sent again
it('a message that could not be delivered frees its key, and no later try does so once more', async () => {
	const { run, call, remember } = runWith(SENT);
	call.mockResolvedValueOnce(SENT);
	call.mockResolvedValue(replyWith({ message_id: 'm1', status: 'failed' }));
	const free = jest.fn(async () => undefined);
	const keys = {
		send: async ({ send }: { send: () => Promise<Result> }) => await send(),
		free,
	};
	const job = { ...JOB, wait: WAITING, sendOnceKey: 'order-1' };
	const keyed = { ...run, sendOnce: keys } as unknown as RunContext;
	const { later } = await sendTemplate.perform(job, 0, keyed);
	const result = await (run.clock as VirtualClock).run(later as Promise<Result>);
	expect(result).toMatchObject({ failure: { outcome: 'rejected' } });
	expect(free).toHaveBeenCalledTimes(1);

	const [, , remembered] = remember.mock.calls.at(-1) ?? [];
	const retryMemory = Object.assign(new RetryMemory({}, 0), { find: () => remembered });
	expect(await sendTemplate.perform(job, 0, { ...keyed, retryMemory })).toBe(result);
	expect(free).toHaveBeenCalledTimes(1);
});

// README, Send once: what became of the fallback is what the key stands for
it.each<[string, Reply<SentMessage> | Result, string[]]>([
	['sent', replyWith({ message_id: 'm2', status: 'read' }), ['sent', 'free', 'sent']],
	['unknown', UNKNOWN, ['sent', 'free', 'unknown']],
	['not sent', FAILED, ['sent', 'free', 'notSent', 'free']],
])('a fallback that is %s claims the key anew', async (outcome, second, expected) => {
	const { run, call, remember } = runWith(SENT);
	const failed = replyWith({ message_id: 'm1', status: 'failed', error: { code: 131047 } });
	call.mockResolvedValueOnce(replyWith({ message_id: 'm1', status: 'sent', category: 'service' }));
	call.mockResolvedValueOnce(failed);
	call.mockResolvedValue(second as Reply<SentMessage>);
	const did: string[] = [];
	const sendOnce = {
		send: async ({
			send,
			outcomeOf,
		}: {
			send: () => Promise<Result>;
			outcomeOf: (r: Result) => string;
		}) => {
			const result = await send();
			did.push(outcomeOf(result));
			return result;
		},
		free: async () => void did.push('free'),
	};
	const categoryChoice: SendJob['categoryChoice'] = {
		category: 'auto',
		fallbackCategory: 'marketing',
		customerLastMessageAt: run.clock.now(),
	} as SendJob['categoryChoice'];
	const job = { ...JOB, categoryChoice, wait: WAITING, sendOnceKey: 'order-1' };
	const keyed = { ...run, sendOnce } as unknown as RunContext;
	const { later } = await sendTemplate.perform(job, 0, keyed);
	await (run.clock as VirtualClock).run(later as Promise<Result>);
	expect(did).toEqual(expected);
	// A later try can send it.
	if (outcome === 'not sent') expect(remember).toHaveBeenCalledTimes(1);
});

// README, Good to know: Retry When Outcome Is Unknown
it('a message that an earlier try may have sent stays unknown when it is certainly not sent now', async () => {
	const limits = { ...JOB.limits, retryUnknownOutcome: true };
	const rejected: Result = { failure: { ...FAILED.failure, outcome: 'rejected' } };
	const { run, call, remember } = runWith(SENT, UNKNOWN);
	call.mockResolvedValue(rejected as never);
	expect(await sendTemplate.perform({ ...JOB, limits }, 0, run)).toBe(UNKNOWN);
	expect(remember).not.toHaveBeenCalled();
});

it('a message that is not sent because of its key owes no look-up', async () => {
	const { run } = runWith(SENT);
	const reserve = jest.fn();
	const client = { ...run.client, reserve };
	const sendOnce = { send: async () => undefined };
	const job = { ...JOB, wait: WAITING, sendOnceKey: 'order-1' };
	await sendTemplate.perform(job, 0, { ...run, client, sendOnce } as unknown as RunContext);
	expect(reserve).not.toHaveBeenCalled();
});

describe('the result', () => {
	it('has no preview when the text is not known', async () => {
		expect(await sendTemplate.perform(JOB, 0, runWith(SENT).run)).toStrictEqual({
			json: { message_id: 'm1', status: 'sent' },
			sent: { messageId: 'm1', cost: undefined, currency: undefined },
		});
	});

	it.each<[string[], SentMessage]>([
		[['message_id', 'status', 'preview', 'cost'], { message_id: 'm1', status: 'sent', cost: 1 }],
		[['status', 'preview', 'message_id'], { status: 'sent', message_id: 'm1' }],
		[['message_id', 'cost', 'preview'], { message_id: 'm1', cost: 1 }],
	])('shows the preview right after the status, or at the end: %j', async (names, data) => {
		const { run } = runWith(replyWith(data));
		const result = await sendTemplate.perform({ ...JOB, preview: 'Hi Asha' }, 0, run);
		const { json } = result as { json: object };
		expect(Object.keys(json)).toEqual(names);
		expect(json).toEqual({ ...data, preview: 'Hi Asha' });
	});

	it('of a send that failed is not waited for', async () => {
		const { run } = runWith(FAILED);
		expect(await sendTemplate.perform({ ...JOB, wait: WAITING }, 0, run)).toEqual(FAILED);
	});

	it('of a message that the API gave the status "failed" is a failure, with its ID', async () => {
		const reply = replyWith({ message_id: 'm1', status: 'failed', error: { code: 131026 } });
		for (const wait of [JOB.wait, WAITING]) {
			const result = await sendTemplate.perform({ ...JOB, wait }, 0, runWith(reply).run);
			expect(result).toEqual({
				failure: expect.objectContaining({
					message: expect.stringMatching(/^The message could not be delivered: The recipient is/),
					outcome: 'rejected',
					networkCode: '131026',
					messageId: 'm1',
				}),
			});
		}
	});

	// README, Good to know: `cost` is what the API says
	it('has the cost only as far as it is one', async () => {
		const reply = replyWith({ message_id: 'm1', cost: { amount: 'free', currency: 'INR' } });
		const result = await sendTemplate.perform(JOB, 0, runWith(reply).run);
		expect(result).toMatchObject({
			json: { cost: { amount: 'free', currency: 'INR' } },
			sent: { cost: undefined, currency: 'INR' },
		});
	});

	it('of a message that was read at once needs no look-up', async () => {
		const { run, call } = runWith(replyWith({ message_id: 'm1', status: 'read' }));
		const result = await sendTemplate.perform({ ...JOB, wait: WAITING }, 0, run);
		const { later } = result as { later: Promise<object> };
		expect(await later).toMatchObject({
			json: { delivery: { status: 'read', timedOut: false } },
			seen: { status: 'read', wait: { awaited: 'delivered', timedOut: false, timeoutMs: 1000 } },
		});
		expect(call).toHaveBeenCalledTimes(1);
	});
});

it('a dry run asks nothing of the API, and a message costs what its category costs at its turn', () => {
	const now = 24 * 60 * 60 * 1000 - 2.5 * 60_000;
	const priceOf = (changes: Partial<SendJob>, itemIndex = 0) =>
		sendTemplate.highestPrice({ ...JOB, ...changes }, itemIndex, {
			now,
			retryMemory: new RetryMemory({}, 0),
		});
	expect(priceOf({ dryRun: true })).toBeUndefined();
	expect(priceOf({})).toBe(0.115);
	const categoryChoice: SendJob['categoryChoice'] = {
		category: 'auto',
		customerLastMessageAt: 0,
		fallbackCategory: 'marketing',
	};
	const limits = { ...JOB.limits, requestsPerMinute: 1 };
	const prices = [2, 3].map((itemIndex) => priceOf({ categoryChoice, limits }, itemIndex));
	expect(prices).toEqual([0, 0.8631]);
	const unpaced = { ...JOB.limits, requestsPerMinute: 0 };
	expect(priceOf({ categoryChoice, limits: unpaced }, 1000)).toBe(0);
});

it.each<[unknown, boolean]>([
	[{ success: true, data: { message_id: 'm1' } }, true],
	[{ success: true, data: { message_id: ' \n' } }, false],
	[{ success: true, data: { message_id: '' } }, false],
	[{ success: true, data: { message_id: 17 } }, true],
	[{ success: true, data: {} }, false],
	[{ success: true }, false],
])('the answer %j has the ID of a message: %p', async (body, hasId) => {
	const { run, call } = runWith(SENT);
	await sendTemplate.perform(JOB, 0, run);
	const [{ read }] = call.mock.calls[0];
	expect(read({ status: 200, headers: {}, body }) !== undefined).toBe(hasId);
});
