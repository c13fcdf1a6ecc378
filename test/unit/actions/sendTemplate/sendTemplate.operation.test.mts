import type { IDataObject } from 'n8n-workflow';
import { isDeepStrictEqual } from 'node:util';
import type { RunContext } from '../../../../nodes/BusinessMessaging/actions/job';
import { Spending } from '../../../../nodes/BusinessMessaging/actions/options/spendingLimit';
import { RetryMemory } from '../../../../nodes/BusinessMessaging/actions/retryMemory';
import { jobOf } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import type {
	SendJob,
	Sending,
} from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sending';
import { inLedger } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/steps/inLedger';
import type { ApiResponse } from '../../../../nodes/BusinessMessaging/api';
import { causeNamed, type FailureCode } from '../../../../nodes/BusinessMessaging/errors/catalogue';
import {
	failed,
	type Failure,
	failureOf,
} from '../../../../nodes/BusinessMessaging/errors/failure';
import { FrequencyCap } from '../../../../nodes/BusinessMessaging/memory/frequencyCap';
import {
	PeriodBudget,
	type PeriodLimit,
} from '../../../../nodes/BusinessMessaging/memory/periodBudget';
import { openRows } from '../../../../nodes/BusinessMessaging/memory/rows';
import { SendOnce } from '../../../../nodes/BusinessMessaging/memory/sendOnce';
import { ToolLedger } from '../../../../nodes/BusinessMessaging/memory/toolLedger';
import { type Result } from '../../../../nodes/BusinessMessaging/outcome';
import { PRICES } from '../../../../nodes/BusinessMessaging/template/pricing';
import { Pacer } from '../../../../nodes/BusinessMessaging/transport/pacer';
import { RateLimiter } from '../../../../nodes/BusinessMessaging/transport/rateLimiter';
import { contextOn, ProcessedData } from '../../../support/processedData.mts';
import { clientWith, response, TIMED_OUT } from '../../../support/scriptedClient.mts';
import { createVirtualClock } from '../../../support/virtualClock.mts';

const HOUR_MS = 3_600_000;
const NUMBER = '+14155552671';
const OTHER = '+12025550110';
const JOB: SendJob = {
	message: { to: NUMBER, type: 'template', templateName: 'order_update' },
	categoryChoice: { category: 'utility' },
	dryRun: false,
	incomplete: [],
	rawResponse: false,
	limits: { timeoutMs: 1000, requestsPerMinute: 0 },
};
const KEYED = { sendOnceKey: 'order-1' };
const CAPPED = { cap: { counter: 'node:1', number: NUMBER, messages: 1, periodMs: HOUR_MS } };
const WAITING = { wait: { awaited: 'delivered', timeoutMs: 60_000 } } as const;
/** It is 11 in the evening. */
const NOW = Date.UTC(2026, 0, 31, 23);
const BY_DAY = { from: 9 * 60, until: 20 * 60, zones: ['UTC'] };
const lastHeardAt = (customerLastMessageAt: number): Partial<SendJob> => ({
	categoryChoice: { category: 'auto', fallbackCategory: 'marketing', customerLastMessageAt },
});
const AUTO = lastHeardAt(NOW - HOUR_MS);

const accepted = (data: object = {}): ApiResponse => ({
	...response(200),
	body: { success: true, data: { message_id: 'm1', status: 'sent', ...data } },
});
const SENT = accepted();
const SERVICE = accepted({ category: 'service' });
const REFUSED = response(400);
const INTERRUPTED = failed(failureOf(causeNamed('interrupted'), 'unknown'));
const error = { code: 131047 };
const CLOSED = { ...response(400), body: { error } };
const FAILED_CLOSED = accepted({ status: 'failed', category: 'service', error });

/** What the API answers to sends and look-ups, the last one again and again. */
interface Api {
	sends: Array<ApiResponse | Failure>;
	looks?: Array<ApiResponse | Failure>;
}

