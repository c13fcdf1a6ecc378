import type { IDataObject } from 'n8n-workflow';

import type { Operation, Result } from '../../../nodes/BusinessMessaging/actions/operation';
import { RetryMemory } from '../../../nodes/BusinessMessaging/actions/retryMemory';
import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import { type Plan, planRun } from '../../../nodes/BusinessMessaging/run/plan';
import type { RetryTurn } from '../../../nodes/BusinessMessaging/run/retryTurn';
import { emptyRetryMemory } from '../../support/emptyRetryMemory.mts';
import { withParameters } from '../../support/parameters.mts';
import { call } from '../../support/scriptedClient.mts';
import { createVirtualClock, type VirtualClock } from '../../support/virtualClock.mts';

const NONE: Result = { kind: 'found', json: {}, seen: { status: 'sent' } };

let clock: VirtualClock;
let canceled: AbortController;
let request: jest.Mock;

beforeEach(() => {
	clock = createVirtualClock();
	canceled = new AbortController();
	request = jest.fn();
	request.mockResolvedValue({ statusCode: 200, headers: {}, body: '{"data":{"message_id":"m"}}' });
});

async function tryToPlan(
	items: number,
	changes: Partial<Operation<unknown>> = {},
	options: IDataObject = {},
	inN8n: object = {},
	{ turn, retryMemory = emptyRetryMemory }: { turn?: RetryTurn; retryMemory?: RetryMemory } = {},
) {
	const operation: Operation<unknown> = {
		sends: true,
		fields: [],
		read: () => ({}),
		estimatedPrice: () => 0,
		perform: async () => NONE,
		...changes,
	};
	const given = withParameters(options, {
		getInputData: () => Array(items).fill({}),
		getExecutionCancelSignal: () => canceled.signal,
		getNode: () => ({}),
		getWorkflow: () => ({ id: 'w1' }),
		getCredentials: async () => ({ baseUrl: 'https://plan.example.com', apiKey: `${items}` }),
		helpers: { httpRequestWithAuthentication: request },
		...inN8n,
	});
	return await planRun(given, operation, { retryMemory, turn, audience: 'customers' }, clock);
}

async function planOf(...given: Parameters<typeof tryToPlan>): Promise<Plan['accounts']> {
	const plan = await tryToPlan(...given);
	if ('failure' in plan) throw new Error(plan.failure.message);
	return plan.accounts;
}

const clientOf = ({ all: [{ run }] }: Plan['accounts']) => run.client;

it('no more requests are in flight at the same time than the run may have', async () => {
	request.mockReturnValue(new Promise(() => undefined));
	const accounts = await planOf(3, {}, { 'options.concurrency': 2 });
	const unlimited = { ...call('send'), requestsPerMinute: 0 };
	for (let i = 0; i < 3; i++) void clientOf(accounts).call(unlimited);
	await new Promise(setImmediate);
	expect(request).toHaveBeenCalledTimes(2);
	accounts.close();
});

it('items that ask nothing of the API do not make a run one of many calls', async () => {
	const campaign = await planOf(500);
	for (let item = 0; item < 500; item++) void clientOf(campaign).call(call('send'));
	await clock.run(clock.sleep(20_000));
	expect(request).toHaveBeenCalledTimes(57);
	expect(campaign.waitedMs).toBeGreaterThan(5_000);
	const few = await planOf(500, {
		read(_, item) {
			if (item < 100) throw new InputError(`Item ${item} is wrong`, 'Mend it.');
			return item;
		},
		estimatedPrice: (item) => (Number(item) < 497 ? undefined : 0),
	});
	await clock.run(clientOf(few).call(call('send')));
	expect(request).toHaveBeenCalledTimes(58);
	expect(clock.ticks()).toBeLessThan(21_000);
	for (const accounts of [campaign, few]) accounts.close();
});

it('a run that is canceled while it reads its items, or before, starts nothing', async () => {
	jest.spyOn(clock, 'sleep').mockImplementationOnce(async () => canceled.abort());
	expect(await tryToPlan(2, { read: () => clock.pass(50) })).toEqual(notStarted());
	expect((await planOf(1)).signal.aborted).toBe(true);
});

it('a run without a spending limit does not look its Send Once Keys up before it begins', async () => {
	const openRows = jest.fn(() => ({ node: { id: 'another' } }));
	const onceKey = () => ({ key: 'order-7', recipient: '+14155552671' });
	const accounts = await planOf(2, { onceKey }, {}, { getExecuteData: openRows });
	expect(openRows).not.toHaveBeenCalled();
	accounts.close();
});

it.each([
	[1.3, 'overLimit'],
	[1.31, undefined],
])('what earlier attempts have spent counts: with a limit of INR %d', async (limit, code) => {
	const node = {};
	new RetryMemory(node, 0).rememberSpent(0.9);
	const options = { 'options.spendingLimit': limit };
	const retryMemory = new RetryMemory(node, 0);
	const plan = await tryToPlan(4, { estimatedPrice: () => 0.1025 }, options, {}, { retryMemory });
	if ('accounts' in plan) plan.accounts.close();
	expect('failure' in plan ? plan.failure.code : undefined).toBe(code);
});

// docs/good-to-know.md: a Send Once Key or a dry run needs no turn
it.each<[string, Partial<Operation<unknown>>, boolean]>([
	['sends', {}, true],
	['sends with keys', { onceKey: () => ({ key: 'order-7', recipient: '+1' }) }, false],
	['asks nothing of the API', { estimatedPrice: () => undefined }, false],
])('a Retry that may not send is refused if it %s', async (_, changes, isRefused) => {
	const refusal = notStarted();
	const begin = async () => undefined;
	const turn = { begin, take: async () => refusal } as unknown as RetryTurn;
	const plan = await tryToPlan(2, changes, {}, {}, { turn });
	if ('accounts' in plan) plan.accounts.close();
	expect(plan === refusal).toBe(isRefused);
});

// docs/sending.md: exact for all runs and n8n processes
it('a run with a frequency cap is refused before its first message where n8n gives no rows by name', async () => {
	// The tool of an old agent, to which n8n gives the agent's own node.
	const tool = {
		getNode: () => ({ id: 'tool' }),
		getExecuteData: () => ({ node: { id: 'agent' } }),
	};
	const plan = async (capped?: number) =>
		await tryToPlan(2, { read: (_, item) => item, isCapped: (item) => item === capped }, {}, tool);
	expect(await plan(1)).toEqual({
		failure: expect.objectContaining({
			message: expect.stringContaining("Frequency Cap can't be used here"),
			outcome: 'notSent',
		}),
	});
	const uncapped = await plan();
	if ('accounts' in uncapped) uncapped.accounts.close();
	expect(uncapped).not.toHaveProperty('failure');
});
