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
import { memoryProblem } from '../../../nodes/BusinessMessaging/memory/rows';
import { type Outcome, type Result } from '../../../nodes/BusinessMessaging/outcome';
import type { Lineage } from '../../../nodes/BusinessMessaging/run/lineage';
import { type Plan, planRun } from '../../../nodes/BusinessMessaging/run/plan';
import { emptyRetryMemory } from '../../support/emptyRetryMemory.mts';
import { OUTCOMES } from '../../support/outcomes.mts';
import { withParameters } from '../../support/parameters.mts';
import { contextOn, ProcessedData } from '../../support/processedData.mts';
import { call } from '../../support/scriptedClient.mts';
import { NODE } from '../../support/sendNode.mts';
import { createVirtualClock, type VirtualClock } from '../../support/virtualClock.mts';

const KEYED = 'order-7';
const CAP = { counter: 'node:1', number: '+1', messages: 2, periodMs: 60_000 };
const NONE: Result = { kind: 'found', json: {}, seen: { status: 'sent' } };

const shownFor = (estimate: number) => async (): Promise<Outcome> => ({
	kind: 'shown',
	json: {},
	estimate,
});

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
		getInputData: () => Array(items).fill({}),
		getExecutionCancelSignal: () => canceled.signal,
		getMode: () => 'webhook',
		getNode: () => NODE,
		getExecuteData: () => ({}),
		getWorkflowDataProxy: () => ({}),
		getWorkflow: () => ({ id: 'w1' }),
		getCredentials: async () => ({ baseUrl: 'https://plan.example.com', apiKey: `${items}` }),
		helpers: { httpRequestWithAuthentication: request },
		...inN8n,
	});
	return await planRun(given, operation, { retryMemory, lineage, audience: 'customers' }, clock);
}

async function planOf(...given: Parameters<typeof tryToPlan>): Promise<Plan['accounts']> {
	const plan = await tryToPlan(...given);
	if ('failure' in plan) throw new Error(plan.failure.message);
	return plan.accounts;
}

const clientOf = ({ all: [{ run }] }: Plan['accounts']) => run.client;