/** Executions of a node, their attempts, and the memories that they share. */
function scene(api: Api) {
	const clock = createVirtualClock(NOW);
	const { context } = contextOn(new ProcessedData());
	const rows = async () => await openRows(context, clock);
	const requests: Array<'POST' | 'GET'> = [];
	/** @param store what an earlier attempt of the execution has left */
	function attempt(store = {}, limit = Infinity, isOfTool = false) {
		const stopping = new AbortController();
		const { signal } = stopping;
		const pacer = new Pacer(() => 0);
		const client = clientWith(
			async ({ method }) => {
				const made = requests.filter((each) => each === method).length;
				requests.push(method);
				const answers = method === 'POST' ? api.sends : (api.looks ?? [SENT]);
				return await Promise.resolve(answers[Math.min(made, answers.length - 1)]);
			},
			clock,
			{ signal, rateLimiter: new RateLimiter(pacer, clock) },
		);
		const run: RunContext = {
			client,
			clock,
			signal,
			retryMemory: new RetryMemory(store, 0),
			sendOnce: new SendOnce(rows, clock),
			frequencyCap: new FrequencyCap(rows, clock),
			periodBudget: new PeriodBudget(rows, clock),
			toolLedger: isOfTool ? new ToolLedger(rows, clock, () => ['1']) : undefined,
			spending: new Spending(limit),
			inFlight: new Set(),
		};
		/** Begins to send, in virtual time that passes only with `clock.run`. */
		const start = (changes: Partial<SendJob> = {}, itemIndex = 0) => {
			const job = jobOf({ ...JOB, ...changes }, itemIndex);
			let onWaiting: (result: Result) => void;
			const sent = new Promise<Result>((resolve) => (onWaiting = resolve));
			const ended = job.perform(run, (result) => onWaiting(result));
			return { sent, ended };
		};
		const perform = async (...given: Parameters<typeof start>) =>
			await clock.run(start(...given).ended);
		return { start, perform, pacer, run, stop: () => stopping.abort() };
	}
	/** The attempt of somebody who has read what n8n stored. */
	const retry = (store: object) => attempt(JSON.parse(JSON.stringify(store)) as object);
	const sends = () => requests.filter((method) => method === 'POST').length;
	return { clock, requests, sends, attempt, retry };
}

/** In a word. */
function told(result: Result): string {
	if (result.kind === 'failed') return String(result.failure.outcome);
	return result.kind === 'skipped' ? result.reason : result.kind;
}

// docs/send-once.md and docs/sending.md: only the execution that sent a message gives back its key and number
it.each<[string, Partial<SendJob>, string, RegExp]>([
	['key', KEYED, 'sentBefore', /because its Send Once Key is used/],
	['number', CAPPED, 'sentRecently', /because Frequency Cap allows/],
])('a retry that learns of a failure does not free the %s for a fallback', async (...row) => {
	const [, job, skipped, remedy] = row;
	const api: Api = { sends: [SERVICE], looks: [SENT] };
	const { clock, sends, attempt, retry } = scene(api);
	const store = {};
	const first = attempt(store);
	const all = { ...job, ...AUTO, ...WAITING };
	const { sent, ended } = first.start(all);
	await clock.run(sent);
	first.stop();
	expect(await clock.run(ended)).toHaveProperty('json.delivery.timedOut', true);
	api.looks = [FAILED_CLOSED];
	const again = await retry(store).perform(all);
	expect(again).toHaveProperty('failure.outcome', 'rejected');
	expect(again).toHaveProperty('failure.remedy', expect.stringMatching(remedy));
	expect(told(await attempt().perform(job))).toBe(skipped);
	expect(sends()).toBe(1);
});

// docs/after-a-crash.md: a Retry compares messages of one template to one number
it.each<[string, string, Partial<SendJob>, Partial<SendJob['message']>?]>([
	['with other values', 'the same', {}, { templateVariables: { 1: 'Asha' } }],
	['of another template', 'another', {}, { templateName: 'news' }],
	['to another number', 'another', {}, { to: OTHER }],
	['that goes to a test recipient', 'another', { intendedTo: NUMBER }, { to: OTHER }],
	['of a dry run', 'none', { dryRun: true }, {}],
])('a message %s is %s for a Retry', (_, expected, changes, message) => {
	const job = { ...JOB, ...changes, message: { ...JOB.message, ...message } };
	const { kind, sentBefore } = jobOf(job, 0).ledgerEntry ?? {};
	const isSame = JSON.stringify(kind) === JSON.stringify([NUMBER, 'order_update', false]);
	expect(kind === undefined ? 'none' : isSame ? 'the same' : 'another').toBe(expected);
	if (kind) expect(sentBefore?.json.intendedTo).toBe(changes.intendedTo);
});

