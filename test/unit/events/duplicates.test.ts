import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';

import { claimItems, ProcessMemory } from '../../../nodes/BusinessMessaging/events/duplicates';
import { openRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { contextOn, ProcessedData } from '../../support/processedData.ts';
import { createVirtualClock } from '../../support/virtualClock.ts';

const HOUR_MS = 3_600_000;

let clock = createVirtualClock();
let memory = new ProcessMemory(clock);
beforeEach(() => {
	clock = createVirtualClock();
	memory = new ProcessMemory(clock);
});

class ResponseDouble extends EventEmitter {
	statusCode = 200;
	writableFinished = false;
	destroyed = false;

	end(statusCode: number, isReceived = true): void {
		this.statusCode = statusCode;
		this.writableFinished = isReceived;
		this.destroyed = true;
		this.emit('close');
	}
}

/** What the memory asks of n8n, for one node of one workflow. */
function contextOf({ workflow = 'w', node = 'n', mode = 'webhook' } = {}) {
	const response = new ResponseDouble();
	const context = {
		getMode: () => mode,
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: node }),
		getResponseObject: () => response,
	} as unknown as IWebhookFunctions;
	return { context, response };
}

type Scope = Parameters<typeof contextOf>[0];

/** What becomes of a delivery that n8n stores and answers 200. */
async function storedFor(scope: Scope, key: string, hours = 24) {
	const { context, response } = contextOf(scope);
	const arrival = await memory.arrive(context, key, hours);
	response.end(200);
	await new Promise((resolve) => setImmediate(resolve));
	return arrival;
}

it('knows a delivery again, for each node of each workflow by itself', async () => {
	const key = randomUUID();
	const scopes = [
		{},
		{ node: 'other' },
		{ workflow: 'other' },
		{ workflow: '1', node: '12' },
		{ workflow: '11', node: '2' },
	];
	const deliver = async () =>
		await Promise.all(scopes.map(async (scope) => await storedFor(scope, key)));
	expect(await deliver()).toEqual(scopes.map(() => 'first'));
	expect(await deliver()).toEqual(scopes.map(() => 'stored'));
});

describe('the time that a process remembers', () => {
	it.each([
		[2 * HOUR_MS - 1, 'stored'],
		[2 * HOUR_MS, 'first'],
	])('a delivery is two hours if so set: after %d ms it is %s', async (ms, expected) => {
		const key = randomUUID();
		await storedFor({}, key, 2);
		clock.pass(ms);
		expect(await storedFor({}, key, 2)).toBe(expected);
	});

	it.each([
		[HOUR_MS - 1, false],
		[HOUR_MS, true],
	])(
		'which execution has an event is an hour: after %d ms another may claim it: %p',
		(ms, expected) => {
			const key = randomUUID();
			memory.claim(contextOf().context, key);
			clock.pass(ms);
			expect(memory.claim(contextOf().context, key)).toBe(expected);
		},
	);
});

it('never takes a test event for a repeated one', async () => {
	const key = randomUUID();
	expect(await storedFor({ mode: 'manual' }, key)).toBe('first');
	expect(await storedFor({ mode: 'manual' }, key)).toBe('first');
	expect(await storedFor({}, key)).toBe('first');
});

describe('an event is in flight until n8n', () => {
	it.each<[string, number, boolean, string]>([
		['has answered 200', 200, true, 'stored'],
		['has refused it', 400, true, 'first'],
		['could not store it', 500, true, 'first'],
		['has lost the sender', 200, false, 'first'],
	])('%s; a copy that came before waits for that', async (_, status, isReceived, expected) => {
		const key = randomUUID();
		const { context, response } = contextOf();
		expect(await memory.arrive(context, key, 24)).toBe('first');
		const copy = memory.arrive(contextOf().context, key, 24);
		response.end(status, isReceived);
		expect(await copy).toBe(expected);
	});
});

it('counts the next delivery when the sender was gone before n8n got to the first', async () => {
	const key = randomUUID();
	const { context, response } = contextOf();
	response.end(200, false);
	expect(await memory.arrive(context, key, 24)).toBe('first');
	expect(await storedFor({}, key)).toBe('first');
});

