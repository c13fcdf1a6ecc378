import type { IDataObject } from 'n8n-workflow';

import type { Job } from '../../../nodes/BusinessMessaging/actions/job';
import { RetryMemory } from '../../../nodes/BusinessMessaging/actions/retryMemory';
import {
	jobOf,
	sendTemplate,
} from '../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import type { SendJob } from '../../../nodes/BusinessMessaging/actions/sendTemplate/sending';
import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import type { Result } from '../../../nodes/BusinessMessaging/outcome';
import type { Lineage } from '../../../nodes/BusinessMessaging/run/lineage';
import { type Plan, planRun } from '../../../nodes/BusinessMessaging/run/plan';
import { emptyRetryMemory } from '../../support/emptyRetryMemory.mts';
import { OUTCOMES } from '../../support/outcomes.mts';
import { withParameters } from '../../support/parameters.mts';
import { contextOn, ProcessedData } from '../../support/processedData.mts';
import { call } from '../../support/scriptedClient.mts';
import { EXECUTION, NODE } from '../../support/sendNode.mts';
import { createVirtualClock, type VirtualClock } from '../../support/virtualClock.mts';

const KEYED = 'order-7';
const CAP = { counter: 'node:1', number: '+1', messages: 2, periodMs: 60_000 };
const NONE: Result = { kind: 'found', json: {}, seen: { status: 'sent' } };

let clock: VirtualClock;
let canceled: AbortController;
let planned: Array<Awaited<ReturnType<typeof planRun>>>;

beforeEach(() => {
	planned = [];
	clock = createVirtualClock();
	canceled = new AbortController();
});

async function tryToPlan(
	items: number,
	job: Partial<Job> | ((item: number) => Partial<Job>) = {},
	options: IDataObject = {},
	inN8n: object = {},
	{
		lineage,
		retryMemory = emptyRetryMemory,
	}: { lineage?: Lineage; retryMemory?: RetryMemory } = {},
) {
	const operation = {
		sends: true,
		fields: sendTemplate.fields,
		read: (_: unknown, itemIndex: number) => ({
			itemIndex,
			price: () => 0,
			perform: async () => NONE,
			...(typeof job === 'function' ? job(itemIndex) : job),
		}),
	};
	const given = withParameters(options, {
		...EXECUTION,
		getInputData: () => Array(items).fill({}),
		getExecutionCancelSignal: () => canceled.signal,
		getCredentials: async () => ({ baseUrl: 'https://plan.example.com', apiKey: `${items}` }),
		helpers: {},
		...inN8n,
	});
	const attempt = { retryMemory, lineage, audience: 'customers' } as const;
	const plan = await planRun(given, operation, attempt, clock);
	planned.push(plan);
	return plan;
}

afterEach(() => {
	for (const plan of planned) if ('accounts' in plan) plan.accounts.close();
});

async function planOf(...given: Parameters<typeof tryToPlan>): Promise<Plan['accounts']> {
	const plan = await tryToPlan(...given);
	if ('failure' in plan) throw new Error(plan.failure.message);
	return plan.accounts;
}

const lineageWith = (methods: object) =>
	({ begin: async () => undefined, join: async () => undefined, ...methods }) as unknown as Lineage;

it('no more requests are in flight at the same time than the run may have', async () => {
	const request = jest.fn(async () => await new Promise(() => undefined));
	const helpers = { httpRequestWithAuthentication: request };
	const { all } = await planOf(3, {}, { 'expertOptions.concurrency': 2 }, { helpers });
	const unlimited = { ...call('send'), requestsPerMinute: 0 };
	for (let i = 0; i < 3; i++) void all[0].run.client.call(unlimited);
	await new Promise(setImmediate);
	expect(request).toHaveBeenCalledTimes(2);
});

it('what an earlier attempt sent gets back the fields of its item', async () => {
	const node = {};
	new RetryMemory(node, 0).remember(0, { kind: 'sent', json: { message_id: 'm', to: '+1' } });
	const retryMemory = new RetryMemory(node, 0);
	await tryToPlan(1, { fromItem: { to: '+1' } }, {}, {}, { retryMemory });
	expect(retryMemory.outcomes.get(0)).toHaveProperty('json.to', '+1');
});

