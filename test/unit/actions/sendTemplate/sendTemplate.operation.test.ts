import { Budget } from '../../../../nodes/BusinessMessaging/actions/budget';
import type { SentBefore, Session } from '../../../../nodes/BusinessMessaging/actions/operation';
import type { Result } from '../../../../nodes/BusinessMessaging/actions/result';
import type { SendJob } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/job';
import { sendTemplate } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import type { SentMessage } from '../../../../nodes/BusinessMessaging/api';
import { notStarted } from '../../../../nodes/BusinessMessaging/errors/failure';
import type { Call, Reply } from '../../../../nodes/BusinessMessaging/transport/client';
import { noneSentBefore } from '../../../support/noneSentBefore.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/virtualClock.ts';

const JOB: SendJob = {
	message: { to: '+14155552671', type: 'template', templateName: 'order_update' },
	categoryChoice: { category: 'utility' },
	dryRun: false,
	rawResponse: false,
	limits: { timeoutMs: 1000, requestsPerMinute: 60, retryUnknownOutcome: false },
};
const WAITING = { awaited: 'delivered', timeoutMs: 1000 } as const;
const FAILED = notStarted('send');
const UNKNOWN: Result = { failure: { ...FAILED.failure, outcome: 'unknown' } };

function replyWith(data: SentMessage): Reply<SentMessage> {
	return { data, answer: { status: 200, headers: {}, body: { success: true, data } } };
}

/** A session whose API gives one reply, and what is remembered of an earlier try. */
function sessionOf(reply: Reply<SentMessage>, before?: Result) {
	const call = jest.fn<Promise<Reply<SentMessage>>, [Call<SentMessage>]>();
	call.mockResolvedValue(reply);
	const find = jest.fn<Result | undefined, [number, unknown]>(() => before);
	const remember = jest.fn<void, [number, unknown, Result]>();
	const sentBefore: SentBefore = { ...noneSentBefore, find, remember };
	const session = {
		client: { call, owe: () => () => undefined, hasEnded: () => false },
		clock: createVirtualClock(),
		sentBefore,
		budget: new Budget(Infinity),
	};
	return { session: session as unknown as Session, sentBefore, call, find, remember };
}

const SENT = replyWith({ message_id: 'm1', status: 'sent' });

describe('a message that an earlier try', () => {
	const sent = { json: { message_id: 'm0' } };
	const again = { ...JOB, limits: { ...JOB.limits, retryUnknownOutcome: true } };

	it.each<[string, Result, SendJob, number]>([
		['sent is not sent again', sent, JOB, 0],
		['sent is not sent again, whatever is chosen', sent, again, 0],
		['may have sent is not sent again', UNKNOWN, JOB, 0],
		['could not deliver is not sent again, whatever is chosen', FAILED, again, 0],
		['may have sent is sent again when that is chosen', UNKNOWN, again, 1],
	])('%s', async (_, before, job, calls) => {
		const { session, sentBefore, call } = sessionOf(SENT, before);
		expect(sendTemplate.recall?.(job, 0, sentBefore)).toBe(calls === 0 ? before : undefined);
		const result = await sendTemplate.perform(job, 0, session);
		expect(call).toHaveBeenCalledTimes(calls);
		if (calls === 0) expect(result).toBe(before);
	});

	it('is known by what is sent and how the category is chosen', async () => {
		const { session, find } = sessionOf(SENT);
		await sendTemplate.perform(JOB, 7, session);
		expect(find).toHaveBeenCalledWith(7, [JOB.message, JOB.categoryChoice]);
	});

	it('is another one for another customer, although both go to the test recipient', async () => {
		const { session, find } = sessionOf(SENT);
		await sendTemplate.perform({ ...JOB, intendedTo: '+14155552672' }, 7, session);
		expect(find).toHaveBeenCalledWith(7, [JOB.message, JOB.categoryChoice, '+14155552672']);
	});
});

