import type { StatusRecord } from '../../../nodes/BusinessMessaging/api';
import { tooLate } from '../../../nodes/BusinessMessaging/errors/failure';
import type { Reply } from '../../../nodes/BusinessMessaging/transport/client';
import {
	type AwaitedStatus,
	type LookLimits,
	waitForDelivery,
} from '../../../nodes/BusinessMessaging/transport/pollStatus';
import { response, call, clientFor } from '../../support/scriptedClient.ts';
import { createVirtualClock } from '../../support/virtualClock';

type Look = (limits: LookLimits) => Promise<Reply<StatusRecord>>;

const SENT = { status: 'sent' };

const settle = jest.fn();
const client = { reserve: jest.fn(() => settle), hasEnded: () => false };

beforeEach(() => jest.clearAllMocks());

/** The reply to a look-up that succeeded. */
function told(data: StatusRecord): Reply<StatusRecord> {
	return { data, response: { status: 200, headers: {}, body: { data } } };
}

/** A message that changes its status at these seconds. */
async function watch(awaited: AwaitedStatus, changes: Record<number, string>, timeoutS = 60) {
	const clock = createVirtualClock();
	const looks: number[] = [];
	const look = async () => {
		const second = clock.ticks() / 1000;
		looks.push(second);
		const due = Object.keys(changes).filter((at) => Number(at) <= second);
		return told({ status: changes[Number(due[due.length - 1])] ?? 'sent', delivered_at: 'T' });
	};
	const wait = { awaited, first: SENT, look, timeoutMs: timeoutS * 1000 };
	const result = await clock.run(waitForDelivery(wait, { client, clock }));
	return { ...result, looks };
}

/** Waits until a message is read that these look-ups tell of. */
async function waitUntilRead(look: Look, timeoutMs: number) {
	const clock = createVirtualClock();
	const wait = { awaited: 'read', first: SENT, look, timeoutMs } as const;
	return (await clock.run(waitForDelivery(wait, { client, clock }))).delivery;
}

it.each<[AwaitedStatus, Record<number, string>, object]>([
	['delivered', { 1: 'delivered' }, { status: 'delivered', waitedSeconds: 2, timedOut: false }],
	['delivered', { 1: 'read' }, { status: 'read', timedOut: false }],
	['read', { 1: 'delivered', 20: 'read' }, { status: 'read', timedOut: false }],
	['read', { 1: 'delivered' }, { status: 'delivered', waitedSeconds: 60, timedOut: true }],
	['delivered', { 3: 'failed' }, { status: 'failed', timedOut: false }],
	['read', { 3: 'failed' }, { status: 'failed', timedOut: false }],
	['delivered', { 1: 'queued' }, { status: 'queued', timedOut: true }],
])('waiting for %s sees %p and says %p', async (awaited, changes, expected) => {
	const { delivery } = await watch(awaited, changes);
	expect(delivery).toMatchObject(expected);
});

it('looks in growing intervals up to 30 seconds, the last time at the deadline', async () => {
	const { looks } = await watch('read', {}, 100);
	expect(looks).toEqual([2, 5, 9.5, 16.25, 26.375, 41.5625, 64.34375, 94.34375, 100]);
});

it('says what it saw, and for how long it waited to a tenth of a second', async () => {
	const { seen, delivery } = await watch('delivered', { 3: 'delivered' });
	expect(seen).toEqual({ status: 'delivered', delivered_at: 'T' });
	expect(delivery).toEqual({
		status: 'delivered',
		delivered_at: 'T',
		read_at: null,
		waitedSeconds: 5,
		timedOut: false,
	});
	expect((await watch('delivered', {}, 2.56)).delivery.waitedSeconds).toBe(2.6);
});

it('does not look at all when the status is there already', async () => {
	const clock = createVirtualClock();
	const look = jest.fn();
	const wait = { awaited: 'delivered', first: { status: 'read' }, look, timeoutMs: 1000 } as const;
	const { delivery } = await waitForDelivery(wait, { client, clock });
	expect(delivery).toMatchObject({ timedOut: false, waitedSeconds: 0 });
	expect(look).not.toHaveBeenCalled();
});

