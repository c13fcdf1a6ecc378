import type { AwaitedStatus, StatusRecord } from '../../../nodes/BusinessMessaging/api';
import { failed, tooLate } from '../../../nodes/BusinessMessaging/errors/failure';
import type { Reply } from '../../../nodes/BusinessMessaging/transport/client';
import {
	type LookLimits,
	waitForDelivery,
} from '../../../nodes/BusinessMessaging/transport/pollStatus';
import { createVirtualClock } from '../../support/virtualClock.mts';

const SENT = { status: 'sent' };
const FAILED = failed(tooLate());

const settle = jest.fn();
const client = { reserveLookUp: () => settle, hasEnded: jest.fn(() => false) };

/** The reply to a look-up that succeeded. */
function told(data: StatusRecord): Reply<StatusRecord> {
	return { data, response: { status: 200, headers: {}, body: { data } } };
}

/** Waits for a message whose look-ups, made at so many seconds, get these replies. */
async function watch(
	reply: (second: number) => Reply<StatusRecord>,
	{ awaited = 'read' as AwaitedStatus, timeoutMs = 60_000, cancelsAtMs = Infinity } = {},
) {
	const clock = createVirtualClock();
	const canceling = new AbortController();
	if (cancelsAtMs < Infinity) void clock.sleep(cancelsAtMs).then(() => canceling.abort());
	const limits: LookLimits[] = [];
	const seconds: number[] = [];
	const look = async (limit: LookLimits) => {
		limits.push(limit);
		seconds.push(clock.ticks() / 1000);
		return await Promise.resolve(reply(clock.ticks() / 1000));
	};
	const wait = { awaited, first: SENT, look, timeoutMs };
	const { signal } = canceling;
	settle.mockClear();
	const result = await clock.run(waitForDelivery(wait, { client, clock, signal }));
	// Its look-ups have a slot until the wait ends.
	expect(settle).toHaveBeenCalledTimes(1);
	return { ...result, limits, seconds, endsAtMs: clock.ticks() };
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
	['read', { 3: 'Undelivered' }, { status: 'Undelivered', timedOut: false }],
	['read', { 1: ' Blocked ' }, { timedOut: false }],
	['read', { 1: 'rejected' }, { timedOut: false }],
	['read', { 1: 'error' }, { timedOut: false }],
	['read', { 1: 'DELIVERED', 3: 'READ' }, { status: 'READ', timedOut: false }],
	// Words that the document does not have are no failure.
	['delivered', { 1: 'not failed' }, { status: 'not failed', timedOut: true }],
])('waiting for %s sees %p and says %p', async (awaited, changes, expected) => {
	expect((await watch(changing(changes), { awaited })).delivery).toMatchObject(expected);
});

it('looks in growing intervals up to 30 seconds, the last time at the deadline, when it may be a second late', async () => {
	const { seconds, limits } = await watch(changing(), { timeoutMs: 100_000 });
	expect(seconds).toEqual([2, 5, 9.5, 16.25, 26.375, 41.5625, 64.34375, 94.34375, 100]);
	expect(limits.slice(-2)).toEqual([
		{ kind: 'lookUp', deadline: 100_000 },
		{ kind: 'lastLookUp', deadline: 101_000 },
	]);
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
	const { delivery, seconds, endsAtMs } = await watch(changing(), { cancelsAtMs: 20_300 });
	expect(delivery.timedOut).toBe(true);
	expect(endsAtMs).toBeLessThanOrEqual(21_300);
	expect(seconds).toEqual([2, 5, 9.5, 16.25]);
});

it.each([
	['is named', (second: number) => second > 2, FAILED.failure.message],
	['is not named when a later one told something', (second: number) => second < 60, undefined],
])('a look-up that fails does not end the wait, and %s', async (_, fails, problem) => {
	const { delivery } = await watch((at) => (fails(at) ? FAILED : told({ status: 'delivered' })));
	expect(delivery).toMatchObject({ status: 'delivered', waitedSeconds: 60, timedOut: true });
	expect(delivery.problem).toBe(problem);
});