it('what goes wrong around a send leaves its outcome unknown, and is remembered', async () => {
	const { session, call, remember } = sessionOf(SENT);
	call.mockRejectedValueOnce(new Error('no memory left'));
	const result = await sendTemplate.perform(JOB, 7, session);
	expect(result).toMatchObject({
		failure: { outcome: 'unknown', message: expect.stringMatching(/no memory left$/) },
	});
	expect(remember).toHaveBeenCalledWith(7, [JOB.message, JOB.categoryChoice], result);
});

// README, Send once: what was not delivered can be sent again
it('a message that could not be delivered frees its key, and no later try does so once more', async () => {
	const { session, call, remember } = sessionOf(SENT);
	call.mockResolvedValueOnce(SENT);
	call.mockResolvedValue(replyWith({ message_id: 'm1', status: 'failed' }));
	const free = jest.fn(async () => undefined);
	const keys = {
		send: async ({ send }: { send: () => Promise<Result> }) => await send(),
		free,
	};
	const job = { ...JOB, wait: WAITING, sendOnceKey: 'order-1' };
	const keyed = { ...session, sendOnce: keys } as unknown as Session;
	const { later } = await sendTemplate.perform(job, 0, keyed);
	const result = await (session.clock as VirtualClock).run(later as Promise<Result>);
	expect(result).toMatchObject({ failure: { outcome: 'rejected' } });
	expect(free).toHaveBeenCalledTimes(1);

	const [, , remembered] = remember.mock.calls.at(-1) ?? [];
	const second = { ...keyed, sentBefore: { ...session.sentBefore, find: () => remembered } };
	expect(await sendTemplate.perform(job, 0, second as Session)).toBe(result);
	expect(free).toHaveBeenCalledTimes(1);
});

// README, Send once: what became of the fallback is what the key stands for
it.each<[string, Reply<SentMessage> | Result, string[]]>([
	['sent', replyWith({ message_id: 'm2', status: 'read' }), ['sent', 'free', 'sent']],
	['unknown', UNKNOWN, ['sent', 'free', 'unknown']],
	['not sent', FAILED, ['sent', 'free', 'notSent', 'free']],
])('a fallback that is %s claims the key anew', async (fate, second, expected) => {
	const { session, call, remember } = sessionOf(SENT);
	const failed = replyWith({ message_id: 'm1', status: 'failed', error: { code: 131047 } });
	call.mockResolvedValueOnce(replyWith({ message_id: 'm1', status: 'sent', category: 'service' }));
	call.mockResolvedValueOnce(failed);
	call.mockResolvedValue(second as Reply<SentMessage>);
	const did: string[] = [];
	const sendOnce = {
		send: async ({
			send,
			fateOf,
		}: {
			send: () => Promise<Result>;
			fateOf: (r: Result) => string;
		}) => {
			const result = await send();
			did.push(fateOf(result));
			return result;
		},
		free: async () => void did.push('free'),
	};
	const categoryChoice: SendJob['categoryChoice'] = {
		category: 'auto',
		fallbackCategory: 'marketing',
		customerLastMessageAt: session.clock.now(),
	} as SendJob['categoryChoice'];
	const job = { ...JOB, categoryChoice, wait: WAITING, sendOnceKey: 'order-1' };
	const keyed = { ...session, sendOnce } as unknown as Session;
	const { later } = await sendTemplate.perform(job, 0, keyed);
	await (session.clock as VirtualClock).run(later as Promise<Result>);
	expect(did).toEqual(expected);
	// A later try can send it.
	if (fate === 'not sent') expect(remember).toHaveBeenCalledTimes(1);
});

// README, Good to know: Retry When Outcome Is Unknown
it('a message that an earlier try may have sent stays unknown when it is certainly not sent now', async () => {
	const limits = { ...JOB.limits, retryUnknownOutcome: true };
	const rejected: Result = { failure: { ...FAILED.failure, outcome: 'rejected' } };
	const { session, call, remember } = sessionOf(SENT, UNKNOWN);
	call.mockResolvedValue(rejected as never);
	expect(await sendTemplate.perform({ ...JOB, limits }, 0, session)).toBe(UNKNOWN);
	expect(remember).not.toHaveBeenCalled();
});