// docs/send-once.md: what was killed keeps its key
it.each<[string, Partial<SendJob>, RegExp]>([
	['without a key', {}, /start a new run for its row/],
	['with a key', KEYED, /with another key/],
])('a message %s may have gone before a kill, and then says what to do', (_, job, remedy) => {
	const [first, second] = [{ 1: 'Asha' }, { 1: 'Ravi' }].map((templateVariables) => {
		const message = { ...JOB.message, templateVariables };
		return jobOf({ ...JOB, ...job, message }, 0).ledgerEntry!;
	});
	expect(isDeepStrictEqual(first.content, second.content)).toBe(job === KEYED);
	const failure = { outcome: 'unknown', remedy: expect.stringMatching(remedy) };
	expect(first.interrupted).toMatchObject({ failure });
});

// docs/sending.md: Auto and the fallback category
it.each<[string, number | undefined, Partial<SendJob>, (IDataObject & { cause?: FailureCode })?]>([
	['is waited for may still need its fallback', 0, { ...AUTO, ...WAITING }],
	['is not waited for needs nothing', undefined, AUTO],
	['was the fallback needs nothing', undefined, { ...AUTO, ...WAITING }, { fallbackUsed: true }],
	['was sent in a paid category', undefined, { ...AUTO, ...WAITING }, { category: 'utility' }],
	['is not certain needs nothing', undefined, { ...AUTO, ...WAITING }, { cause: 'interrupted' }],
	['was not delivered needs its fallback', PRICES.marketing, AUTO, { cause: 'windowClosed' }],
	['was not delivered needs nothing without one', undefined, {}, { cause: 'windowClosed' }],
])('a retry: what %s, and costs %s', (_, price, job, { cause, ...changes } = {}) => {
	const json = { message_id: 'm1', category: 'service', ...changes };
	const store = {};
	const undelivered = cause && failed(failureOf(causeNamed(cause), 'rejected'), json);
	new RetryMemory(store, 0).remember(0, undelivered ?? { kind: 'sent', json });
	const retryMemory = new RetryMemory(store, 0);
	const run = { clock: createVirtualClock(NOW), retryMemory, spending: new Spending(Infinity) };
	expect(jobOf({ ...JOB, ...job }, 0).price(run)).toBe(price);
});

it('what goes wrong around a send leaves its outcome unknown, also for a retry', async () => {
	const { sends, attempt, retry } = scene({
		get sends(): ApiResponse[] {
			throw new Error('no memory left');
		},
	});
	const store = {};
	const message = expect.stringMatching(/no memory left$/);
	expect(await attempt(store).perform()).toMatchObject({
		failure: { outcome: 'unknown', message },
	});
	expect(told(await retry(store).perform())).toBe('unknown');
	expect(sends()).toBe(1);
});

it('an agent cannot try a message of unknown outcome again as another category, but another question, one that was not delivered, and one to another customer', async () => {
	const { sends, attempt } = scene({ sends: [TIMED_OUT, TIMED_OUT, SENT], looks: [FAILED_CLOSED] });
	const call = async (changes?: Partial<SendJob>) =>
		told(await attempt({}, Infinity, true).perform(changes));
	expect(await call()).toBe('unknown');
	expect(await call({ categoryChoice: { category: 'marketing' } })).toBe('unknown');
	expect(sends()).toBe(1);
	await call({ knownBy: { ...JOB.message, question: 'When?' } });
	// Each customer has a message of its own, although all go to the test recipient.
	for (const last of [2, 3, 4]) await call({ intendedTo: `+1415555267${last}` });
	for (let again = 0; again < 2; again++) await call({ ...WAITING, intendedTo: '+14155552675' });
	expect(sends()).toBe(7);
});

it('both ways of writing a Mexican mobile number are one recipient', () => {
	const [to, phone] = ['+5215512345678', '+525512345678'];
	const sent = jobOf({ ...JOB, message: { ...JOB.message, to } }, 0);
	expect(sent.recipient).toEqual({ to: phone, customer: phone });
	expect(jobOf({ ...JOB, intendedTo: to }, 0).recipient).toEqual({ to: NUMBER, customer: phone });
});

