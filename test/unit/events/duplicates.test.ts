import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
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

const claim = (key: string, node?: string) => memory.claim(contextOf({ node }).context, key);

/** What becomes of a delivery that n8n stores and answers 200. */
async function stored(scope: Parameters<typeof contextOf>[0] = {}, hours = 24) {
	const { context, response } = contextOf(scope);
	const arrival = await memory.arrive(context, 'key', hours);
	response.end(200);
	await new Promise((resolve) => setImmediate(resolve));
	return arrival;
}

it('knows a delivery again, for each node of each workflow by itself', async () => {
	const alike = { workflow: '1', node: '12' };
	const scopes = [
		{},
		{ node: 'other' },
		{ workflow: 'other' },
		alike,
		{ workflow: '11', node: '2' },
	];
	const deliver = async () => await Promise.all(scopes.map(async (scope) => await stored(scope)));
	expect(await deliver()).toEqual(scopes.map(() => 'first'));
	expect(await deliver()).toEqual(scopes.map(() => 'stored'));
});

it('remembers a delivery for the hours that are set, whatever somebody sets the clock to', async () => {
	await stored({}, 2);
	clock.set(3 * HOUR_MS);
	clock.pass(2 * HOUR_MS - 1);
	expect(await stored({}, 2)).toBe('stored');
	clock.set(-9 * HOUR_MS);
	clock.pass(1);
	expect(await stored({}, 2)).toBe('first');
});

it('lets one execution of this process have an event, for an hour', () => {
	expect([claim('a'), claim('a'), claim('a', 'other node')]).toEqual([true, false, true]);
	clock.pass(HOUR_MS - 1);
	expect(claim('a')).toBe(false);
	clock.pass(1);
	expect(claim('a')).toBe(true);
});

it('never takes a test event for a repeated one', async () => {
	expect(await stored({ mode: 'manual' })).toBe('first');
	expect(await stored({ mode: 'manual' })).toBe('first');
	expect(await stored()).toBe('first');
});

it.each<[string, number, boolean, string]>([
	['has answered 200', 200, true, 'stored'],
	['has refused it', 400, true, 'first'],
	['could not store it', 500, true, 'first'],
	['has lost the sender', 200, false, 'first'],
])('an event is in flight until n8n %s', async (_, status, isReceived, expected) => {
	const { context, response } = contextOf();
	expect(await memory.arrive(context, 'key', 24)).toBe('first');
	const copy = stored();
	response.end(status, isReceived);
	expect(await copy).toBe(expected);
});

it('counts the next delivery when the sender was gone before n8n got to the first', async () => {
	const { context, response } = contextOf();
	response.end(200, false);
	expect(await memory.arrive(context, 'key', 24)).toBe('first');
	expect(await stored()).toBe('first');
});