it('lets one execution of this process have an event', () => {
	const key = randomUUID();
	expect(memory.claim(contextOf().context, key)).toBe(true);
	expect(memory.claim(contextOf().context, key)).toBe(false);
	expect(memory.claim(contextOf({ node: 'other' }).context, key)).toBe(true);
});

describe('a copy of an event in flight', () => {
	/** How deliveries arrive that come at these ms, if n8n stores the first of them, or fails to, at those ms. */
	async function arrivalsOf(
		comingAt: number[],
		answeredAt: Array<[number, 200 | 500]>,
		keys: string[] = [],
	) {
		const start = clock.ticks();
		const responses: ResponseDouble[] = [];
		const arrivals = comingAt.map(async (ms, index) => {
			if (ms > 0) await clock.sleep(ms);
			const { context, response } = contextOf();
			const arrival = await memory.arrive(context, keys[index] ?? 'a', 24);
			if (arrival === 'first') responses.push(response);
			return `${arrival} after ${clock.ticks() - start}`;
		});
		const ends = answeredAt.map(async ([ms, status]) => {
			await clock.sleep(ms);
			responses.shift()?.end(status);
		});
		const [all] = await clock.run(Promise.all([Promise.all(arrivals), ...ends]));
		return all;
	}

	it('waits, and is a repeated one as soon as the first is stored', async () => {
		expect(await arrivalsOf([0, 500, 1000], [[2000, 200]])).toEqual([
			'first after 0',
			'stored after 2000',
			'stored after 2000',
		]);
	});

	it('replaces the first when that failed, and only one of them does', async () => {
		const answered: Array<[number, 200 | 500]> = [
			[2000, 500],
			[3000, 200],
		];
		expect(await arrivalsOf([0, 500, 1000], answered)).toEqual([
			'first after 0',
			'first after 2000',
			'stored after 3000',
		]);
	});

	// SECURITY, The trigger: a copy waits, and gets 503 after 4 seconds at most
	it('is sent away after 4 s, even if another one replaced the first meanwhile', async () => {
		const answered: Array<[number, 200 | 500]> = [
			[2000, 500],
			[60_000, 200],
		];
		expect(await arrivalsOf([0, 100, 1000], answered)).toEqual([
			'first after 0',
			'first after 2000',
			'inFlight after 5000',
		]);
	});

	// SECURITY, The trigger: a copy waits, and gets 503 after 4 seconds at most
	it('is sent away at once while a hundred others wait, which then leave room', async () => {
		const arrivals = await arrivalsOf(Array(102).fill(0), [[1000, 200]]);
		expect(arrivals[0]).toBe('first after 0');
		expect(arrivals.slice(1, 101)).toEqual(Array(100).fill('stored after 1000'));
		expect(arrivals[101]).toBe('inFlight after 0');
		const next = await arrivalsOf(Array(101).fill(0), [[10, 200]], Array(101).fill('b'));
		expect(next.slice(1)).toEqual(Array(100).fill('stored after 10'));
	});

	it('does not keep other events waiting', async () => {
		const arrivals = await arrivalsOf([0, 0], [], ['a', 'b']);
		expect(arrivals).toEqual(['first after 0', 'first after 0']);
	});
});

it('keeps the time when somebody sets the clock', async () => {
	await storedFor({}, 'a', 1);
	clock.set(2 * HOUR_MS);
	expect(await storedFor({}, 'a', 1)).toBe('stored');
	clock.set(-4 * HOUR_MS);
	clock.pass(HOUR_MS);
	expect(await storedFor({}, 'a', 1)).toBe('first');
});

it('remembers the last 50,000 events; one that came back after its time is not the oldest', () => {
	const claim = (key: string) => memory.claim(contextOf().context, key);
	const claimOthers = (from: number, to: number) => {
		for (let index = from; index < to; index++) claim(`event ${index}`);
	};
	claim('a');
	claim('b');
	clock.pass(HOUR_MS);
	claim('a');
	claimOthers(0, 49_999);
	expect(claim('a')).toBe(false);
	claimOthers(49_999, 50_000);
	expect(claim('a')).toBe(true);
	expect(claim('event 1')).toBe(false);
});

interface Execution {
	table?: ProcessedData;
	mode?: string;
	node?: string;
	id?: string;
}

