import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../nodes/BusinessMessaging/actions/operation';
import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import { type Plan, planRun, readRunOptions } from '../../../nodes/BusinessMessaging/run/plan';
import { emptyRetryMemory } from '../../support/emptyRetryMemory.ts';
import { withParameters } from '../../support/parameters.ts';
import { refusal } from '../../support/refusal.ts';
import { call } from '../../support/scriptedClient.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtualClock.ts';

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
	context: object = {},
) {
	const operation: Operation<unknown> = {
		...{ sends: true, fields: [] },
		...{ read: () => ({}), highestPrice: () => 0, perform: async () => ({ json: {} }) },
		...changes,
	};
	const given = withParameters(options, {
		getInputData: () => Array(items).fill({}),
		getExecutionCancelSignal: () => canceled.signal,
		getNode: () => ({}),
		getCredentials: async () => ({ baseUrl: 'https://plan.example.com', apiKey: `${items}` }),
		helpers: { httpRequestWithAuthentication: request },
		...context,
	});
	return await planRun(given, operation, emptyRetryMemory, 'customers', clock);
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
	const few = await planOf(500, {
		read(_, item) {
			if (item < 100) throw new InputError(`Item ${item} is wrong`, 'Mend it.');
			return item;
		},
		highestPrice: (item) => (Number(item) < 497 ? undefined : 0),
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

describe('the options of a run', () => {
	function read(options: IDataObject) {
		const byPath = Object.entries(options).map(([name, value]) => [`options.${name}`, value]);
		return readRunOptions(withParameters(Object.fromEntries(byPath)), 'customers');
	}

	it.each<[IDataObject, number, number]>([
		[{ concurrency: ' ' }, 10, Infinity],
		[{ concurrency: ' 7.9 ', spendingLimit: '0.5' }, 7, 0.5],
		[{ concurrency: 1, spendingLimit: 0 }, 1, 0],
	])('can be %j', (options, concurrency, spendingLimit) => {
		expect(read(options)).toMatchObject({ concurrency, spendingLimit });
	});

	it.each<[string, unknown, string]>([
		['concurrency', 0.9, 'from 1 to 100'],
		['spendingLimit', -0.1, 'from 0 up'],
		// An expression that gives nothing must not remove the limit.
		['spendingLimit', undefined, 'from 0 up'],
		['spendingLimit', null, 'from 0 up'],
	])('%s can not be %j', (name, value, range) => {
		const sentences = refusal(() => read({ [name]: value } as IDataObject));
		expect(sentences).toContain(`". Open Options and enter a number ${range}.`);
	});
});