it('a message that the spending limit of the run does not cover is not sent', async () => {
	const { sends, attempt } = scene({ sends: [SENT] });
	const { perform } = attempt({}, 0.2);
	expect(told(await perform())).toBe('sent');
	const message = 'This message would exceed the spending limit of INR 0.20 for the run';
	const remedy = expect.stringContaining('Raise Spending Limit under Options');
	expect(await perform({}, 1)).toMatchObject({ failure: { message, remedy, outcome: 'notSent' } });
	expect(sends()).toBe(1);
});

const ofDay = { counter: 'node:1', period: 'day', timeZone: 'UTC' } as const;
const budget = { ...ofDay, limit: 0.3, people: Infinity };
const BUDGETED = { budget };

// docs/sending.md: a budget
describe('a budget', () => {
	const costing = (amount: number, cost = {}, data = {}) =>
		accepted({ cost: { amount, currency: 'INR', ...cost }, ...data });

	it.each<[string, Api, Partial<SendJob>, number]>([
		['sent', { sends: [SENT] }, {}, 0.12],
		['sent for more', { sends: [costing(0.2)] }, {}, 0.21],
		['sent for less', { sends: [costing(0.02)] }, {}, 0.03],
		['paid in another currency', { sends: [costing(9, { currency: 'USD' })] }, {}, 0.12],
		['not delivered', { sends: [costing(0.2, {}, { status: 'failed' })] }, {}, 0.21],
		['refused', { sends: [REFUSED] }, {}, 0],
		['no answer', { sends: [TIMED_OUT] }, {}, 0.12],
		['free', { sends: [SENT] }, { categoryChoice: { category: 'service' } }, 0],
		['outside the hours', { sends: [SENT] }, { sendBetween: BY_DAY }, 0],
		['in the fallback category', { sends: [CLOSED, SENT] }, AUTO, 0.87],
	])('what a message takes that is %s', async (_, api, changes, spent) => {
		const { attempt } = scene(api);
		const wide = { ...budget, limit: 2 };
		await attempt().perform({ budget: wide, ...changes });
		const shown = await attempt().perform({ budget: wide, dryRun: true });
		const amount = Math.round((wide.limit - spent - 0.12) * 100) / 100;
		expect(shown).toHaveProperty('json.budgetLeft', { amount, currency: 'INR' });
	});

	it.each<[string, PeriodLimit['period']]>([
		['day', 'day'],
		['conversation', { conversation: '1' }],
	])(
		'of a %s refuses in any run what has no room, and says what is spent',
		async (called, period) => {
			const job = { budget: { ...budget, period } };
			const { sends, attempt } = scene({ sends: [SENT] });
			for (let run = 0; run < 2; run++) expect(told(await attempt().perform(job))).toBe('sent');
			const message = `This message would exceed the budget of INR 0.30 for the ${called}: INR 0.24 of it are spent`;
			const failure = { code: 'overBudget', outcome: 'notSent', message };
			expect(await attempt().perform(job)).toMatchObject({ failure });
			expect(await attempt().perform({ ...job, dryRun: true })).toMatchObject({ failure });
			expect(sends()).toBe(2);
		},
	);

	it.each(['take', 'show'] as const)('sends nothing if its memory fails to %s', async (work) => {
		jest.spyOn(PeriodBudget.prototype, work).mockRejectedValueOnce(new Error('no database'));
		const { sends, attempt } = scene({ sends: [SENT] });
		const refused = await attempt().perform({ ...BUDGETED, dryRun: work === 'show' });
		const message = "The memory of Budget can't be used: no database";
		expect(refused).toMatchObject({ failure: { message } });
		expect(sends()).toBe(0);
	});

	it('refuses a fallback with the first failure', async () => {
		const { sends, attempt } = scene({ sends: [CLOSED, SENT] });
		const remedy = expect.stringContaining('because This message would exceed the budget of INR');
		const refused = await attempt().perform({ ...AUTO, ...BUDGETED });
		expect(refused).toMatchObject({ failure: { outcome: 'rejected', remedy } });
		expect(sends()).toBe(1);
	});

	it('is not taken by what another execution may have sent: a later Retry may find it out', async () => {
		const { sends, attempt } = scene({ sends: [SENT] });
		const [store, tell] = [{}, jest.fn()];
		const { perform, run } = attempt(store);
		const withClaim = async () => await Promise.resolve(INTERRUPTED);
		Object.assign(run, { ledger: { messageOf: () => ({}), withClaim, tell } });
		expect(told(await perform(BUDGETED))).toBe('unknown');
		expect([sends(), store, tell.mock.calls]).toEqual([0, {}, []]);
		const shown = await attempt().perform({ ...BUDGETED, dryRun: true });
		expect(shown).toHaveProperty('json.budgetLeft', { amount: 0.18, currency: 'INR' });
	});
});