it('a run that is canceled while it reads its items, or before, starts nothing', async () => {
	jest.spyOn(clock, 'sleep').mockImplementationOnce(async () => canceled.abort());
	const slowly = () => {
		clock.pass(50);
		return {};
	};
	expect(await tryToPlan(2, slowly)).toEqual(notStarted());
	expect((await planOf(1)).signal.aborted).toBe(true);
});

/** A message of Send Template. */
const message = (item: number, number: number, changes: Partial<SendJob> = {}) =>
	jobOf(
		{
			message: { to: `+1415555267${number}`, type: 'template', templateName: 'order_update' },
			categoryChoice: { category: 'utility' },
			dryRun: false,
			incomplete: [],
			rawResponse: false,
			limits: { timeoutMs: 1000, requestsPerMinute: 0 },
			...changes,
		},
		item,
	);
const MARKETING = { categoryChoice: { category: 'marketing' } } as const;
const LATE = { sendUntil: 0 };
const KEY = { sendOnceKey: KEYED };
const CAPPED = { cap: CAP };

// docs/sending.md: Spending Limit
it.each<[string, Array<Partial<SendJob>>, number]>([
	[
		'the dearest messages that a number may get, of those that are not held back',
		[CAPPED, { ...CAPPED, ...MARKETING }, CAPPED, { ...CAPPED, ...MARKETING, ...LATE }],
		0.8631 + 0.115,
	],
	['the dearest message with a key', [KEY, { ...KEY, ...MARKETING }, KEY], 0.8631],
	['nothing for the key of a message that is held back', [{ ...KEY, ...MARKETING, ...LATE }], 0],
	['the message that then gets the key', [{ ...KEY, ...MARKETING, ...LATE }, KEY], 0.115],
	['what the others cost', [{}, MARKETING, { ...MARKETING, ...LATE }, { dryRun: true }], 0.9781],
])('before it begins, a run costs %s', async (_, changes, cost) => {
	const { context } = contextOn(new ProcessedData());
	const job = (item: number) => message(item, 1, changes[item]);
	const limited = async (spendingLimit: number) =>
		await tryToPlan(changes.length, job, { 'options.spendingLimit': spendingLimit }, context);
	const plan = await limited(cost);
	expect(plan).not.toHaveProperty('failure');
	if (cost === 0) return;
	const below = await limited(cost - 0.0001);
	expect(below).toHaveProperty('failure.code', 'overLimit');
	expect(below).toHaveProperty(
		'failure.message',
		expect.stringContaining(`cost about INR ${Number(cost.toFixed(4))}`),
	);
});

// docs/sending.md: Spending Limit
it('what was sent with a key or to a number before costs nothing, and is not shown to the run', async () => {
	const { context } = contextOn(new ProcessedData());
	const cap = { ...CAP, messages: 1 };
	const job = (item: number) => message(item, item, { ...MARKETING, ...[KEY, { cap }][item] });
	const plan = async (spendingLimit: number) =>
		await tryToPlan(2, job, { 'options.spendingLimit': spendingLimit }, context);
	expect(await plan(1.7261)).toHaveProperty('failure.code', 'overLimit');
	const first = await plan(1.7262);
	if ('failure' in first) throw new Error(first.failure.message);
	const [{ run, jobs }] = first.accounts.all;
	// The rehearsal has taken neither the key nor the number.
	const outcomes = await Promise.all(jobs.map(async (each) => await each.rehearse?.(run)));
	expect(outcomes).toMatchObject([{ kind: 'shown' }, { kind: 'shown' }]);
	const { signal } = canceled;
	const send = async () => await Promise.resolve(OUTCOMES.sent);
	await first.sendOnce.withClaim(KEYED, send, signal);
	expect(await plan(0.8631)).not.toHaveProperty('failure');
	await first.frequencyCap.withClaim(cap, send, signal);
	expect(await plan(0)).not.toHaveProperty('failure');
});

const read = (item: number) => {
	if (item === 1) throw new InputError('Item 1 is wrong', 'Mend it.');
	return { price: () => undefined };
};

// docs/good-to-know.md: a dry run is never refused
it.each<[string, Parameters<typeof tryToPlan>[1], boolean, number]>([
	['sends', {}, true, 1],
	['asks nothing of the API', { price: () => undefined }, false, 0],
	['asks nothing of the API, and has a wrong item', read, false, 1],
])('a Retry that may not send is refused if it %s', async (_, job, isRefused, joins) => {
	const refusal = notStarted();
	const join = jest.fn(async () => refusal);
	const lineage = lineageWith({ join });
	const plan = await tryToPlan(2, job, {}, {}, { lineage });
	expect(plan === refusal).toBe(isRefused);
	expect(join).toHaveBeenCalledTimes(joins);
});