describe('a look-up that fails', () => {
	const failed: Reply<StatusRecord> = { failure: tooLate() };

	async function waitThrough(replies: Array<Reply<StatusRecord>>) {
		return await waitUntilRead(async () => replies.shift() ?? failed, 10_000);
	}

	it('does not end the waiting, and what was seen before stays', async () => {
		const delivery = await waitThrough([told({ status: 'delivered' }), failed, failed]);
		expect(delivery).toMatchObject({ status: 'delivered', timedOut: true });
	});

	it('is named when the time is over', async () => {
		expect((await waitThrough([])).problem).toBe('The rate limit left no time to ask the API');
	});

	it('is not named when a later one told something', async () => {
		const delivery = await waitThrough([failed, failed, failed, told(SENT)]);
		expect(delivery).toMatchObject({ timedOut: true });
		expect(delivery).not.toHaveProperty('problem');
	});
});

it('ends within a second when the execution is canceled, and looks no more', async () => {
	const clock = createVirtualClock();
	const canceling = new AbortController();
	void clock.sleep(20_300).then(() => canceling.abort());
	const looks: number[] = [];
	const look = async () => {
		looks.push(clock.ticks() / 1000);
		return told(SENT);
	};
	const wait = { awaited: 'read', first: SENT, look, timeoutMs: 600_000 } as const;
	const waiting = waitForDelivery(wait, { client, clock, signal: canceling.signal });
	expect((await clock.run(waiting)).delivery.timedOut).toBe(true);
	expect(clock.ticks()).toBeLessThanOrEqual(21_300);
	expect(looks).toEqual([2, 5, 9.5, 16.25]);
});

describe('the priority of its look-ups', () => {
	async function limitsOf(timeoutMs: number) {
		const look = jest.fn<ReturnType<Look>, [LookLimits]>(async () => told(SENT));
		await waitUntilRead(look, timeoutMs);
		return look.mock.calls;
	}

	it('is none but for the last, which may be a second late', async () => {
		const looks = (await limitsOf(5000)).flat();
		const lookUp = { kind: 'lookUp', deadline: 5000 };
		expect(looks).toEqual([lookUp, { kind: 'lastLookUp', deadline: 6000 }]);
	});

	it('is asked of sends within the last minute only, and given back at the end', async () => {
		await limitsOf(60_000);
		expect([client.reserve, settle].map((each) => each.mock.calls.length)).toEqual([1, 1]);
		jest.clearAllMocks();
		await limitsOf(200_000);
		expect([client.reserve, settle].map((each) => each.mock.calls.length)).toEqual([1, 1]);
	});

	it('is given back when a look-up throws', async () => {
		const look = async () => await Promise.reject(new Error('unforeseen'));
		await expect(waitUntilRead(look, 5000)).rejects.toThrow('unforeseen');
		expect(settle).toHaveBeenCalledTimes(1);
	});
});

it('ends with a run in which nothing gets through, not a day later, and says why', async () => {
	const limited = response(429, { 'retry-after': '3600' });
	const { client: ended, clock, startedAt } = clientFor([limited]);
	const look = async (limits: LookLimits) => {
		const reply = await ended.call({ ...call('lookUp'), ...limits });
		return 'data' in reply ? told({ status: reply.data }) : reply;
	};
	const wait = { awaited: 'delivered', first: SENT, look, timeoutMs: 86_400_000 } as const;
	const waits = [wait, wait].map(async (each) => {
		const { delivery } = await waitForDelivery(each, { client: ended, clock });
		return delivery;
	});
	const problem = 'The rate limit of the API was exceeded';
	const expected = expect.objectContaining({ status: 'sent', timedOut: true, problem });
	expect(await clock.run(Promise.all(waits))).toEqual([expected, expected]);
	expect(clock.ticks()).toBeLessThan(60_000);
	expect(startedAt).toHaveLength(1);
});
