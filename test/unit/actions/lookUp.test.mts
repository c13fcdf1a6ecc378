import {
	getStatus,
	lookUp as perform,
} from '../../../nodes/BusinessMessaging/actions/getStatus.operation';
import type { RunContext } from '../../../nodes/BusinessMessaging/actions/job';
import { lookUpStatus, watchMessage } from '../../../nodes/BusinessMessaging/actions/lookUp';
import type { StatusRecord } from '../../../nodes/BusinessMessaging/api';
import { failed, notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import type { Call, Client } from '../../../nodes/BusinessMessaging/transport/client';
import { withParameters } from '../../support/parameters.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const LIMITS = { timeoutMs: 1000, requestsPerMinute: 60 };
const LOOK = { kind: 'lookUp', deadline: 5 } as const;

it('a message is looked up within the limits and the time, and its status is a text', async () => {
	const call = jest.fn<unknown, [Call<StatusRecord>]>(async () => ({ data: {} }));
	await lookUpStatus({ call } as unknown as Client, 'wamid.a==', LIMITS, LOOK);
	const [[made]] = call.mock.calls;
	expect(made).toMatchObject({
		...LIMITS,
		...LOOK,
		isIdempotent: true,
		method: 'GET',
		path: '/api/integrations/messages/status/wamid.a%3D%3D',
	});
	for (const body of [{ success: true, data: { status: 1 } }, { success: true }]) {
		expect(made.read({ status: 200, headers: {}, body })).toBeUndefined();
	}
});

it('after a wait the response is the last one that told a status', async () => {
	const clock = createVirtualClock();
	const response = { status: 200, headers: {}, body: {} };
	const call = jest.fn<Promise<unknown>, []>(async () => notStarted());
	call.mockResolvedValueOnce({ data: { status: 'sent' }, response });
	const client = { call, reserveLookUp: () => () => undefined, hasEnded: () => false };
	const wait = { awaited: 'delivered', timeoutMs: 10_000 } as const;
	const message = { messageId: 'm1', first: { status: 'sent' }, wait, limits: LIMITS };
	const run = { client, clock } as unknown as RunContext;
	const watched = await clock.run(watchMessage(message, run));
	expect(call.mock.calls.length).toBeGreaterThan(1);
	expect(watched).toMatchObject({
		last: { response },
		delivery: { problem: notStarted().failure.message },
	});
});

it('a look-up that waits is found, so far and in the end', async () => {
	const clock = createVirtualClock();
	const response = { status: 200, headers: {}, body: { success: true, data: {} } };
	const call = jest.fn(async () => ({ data: { status: 'delivered' }, response }));
	call.mockResolvedValueOnce({ data: { status: 'sent' }, response });
	const client = { call, reserveLookUp: () => () => undefined, hasEnded: () => false };
	const run = { client, clock } as unknown as RunContext;
	const wait = { awaited: 'delivered', timeoutMs: 10_000 } as const;
	const job = { messageId: 'm1', rawResponse: false, wait, limits: LIMITS };
	const soFar = jest.fn();
	const found = await clock.run(perform(job, run, soFar));
	expect(found).toMatchObject({ kind: 'found', seen: { status: 'delivered' } });
	expect(soFar).toHaveBeenCalledWith(expect.objectContaining({ kind: 'found' }));
});

it.each([
	['delivered in the end', 404, { kind: 'found', seen: { status: 'delivered' } }, 3],
	['never found', 404, { kind: 'failed', failure: { httpStatus: 404 } }, Infinity],
	['refused', 401, { kind: 'failed', failure: { httpStatus: 401 } }, 0],
])('a message that is waited for and not known at first is %s', async (...row) => {
	const [, httpStatus, expected, knownAfter] = row;
	const clock = createVirtualClock();
	const response = { status: 200, headers: {}, body: { success: true, data: {} } };
	let calls = 0;
	const call = async () =>
		calls++ < knownAfter
			? failed({ ...notStarted().failure, httpStatus })
			: { data: { status: 'delivered' }, response };
	const refused = async () => failed({ ...notStarted().failure, httpStatus });
	const client = {
		call: httpStatus === 404 ? call : refused,
		reserveLookUp: () => () => undefined,
		hasEnded: () => false,
	};
	const run = { client, clock } as unknown as RunContext;
	const wait = { awaited: 'delivered', timeoutMs: 30_000 } as const;
	const job = { messageId: 'm1', rawResponse: false, wait, limits: LIMITS };
	expect(await clock.run(perform(job, run, () => undefined))).toMatchObject(expected);
	expect(clock.ticks() > 0).toBe(httpStatus === 404);
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
	[{ skipped: 'sentRecently' }, true],
	[{ skipped: 'dryRun' }, true],
	[{ sentBefore: true }, true],
	// Columns of a user.
	[{ skipped: 'no' }, false],
	[{ skipped: true }, false],
	[{ dryRun: true }, false],
	[{ sentBefore: 'no' }, false],
])('the item %j without a message ID passes through: %s', async (json, passes) => {
	const context = withParameters({ messageId: '' }, { getInputData: () => [{ json }] });
	const read = () => getStatus.read(context, 0, 0);
	const run = {} as RunContext;
	if (passes) expect(await read().perform(run, jest.fn())).toEqual({ kind: 'passed', json });
	else expect(read).toThrow('Message ID is empty');
});

// docs/outputs.md: a message that could not be delivered
it.each<[object, object]>([
	[{ status: 'failed', code: 131050 }, { failureCode: 'customerOptedOut' }],
	[
		{ status: 'failed', errors: [{ code: 131049 }], remedy: 'of the API' },
		{ failureCode: 'networkHeldBack', sendAfter: '2026-02-01T12:00:00.000Z', remedy: 'of the API' },
	],
	[{ status: 'failed' }, {}],
	[{ status: 'read', code: 131050 }, {}],
])('the record %j of a status has %j besides', async (record, added) => {
	const body = { success: true, data: record };
	const reply = { data: record, response: { status: 200, headers: {}, body } };
	const run = { client: { call: async () => reply }, clock: createVirtualClock() };
	const job = { messageId: 'm1', rawResponse: false, limits: LIMITS };
	const look = async (rawResponse: boolean) => {
		const context = run as unknown as RunContext;
		return await perform({ ...job, rawResponse }, context, () => undefined);
	};
	const remedy = 'failureCode' in added ? { remedy: expect.any(String) } : {};
	const json = { ...remedy, ...record, ...added };
	expect(await look(false)).toEqual({ kind: 'found', json, seen: { status: expect.any(String) } });
	const { remedy: _, ...ours } = { remedy, ...added };
	expect(await look(true)).toMatchObject({ json: { ...body, ...ours } });
});
