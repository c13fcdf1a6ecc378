import type { Operation } from '../../../../nodes/BusinessMessaging/actions/operation';
import { planRun } from '../../../../nodes/BusinessMessaging/actions/run/plan';
import type { Plan } from '../../../../nodes/BusinessMessaging/actions/run/plan';
import { InputError } from '../../../../nodes/BusinessMessaging/errors/inputError';
import { noneSentBefore } from '../../../support/noneSentBefore.ts';
import { withParameters } from '../../../support/parameters.ts';
import { call } from '../../../support/scriptedClient.ts';
import { createVirtualClock } from '../../../support/virtualClock.ts';

const operation = {
	...{ purpose: 'send', fields: [] },
	...{ read: () => ({}), price: () => 0 },
} as unknown as Operation<unknown>;

it('no more requests are under way at the same time than the run may have', async () => {
	const clock = createVirtualClock();
	const request = jest.fn(async () => await new Promise(() => undefined));
	const context = withParameters(
		{ 'options.concurrency': 2 },
		{
			getInputData: () => [{}, {}, {}],
			getExecutionCancelSignal: () => undefined,
			getNode: () => ({}),
			getCredentials: async () => ({ baseUrl: 'https://concurrency.example.com', apiKey: 'key' }),
			helpers: { httpRequestWithAuthentication: request },
		},
	);
	const plan = await planRun(context, operation, noneSentBefore, 'customers', clock);
	if ('failure' in plan) throw new Error(plan.failure.message);
	const [{ session }] = plan.session.accounts;
	for (let i = 0; i < 3; i++) void session.client.call({ ...call('send'), requestsPerMinute: 0 });
	await new Promise(setImmediate);
	expect(request).toHaveBeenCalledTimes(2);
	plan.session.close();
});

it('what asks nothing of the API does not make a run one of many calls', async () => {
	const clock = createVirtualClock();
	const request = jest.fn(
		async () =>
			await Promise.resolve({ statusCode: 200, headers: {}, body: '{"data":{"message_id":"m"}}' }),
	);
	const planOf = async (items: number, some: Partial<Operation<unknown>>) => {
		const context = withParameters(
			{},
			{
				getInputData: () => Array(items).fill({}),
				getExecutionCancelSignal: () => undefined,
				getNode: () => ({}),
				getCredentials: async () => ({ baseUrl: 'https://calls.example.com', apiKey: 'key' }),
				helpers: { httpRequestWithAuthentication: request },
			},
		);
		const plan = await planRun(
			context,
			{ ...operation, ...some },
			noneSentBefore,
			'customers',
			clock,
		);
		if ('failure' in plan) throw new Error(plan.failure.message);
		return plan.session;
	};
	const clientOf = ({ accounts: [{ session }] }: Plan['session']) => session.client;
	const campaign = await planOf(500, {});
	for (let item = 0; item < 500; item++) void clientOf(campaign).call(call('send'));
	await clock.run(clock.sleep(20_000));
	expect(request).toHaveBeenCalledTimes(57);
	const wrong = (index: number) => {
		throw new InputError(`Item ${index} is wrong`, 'Mend it.');
	};
	const few = await planOf(500, {
		read: (_, index) => (index < 100 ? wrong(index) : index),
		isDryRun: (index) => Number(index) < 300,
		recall: (_, index) => (index < 497 ? { json: {} } : undefined),
	});
	await clock.run(clientOf(few).call(call('send')));
	expect(request).toHaveBeenCalledTimes(58);
	expect(clock.ticks()).toBeLessThan(21_000);
	for (const session of [campaign, few]) session.close();
});