it('a message that is not sent because of its key owes no look-up', async () => {
	const { session } = sessionOf(SENT);
	const owe = jest.fn();
	const client = { ...session.client, owe };
	const sendOnce = { send: async () => undefined };
	const job = { ...JOB, wait: WAITING, sendOnceKey: 'order-1' };
	await sendTemplate.perform(job, 0, { ...session, client, sendOnce } as unknown as Session);
	expect(owe).not.toHaveBeenCalled();
});

describe('the result', () => {
	it('has no preview when the text is not known', async () => {
		expect(await sendTemplate.perform(JOB, 0, sessionOf(SENT).session)).toStrictEqual({
			json: { message_id: 'm1', status: 'sent' },
			sent: { messageId: 'm1', cost: undefined, currency: undefined },
		});
	});

	it('shows the preview right after the status', async () => {
		const { session } = sessionOf(replyWith({ message_id: 'm1', status: 'sent', cost: 1 }));
		const result = await sendTemplate.perform({ ...JOB, preview: 'Hi Asha' }, 0, session);
		const { json } = result as { json: object };
		expect(Object.entries(json)).toEqual(
			Object.entries({ message_id: 'm1', status: 'sent', preview: 'Hi Asha', cost: 1 }),
		);
	});

	it('of a send that failed is not waited for', async () => {
		const { session } = sessionOf(FAILED);
		expect(await sendTemplate.perform({ ...JOB, wait: WAITING }, 0, session)).toEqual(FAILED);
	});

	it('of a message that the API gave the status "failed" is a failure, with its ID', async () => {
		const reply = replyWith({ message_id: 'm1', status: 'failed', error: { code: 131026 } });
		for (const wait of [JOB.wait, WAITING]) {
			const result = await sendTemplate.perform({ ...JOB, wait }, 0, sessionOf(reply).session);
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
		const result = await sendTemplate.perform(JOB, 0, sessionOf(reply).session);
		expect(result).toMatchObject({
			json: { cost: { amount: 'free', currency: 'INR' } },
			sent: { cost: undefined, currency: 'INR' },
		});
	});

	it('of a message that was read at once needs no look-up', async () => {
		const { session, call } = sessionOf(replyWith({ message_id: 'm1', status: 'read' }));
		const result = await sendTemplate.perform({ ...JOB, wait: WAITING }, 0, session);
		const { later } = result as { later: Promise<object> };
		expect(await later).toMatchObject({
			json: { delivery: { status: 'read', timedOut: false } },
			seen: { status: 'read', wait: { awaited: 'delivered', timedOut: false, timeoutMs: 1000 } },
		});
		expect(call).toHaveBeenCalledTimes(1);
	});
});

it('a dry run costs nothing, and a message what its category costs', () => {
	expect(sendTemplate.price({ ...JOB, dryRun: true }, 0, 0)).toBe(0);
	expect(sendTemplate.price(JOB, 0, 0)).toBe(0.115);
});

it.each<[unknown, boolean]>([
	[{ success: true, data: { message_id: 'm1' } }, true],
	[{ success: true, data: { message_id: ' \n' } }, false],
	[{ success: true, data: { message_id: '' } }, false],
	[{ success: true, data: { message_id: 17 } }, true],
	[{ success: true, data: {} }, false],
	[{ success: true }, false],
])('the answer %j has the ID of a message: %p', async (body, hasId) => {
	const { session, call } = sessionOf(SENT);
	await sendTemplate.perform(JOB, 0, session);
	const [{ read }] = call.mock.calls[0];
	expect(read({ status: 200, headers: {}, body }) !== undefined).toBe(hasId);
});
