import { getStatus, lookUp } from '../../../nodes/BusinessMessaging/actions/getStatus.operation';
import type { RunContext } from '../../../nodes/BusinessMessaging/actions/job';
import { failed, notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { withParameters } from '../../support/parameters.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const LIMITS = { timeoutMs: 1000, requestsPerMinute: 60 };
const HELD_BACK = { failureCode: 'networkHeldBack', sendAfter: '2026-02-01T12:00:00.000Z' };
const RESPONSE = { status: 200, headers: {}, body: { success: true, data: {} } };
const found = (status: string) => ({ data: { status }, response: RESPONSE });
const failing = (httpStatus: number) => failed({ ...notStarted().failure, httpStatus });
// docs/sending.md: the outcome of a look-up is null
const ended = (httpStatus: number) => ({ failure: { outcome: null, httpStatus } });
const DELIVERED = { kind: 'found', seen: { status: 'delivered', wait: { timedOut: false } } };

it.each<[string, object[], object, object, boolean]>([
	['seen twice', [found('sent'), found('delivered')], { kind: 'found' }, DELIVERED, true],
	['known late', [failing(404), found('delivered')], ended(404), DELIVERED, true],
	['never known', [failing(404)], ended(404), ended(404), true],
	['lost', [found('sent'), found('failed')], {}, { failure: { messageId: 'm1' } }, true],
	['refused', [failing(401)], {}, ended(401), false],
])('a message that is waited for and %s ends as it was seen last', async (...row) => {
	const [, replies, soFar, last, waits] = row;
	const clock = createVirtualClock();
	const call = jest.fn<Promise<object>, unknown[]>(async () => replies[replies.length - 1]);
	for (const reply of replies) call.mockResolvedValueOnce(reply);
	const client = { call, reserveLookUp: () => () => undefined, hasEnded: () => false };
	const { signal } = new AbortController();
	const run = { client, clock, signal } as unknown as RunContext;
	const wait = { awaited: 'delivered', timeoutMs: 30_000 } as const;
	const job = { messageId: 'm1', rawResponse: false, wait, limits: LIMITS };
	const onWaiting = jest.fn();
	expect(await clock.run(lookUp(job, run, onWaiting))).toMatchObject(last);
	expect(call).toHaveBeenCalledWith(expect.objectContaining({ isIdempotent: true, ...LIMITS }));
	expect(onWaiting.mock.calls).toMatchObject(waits ? [[soFar]] : []);
	expect(clock.ticks() > 0).toBe(waits);
});

it('a look-up costs nothing, an item without a message ID makes none, and a wrong option has a code', () => {
	const items = { getInputData: () => [{ json: { skipped: 'optedOut' } }] };
	const priceOf = (messageId: string) =>
		getStatus.read(withParameters({ messageId }, items), 0, 0).price({} as RunContext);
	expect(['m1', ''].map(priceOf)).toEqual([0, undefined]);
	const context = withParameters({ messageId: 'm1', options: { waitFor: 'x' } });
	const wrongOption = expect.objectContaining({ code: 'wrongOption' });
	expect(() => getStatus.read(context, 0, 0)).toThrow(wrongOption);
});

// docs/outputs.md: Get Status behind messages that were not sent
it.each([
	[{ skipped: 'dryRun' }, true],
	[{ sentBefore: true }, true],
	// Columns of a user.
	[{ skipped: 'no' }, false],
	[{ skipped: true }, false],
	[{ sentBefore: 'no' }, false],
])('the item %j without a message ID passes through: %s', async (json, passes) => {
	const context = withParameters({ messageId: '' }, { getInputData: () => [{ json }] });
	const read = () => getStatus.read(context, 0, 0);
	const run = {} as RunContext;
	if (passes) expect(await read().perform(run, jest.fn())).toEqual({ kind: 'passed', json });
	else expect(read).toThrow('Message ID is empty');
});

// docs/outputs.md: a message that could not be delivered
it.each<[string, object, object]>([
	['failed', { errors: [{ code: 131049 }] }, HELD_BACK],
	['failed', { code: 131050, remedy: 'of the API' }, { failureCode: 'customerOptedOut' }],
	['failed', {}, {}],
	['read', { code: 131050 }, {}],
])('the record of a status %s with %j has %j besides', async (status, more, added) => {
	const record = { status, ...more };
	const response = { status: 200, headers: {}, body: { success: true, data: record } };
	const client = { call: async () => ({ data: record, response }) };
	const run = { client, clock: createVirtualClock() } as unknown as RunContext;
	const look = async (rawResponse: boolean) =>
		await lookUp({ messageId: 'm1', rawResponse, limits: LIMITS }, run, () => undefined);
	const remedy = 'failureCode' in added ? { remedy: expect.any(String) } : {};
	const json = { ...added, ...remedy, ...record };
	expect(await look(false)).toEqual({ kind: 'found', json, seen: { status } });
	expect(await look(true)).toMatchObject({ json: { ...response.body, ...added, ...remedy } });
});
