import type { AwaitedStatus, StatusRecord } from '../../../nodes/BusinessMessaging/api';
import { failed as failedWith, tooLate } from '../../../nodes/BusinessMessaging/errors/failure';
import type { Reply } from '../../../nodes/BusinessMessaging/transport/client';
import {
	type LookLimits,
	waitForDelivery,
} from '../../../nodes/BusinessMessaging/transport/pollStatus';
import { createVirtualClock } from '../../support/virtualClock.mts';

const SENT = { status: 'sent' };

const settle = jest.fn();
const client = {
	reserveLookUp: jest.fn(() => settle),
	hasEnded: jest.fn(() => false),
};

beforeEach(() => jest.clearAllMocks());

/** The reply to a look-up that succeeded. */
function told(data: StatusRecord): Reply<StatusRecord> {
	return { data, response: { status: 200, headers: {}, body: { data } } };
}

/** Waits for a message whose look-ups, made at so many seconds, get these replies. */
async function watch(
	reply: (second: number) => Reply<StatusRecord>,
	{
		awaited = 'read' as AwaitedStatus,
		first = SENT,
		timeoutMs = 60_000,
		signal = new AbortController().signal,
		clock = createVirtualClock(),
	} = {},
) {
	const limits: LookLimits[] = [];
	const seconds: number[] = [];
	const look = async (limit: LookLimits) => {
		limits.push(limit);
		seconds.push(clock.ticks() / 1000);
		return await Promise.resolve(reply(clock.ticks() / 1000));
	};
	const wait = { awaited, first, look, timeoutMs };
	const result = await clock.run(waitForDelivery(wait, { client, clock, signal }));
	return { ...result, limits, seconds };
}

/** A message that changes its status at these seconds. */
const changing =
	(changes: Record<number, string> = {}) =>
	(second: number) => {
		const due = Object.keys(changes).filter((at) => Number(at) <= second);
		return told({ status: changes[Number(due.at(-1))] ?? 'sent', delivered_at: 'T' });
	};

it.each<[AwaitedStatus, Record<number, string>, object]>([
	['delivered', { 1: 'delivered' }, { status: 'delivered', waitedSeconds: 2, timedOut: false }],
	['delivered', { 1: 'read' }, { status: 'read', timedOut: false }],
	['read', { 1: 'delivered' }, { status: 'delivered', waitedSeconds: 60, timedOut: true }],
	['read', { 3: 'failed' }, { status: 'failed', timedOut: false }],
	['read', { 3: 'Undelivered' }, { status: 'Undelivered', timedOut: false }],
	['read', { 1: 'DELIVERED', 3: 'READ' }, { status: 'READ', timedOut: false }],
	['delivered', { 1: 'queued' }, { status: 'queued', timedOut: true }],
])('waiting for %s sees %p and says %p', async (awaited, changes, expected) => {
	expect((await watch(changing(changes), { awaited })).delivery).toMatchObject(expected);
});

it('looks in growing intervals up to 30 seconds, the last time at the deadline', async () => {
	const { seconds } = await watch(changing(), { timeoutMs: 100_000 });
	expect(seconds).toEqual([2, 5, 9.5, 16.25, 26.375, 41.5625, 64.34375, 94.34375, 100]);
});

it('says what it saw, and for how long it waited to a tenth of a second', async () => {
	const { seen, delivery } = await watch(changing(), { timeoutMs: 1560 });
	expect(seen).toEqual({ status: 'sent', delivered_at: 'T' });
	const known = { status: 'sent', delivered_at: 'T', read_at: null };
	expect(delivery).toEqual({ ...known, waitedSeconds: 1.6, timedOut: true });
});

it('ends with a run in which nothing gets through', async () => {
	client.hasEnded.mockReturnValueOnce(true);
	const { delivery, seconds } = await watch(changing());
	expect(delivery).toMatchObject({ timedOut: true, problem: 'The run ended early' });
	expect(seconds).toEqual([2]);
	client.hasEnded.mockReturnValueOnce(true);
	expect((await watch(changing({ 1: 'read' }))).delivery).not.toHaveProperty('problem');
});

it('ends within a second when the execution is canceled, and looks no more', async () => {
	const clock = createVirtualClock();
	const canceling = new AbortController();
	void clock.sleep(20_300).then(() => canceling.abort());
	const { delivery, seconds } = await watch(changing(), { clock, signal: canceling.signal });
	expect(delivery.timedOut).toBe(true);
	expect(clock.ticks()).toBeLessThanOrEqual(21_300);
	expect(seconds).toEqual([2, 5, 9.5, 16.25]);
});

describe('a look-up that fails', () => {
	const failed: Reply<StatusRecord> = failedWith(tooLate());

	it('does not end the waiting, what was seen before stays, and the last failure is named', async () => {
		const first = told({ status: 'delivered' });
		const { delivery, seconds } = await watch((at) => (at === 2 ? first : failed));
		const problem = 'The requests before it left no time for this one';
		expect(delivery).toMatchObject({ status: 'delivered', timedOut: true, problem });
		expect(seconds.at(-1)).toBe(60);
	});

	it('is not named when a later one told something', async () => {
		const { delivery } = await watch((at) => (at < 60 ? failed : told(SENT)));
		expect(delivery.timedOut).toBe(true);
		expect(delivery).not.toHaveProperty('problem');
	});
});

it('its look-ups have no priority but for the last, which may be a second late', async () => {
	const { limits } = await watch(changing(), { timeoutMs: 5000 });
	const lookUp = { kind: 'lookUp', deadline: 5000 };
	expect(limits).toEqual([lookUp, { kind: 'lastLookUp', deadline: 6000 }]);
});

it('its look-ups have a slot until the wait ends', async () => {
	await watch(() => told(SENT));
	expect(client.reserveLookUp).toHaveBeenCalledTimes(1);
	expect(settle).toHaveBeenCalledTimes(1);
});

it('gives the slots back when a look-up throws', async () => {
	const unforeseen = watch(() => {
		throw new Error('unforeseen');
	});
	await expect(unforeseen).rejects.toThrow('unforeseen');
	expect(settle).toHaveBeenCalledTimes(1);
});
