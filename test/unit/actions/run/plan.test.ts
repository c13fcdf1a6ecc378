import type { Operation } from '../../../../nodes/BusinessMessaging/actions/operation';
import { planRun } from '../../../../nodes/BusinessMessaging/actions/run/plan';
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
			getCredentials: async () => ({ baseUrl: 'https://concurrency.example.com', apiKey: 'key' }),
			helpers: { httpRequestWithAuthentication: request },
		},
	);
	const plan = await planRun(context, operation, noneSentBefore, clock);
	if ('failure' in plan) throw new Error(plan.failure.message);
	for (let i = 0; i < 3; i++)
		void plan.session.client.call({ ...call('send'), requestsPerMinute: 0 });
	await new Promise(setImmediate);
	expect(request).toHaveBeenCalledTimes(2);
	plan.session.close();
});