it('the row of a message that was not delivered says so', async () => {
	const free = jest.fn();
	const sending = { run: { ledger: { messageOf: (item: number) => item, free } }, itemIndex: 7 };
	await inLedger.policy({} as SendJob)?.undo?.(sending as unknown as Sending, INTERRUPTED);
	expect(free.mock.calls).toEqual([[7]]);
});

describe('the rate limit', () => {
	const LIMITED = { ...response(429), headers: { 'retry-after': '60' } };

	// docs/good-to-know.md: a stopped run says what was sent
	it('is no request: an item that waits for it is not in flight', async () => {
		const seen: number[][] = [];
		const { clock, attempt } = scene({
			get sends() {
				seen.push([...run.inFlight]);
				return [LIMITED, SENT];
			},
		});
		const { run, start } = attempt();
		const { ended } = start({}, 7);
		await clock.run(clock.sleep(1000));
		expect([...run.inFlight]).toEqual([]);
		await clock.run(ended);
		expect(seen).toEqual([[7], [7]]);
	});

	// docs/scaling.md: another execution may send when the claim of this one has ended
	it.each([
		['is claimed again, if its response could come after the end of its claim', 79_000, 2],
		['is sent, if its response can only come before', 81_000, 1],
	])('and a cap: a message %s', async (_, endsAt, claims) => {
		const { sends, attempt } = scene({ sends: [LIMITED, SENT] });
		const ends = [endsAt, Infinity];
		const withClaim = jest
			.spyOn(FrequencyCap.prototype, 'withClaim')
			.mockImplementation(async (__, send) => await send({ endsAt: ends.shift() } as never));
		const limits = { timeoutMs: 20_000, requestsPerMinute: 0 };
		expect(told(await attempt().perform({ ...CAPPED, limits }))).toBe('sent');
		expect([sends(), withClaim.mock.calls.length]).toEqual([2, claims]);
		withClaim.mockRestore();
	});

	it('after which the clock was set keeps back what is too late by now', async () => {
		const { clock, sends, attempt } = scene({ sends: [LIMITED, SENT] });
		const { ended } = attempt().start({ sendUntil: NOW + HOUR_MS });
		await clock.run(clock.sleep(1000));
		clock.set(HOUR_MS);
		expect(told(await clock.run(ended))).toBe('tooLate');
		expect(sends()).toBe(1);
	});

	it('and a budget: what became dearer meanwhile has no room', async () => {
		const { sends, attempt } = scene({ sends: [LIMITED, SENT] });
		const closing = lastHeardAt(NOW - 24 * HOUR_MS + 30_000);
		const reached = await attempt().perform({ ...closing, ...BUDGETED });
		expect(reached).toHaveProperty('failure.code', 'overBudget');
		expect(sends()).toBe(1);
	});

	it('leaves room for the look-ups of a message before it is sent, and none when it is skipped', async () => {
		const { attempt } = scene({ sends: [SENT], looks: [accepted({ status: 'delivered' })] });
		for (const expected of ['sent', 'sentBefore']) {
			const { perform, pacer } = attempt();
			const end = jest.fn();
			const reserve = jest.spyOn(pacer, 'reserveLookUp').mockReturnValue(end);
			const begin = jest.spyOn(pacer, 'begin');
			expect(told(await perform({ ...KEYED, ...WAITING }))).toBe(expected);
			expect(end).toHaveBeenCalled();
			const [reserved, sent = Infinity] = [reserve, begin].map(
				({ mock }) => mock.invocationCallOrder[0],
			);
			expect(reserved).toBeLessThan(sent);
		}
	});
});