beforeAll(async () => {
	await clock.run(openRows(contextOn(new ProcessedData()).context, clock));
});

/** An execution of the trigger, what it wrote to n8n's memory, and the log. */
function executionOf({ table = new ProcessedData(), mode = 'webhook', node, id }: Execution = {}) {
	const hints: unknown[] = [];
	const { context, log } = contextOn(table, node ?? randomUUID());
	Object.assign(context, {
		getMode: () => mode,
		getExecutionId: () => id ?? 'execution',
		addExecutionHints: (hint: unknown) => hints.push(hint),
	});
	const claim = async (...keys: unknown[]) => {
		const items = keys.map((deliveryKey) => ({ json: { deliveryKey } as never }));
		const claimed = await clock.run(claimItems(context, items, clock));
		return claimed.map(({ json }) => json.deliveryKey);
	};
	return { context, claim, log, hints, table };
}

it('hands on an event once, and leaves out what this process has already', async () => {
	const { claim } = executionOf();
	expect(await claim('a', 'b')).toEqual(['a', 'b']);
	expect(await claim('b', 'c')).toEqual(['c']);
});

// README, Scaling: leaves an execution without items, which says why
it('says why an execution has no items, and nothing to one that has all', async () => {
	const { claim, hints } = executionOf();
	await claim('a');
	expect(hints).toEqual([]);
	await claim('a');
	expect(hints).toEqual([
		{
			message: expect.stringMatching(
				/^This event was delivered before, and another execution has it, .* where you can retry it\. /,
			),
			type: 'info',
			location: 'outputPane',
		},
	]);
});

it('drops repeated events in an n8n that has no hints', async () => {
	const { context } = executionOf();
	const old = { ...context, addExecutionHints: undefined } as unknown as IExecuteFunctions;
	const items = [{ json: { deliveryKey: 'a' } }];
	expect(await clock.run(claimItems(old, items, clock))).toEqual(items);
	expect(await clock.run(claimItems(old, items, clock))).toEqual([]);
});

it('hands on items without a delivery key as they are', async () => {
	const { claim, table } = executionOf();
	expect(await claim(undefined, 7)).toEqual([undefined, 7]);
	expect(await claim(undefined, 7)).toEqual([undefined, 7]);
	expect(table.statements).toEqual([]);
});

it.each(['manual', 'trigger', 'evaluation', 'retry'])(
	'repeats events of the mode %s',
	async (mode) => {
		const { claim, table } = executionOf({ mode });
		expect(await claim('a')).toEqual(['a']);
		expect(await claim('a')).toEqual(['a']);
		expect(table.statements).toEqual([]);
	},
);

// README, Scaling: repeated events are dropped once more by the workers
it('leaves out an event that an execution in another process has', async () => {
	const { claim, log, table } = executionOf({ node: 'trigger', id: '1' });
	expect(await claim('a')).toEqual(['a']);
	await jest.isolateModulesAsync(async () => {
		const other = jest.requireActual<{ claimItems: typeof claimItems }>(
			'../../../nodes/BusinessMessaging/events/duplicates',
		);
		const { context } = executionOf({ table, node: 'trigger', id: '2' });
		const items = ['a', 'b'].map((deliveryKey) => ({ json: { deliveryKey } }));
		expect(await clock.run(other.claimItems(context, items, clock))).toEqual([items[1]]);
	});
	expect(log).toEqual([]);
});

it('keeps the memories of two triggers apart', async () => {
	const table = new ProcessedData();
	const [one, other] = [executionOf({ table }), executionOf({ table })];
	expect(await one.claim('a')).toEqual(['a']);
	expect(await other.claim('a')).toEqual(['a']);
});

it.each<[string, unknown]>([
	['an error', new Error('no database')],
	['a text', 'no database'],
	['two lines', 'no database\nnone'],
])(
	'a memory that fails, with %s, lets the event through and says so in the log',
	async (_, problem) => {
		const table = new ProcessedData(async () => await Promise.reject(problem));
		const { claim, log } = executionOf({ table });
		expect(await claim('a')).toEqual(['a']);
		expect(log).toEqual([
			expect.stringMatching(
				/^The memory for repeated events could not be used: no database[^\n]*$/,
			),
		]);
	},
);
