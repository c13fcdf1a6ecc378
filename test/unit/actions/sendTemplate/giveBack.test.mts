import { Budget } from '../../../../nodes/BusinessMessaging/actions/budget';
import type { Result, RunContext } from '../../../../nodes/BusinessMessaging/actions/operation';
import { RetryMemory } from '../../../../nodes/BusinessMessaging/actions/retryMemory';
import type { SendJob } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/readParameters';
import { sendTemplate } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import { FrequencyCap } from '../../../../nodes/BusinessMessaging/memory/frequencyCap';
import { openRows } from '../../../../nodes/BusinessMessaging/memory/rows';
import { SendOnce } from '../../../../nodes/BusinessMessaging/memory/sendOnce';
import type { HttpRequest } from '../../../../nodes/BusinessMessaging/transport/httpRequest';
import { contextOn, ProcessedData } from '../../../support/processedData.mts';
import { clientWith } from '../../../support/scriptedClient.mts';
import { createVirtualClock } from '../../../support/virtualClock.mts';

const HOUR_MS = 3_600_000;
const NUMBER = '+14155552671';

const accepted = (id: string, data: object = {}) => ({
	status: 200,
	headers: {},
	body: { success: true, data: { message_id: id, status: 'sent', ...data } },
});

/** The attempts of an execution, and other ones, whose API is this. */
function scene(httpRequest: HttpRequest) {
	const clock = createVirtualClock(Date.UTC(2026, 0, 31, 23));
	const { context } = contextOn(new ProcessedData());
	const rows = async () => await openRows(context, clock);
	const requests: string[] = [];
	function attempt(store = {}) {
		const stopping = new AbortController();
		const { signal } = stopping;
		const client = clientWith(
			async (request) => {
				requests.push(request.method);
				return await httpRequest(request);
			},
			clock,
			{ signal },
		);
		const run: RunContext = {
			client,
			clock,
			signal,
			retryMemory: new RetryMemory(store, 0),
			sendOnce: new SendOnce(rows, clock),
			frequencyCap: new FrequencyCap(rows, clock),
			budget: new Budget(Infinity),
			inFlight: new Set(),
		};
		const perform = async (changes: Partial<SendJob> = {}, itemIndex = 0) => {
			const job: SendJob = {
				message: { to: NUMBER, type: 'template', templateName: 'order_update' },
				categoryChoice: { category: 'utility' },
				cap: { counter: 'node:1', number: NUMBER, hours: 1 },
				dryRun: false,
				incomplete: [],
				rawResponse: false,
				limits: { timeoutMs: 1000, requestsPerMinute: 0, retryUnknownOutcome: false },
				...changes,
			};
			return await sendTemplate.perform(job, itemIndex, run);
		};
		return { perform, stop: () => stopping.abort() };
	}
	const end = async (result: Result) => (result.later ? await clock.run(result.later) : result);
	return { clock, requests, attempt, end };
}

const waiting = (timeoutMs: number) => ({ wait: { awaited: 'delivered', timeoutMs } }) as const;

// docs/sending.md: at most one message
it('what could not be delivered gives back its own claim, not that of a later message to the number', async () => {
	let failsAt = Infinity;
	const { clock, attempt, end } = scene(async ({ method }) =>
		accepted('m1', { status: method === 'GET' && clock.ticks() > failsAt ? 'failed' : 'sent' }),
	);
	const run = attempt();
	const first = await clock.run(run.perform(waiting(4 * HOUR_MS)));
	await clock.run(clock.sleep(1.1 * HOUR_MS));
	expect(await clock.run(run.perform({}, 1))).toHaveProperty('sent');
	failsAt = clock.ticks();
	expect(await end(first)).toHaveProperty('failure.outcome', 'rejected');
	expect(await clock.run(attempt().perform())).toHaveProperty('skipped', 'sentRecently');
});

const AUTO = (now: number) =>
	({
		category: 'auto',
		fallbackCategory: 'marketing',
		customerLastMessageAt: now - HOUR_MS,
	}) as const;
const CLOSED = { error: { code: 131047 }, status: 'failed' };

// docs/sending.md: a message that is held back is skipped
it('a fallback that is held back because of the hours is skipped', async () => {
	const { clock, attempt, end } = scene(async ({ method }) =>
		accepted('m1', method === 'GET' ? CLOSED : { category: 'service' }),
	);
	const result = await clock.run(
		attempt().perform({
			...waiting(60_000),
			categoryChoice: AUTO(clock.now()),
			sendBetween: { from: 9 * 60, until: 20 * 60, zones: ['UTC'], everyCategory: false },
		}),
	);
	expect(await end(result)).toMatchObject({
		skipped: 'quietHours',
		sendAfter: '2026-02-01T09:00:00.000Z',
	});
});

// docs/sending.md: messages that were not delivered do not count
it.each([{}, { sendOnceKey: 'order-1' }])(
	'a retry that learns that the message was not delivered sends the fallback (%j)',
	async (options) => {
		const sent = () => requests.filter((method) => method === 'POST').length;
		const { clock, requests, attempt, end } = scene(async ({ method }) => {
			if (method === 'GET') return accepted('m1', sent() > 1 ? { status: 'delivered' } : CLOSED);
			return accepted(`m${sent()}`, { category: sent() > 1 ? 'marketing' : 'service' });
		});
		const job = { ...waiting(60_000), categoryChoice: AUTO(clock.now()), ...options };
		const store = {};
		const first = attempt(store);
		const result = await clock.run(first.perform(job));
		first.stop();
		expect(await end(result)).toHaveProperty('json.delivery.timedOut', true);
		const stored = JSON.parse(JSON.stringify(store)) as object;
		const again = await end(await clock.run(attempt(stored).perform(job)));
		expect(again).toHaveProperty('json.fallbackUsed', true);
		expect(sent()).toBe(2);
		// The fallback counts.
		expect(await clock.run(attempt().perform())).toHaveProperty('skipped', 'sentRecently');
	},
);

// docs/send-once.md: what was not delivered can be sent again
it('a retry that learns that the message was not delivered frees its key, but no key that another message has by now', async () => {
	let isLost = false;
	const { clock, attempt, end } = scene(async ({ method }) =>
		accepted('m1', { status: method === 'GET' && isLost ? 'failed' : 'sent' }),
	);
	const job = { ...waiting(60_000), sendOnceKey: 'order-1', cap: undefined };
	const store = {};
	const first = attempt(store);
	const result = await clock.run(first.perform(job));
	first.stop();
	await end(result);
	isLost = true;
	const stored = JSON.stringify(store);
	const retry = async () =>
		await end(await clock.run(attempt(JSON.parse(stored) as object).perform(job)));
	expect(await retry()).toHaveProperty('failure.outcome', 'rejected');
	const other = { ...job, wait: undefined };
	expect(await clock.run(attempt().perform(other))).toHaveProperty('sent');
	await retry();
	expect(await clock.run(attempt().perform(other))).toHaveProperty('skipped', 'sentBefore');
});