it('no more requests are in flight at the same time than the run may have', async () => {
	request.mockReturnValue(new Promise(() => undefined));
	const accounts = await planOf(3, {}, { 'expertOptions.concurrency': 2 });
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
	const few = await planOf(500, (item) => {
		if (item < 100) throw new InputError(`Item ${item} is wrong`, 'Mend it.');
		return { price: () => (item < 497 ? undefined : 0) };
	});
	await clock.run(clientOf(few).call(call('send')));
	expect(request).toHaveBeenCalledTimes(58);
	expect(clock.ticks()).toBeLessThan(21_000);
	for (const accounts of [campaign, few]) accounts.close();
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

it.each([
	[1.3, 0.1025, 'overLimit'],
	[1.31, 0.1025, undefined],
	// What is left is free.
	[0.8, 0, undefined],
])('what earlier attempts have spent counts: INR %d for four at %d', async (limit, price, code) => {
	const node = {};
	new RetryMemory(node, 0).rememberSpent(0.9);
	const options = { 'options.spendingLimit': limit };
	const retryMemory = new RetryMemory(node, 0);
	const plan = await tryToPlan(
		4,
		{ price: () => price, rehearse: shownFor(price) },
		options,
		{},
		{ retryMemory },
	);
	if ('accounts' in plan) plan.accounts.close();
	expect('failure' in plan ? plan.failure.code : undefined).toBe(code);
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
const BUDGET = {
	counter: 'node:1',
	period: 'day',
	timeZone: 'UTC',
	limit: 1,
	people: Infinity,
} as const;

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
	if ('accounts' in plan) plan.accounts.close();
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
	const jobs = [
		{ ...KEY, ...MARKETING },
		{ cap: { ...CAP, messages: 1 }, ...MARKETING },
	];
	const plan = async (spendingLimit: number) => {
		const options = { 'options.spendingLimit': spendingLimit };
		const planned = await tryToPlan(2, (item) => message(item, item, jobs[item]), options, context);
		if ('accounts' in planned) planned.accounts.close();
		return planned;
	};
	expect(await plan(1.7261)).toHaveProperty('failure.code', 'overLimit');
	const first = await plan(1.7262);
	if ('failure' in first) throw new Error(first.failure.message);
	for (const { accounts } of [first]) {
		const [{ run, jobs: planned }] = accounts.all;
		// The rehearsal has taken neither the key nor the number.
		const outcomes = planned.map(async (job) => await job.rehearse?.(run));
		expect(await Promise.all(outcomes)).toMatchObject([{ kind: 'shown' }, { kind: 'shown' }]);
	}
	const { signal } = canceled;
	const send = async () => await Promise.resolve(OUTCOMES.sent);
	await first.sendOnce.withClaim(KEYED, send, signal);
	expect(await plan(0.8631)).not.toHaveProperty('failure');
	await first.frequencyCap.withClaim({ ...CAP, messages: 1 }, send, signal);
	expect(await plan(0)).not.toHaveProperty('failure');
});

// docs/good-to-know.md: a dry run is never refused
it.each<[string, Parameters<typeof tryToPlan>[1], boolean]>([
	['sends', {}, true],
	['sends with keys', { onceKey: KEYED }, true],
	['asks nothing of the API', { price: () => undefined }, false],
	[
		'asks nothing of the API, and has a wrong item',
		(item) => {
			if (item === 1) throw new InputError('Item 1 is wrong', 'Mend it.');
			return { price: () => undefined };
		},
		false,
	],
])('a Retry that may not send is refused if it %s', async (_, job, isRefused) => {
	const refusal = notStarted();
	const begin = async () => undefined;
	const lineage = { begin, join: async () => refusal } as unknown as Lineage;
	const plan = await tryToPlan(2, job, {}, {}, { lineage });
	if ('accounts' in plan) plan.accounts.close();
	expect(plan === refusal).toBe(isRefused);
});

const FORGETFUL: Array<[string, object]> = [
	["n8n's own Agents", { getWorkflow: () => ({}) }],
	["n8n's Chat Hub", { getMode: () => 'chat' }],
];

// docs/ai-agents.md: n8n's own Agents
it.each<[string, Partial<Job>, string | undefined]>([
	['nothing of the kind', {}, undefined],
	['Send Once Key', { onceKey: KEYED }, 'Send Once Key'],
	['Frequency Cap', { cap: CAP }, 'Frequency Cap'],
	['Budget', { budget: BUDGET }, 'Budget'],
])(
	'where n8n has no workflow that stays, a run with %s is refused by its name, or is not',
	async (...row) => {
		const [, second, option] = row;
		const job = (item: number) => {
			if (item === 0) throw new InputError('Item 0 is wrong', 'Mend it.');
			return item === 1 ? second : {};
		};
		for (const [host, inHost] of FORGETFUL) {
			const plan = await tryToPlan(3, job, {}, inHost);
			if ('accounts' in plan) plan.accounts.close();
			const message = `${option} can't be used in ${host}, because nothing is kept there between two calls`;
			const remedy = expect.stringMatching(
				/^Nothing was sent\. Remove the option, or put this node/,
			);
			const refused = expect.objectContaining({ code: 'memoryUnusable', message, remedy });
			expect('failure' in plan ? plan.failure : undefined).toEqual(option && refused);
		}
	},
);

it.each<[string, IDataObject]>([
	['all options in one expression', { options: '={{ $json.options }}' }],
	['all expert options in one text', { expertOptions: '{"timeout": 5}' }],
	['a switch that is neither on nor off', { 'options.includeInputFields': 'maybe' }],
])('%s has the code of a wrong option', async (_, options) => {
	expect(await tryToPlan(1, {}, options)).toMatchObject({ failure: { code: 'wrongOption' } });
});

// docs/after-a-crash.md: how soon a Retry can follow a kill
it.each<[string, IDataObject, string[]]>([
	['no options', {}, ['begin', 'read']],
	['other options', { options: { timeout: 5 } }, ['begin', 'read']],
	['Dry Run', { options: { dryRun: true } }, ['read', 'begin']],
	['a Send Once Key', { options: { sendOnceKey: 'a' } }, ['begin', 'read']],
])(
	'a run with %s begins its lineage before it reads its items, unless it may send nothing',
	async (...row) => {
		const [, options, expected] = row;
		const order: string[] = [];
		const lineage = {
			begin: async () => void order.push('begin'),
			join: async () => undefined,
		} as unknown as Lineage;
		const job = () => {
			order.push('read');
			return {};
		};
		const plan = await tryToPlan(1, job, options, {}, { lineage });
		if ('accounts' in plan) plan.accounts.close();
		expect(order.slice(0, 2)).toEqual(expected);
	},
);

it('a run that cannot begin its lineage reads no items', async () => {
	const read = jest.fn();
	const lineage = {
		begin: async () => await Promise.reject(memoryProblem('sent messages', new Error('No answer'))),
	} as unknown as Lineage;
	const plan = await tryToPlan(1, read, {}, {}, { lineage });
	expect('failure' in plan && plan.failure.code).toBe('memoryUnusable');
	expect(read).not.toHaveBeenCalled();
});

describe('what earlier executions and attempts did', () => {
	it('gets back the fields that come from the item, if the item can be read', async () => {
		const node = {};
		const before = new RetryMemory(node, 0);
		for (const item of [0, 1, 2]) {
			before.remember(item, { kind: 'sent', json: { message_id: `m${item}`, to: '+1' } });
		}
		const retryMemory = new RetryMemory(node, 0);
		const job = (item: number) => {
			if (item === 1) throw new InputError('Item 1 is wrong', 'Mend it.');
			return { fromItem: { to: item === 0 ? '+1' : '+2' } };
		};
		const plan = await tryToPlan(3, job, {}, {}, { retryMemory });
		if ('accounts' in plan) plan.accounts.close();
		expect([...retryMemory.outcomes.values()]).toEqual([
			{ kind: 'sent', json: { message_id: 'm0', to: '+1' } },
			expect.objectContaining({ json: expect.not.objectContaining({ to: '+1' }) }),
			{ kind: 'sent', json: { message_id: 'm2' } },
		]);
	});
});