// docs/outputs.md: notSent is certain
it.each<[string, 'unknown' | 'notSent', object, boolean]>([
	['a Retry', 'unknown', { isUnsure: true }, false],
	['a Retry for which n8n has all', 'notSent', { isUnsure: true, isComplete: () => true }, true],
	['a run by hand that goes on', 'unknown', { isContinued: true }, true],
	['a run by hand that goes on where nothing was sent', 'notSent', { isContinued: true }, false],
	['a run by hand', 'notSent', {}, false],
])('what %s cannot read is %s', async (_, outcome, state, hasSent) => {
	const recall = async (...[messages, , signal]: unknown[]) => {
		expect(messages).toMatchObject([{ itemIndex: 0, kind: 'k', content: ['', 'c'] }]);
		expect(signal).toBe(canceled.signal);
		return new Map(hasSent ? [[0, OUTCOMES.sent]] : []);
	};
	const ledger = { recall, tell: () => undefined };
	const lineage = lineageWith({ begin: async () => ledger, isComplete: () => false, ...state });
	const retryMemory = new RetryMemory({}, 0);
	const ledgerEntry = { kind: 'k', content: 'c' } as Job['ledgerEntry'];
	const job = (item: number) => (item === 0 ? { price: () => 3, ledgerEntry } : read(item));
	const plan = await tryToPlan(2, job, {}, {}, { lineage, retryMemory });
	expect(retryMemory.spent).toBe(hasSent ? 3 : 0);
	expect(plan).toHaveProperty('parsedItems.1.failure.outcome', outcome);
	expect(lineage.isUnsure).not.toBe(true);
});

// docs/ai-agents.md: n8n's own Agents, and its Chat Hub
describe('where n8n has no workflow that stays', () => {
	const AGENTS = { getWorkflow: () => ({}) };

	it.each<[string, Partial<Job>]>([
		['Send Once Key', { onceKey: KEYED }],
		['Frequency Cap', { cap: CAP }],
		['Budget', { budget: { counter: 'node:1' } as Job['budget'] }],
	])('a run with %s is refused by its name', async (option, second) => {
		const job = (item: number) => (item === 1 ? second : {});
		for (const [host, inN8n] of [
			["n8n's own Agents", AGENTS],
			["n8n's Chat Hub", { getMode: () => 'chat' }],
		] as const) {
			expect(await tryToPlan(2, job, {}, inN8n)).toMatchObject({
				failure: {
					code: 'memoryUnusable',
					message: expect.stringContaining(`${option} can't be used in ${host}`),
					remedy: expect.stringMatching(/^Nothing was sent\. Remove the option, or /),
				},
			});
		}
	});

	// SECURITY, Tools of AI agents: a value that no $fromAI names
	it('a value that the node does not ask for is refused', async () => {
		const parameters = { to: "={{ $fromAI('to') }}" };
		const getNode = () => ({ ...NODE, type: `${NODE.type}Tool`, parameters });
		const getInputData = () => [{ json: { to: '+1', category: 'marketing' } }];
		expect(await tryToPlan(1, {}, {}, { ...AGENTS, getNode, getInputData })).toMatchObject({
			failure: {
				message: 'The tool does not ask for category',
				remedy: 'Call it again with these values only: to. Nothing was sent.',
			},
		});
	});
});

// docs/after-a-crash.md: how soon a Retry can follow a kill
it.each<[string, IDataObject, string[]]>([
	['no options', {}, ['begin', 'read']],
	['other options', { options: { timeout: 5 } }, ['begin', 'read']],
	['Dry Run', { options: { dryRun: true } }, ['read', 'begin']],
])(
	'a run with %s begins its lineage before it reads its items, unless it may send nothing',
	async (_, options, expected) => {
		const order: string[] = [];
		const lineage = lineageWith({ begin: async () => void order.push('begin') });
		const rehearse = async () => {
			order.push('rehearse');
			return OUTCOMES.sent;
		};
		const job = () => {
			order.push('read');
			return { rehearse };
		};
		await tryToPlan(1, job, options, {}, { lineage });
		expect(order.slice(0, 2)).toEqual(expected);
		expect(order).not.toContain('rehearse');
	},
);
