import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../../../nodes/BusinessMessaging/actions/operation';
import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import { type Plan, planRun, readRunOptions } from '../../../nodes/BusinessMessaging/run/plan';
import { emptyRetryMemory } from '../../support/emptyRetryMemory.ts';
import { withParameters } from '../../support/parameters.ts';
import { call } from '../../support/scriptedClient.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtualClock.ts';

let clock: VirtualClock;
let canceled: AbortController;
let request: jest.Mock;

beforeEach(() => {
	clock = createVirtualClock();
	canceled = new AbortController();
	request = jest.fn(
		async () =>
			await Promise.resolve({ statusCode: 200, headers: {}, body: '{"data":{"message_id":"m"}}' }),
	);
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
	request.mockImplementation(async () => await new Promise(() => undefined));
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

describe('a run that is canceled', () => {
	it('before, or while it reads its items, starts nothing', async () => {
		const read = () => clock.pass(50);
		jest.spyOn(clock, 'sleep').mockImplementationOnce(async () => canceled.abort());
		expect(await tryToPlan(2, { read })).toEqual(notStarted());
		expect((await planOf(1)).signal.aborted).toBe(true);
	});

	it('stops, unless it is closed, or n8n tells nothing of it', async () => {
		const [open, closed] = [await planOf(1), await planOf(1)];
		const untold = await planOf(1, {}, {}, { getExecutionCancelSignal: () => undefined });
		closed.close();
		canceled.abort();
		expect([open, closed, untold].map(({ signal }) => signal.aborted)).toEqual([
			true,
			false,
			false,
		]);
		for (const accounts of [open, untold]) accounts.close();
	});
});

describe('the options of a run', () => {
	/** As n8n gives them: one by one, from the first item. */
	function read(options: IDataObject) {
		const getNodeParameter = (path: string, itemIndex: number, fallback: unknown) => {
			expect(itemIndex).toBe(0);
			const name = path.replace(/^options\./, '');
			return name in options ? options[name] : fallback;
		};
		return readRunOptions({ getNodeParameter } as unknown as IExecuteFunctions, 'customers');
	}

	it('may be texts, and a count is rounded down', () => {
		expect(read({ concurrency: ' 7.9 ', spendingLimit: '0.5' })).toEqual({
			concurrency: 7,
			spendingLimit: 0.5,
		});
		expect(read({ concurrency: ' ' })).toEqual({ concurrency: 10, spendingLimit: Infinity });
	});

	it.each<[string, unknown, string]>([
		['concurrency', 0.9, 'from 1 to 100'],
		['concurrency', 100.1, 'from 1 to 100'],
		['spendingLimit', -0.1, 'from 0 up'],
		['spendingLimit', Infinity, 'from 0 up'],
		// An expression that gives nothing must not remove the limit.
		['spendingLimit', undefined, 'from 0 up'],
		['spendingLimit', ' ', 'from 0 up'],
		['spendingLimit', null, 'from 0 up'],
	])('%s can not be %j', (name, value, range) => {
		expect(() => read({ [name]: value } as IDataObject)).toThrow(
			expect.objectContaining({ remedy: `Open Options and enter a number ${range}.` }),
		);
	});

	it.each([
		['concurrency', 1],
		['concurrency', 100],
		['spendingLimit', 0],
		['spendingLimit', 1e9],
	])('%s can be %d', (name, value) => {
		expect(read({ [name]: value })).toMatchObject({ [name]: value });
	});
});

// README, Hours and frequency: exact for all runs and n8n processes
it('a run with a frequency cap is refused before its first message where n8n gives no rows by name', async () => {
	// The tool of an old agent, to which n8n gives the agent's own node.
	const tool = {
		getNode: () => ({ id: 'tool' }),
		getExecuteData: () => ({ node: { id: 'agent' } }),
	};
	const plan = async (isCapped: boolean) =>
		await tryToPlan(2, { isCapped: () => isCapped }, {}, tool);
	expect(await plan(true)).toEqual({
		failure: expect.objectContaining({
			message: expect.stringContaining("At Most Once per Number can't be used here"),
			outcome: 'notSent',
		}),
	});
	const uncapped = await plan(false);
	if ('accounts' in uncapped) uncapped.accounts.close();
	expect(uncapped).not.toHaveProperty('failure');
});