describe('a copy of an event in flight', () => {
	/** How deliveries arrive that come at these ms, if n8n stores the first of them, or fails to, at those ms. */
	async function arrivalsOf(
		comingAt: number[],
		answeredAt: Array<[number, 200 | 500]>,
		key: (index: number) => string = () => 'a',
	) {
		const start = clock.ticks();
		const responses: ResponseDouble[] = [];
		const arrivals = comingAt.map(async (ms, index) => {
			if (ms > 0) await clock.sleep(ms);
			const { context, response } = contextOf();
			const arrival = await memory.arrive(context, key(index), 24);
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

	// SECURITY, The trigger: a copy waits, and gets 503 after 4 seconds at most
	it.each<[string, Array<[number, 200 | 500]>, string[]]>([
		[
			'is a repeated one as soon as the first is stored',
			[[2000, 200]],
			['first after 0', 'stored after 2000', 'stored after 2000'],
		],
		[
			'replaces the first when that failed, and only one of them does',
			[
				[2000, 500],
				[3000, 200],
			],
			['first after 0', 'first after 2000', 'stored after 3000'],
		],
		[
			'is sent away after 4 s, even if another one replaced the first meanwhile',
			[
				[2000, 500],
				[60_000, 200],
			],
			['first after 0', 'first after 2000', 'inFlight after 5000'],
		],
	])('%s', async (_, answeredAt, expected) => {
		expect(await arrivalsOf([0, 500, 1000], answeredAt)).toEqual(expected);
	});

	// SECURITY, The trigger: a copy waits, and gets 503 after 4 seconds at most
	it('is sent away at once while a hundred others wait, which then leave room', async () => {
		const arrivals = await arrivalsOf(Array(102).fill(0), [[1000, 200]]);
		expect(arrivals[0]).toBe('first after 0');
		expect(arrivals.slice(1, 101)).toEqual(Array(100).fill('stored after 1000'));
		expect(arrivals[101]).toBe('inFlight after 0');
		const next = await arrivalsOf(Array(101).fill(0), [[10, 200]], () => 'b');
		expect(next.slice(1)).toEqual(Array(100).fill('stored after 10'));
	});

	it('does not keep other events waiting', async () => {
		const arrivals = await arrivalsOf([0, 0], [], String);
		expect(arrivals).toEqual(['first after 0', 'first after 0']);
	});
});

it('remembers the last 50,000 events; one that came back after its time is not the oldest', () => {
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

describe('an execution', () => {
	beforeAll(async () => {
		await clock.run(openRows(contextOn(new ProcessedData()).context, clock));
	});

	let nodes = 0;

	/** Of a trigger of its own, unless one is given. */
	function executionOf({
		table = new ProcessedData(),
		mode = 'webhook',
		node = '',
		id = '1',
	} = {}) {
		const hints: unknown[] = [];
		const { context, log } = contextOn(table, node || `node ${nodes++}`);
		Object.assign(context, {
			getMode: () => mode,
			getExecutionId: () => id,
			addExecutionHints: (hint: unknown) => hints.push(hint),
		});
		const claimKeys = async (keys: unknown[], claimThem = claimItems) => {
			const items = keys.map((deliveryKey) => ({ json: { deliveryKey } as never }));
			const claimed = await clock.run(claimThem(context, items, clock));
			return claimed.map(({ json }) => json.deliveryKey);
		};
		return { context, claimKeys, log, hints, table };
	}

	// README, Scaling: leaves an execution without items, which says why
	it('has no event that this process had already, and says why', async () => {
		const { claimKeys, hints } = executionOf();
		expect(await claimKeys(['a', 'b'])).toEqual(['a', 'b']);
		expect(hints).toEqual([]);
		expect(await claimKeys(['b', 'c'])).toEqual(['c']);
		const message = expect.stringMatching(
			/^This event was delivered before, and another execution has it, .* where you can retry it\. /,
		);
		expect(hints).toEqual([{ message, type: 'info', location: 'outputPane' }]);
	});

	it('has no repeated event in an n8n without hints either', async () => {
		const { context, claimKeys } = executionOf();
		Object.assign<IExecuteFunctions, object>(context, { addExecutionHints: undefined });
		expect([await claimKeys(['a']), await claimKeys(['a'])]).toEqual([['a'], []]);
	});

	it.each<[string, string, unknown[]]>([
		['items without a delivery key', 'webhook', [undefined, 7]],
		...['manual', 'trigger', 'retry'].map((mode): [string, string, unknown[]] => [
			`what runs in the mode ${mode}`,
			mode,
			['a'],
		]),
	])('has %s as often as it comes', async (_, mode, keys) => {
		const { claimKeys, table } = executionOf({ mode });
		expect([await claimKeys(keys), await claimKeys(keys)]).toEqual([keys, keys]);
		expect(table.statements).toEqual([]);
	});

	// README, Scaling: repeated events are dropped once more by the workers
	it('has no event that an execution in another process has, unless of another trigger', async () => {
		const { claimKeys, log, table } = executionOf({ node: 'trigger' });
		expect(await claimKeys(['a'])).toEqual(['a']);
		expect(await executionOf({ table }).claimKeys(['a'])).toEqual(['a']);
		await jest.isolateModulesAsync(async () => {
			const other = jest.requireActual<{ claimItems: typeof claimItems }>(
				'../../../nodes/BusinessMessaging/events/duplicates',
			);
			const second = executionOf({ table, node: 'trigger', id: '2' });
			expect(await second.claimKeys(['a', 'b'], other.claimItems)).toEqual(['b']);
		});
		expect(log).toEqual([]);
	});

	it('has its event when the memory fails, and the log says so', async () => {
		const problem = new Error('no database\nnone');
		const table = new ProcessedData(async () => await Promise.reject(problem));
		const { claimKeys, log } = executionOf({ table });
		expect(await claimKeys(['a'])).toEqual(['a']);
		expect(log).toEqual([
			'The memory for repeated events could not be used: no database\\u{a}none',
		]);
	});
});
